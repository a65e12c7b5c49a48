/// A condition on a value.
enum Test: Sendable {
    case equals(Scalar)
    case atLeast(Double)
    case between(Double, Double)
    case notEmpty
    case among([String])

    func holds(_ scalar: Scalar) -> Bool {
        switch self {
        case .equals(let other): scalar == other
        case .atLeast(let least): scalar.number.map { $0 >= least } ?? false
        case .between(let least, let most): scalar.number.map { $0 >= least && $0 <= most } ?? false
        case .notEmpty: scalar.text.map { !$0.isEmpty } ?? false
        case .among(let texts): scalar.text.map(texts.contains) ?? false
        }
    }

    /// Values on both sides of the condition.
    var values: [Scalar] {
        switch self {
        case .equals(let scalar): [scalar]
        case .atLeast(let least): [.number(least), .number(least - 1), .number(least + 1)]
        case .between(let least, let most):
            [least, most, least - 1, most + 1, ((least + most) / 2).rounded()].map(Scalar.number)
        case .notEmpty: [.text(""), .text("something")]
        case .among(let texts): texts.map(Scalar.text)
        }
    }
}

/// The way an operation reports an error.
struct Complaint: Sendable {
    /// Whether it throws a custom error instead of `fieldNoLongerValid`.
    var isOwn: Bool
    /// The field of the same object whose value the message quotes.
    var quoted: String?
}

/// One thing that a step does with each object at a scope.
struct Operation: Sendable {
    enum Verb: Sendable {
        case rename(String, to: String)
        case moveIn(String, to: String)
        case moveOut(String, from: String)
        case drop(String)
        /// Removes the elements whose field passes the test.
        case filter(String, by: String, Test)
        case takeAway(String, at: Int)
        case keepFirst(String, Int)
        case removeLast(String)
        case reverse(String)
        case sort(String, by: String)
        case round(String)
        case cut(String, Int)
        case lower(String)
        case trim(String)
        case join(String, String, to: String)
        case split(String, to: String, String)
        case threshold(String, Test, to: String)
        case table(String, Choice, to: String)
        case toText(String)
        case toNumber(String)
        case swap(String, String)
        /// Moves the text of each element into another field of the element before it.
        case shift(String, String, to: String)
        case total(String, String, to: String)
        case count(String, to: String, keepsList: Bool)
        case group(String, by: String, sum: String, to: String)
        case validate(String, Test, Complaint)
        case agree(String, String, isOrdered: Bool, Complaint)
        case require(String, Complaint)
        /// Keeps one of two fields, selected by the case of an enum.
        case discriminate(String, circle: String, square: String, to: String)
        case constant(String, Scalar)
        /// Adds a new value and keeps the old one, which is no longer read. Only closures do this.
        case copy(String, to: String)
    }

    var scope: [String]
    var verb: Verb

    /// The values that an operation distinguishes.
    var values: [Scalar] {
        switch verb {
        case .filter(_, _, let test), .threshold(_, let test, _), .validate(_, let test, _): test.values
        case .table(_, let choice, _): choice.cases.map(Scalar.text)
        case .discriminate: Choice.form.cases.map(Scalar.text)
        case .split: [.text("a-b"), .text("c-d"), .text("e-f g"), .text("16-10")]
        case .toNumber: [.text("7"), .text("350"), .text("1000"), .text("99")]
        default: []
        }
    }
}

extension Operation: CustomStringConvertible {
    var description: String { (scope.isEmpty ? "" : "in \(scope.joined(separator: ".")): ") + "\(verb)" }
}

// MARK: - Running

extension Operation {
    /// Runs the operation.
    ///
    /// - Parameter isLoose: Whether the value is a payload without a known type.
    func run(_ value: inout Value, _ progress: Progress, isLoose: Bool) throws(Refusal) {
        try Self.each(scope[...], &value, .root) { (members, path) throws(Refusal) in
            progress.count += 1
            var object = Object(members: members, path: path, progress: progress, isLoose: isLoose)
            try verb.run(&object)
            members = object.members
        }
    }

