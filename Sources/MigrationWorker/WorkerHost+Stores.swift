import DocumentSources
import MigrationCore

extension WorkerHost {
    /// From now on, opens stores in worker processes instead of in this one. Reading a store that is damaged, or that
    /// another program truncates in the meantime, can end the process.
    ///
    /// Does nothing if the app's code runs in this process.
    public func readStores() {
        guard !isInProcess else { return }
        StoreReading.elsewhere.withLock {
            $0 = { [self] file, question throws(SourceError) in try reply(to: question, about: file) }
        }
    }

    private func reply(to question: StoreQuestion, about file: FilePath) throws(SourceError) -> StoreReply {
        var request = WorkerRequest(.whole(file))
        request.storeQuestion = question
        let reply: WorkerReply<StoreReply>?
        do throws(WorkerError) {
            reply = try self.reply(
                to: request, wanting: .store,
                progress: { work in
                    guard case .reading(let share) = work.activity, share > 0 else { return }
                    StoreCopying.onProgress.withLock { $0 }?(file, share)
                })
        } catch {
            throw SourceError(source: "\(file)", reason: .shortage(message: "\(error)"))
        }
        guard let answer = reply?.answer else { throw SourceError(source: "\(file)", reason: .cancelled) }
        return answer
    }
}

extension Wanted<StoreReply> {
    /// The answer to a question about a store.
    static var store: Self {
        Self(name: .store) { _, request in
            StoreReply(to: request)
        } take: { reply, context throws(BrokenFrame) in
            guard case .store(let answer) = reply, let question = context.request.storeQuestion else { return nil }
            return try context.store(answer, to: question)
        } lost: { request, trace throws(WorkerError) in
            let reason = try trace().failure?.reason
            let problem: StoreProblem =
                switch reason {
                case .crashed(let crash, _)?: .readerEnded(crash)
                case .timedOut(let seconds)?: .readerTimedOut(seconds: seconds)
                default: .otherAnswer
                }
            return StoreReply(.failed(SourceError(source: "\(request.document.file)", reason: .store(problem))))
        }
    }
}

extension StoreReply {
    /// Answers a request about a store in this process.
    fileprivate init(to request: WorkerRequest) {
        guard let question = request.storeQuestion else {
            self.init(.failed(SourceError(source: "\(request.document.file)", reason: .store(.otherAnswer))))
            return
        }
        self = StoreReading.reply(to: question, about: request.document.file)
    }
}
