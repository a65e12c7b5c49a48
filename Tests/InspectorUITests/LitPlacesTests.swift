import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import InspectorUI

@Suite("Highlighting fields that are no longer valid")
struct LitPlacesTests {
    private let folder = try! TemporaryFolder()

    /// Returns the rows with a culprit and the lines of the source with a caret, as the first screen shows them, before
    /// any experiments.
    ///
    /// - Parameter name: The name of the document in the folder.
    private func lit(_ chain: MigrationChain, _ name: String) throws -> String {
        let reference = GivenName(FilePath(folder.path(name))).document
        let trace = chain.trace(try Document(parsing: reference.read()), source: name)
        var inspector = Inspector(title: "d")
        _ = inspector.handle(.input(.resize(width: 120, height: 40)))
        let found = FoundDocument(
            id: 0, name: name, heading: "", displayName: name, title: name, firstLine: reference.firstLine)
        _ = inspector.handle(.found([found]))
        _ = inspector.handle(.finishedFinding(leftOut: []))
        _ = inspector.handle(.checked([CheckedDocument(0, result: CheckResult(trace))]))
        _ = inspector.handle(.traced(0, trace))
        // The part of the screen to the right of the document list.
        let panel = inspector.canvas(width: 120, height: 40).text.split(separator: "\n").map { line in
            String(
                line.drop { $0 != "│" }.dropFirst().drop { $0 != "│" }.drop { $0 == "│" }.reversed().drop {
                    " │┃".contains($0)
                }.reversed())
        }
        var shown: [String] = []
        for (index, line) in panel.enumerated() {
            if line.hasPrefix(" ✗   ") || line.contains("◀") {
                shown.append(line)
            } else if line.contains("fieldNoLongerValid") || line.contains(" at $"), line.contains("^") {
                shown += [panel[index - 1], line]
            }
        }
        return ([name] + shown).joined(separator: "\n")
    }

    private static let film = #"{"version": 1, "title": "Fog", "stars": 9}"#

    private func pot(version: Int = 1, ounces: Int = 1, size: Int = 1) -> String {
        "{\n  \"version\": \(version),\n  \"label\": \"jam\",\n  \"lids\": [{\"size\": 1},\n    {\"size\": \(size)}],\n  \"ounces\": \(ounces)\n}"
    }

