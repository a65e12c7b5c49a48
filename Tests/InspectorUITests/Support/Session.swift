import DocumentModel
import MigrationCore

@testable import InspectorUI

extension FoundDocument.ID: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int) { self.init(number) }
}

/// A user at an inspector, who types keys, and the surrounding program, which answers at once.
struct Session {
    var inspector: Inspector
    let traces: [MigrationTrace]
    /// The requests of the inspector that this session doesn't answer.
    private(set) var effects: [InspectorEffect] = []
    /// Whether jobs wait in `heldJobs` instead of running at once.
    var holdsJobs = false
    private(set) var heldJobs: [BackgroundJob] = []
    /// Makes the traces of documents with changes. If `nil`, changes make no difference.
    var changed: (([DocumentEdit]) -> MigrationTrace)?
    /// Makes the traces of documents with a supposition, if that can include a chain.
    var supposing: ((Supposition) -> MigrationTrace)?
    /// The chains of the program.
    var chains: [ChainDescription] = []
    /// Whether reads of the previous states wait instead of being answered at once.
    var holdsStates = false
    /// Whether traces wait instead of being answered at once.
    var holdsTraces = false

    init(
        _ traces: [MigrationTrace] = PoemFixtures.all, width: Int = 120, height: Int = 36, checked: Bool = true,
        opensOnFailure: Bool = false, order: OrderKey? = nil, revision: DocumentRevision? = nil,
        heading: (Int) -> String = { _ in "" }, name: String? = nil, rows: [(store: String, cell: String)]? = nil,
        chains: [ChainDescription] = [], documents: [FoundDocument]? = nil
    ) {
        self.chains = chains
        inspector = Inspector(title: "demo-data", order: order)
        self.traces = traces
        send(.input(.resize(width: width, height: height)))
        send(
            .found(
                documents
                    ?? traces.enumerated().map {
                        guard let row = rows?[$0] else {
                            return FoundDocument(
                                id: .init($0), name: name ?? $1.source, heading: heading($0), revision: revision)
                        }
                        return FoundDocument(
                            id: .init($0), name: "\(row.store)#\(row.cell)", heading: row.store, displayName: row.cell,
                            title: "\(row.store)#\(row.cell)", firstLine: nil)
                    }))
        send(.finishedFinding(leftOut: []))
        // Tests start at the first document, not at the first failure.
        if !opensOnFailure { send(.input(.key(.home))) }
        if checked {
            send(
                .checked(
                    traces.enumerated().map {
                        CheckedDocument(.init($0.offset), result: CheckResult($0.element, versionKey: nil))
                    }))
        }
    }

    mutating func send(_ event: InspectorEvent) {
        var waiting = inspector.handle(event)
        while !waiting.isEmpty {
            let effect = waiting.removeFirst()
            switch effect {
            case .trace(let document, let supposition) where !holdsTraces:
                let supposed =
                    supposing?(supposition) ?? changed.flatMap { supposition.isEmpty ? nil : $0(supposition.edits) }
                let trace = supposed ?? traces[document.number]
                waiting += inspector.handle(.traced(document, trace))
            case .findChains where !chains.isEmpty: waiting += inspector.handle(.foundChains(chains))
            case .readSource(let document):
                waiting += inspector.handle(.sourceRead(document, SourceBytes(PoemFixtures.malformedText)))
            case .read(let document) where !holdsStates:
                waiting += inspector.handle(.read(document, traces[document.number].document))
            case .follow(let request):
                let followed = FollowedValue(request) { traces[$0.number].document }
                if let followed { waiting += inspector.handle(.followed(followed)) }
            case .blame(let request):
                if let blamed = BlamedValues(request, read: { traces[$0.number].document }) {
                    waiting += inspector.handle(.blamed(blamed))
                }
            case .readMigrated(let document):
                waiting += inspector.handle(.readMigrated(document, traces[document.number].result))
            case .order(let states, let key):
                var values: [FoundDocument.ID: String] = [:]
                let ordered = DocumentOrder.ordered(states) {
                    guard case .value(let path) = key else { return nil }
                    let value = traces[$0.number].document?.root.descendant(at: path)
                    values[$0] = value.map(OrderedState.text(of:))
                    return value
                }
                let known = ordered.flatMap { $0.isEmpty ? nil : $0 }
                waiting += inspector.handle(.ordered(known ?? states, by: key, values: known == nil ? [:] : values))
            case .observeFields(let groups):
                let known = ObservedGroup.knowing(groups) { traces[$0.number].document } ?? []
                waiting += inspector.handle(.observedFields(known))
            case .perform(let job) where !holdsJobs:
                if let event = job.run(isCancelled: { false }) { waiting += inspector.handle(event) }
            case .perform(let job): heldJobs.append(job)
            default: effects.append(effect)
            }
        }
    }

    /// Types keys, separated by blanks: characters (`j`), names (`Right`, `Enter`, `C-d`), or text (`text:mouse`).
    mutating func type(_ keys: String) {
        for word in keys.split(separator: " ") {
            if word.hasPrefix("text:") {
                for character in word.dropFirst(5) { send(.input(.key(.character(character)))) }
            } else if let key = Self.key(String(word)) {
                send(.input(.key(key)))
            }
        }
    }

    mutating func click(_ x: Int, _ y: Int) {
        send(.input(.mouse(InspectorMouse(.press, x: x, y: y))))
    }

    /// Selects the document with this name.
    mutating func open(_ name: String) {
        type("1 g")
        for _ in traces where inspector.documents.selectedDocument.map({ traces[$0.number].source }) != name {
            type("j")
        }
    }

    static func key(_ word: String) -> InspectorKey? {
        let names: [String: InspectorKey] = [
            "Up": .up, "Down": .down, "Left": .left, "Right": .right, "PgUp": .pageUp, "PgDn": .pageDown,
            "Home": .home, "End": .end, "Tab": .tab, "BTab": .backTab, "Enter": .enter, "Esc": .escape,
            "Backspace": .backspace, "Space": .character(" "),
        ]
        if let named = names[word] { return named }
        if word.hasPrefix("C-"), let last = word.last { return .control(last) }
        return word.count == 1 ? .character(Character(word)) : nil
    }

    var canvas: Canvas {
        inspector.canvas(width: inspector.size.width, height: inspector.size.height)
    }

    /// The screen as text.
    var screen: String { canvas.text }
}
