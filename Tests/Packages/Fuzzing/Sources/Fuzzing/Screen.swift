import InspectorUI
import MigrationCore

/// The screens, which have to show any trace.
enum Screen {
    /// Returns whether to show a trace. Only one in ten is shown, because that takes longer than everything else.
    static func isShown(of trace: MigrationTrace) -> Bool {
        (trace.dropped.count + trace.warnings.count + (trace.failure?.message.utf8.count ?? 0)) % 10 == 3
    }

    /// Shows a trace, and browses it with some keys.
    static func show(_ trace: MigrationTrace) {
        var inspector = Inspector(title: "forged")
        func send(_ event: InspectorEvent) {
            var waiting = inspector.handle(event)[...]
            while let effect = waiting.popFirst() {
                if case .perform(let job) = effect, let event = job.run(isCancelled: { false }) {
                    waiting += inspector.handle(event)
                }
            }
        }
        send(.input(.resize(width: 100, height: 30)))
        send(.found([FoundDocument(id: .init(0), name: "a.json")]))
        send(.finishedFinding(leftOut: []))
        send(.checked([CheckedDocument(.init(0), result: CheckResult(trace))]))
        send(.traced(.init(0), trace))
        for key in [
            InspectorKey.tab, .character("j"), .enter, .character("e"), .character("d"), .character("v"), .down,
        ] {
            send(.input(.key(key)))
            _ = inspector.canvas(width: 100, height: 30)
        }
    }
}
