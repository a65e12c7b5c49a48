import CursesTerminal
import DocumentModel
import InspectorUI

/// Runs the screens' background jobs, each on a separate thread: there are few, and a long one must not hold up the
/// next.
final class JobRunner: Sendable {
    private let mailbox: EventMailbox
    private let running = Locked<Set<BackgroundJob.ID>>([])

    init(mailbox: EventMailbox) { self.mailbox = mailbox }

    /// Runs a job and posts its event.
    func perform(_ job: BackgroundJob) {
        running.withLock { _ = $0.insert(job.id) }
        mailbox.start("job") { [self] in
            let event = job.run { [self] in running.withLock { !$0.contains(job.id) } }
            running.withLock { _ = $0.remove(job.id) }
            if let event { mailbox.post(event) }
        }
    }

    /// Cancels a job whose result is no longer needed.
    func cancel(_ id: BackgroundJob.ID) { running.withLock { _ = $0.remove(id) } }
}
