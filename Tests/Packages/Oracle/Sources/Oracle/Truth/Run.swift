/// A document on its way through a chain, run by the oracle and not by the program.
struct Run {
    enum End {
        case opens
        /// - Parameter step: The index of the step, or `nil` before the first.
        case refused(Refusal, step: Int?)
        /// No version reads the document.
        case unrecognized
    }

    /// The index of the document's version.
    var first: Int?
    var end = End.unrecognized
    /// The document before each step that was taken or tried, and the last result.
    var states: [Value] = []
    /// How far the run got, or `nil` if that can't be compared.
    var progress: [Int]?

    var opens: Bool { if case .opens = end { true } else { false } }
    var refusal: Refusal? { if case .refused(let refusal, _) = end { refusal } else { nil } }
}

extension Scheme {
    var newest: Schema { versions[versions.count - 1] }
    var hasVersionKey: Bool { system == .types || system == .closures }

    /// Returns the index of a document's version.
    func version(of document: Value) -> Int? {
        guard hasVersionKey else {
            return versions.indices.reversed().first { index in
                // A fallback only accepts a shape that a value can be made of.
                (try? StepTruth.make(self, index, system == .fallback ? versions.count - 1 : index, document)) != nil
            }
        }
        guard let number = document["version"]?.number, number >= 1, number <= Double(versions.count),
            number == number.rounded()
        else { return nil }
        return Int(number) - 1
    }

    /// Runs a document through the whole chain. The dependencies of each value are paths in the document.
    func run(_ document: Value) -> Run {
        var run = Run(first: version(of: document))
        guard let first = run.first else { return run }
        let progress = Progress()
        var (step, value): (Int?, Value) = (nil, document.tagged())
        func done() -> [Int] { [step ?? -1, progress.count] }
        do throws(Refusal) {
            if system != .closures { value = try versions[first].decode(value, .root, progress) }
            run.states = [document]
            for index in first..<(versions.count - 1) {
                (step, progress.count) = (index, 0)
                try take(index, &value, progress)
                if system == .fallback, index + 2 < versions.count { continue }
                run.states.append(system == .closures ? value : versions[index + 1].written(value))
            }
            if system == .closures { _ = try newest.decode(value, .root, progress) }
            run.end = .opens
        } catch {
            run.end = .refused(error, step: step)
        }
        run.progress = done()
        return run
    }
}

extension Scheme {
    /// Runs a step.
    func take(_ index: Int, _ value: inout Value, _ progress: Progress) throws(Refusal) {
        for operation in steps[index] { try operation.run(&value, progress, isLoose: system == .closures) }
        if system != .closures { value = versions[index + 1].read(value) }
    }
}

extension Schema {
    /// Returns the fields of a value that a type has.
    func read(_ value: Value) -> Value { (try? decode(value, .root, Progress())) ?? value }

    /// Returns the fields of a value that a type writes.
    func written(_ value: Value) -> Value {
        guard case .object(var members) = read(value) else { return value }
        for field in fields where field.isUnwritten { members[field.name] = nil }
        return .object(members)
    }
}
