import DocumentModel
import DocumentSources
import InspectorUI

/// `tour`: shows a guided tour of the program's own documents on the screen.
struct TourCommand {
    let opener: Opener
    let folder: FilePath
    let tour: Tour

    @MainActor
    func run() -> ExitStatus {
        // Without git, this stop of the tour has nothing to show, and says so.
        let history = tour.history.flatMap { history in
            try? SampleHistory(
                name: history.file,
                states: history.states.map {
                    .init(author: $0.author, date: $0.date, subject: $0.subject, content: $0.content)
                })
        }
        let names = [GivenName(folder)] + (history.map { [GivenName($0.file)] } ?? [])
        return withExtendedLifetime(history) {
            InspectCommand(
                opener: opener, walker: DocumentWalker(names), first: nil, order: nil, tour: tour, startsTour: true,
                shownFolder: folder
            ).run()
        }
    }
}
