import DocumentModel
import DocumentSources
import InspectorUI

/// `tour`: shows a guided tour of the program's own documents on the screen.
struct TourCommand {
    let opener: Opener
    let demo: OpenDemoData
    let tour: Tour

    @MainActor
    func run() throws -> ExitStatus {
        // Without git, this stop of the tour has nothing to show, and says so.
        let sample = demo.sample ?? (try? SampleFolder())
        let history = tour.history.flatMap { history in
            try? sample?.addHistory(
                of: history.file,
                history.states.map {
                    .init(author: $0.author, date: $0.date, subject: $0.subject, content: $0.content)
                })
        }
        let names = [demo.folder] + (demo.sample == nil ? history.map { [$0] } ?? [] : [])
        return try withExtendedLifetime(sample) {
            try InspectCommand(
                opener: opener, walker: DocumentWalker(names.map { GivenName($0) }), first: nil, order: nil, tour: tour,
                startsTour: true, shownFolder: demo.folder
            ).run()
        }
    }
}
