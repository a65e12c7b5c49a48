import DocumentModel
import Foundation

/// A store that several threads ask; one after the other.
///
/// ## Invariant
/// `access` and everything in it is touched only while `lock` is held, which is what makes the class `Sendable`.
final class SharedStore: @unchecked Sendable {
    private let path: String
    private let lock = NSLock()
    private var access: StoreAccess?

    init(path: String) { self.path = path }

    /// How often to ask again when the files change under one's hands.
    private static let attempts = 5

    /// Asks the store, opening it where needed. What is read counts only if the files did not change meanwhile, unless SQLite looks after that.
    ///
    /// - Parameters:
    ///   - name: What to name in an error.
    ///   - question: May be asked again.
    func ask<Answer>(
        as name: String, _ question: (StoreSession) throws(StoreProblem) -> Answer
    ) throws(SourceError) -> Answer {
        lock.lock()
        defer { lock.unlock() }
        for _ in 0..<Self.attempts {
            let access = try current(as: name)
            do throws(StoreProblem) {
                let answer = try question(access.session)
                if access.isCurrent { return answer }
                self.access = nil
            } catch {
                // The next question begins anew: the schema may be another by then, or the lock be gone.
                let isCurrent = access.isCurrent
                self.access = nil
                guard !isCurrent || error.isPassing else { throw SourceError(source: name, reason: .store(error)) }
                usleep(StoreProblem.passingTime)
            }
        }
        throw SourceError(source: name, reason: .store(.neverStill))
    }

    private func current(as name: String) throws(SourceError) -> StoreAccess {
        if let access, access.isCurrent { return access }
        // The old one is closed before the new one is opened, which must be the only one.
        access = nil
        do throws(SourceError) {
            let opened = try StoreAccess.open(path)
            access = opened
            return opened
        } catch {
            throw SourceError(source: name, reason: error.reason)
        }
    }
}