    private func writePropertyList(
        _ object: Any, _ format: PropertyListSerialization.PropertyListFormat, _ name: String
    )
        throws
    {
        try folder.write(
            PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0), to: name)
    }

    @Test("a field that is no longer valid is lit up at once in the step and in the source")
    func places() throws {
        let part = Data(#"{"version": 1, "label": "jam", "ounces": 0}"#.utf8).base64EncodedString()
        let texts = [
            "flat.json": Self.film.replacingOccurrences(of: ", ", with: ",\n"),
            "nested.json":
                "{\"version\": 1, \"items\": [{\"label\": \"a\", \"weight\": \"1\"},\n {\"label\": \"b\", \"weight\": \"x\"}]}",
            "films.jsonl": "{\"version\": 1, \"title\": \"Ok\", \"stars\": 1}\n\(Self.film)\n",
            "lost-case.json": "{\"version\": 1, \"size\": 4,\n \"color\": \"mauve\"}",

            "two-fields.json": "{\"version\": 1, \"guest\": \"Ada\",\n \"from\": 9,\n \"until\": 3}",
            "closure-flat.json": pot(ounces: 0), "closure-nested.json": pot(version: 2, size: 0),
            "closure-third.json": pot(ounces: 200),

            "container.json":
                "{\"version\": 1, \"name\": \"t\",\n \"pots\": [\n  {\"version\": 1, \"instance\": \"\(part)\"}]}",
            "container-in-dictionary.json":
                "{\"version\": 1, \"name\": \"t\", \"pots\": [],\n \"spare\": {\"a.b\": {\"version\": 1,\n \"instance\": \"\(part)\"}}}",
            "fallback-root.json": "{\"name\": \"A\",\n \"contact\": \"none\"}",
            "fallback-in-plain.json":
                "{\"title\": \"c\", \"people\": [{\"name\": \"A\", \"mail\": \"a@b\"},\n {\"name\": \"B\", \"contact\": \"none\"}]}",
            "fallback-in-fallback.json": "{\"title\": \"c\",\n \"lead\": {\"name\": \"B\",\n \"contact\": \"none\"}}",
        ]
        for (name, text) in texts { try folder.write(text, to: name) }
        let film: [String: Any] = ["stars": 9, "title": "Fog", "version": 1]
        try writePropertyList(film, .xml, "xml.plist")
        try writePropertyList(film, .binary, "binary.plist")
        let alarms = "[{\"hour\": 7},\n {\"hour\": 25, \"label\": \"late\"}]"
        try writePropertyList(["alarms": alarms, "next": #"{"hour": 7}"#], .xml, "preferences.plist")

        try StoreWriter.make(
            folder.path("films.sqlite"), "CREATE TABLE film (id INTEGER PRIMARY KEY, json TEXT)",
            "INSERT INTO film VALUES (1, '{}'), (2, '\(Self.film)')")

        let films = MigrationChain(PlaceChains.Film.self)
        let pots = MigrationChain(PlaceChains.Pot.self)
        let pictures = [
            try lit(films, "flat.json"), try lit(MigrationChain(PlaceChains.Shelf.self), "nested.json"),
            try lit(films, "films.jsonl#L2"), try lit(films, "xml.plist"), try lit(films, "binary.plist"),
            try lit(films, "films.sqlite#film/2/json"),
            try lit(MigrationChain(PlaceChains.Shirt.self), "lost-case.json"),
            try lit(pots, "closure-flat.json"),
            try lit(pots, "closure-nested.json"), try lit(pots, "closure-third.json"),
            try lit(MigrationChain(PlaceChains.Stay.self), "two-fields.json"),
            try lit(MigrationChain(PlaceChains.Trip.self), "container.json"),
            try lit(MigrationChain(PlaceChains.Trip.self), "container-in-dictionary.json"),
            try lit(PlaceChains.person, "fallback-root.json"), try lit(PlaceChains.crew, "fallback-in-plain.json"),
            try lit(PlaceChains.fleet, "fallback-in-fallback.json"), try lit(PlaceChains.alarms, "preferences.plist"),
        ]
        expectPicture(
            pictures.joined(separator: "\n"),
            #"""
            flat.json
             ✗   stars    9  ◀ 9 stars are no grade (likely by name)
               3 │ "stars": 9}
                 │          ^ fieldNoLongerValid names $.grade
            nested.json
             ✗       weight  "x"  ◀ 'x' is no number
               2 │  {"label": "b", "weight": "x"}]}
                 │                           ^ fieldNoLongerValid at $.items[1].weight
            films.jsonl#L2
             ✗   stars    9  ◀ 9 stars are no grade (likely by name)
               2 │ {"version": 1, "title": "Fog", "stars": 9}
                 │                                         ^ fieldNoLongerValid names $.grade
            xml.plist
             ✗   stars    9  ◀ 9 stars are no grade (likely by name)
               6 │     <integer>9</integer>
                 │     ^ fieldNoLongerValid names $.grade
            binary.plist
             ✗   stars    9  ◀ 9 stars are no grade (likely by name)
                 stars: 9  ◀ 9 stars are no grade (likely by name)
            films.sqlite#film/2/json
             ✗   stars    9  ◀ 9 stars are no grade (likely by name)
               1 │ {"version": 1, "title": "Fog", "stars": 9}
                 │        fieldNoLongerValid names $.grade ^
            lost-case.json
             ✗   color    "mauve"  ◀ the color mauve is gone
               2 │  "color": "mauve"}
                 │           ^ fieldNoLongerValid at $.color
            closure-flat.json
             ✗   ounces   0  ◀ a pot is not empty
               6 │   "ounces": 0
                 │             ^ fieldNoLongerValid at $.ounces
            closure-nested.json
             ✗       size  0  ◀ a lid has a size
               5 │     {"size": 0}],
                 │              ^ fieldNoLongerValid at $.lids[1].size
            closure-third.json
             ✗   ounces   200  ◀ a pot is not that heavy
               6 │   "ounces": 200
                 │             ^ fieldNoLongerValid at $.ounces
            two-fields.json
             ✗   from     9  ◀ likely; the migration named no field
             ✗   until    3
               2 │  "from": 9,
                 │          ^ fieldNoLongerValid names no field
            container.json
             ✗   pots[0]  v1 ✗ 2  ounces  0  ◀ a pot is not empty
               3 │   {"version": 1, "instance": "eyJ2ZXJzaW9uIjogMSwgImxhYmVsIjogImphbSIsICJvdW›
                 │                              ^ at $.pots[0].instance.ounces
            container-in-dictionary.json
             ✗   spare['a.b']  v1 ✗ 2  ounces  0  ◀ a pot is not empty
               3 │  "instance": "eyJ2ZXJzaW9uIjogMSwgImxhYmVsIjogImphbSIsICJvdW5jZXMiOiA›
                 │              ^ fieldNoLongerValid at $.spare['a.b'].instance.ounces
            fallback-root.json
             ✗   contact  "none"  ◀ 'none' is no address (likely by name)
               2 │  "contact": "none"}
                 │             ^ fieldNoLongerValid names $.mail
            fallback-in-plain.json
             ✗   people[1]  v1 ✗ 2  contact  "none"  ◀ 'none' is no address
               2 │  {"name": "B", "contact": "none"}]}
                 │                           ^ fieldNoLongerValid names $.people[1].mail
            fallback-in-fallback.json
             ✗   lead  v1 ✗ 2  contact  "none"  ◀ 'none' is no address
               3 │  "contact": "none"}}
                 │             ^ fieldNoLongerValid names $.lead.mail
            preferences.plist
             ✗   alarms  v4 ✗ 5  [1].hour  25  ◀ a day has no hour 25
               2 │  {"hour": 25, "label": "late"}]
                 │           ^ fieldNoLongerValid names $.alarms.hour
            """#)
    }
}