    /// Calls `body` with every object at a scope.
    private static func each(
        _ scope: ArraySlice<String>, _ value: inout Value, _ path: Path,
        _ body: (inout Members, Path) throws(Refusal) -> Void
    ) throws(Refusal) {
        switch value {
        case .list(var elements, let flows):
            for index in elements.indices { try each(scope, &elements[index], path.index(index), body) }
            value = .list(elements, flows)
        case .object(var members):
            if let name = scope.first {
                if var child = members[name] {
                    try each(scope.dropFirst(), &child, path.key(name), body)
                    members[name] = child
                }
            } else {
                try body(&members, path)
            }
            value = .object(members)
        case .leaf: break
        }
    }
}

/// An object that an operation works on.
private struct Object {
    var members: Members
    let path: Path
    let progress: Progress
    let isLoose: Bool

    /// Returns a leaf, or `nil` if there is none.
    func leaf(_ name: String) -> (scalar: Scalar, flows: Flows)? {
        guard case .leaf(let scalar, let flows)? = members[name], scalar != .null else { return nil }
        progress.touched.formUnion(flows.keys)
        return (scalar, flows)
    }

    /// Records elements that an operation removes.
    func take(_ gone: [Value]) { progress.removed.formUnion(gone.compactMap(\.place)) }

    func list(_ name: String) throws(Refusal) -> (elements: [Value], flows: Flows) {
        guard case .list(let elements, let flows)? = members[name] else { throw wrong(name) }
        return (elements, flows)
    }

    /// Returns the error that a closure throws if a field is missing or of another kind.
    func wrong(_ name: String, _ message: String = "is not what it was") -> Refusal {
        let place = members[name].map(\.place) ?? members.origin?.key(name)
        return Refusal(
            blamed: Set([place].compactMap { $0 }), path: path.key(name), message: "\(name) \(message)", isOwn: true)
    }

    func number(_ name: String) throws(Refusal) -> (value: Double, flows: Flows) {
        guard let leaf = leaf(name), let number = leaf.scalar.number else { throw wrong(name) }
        return (number, leaf.flows)
    }

    func text(_ name: String) throws(Refusal) -> (value: String, flows: Flows) {
        guard let leaf = leaf(name), let text = leaf.scalar.text else { throw wrong(name) }
        return (text, leaf.flows)
    }

    /// Changes a text, or throws if the field isn't a text.
    mutating func edit(_ name: String, _ narrowing: Narrowing, _ body: (String) -> String) throws(Refusal) {
        let (old, flows) = try text(name)
        let new = body(old)
        members[name] = .leaf(.text(new), new == old ? flows : flows.narrowed(narrowing))
    }

    func complain(_ complaint: Complaint, _ name: String, _ what: String, blamed: Set<Path>) -> Refusal {
        let quoted = complaint.quoted.flatMap { members[$0]?.scalar }.map { scalar in
            switch scalar {
            case .text(let text): " '\(text)'"
            case .number(let number): " \(number.plain)"
            case .bool(let bool): " \(bool)"
            case .null: " null"
            }
        }
        return Refusal(
            blamed: blamed, path: path.key(name), message: what + (quoted.map { " of" + $0 } ?? ""),
            isOwn: complaint.isOwn)
    }
}

