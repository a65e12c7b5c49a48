import DocumentModel
import DocumentSources
import ExampleChains
import InspectorUI
import MigrationCore
import MigrationWorker

/// A user who presses random keys, and the program around the screens, which answers at once.
struct Person {
    private var inspector = Inspector(title: "soak")
    private var random: SplitMix64
    private var size = (width: 120, height: 36)
    private let documents: [DocumentReference]
    private let host = WorkerHost(inProcess: ExampleChains.all)

    private static let keys: [InspectorKey] =
        "jkhlvdseEnNfgGoczZq?123[]<> /xyO".map { .character($0) } + [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab, .backTab, .enter, .escape, .backspace,
            .delete, .insert, .function(1), .control("d"), .control("u"), .control("w"), .control("f"), .control("b"),
            .control("l"), .control("z"), .control("c"),
        ]

    /// Creates a user with the screens of all documents in a folder, all checked.
    init(folder: String, seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(folder))]).walk { found += $0 }
        documents = found
        send(.input(.resize(width: size.width, height: size.height)))
        send(.found(found.enumerated().map { FoundDocument(id: .init($0.offset), name: $0.element.name) }))
        send(.finishedFinding(leftOut: []))
        for (number, document) in found.enumerated() {
            guard let result = try host.reply(to: WorkerRequest(document), wanting: .outcome)?.answer else { continue }
            send(.checked([CheckedDocument(.init(number), result: result)]))
        }
    }

    var documentCount: Int { documents.count }

    /// Does something random, usually pressing a key, and draws the screen.
    mutating func act() {
        switch random.below(40) {
        case 0:
            size = (random.below(160), random.below(60))
            send(.input(.resize(width: size.width, height: size.height)))
        case 1:
            let kinds: [InspectorMouse.Kind] = [.press, .doublePress, .wheelUp, .wheelDown]
            send(.input(.mouse(.init(kinds[random.below(4)], x: random.below(160) - 1, y: random.below(60) - 1))))
        case 2: send(.input(.paste("a\u{1B}[2J\nb")))
        default: send(.input(.key(Self.keys[random.below(Self.keys.count)])))
        }
        if inspector.wantsTicks { send(.tick) }
        let canvas = inspector.canvas(width: size.width, height: size.height)
        precondition(canvas.width == size.width && canvas.height == size.height, "the picture has another size")
    }

    private mutating func send(_ event: InspectorEvent) {
        var waiting = inspector.handle(event)[...]
        while let effect = waiting.popFirst() {
            switch effect {
            case .trace(let document, let supposition):
                var request = WorkerRequest(
                    documents[document.number], edits: supposition.edits, chain: supposition.chain?.name)
                request.version = supposition.chain?.version
                switch try? host.reply(to: request, wanting: .trace) {
                case .success(let trace)?: waiting += inspector.handle(.traced(document, trace))
                case .failure?: waiting += inspector.handle(.notEdited(document))
                case nil: break
                }
            case .readSource(let document):
                waiting += inspector.handle(.sourceRead(document, try? documents[document.number].read()))
            case .perform(let job):
                if let event = job.run(isCancelled: { false }) { waiting += inspector.handle(event) }
            case .write(let writing): waiting += inspector.handle(.written(writing, .exists(isDocument: false)))
            case .edit(let document, _): waiting += inspector.handle(.edited(document, note: nil))
            case .cancelTrace, .stopTrace, .cancel, .redraw, .suspend, .quit, .prove, .shrink, .redact, .copy,
                .runStep, .copyStory, .findChains, .complete, .open, .takeMouse, .outline, .findHistory, .read,
                .readMigrated,
                .blame,
                .follow, .observeFields, .order, .stopReading, .restart, .lookAgain:
                break
            }
        }
    }
}
