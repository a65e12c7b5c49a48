import DisplayText
import Foundation

/// A guided walk through documents, on the screen: what each shows in a sentence or two, and one thing to try.
///
///     static let tour = Tour([
///         Tour.Stop(
///             "A version key", "This recipe says that it is of version 1.", document: "soup.json",
///             task: "Press v to see the whole document.", keys: ["v"])
///     ])
///
/// A stop waits until its keys were pressed; one may go on without.
public struct Tour: Sendable {
    /// The stops, in their order.
    public var stops: [Stop]

    /// A file with a history to be looked at; nil where no stop needs one.
    public var history: History?

    /// A tour of these stops.
    public init(_ stops: [Stop], history: History? = nil) {
        self.stops = stops
        self.history = history
    }

    /// A file with states that were committed one after the other, for a stop that shows a history. It lies in a git
    /// repository that is made for the tour and removed with it.
    public struct History: Sendable {
        /// The name of the file, by which a stop shows it.
        public var file: String
        /// Its states, oldest first.
        public var states: [State]

        /// A file with a history.
        public init(file: String, states: [State]) {
            self.file = file
            self.states = states
        }
    }

    /// A state of a file.
    public struct State: Sendable {
        /// Who committed it.
        public var author: String
        /// When it was committed.
        public var date: Date
        /// The first line of the message.
        public var subject: String
        /// What the file holds.
        public var content: String

        /// A state of a file.
        public init(author: String, date: Date, subject: String, content: String) {
            self.author = author
            self.date = date
            self.subject = subject
            self.content = content
        }
    }

    /// What one looks at, and what one tries.
    public struct Stop: Sendable {
        /// What the stop is about, in a few words.
        public var title: String
        /// What is to be seen.
        public var text: String
        /// The document that is looked at, as a path below the folder that is opened, with a line or a cell behind `#`; nil
        /// for the one that one is at.
        public var document: String?
        /// What to try; nil where there is only something to read.
        public var task: String?
        /// The keys of that, to be pressed one after the other: a character, or a name as the help has it (`Enter`,
        /// `Esc`, `→`). Where several do, they stand behind each other with blanks between them.
        public var keys: [String]

        /// A stop.
        ///
        /// - Parameters:
        ///   - document: A path below the folder that is opened; nil stays where one is.
        ///   - task: What to try.
        ///   - keys: The keys of that.
        public init(
            _ title: String, _ text: String, document: String? = nil, task: String? = nil, keys: [String] = []
        ) {
            self.title = title
            self.text = text
            self.document = document
            self.task = task
            self.keys = keys
        }
    }
}

/// A tour that is taken.
struct TourView: Sendable {
    let tour: Tour
    private(set) var number = 0
    /// How many of the stop's keys were pressed.
    private var pressed = 0

    init(_ tour: Tour) { self.tour = tour }

    var stop: Tour.Stop { tour.stops[number] }

    /// The document that is looked at: that of the stop, or of the last one before it that has one.
    var document: String? { tour.stops[...number].last { $0.document != nil }?.document }

    /// Whether what was to be tried was tried.
    var isDone: Bool { pressed >= stop.keys.count }

    func canGo(by count: Int) -> Bool { tour.stops.indices.contains(number + count) }

    mutating func go(by count: Int) {
        guard canGo(by: count) else { return }
        number += count
        pressed = 0
    }

    /// The lines that its panel takes: what the longest stop needs, so that it is as high at each.
    func height(width: Int, repertoire: Repertoire) -> Int {
        let room = max(10, width - 4)
        let lines = tour.stops.map { stop in
            [stop.text, stop.task.map { "> \($0)" } ?? ""].reduce(0) {
                $0 + TextWidth.wrap($1, to: room, repertoire: repertoire).count
            }
        }
        return 2 + (lines.max() ?? 0)
    }

    /// A key was pressed that did something.
    mutating func note(_ key: InspectorKey) {
        guard !isDone, stop.keys[pressed].split(separator: " ").contains(where: { $0 == key.name() }) else { return }
        pressed += 1
    }
}
