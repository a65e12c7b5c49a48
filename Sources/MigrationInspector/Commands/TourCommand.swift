import DocumentModel
import DocumentSources
import InspectorUI

/// `tour`: the screen, with a walk through the program's own documents.
struct TourCommand {
    let opener: Opener
    let folder: FilePath
    let tour: Tour

    @MainActor
    func run() -> ExitStatus {
        // Without git there is nothing to see at that stop, which says so.
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
