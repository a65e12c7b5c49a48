// Writes demo-data/preferences: what Foundation's UserDefaults stores for a clock that used Defaults 4, and later Defaults 5.
//
//     XDG_CONFIG_HOME=$(mktemp -d) swift Tests/Support/write-demo-preferences.swift demo-data/preferences
//
// On Linux UserDefaults writes XML, into the folder that XDG_CONFIG_HOME names; the binary files are made from that by PropertyListSerialization, as `plutil -convert binary1` would.

import Foundation

struct ClockTimeZone: Codable {
    var id: String
    var name: String
    var city: String?
}

let taipei = ClockTimeZone(id: "0", name: "Asia/Taipei")
let berlin = ClockTimeZone(id: "1", name: "Europe/Berlin")

/// A value as Defaults 4 stores it: encoded inside an array, whose brackets are taken off.
func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(String(decoding: try encoder.encode([value]), as: UTF8.self).dropFirst().dropLast())
}

func dictionary(_ zone: ClockTimeZone) -> [String: String] { ["id": zone.id, "name": zone.name] }

let version4: [String: Any] = [
    "arrayString": try json(["a", "b", "c"]),
    "setString": try json(["red", "green", "blue"]),
    "dictionaryStringInt": try json(["one": 1, "big": 9_007_199_254_740_993]),
    "dictionaryStringIntInArray": try json([["one": 1], ["two": 2]]),
    "TimeZone": try json(taipei),
    "period": try json("10 Minutes"),
    "arrayTimezone": try json([taipei, berlin]),
    "setTimezone": try json([berlin, taipei]),
    "arrayPeriod": try json(["10 Minutes", "1 Hour"]),
    "setPeriod": try json(["1 Hour", "30 Minutes"]),
    "dictionaryTimezone": try json(["home": taipei, "work": berlin]),
    "dictionaryPeriod": try json(["chime": "30 Minutes"]),
]

let version5: [String: Any] = [
    "arrayString": ["a", "b", "c"],
    "setString": ["red", "green", "blue"],
    "dictionaryStringInt": ["one": 1, "big": 9_007_199_254_740_993],
    "dictionaryStringIntInArray": [["one": 1], ["two": 2]],
    "TimeZone": dictionary(taipei),
    "period": "10 Minutes",
    "arrayTimezone": [dictionary(taipei), dictionary(berlin)],
    "setTimezone": [dictionary(berlin), dictionary(taipei)],
    "arrayPeriod": ["10 Minutes", "1 Hour"],
    "setPeriod": ["1 Hour", "30 Minutes"],
    "dictionaryTimezone": ["home": dictionary(taipei), "work": dictionary(berlin)],
    "dictionaryPeriod": ["chime": "30 Minutes"],
]

/// What the clock does not declare: the system's keys, and a string that only looks like JSON.
let undeclared: [String: Any] = [
    "NSWindow Frame clock": "391 290 400 400 0 0 1512 948 ",
    "launchCount": 42,
    "lastLaunch": Date(timeIntervalSince1970: 1_700_000_000),
    "alarmSound": Data([0x62, 0x6f, 0x6f, 0x6b]),
    "note": "[\"not\", \"declared\"]",
]

func changing(_ values: [String: Any], _ changes: [String: Any]) -> [String: Any] {
    values.merging(changes) { $1 }
}

func only(_ names: [String], of values: [String: Any]) -> [String: Any] { values.filter { names.contains($0.key) } }

let files: [String: [String: Any]] = [
    "version-4.plist": changing(version4, undeclared),
    "version-4-xml.plist": only(["arrayString", "TimeZone", "period", "setTimezone"], of: version4),
    "version-5.plist": changing(version5, undeclared),
    "version-5-xml.plist": only(["arrayString", "TimeZone", "period", "setTimezone"], of: version5),
    "version-4-and-5-mixed.plist": changing(version4, only(["arrayString", "period", "setPeriod"], of: version5)),
    "version-4-city-dropped.plist": changing(
        version4, ["TimeZone": try json(ClockTimeZone(id: "0", name: "Asia/Taipei", city: "Taipei"))]),
    "array-cut-short-xml.plist": changing(
        only(["setString", "period"], of: version4), ["arrayString": "[\n  \"a\",\n  \"b\",\n  \"c"]),
    "time-zone-without-name.plist": changing(
        version4, ["arrayTimezone": #"[{"id":"0","name":"Asia/Taipei"},{"id":"1"}]"#]),
    "period-of-five-minutes-xml.plist": changing(
        only(["arrayString"], of: version4), ["period": #""5 Minutes""#]),
    "period-of-two-hours.plist": changing(version4, ["period": #""2 Hours""#]),
    "number-in-words.plist": changing(version4, ["dictionaryStringInt": #"{"one":1,"two":"zwei"}"#]),
    "null-in-array.plist": changing(version4, ["arrayString": #"["a",null,"c"]"#]),
    "elements-still-json-strings-xml.plist": [
        "arrayTimezone": [try json(taipei), try json(berlin)], "period": "10 Minutes",
    ],
    "neither-string-nor-set-xml.plist": changing(only(["arrayString", "period"], of: version4), ["setString": 7]),
]

guard CommandLine.arguments.count == 2, let home = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"] else {
    print("usage: XDG_CONFIG_HOME=$(mktemp -d) swift write-demo-preferences.swift FOLDER")
    exit(64)
}
let folder = URL(filePath: CommandLine.arguments[1])
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
for (name, values) in files {
    let suite = "clock-\(UUID().uuidString)"
    guard let defaults = UserDefaults(suiteName: suite) else { continue }
    for (key, value) in values { defaults.set(value, forKey: key) }
    defaults.synchronize()
    let written = URL(filePath: home).appending(path: "\(suite).plist")
    var data = try Data(contentsOf: written)
    if !name.hasSuffix("-xml.plist") {
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }
    try data.write(to: folder.appending(path: name))
    try FileManager.default.removeItem(at: written)
}