extension Operation.Verb {
    fileprivate func run(_ object: inout Object) throws(Refusal) {
        switch self {
        case .rename(let name, let new):
            _ = object.leaf(name)
            if let value = object.members[name] {
                object.members[name] = nil
                object.members[new] = value
            }
        case .moveIn(let name, let target):
            _ = object.leaf(name)
            var inner = object.members[target]?.members ?? Members()
            inner[name] = object.members[name]
            object.members[name] = nil
            object.members[target] = .object(inner)
        case .moveOut(let name, let source):
            guard var inner = object.members[source]?.members else { throw object.wrong(source) }
            if let value = inner[name] { object.members[name] = value }
            if case .leaf(_, let flows)? = inner[name] { object.progress.touched.formUnion(flows.keys) }
            inner[name] = nil
            object.members[source] = .object(inner)
        case .drop(let name): object.members[name] = nil
        case .filter(let name, let field, let test):
            var (elements, flows) = try object.list(name)
            for element in elements { flows.add(element[field]?.flows ?? [:], then: .tests) }
            for element in elements { object.progress.touched.formUnion((element[field]?.flows ?? [:]).keys) }
            func isGone(_ element: Value) -> Bool { element[field]?.scalar.map(test.holds) ?? false }
            object.take(elements.filter(isGone))
            elements.removeAll(where: isGone)
            object.members[name] = .list(elements, flows)
        case .takeAway(let name, let position):
            var (elements, flows) = try object.list(name)
            if elements.indices.contains(position) { object.take([elements.remove(at: position)]) }
            object.members[name] = .list(elements, flows)
        case .keepFirst(let name, let count):
            let (elements, flows) = try object.list(name)
            object.take(Array(elements.dropFirst(count)))
            object.members[name] = .list(Array(elements.prefix(count)), flows)
        case .removeLast(let name):
            let (elements, flows) = try object.list(name)
            object.take(Array(elements.suffix(1)))
            object.members[name] = .list(elements.dropLast(), flows)
        case .reverse(let name):
            let (elements, flows) = try object.list(name)
            object.members[name] = .list(elements.reversed(), flows)
        case .sort(let name, let field):
            var (elements, flows) = try object.list(name)
            for element in elements { flows.add(element[field]?.flows ?? [:], then: .tests) }
            func key(_ value: Value) -> (Double, String) { (value[field]?.number ?? 0, value[field]?.text ?? "") }
            let sorted = elements.enumerated().sorted {
                key($0.element) == key($1.element) ? $0.offset < $1.offset : key($0.element) < key($1.element)
            }
            elements = sorted.map(\.element)
            object.members[name] = .list(elements, flows)
        case .round(let name):
            let (number, flows) = try object.number(name)
            let rounded = number.rounded()
            object.members[name] = .leaf(.number(rounded), rounded == number ? flows : flows.narrowed(.digits))
        case .cut(let name, let count): try object.edit(name, .cut) { String($0.prefix(count)) }
        case .lower(let name): try object.edit(name, .lower) { $0.lowercased() }
        case .trim(let name): try object.edit(name, .space) { $0.trimmingSpaces }
        case .join(let one, let other, let new):
            let (first, second) = (try object.text(one), try object.text(other))
            var flows = first.flows
            flows.add(second.flows)
            (object.members[one], object.members[other]) = (nil, nil)
            object.members[new] = .leaf(.text("\(first.value) \(second.value)"), flows)
        case .split(let name, let first, let second):
            let (text, flows) = try object.text(name)
            let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw object.wrong(name, "has no two parts") }
            object.members[name] = nil
            object.members[first] = .leaf(.text(String(parts[0])), flows.then(.portion))
            object.members[second] = .leaf(.text(String(parts[1])), flows.then(.portion))
        case .threshold(let name, let test, let new):
            guard let (scalar, flows) = object.leaf(name) else { throw object.wrong(name) }
            object.members[name] = nil
            object.members[new] = .leaf(.text(test.holds(scalar) ? "yes" : "no"), flows.then(.tests))
        case .table(let name, let choice, let new):
            let (text, flows) = try object.text(name)
            guard let number = choice.cases.firstIndex(of: text) else { throw object.wrong(name, "is no \(choice)") }
            object.members[name] = nil
            object.members[new] = .leaf(.number(Double(10 * number + 10)), flows)
        case .toText(let name):
            let (number, flows) = try object.number(name)
            object.members[name] = .leaf(.text(number.plain), flows)
        case .toNumber(let name):
            let (text, flows) = try object.text(name)
            guard let number = Double(text), number.isFinite, number.plain == text else {
                throw object.wrong(name, "is no number")
            }
            object.members[name] = .leaf(.number(number), flows)
        case .swap(let one, let other):
            _ = (object.leaf(one), object.leaf(other))
            (object.members[one], object.members[other]) = (object.members[other], object.members[one])
        case .shift(let name, let field, let new):
            let (elements, flows) = try object.list(name)
            var shifted: [Value] = []
            for (index, element) in elements.enumerated() {
                guard var members = element.members else { throw object.wrong(name) }
                members[field] = nil
                members[new] = .text("none")
                if index + 1 < elements.count {
                    guard case .leaf(let scalar, let flows)? = elements[index + 1][field] else {
                        throw object.wrong(name)
                    }
                    members[new] = .leaf(scalar, flows)
                }
                if case .leaf(_, let flows)? = element[field] { object.progress.touched.formUnion(flows.keys) }
                shifted.append(.object(members))
            }
            object.members[name] = .list(shifted, flows)
        case .total(let name, let field, let new):
            let (elements, decided) = try object.list(name)
            var (total, flows) = (0.0, decided.then(.open))
            for element in elements {
                guard case .leaf(.number(let number), let sources)? = element[field] else { throw object.wrong(name) }
                total += number
                flows.add(sources)
                object.progress.touched.formUnion(sources.keys)
            }
            object.members[new] = .leaf(.number(total), flows)
        case .count(let name, let new, let keepsList):
            let (elements, decided) = try object.list(name)
            if !keepsList { object.members[name] = nil }
            object.members[new] = .leaf(.number(Double(elements.count)), decided.then(.open))
        case .group(let name, let field, let amount, let new):
            let (elements, decided) = try object.list(name)
            var (order, sums) = ([String](), [String: (Double, Flows)]())
            var keys = decided.then(.open)
            for element in elements { keys.add(element[field]?.flows ?? [:], then: .open) }
            for element in elements {
                guard let key = element[field]?.text, case .leaf(.number(let number), let flows)? = element[amount]
                else { throw object.wrong(name) }
                object.progress.touched.formUnion(flows.keys)
                object.progress.touched.formUnion((element[field]?.flows ?? [:]).keys)
                if sums[key] == nil { order.append(key) }
                var (sum, sources) = sums[key] ?? (0, keys)
                sources.add(flows)
                sums[key] = (sum + number, sources)
            }
            object.members[name] = nil
            let groups = order.map { key in
                let (sum, sources) = sums[key] ?? (0, [:])
                return Value.object(["name": .leaf(.text(key), keys), "sum": .leaf(.number(sum), sources)])
            }
            object.members[new] = .list(groups, keys)
        case .validate(let name, let test, let complaint):
            guard let (scalar, flows) = object.leaf(name) else { return }
            guard !test.holds(scalar) else { return }
            throw object.complain(complaint, name, "\(name) is not valid any more", blamed: Set(flows.keys))
        case .agree(let one, let other, let isOrdered, let complaint):
            let (first, second) = (try object.number(one), try object.number(other))
            guard isOrdered ? first.value > second.value : first.value != second.value else { return }
            throw object.complain(
                complaint, one, "\(one) and \(other) do not agree",
                blamed: Set(first.flows.keys).union(second.flows.keys))
        case .require(let name, let complaint):
            guard object.leaf(name) == nil else { return }
            let place = object.members.origin?.key(name)
            throw object.complain(complaint, name, "there is no \(name)", blamed: Set([place].compactMap { $0 }))
        case .discriminate(let name, let circle, let square, let new):
            let (form, flows) = try object.text(name)
            guard Choice.form.cases.contains(form) else { throw object.wrong(name, "is no form") }
            let field = form == "circle" ? circle : square
            guard let (scalar, sources) = object.leaf(field) else { throw object.wrong(field, "is missing") }
            (object.members[name], object.members[field]) = (nil, nil)
            var all = sources
            all.add(flows, then: .tests)
            object.members[new] = .leaf(scalar, all)
        case .constant(let name, let scalar): object.members[name] = .leaf(scalar, [:])
        case .copy(let name, let new):
            let (number, flows) = try object.number(name)
            object.members[new] = .leaf(.number(number * 2 + 1), flows)
        }
    }
}

extension String {
    var trimmingSpaces: String {
        let front = drop { $0 == " " }
        return String(front.reversed().drop { $0 == " " }.reversed())
    }
}
