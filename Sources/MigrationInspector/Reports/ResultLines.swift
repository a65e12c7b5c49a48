import DocumentModel
import MigrationCore

/// A check report as lines of JSON. Most documents pass just like the one before them. For these, only the name is
/// encoded again.
///
/// A state of a history says only what differs from the line before it, unless everything is asked for.
struct ResultLines: CheckWriter {
    /// Whether the documents are states that say only what differs.
    private let isBrief: Bool
    /// The members of the line before.
    private var before: [String: String] = [:]
    /// The previous result, without its name.
    private var last: CheckResult?
    /// The rest of its line after the name.
    private var rest = ""

    /// The beginning of the line for a result without a name.
    private static let beginning = #"{"source":""#

    init(_ reporting: CheckReporting = CheckReporting(), areStates: Bool = false) {
        isBrief = areStates && !reporting.isFull
    }

    /// Returns the line for a result. A line of an earlier report is printed with all its members, known or not.
    mutating func lines(for entry: CheckTally.Entry) throws -> String? {
        try entry.line.map { JSONText.text(of: $0) } ?? line(for: entry.result)
    }

    func ending(_ tally: CheckTally) throws -> String {
        try JSONText.text(of: CheckReport.Summary(tally.summary), layout: .compact)
    }

    /// Returns the line for a result, without a newline.
    ///
    /// - Throws: `EncodingError`.
    mutating func line(for result: CheckResult) throws -> String {
        if isBrief { return try briefLine(for: result) }
        var nameless = result
        nameless.source = ""
        if nameless != last || result.hasTextOfDocument {
            let text = try JSONText.text(of: nameless, layout: .compact)
            guard text.hasPrefix(Self.beginning) else { return try JSONText.text(of: result, layout: .compact) }
            (last, rest) = (nameless, String(text.dropFirst(Self.beginning.count + 1)))
        }
        return Self.beginning.dropLast() + JSONText.text(of: result.source) + rest
    }
}

extension ResultLines {
    /// The member of a line whose other members are those of the line before, unless it has them.
    private static let asBefore = "asBefore"
    /// The members that each line has, because most readers look at them.
    private static let kept: Set = ["source", "revision", "chain", "version", "outcome", "failure"]

    private mutating func briefLine(for result: CheckResult) throws -> String {
        let members = try JSONText.members(of: result)
        let earlier = before
        before = Dictionary(members.map { ($0.name, $0.text) }) { $1 }
        var written = members.filter { Self.kept.contains($0.name) || earlier[$0.name] != $0.text }
        let isBrief = written.count < members.count
        if isBrief {
            written += earlier.keys.filter { before[$0] == nil }.sorted().map { ($0, "null") }
            written.append((Self.asBefore, "true"))
        }
        return Self.object(written)
    }

    private static func object(_ members: [(name: String, text: String)]) -> String {
        "{\(members.map { "\(JSONText.text(of: $0.name)):\($0.text)" }.joined(separator: ","))}"
    }

    /// Returns a line with the members that it leaves out.
    ///
    /// - Parameter before: The line before it, with all its members.
    /// - Returns: nil if there is no line before that has them.
    static func whole(_ line: Document, after before: Document?) throws -> Document? {
        guard line.root[asBefore] != nil else { return line }
        guard let before else { return nil }
        var members: [(name: String, text: String)] = []
        for (document, isLine) in [(line, true), (before, false)] {
            for value in document.root.children.map(\.value) {
                guard case .key(let name)? = value.path.components.last, name != asBefore,
                    isLine || line.root[name] == nil
                else { continue }
                members.append((name, JSONText.text(of: Document(copying: value))))
            }
        }
        return try Document(json: object(members))
    }
}

extension CheckResult {
    /// Whether the result may quote the document. Strings are equal even if they are encoded differently in Unicode, so
    /// two such results can be equal and contain different text.
    fileprivate var hasTextOfDocument: Bool {
        version?.isSpelled == true || target?.isSpelled == true || failure != nil || !warnings.isEmpty
    }
}
