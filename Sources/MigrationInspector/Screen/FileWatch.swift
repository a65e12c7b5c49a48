import CursesTerminal
import DocumentModel
import DocumentSources
import Foundation
import InspectorUI

/// Detects that documents were added, removed or changed by another program, and that the inspector was rebuilt.
///
/// A separate thread checks the stamps of the document on the screen and of the program twice a second. That works on
/// every system and file system, and costs two system calls. Changes of all other documents are reported by the system.
final class FileWatch: Sendable {
    private struct Watched {
        var document: (id: FoundDocument.ID, reference: DocumentReference)?
        var stamp: ModificationStamp?
        var isStopped = false
    }

    private let mailbox: EventMailbox
    /// The program's executable file.
    private let program: FilePath?
    /// The feed with the other documents.
    private let feed: DocumentFeed
    private let watched = Locked(Watched())

    init(mailbox: EventMailbox, program: FilePath?, feed: DocumentFeed) {
        self.mailbox = mailbox
        self.program = program
        self.feed = feed
    }

    private static let interval = 0.5

    /// Starts watching the program's file, and the document set by ``watch(_:of:)``.
    func start() {
        mailbox.start("watch") { [self] in
            let original = program.flatMap { ModificationStamp(path: $0) }
            var (last, isReported) = (original, false)
            while !watched.withLock({ $0.isStopped }) {
                lookAtDocument()
                if feed.folders.hasChanged() { feed.lookAgain(.changed) }
                // A linker writes for a while, so a new file has to stay unchanged for one interval.
                let now = program.flatMap { ModificationStamp(path: $0) }
                if now != original, now != nil, now == last, !isReported {
                    isReported = true
                    mailbox.post(.rebuilt)
                }
                last = now
                Thread.sleep(forTimeInterval: Self.interval)
            }
        }
    }

    /// Watches this document instead of the previous one.
    func watch(_ reference: DocumentReference, of document: FoundDocument.ID) {
        let stamp = reference.isReadOnce ? nil : reference.stamp
        watched.withLock {
            $0.document = reference.isReadOnce ? nil : (document, reference)
            $0.stamp = stamp
        }
    }

    func stop() { watched.withLock { $0.isStopped = true } }

    private func lookAtDocument() {
        guard let (id, reference) = watched.withLock({ $0.document }) else { return }
        let now = reference.stamp
        let isChanged = watched.withLock { watched in
            guard watched.document?.id == id, watched.stamp != now else { return false }
            watched.stamp = now
            return true
        }
        if isChanged { mailbox.post(.changed(id)) }
    }
}
