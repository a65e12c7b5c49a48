import DisplayText
import Foundation

/// A guided tour of documents on the screen. Each stop shows a document, explains it in a sentence or two, and
/// suggests one thing to try.
///
///     static let tour = GuidedTour([
///         GuidedTour.Stop(
///             "A version key", "This recipe says that it is of version 1.", document: "soup.json",
///             task: "Press v to see the whole document.", keys: ["v"])
///     ])
///
/// A stop waits until its keys have been pressed, but the user can also move on without pressing them.
public struct GuidedTour: Sendable {
    /// The stops, in order.
    public var stops: [Stop]

    /// The file whose history is shown; nil if no stop needs one.
    public var history: History?

    /// Creates a tour with these stops.
    public init(_ stops: [Stop], history: History? = nil) {
        self.stops = stops
        self.history = history
    }

    /// A file with a series of committed states, for a stop that shows a history. The file is created for the tour in
    /// a git repository that is removed afterwards.
    public struct History: Sendable {
        /// The name of the file, which stops use to refer to it.
        public var file: String
        /// The states of the file, oldest first.
        public var states: [State]

        /// Creates a file with a history.
        public init(file: String, states: [State]) {
            self.file = file
            self.states = states
        }
    }

    /// A committed state of a file.
    public struct State: Sendable {
        /// The name of the author.
        public var author: String
        /// The date of the commit.
        public var date: Date
        /// The first line of the commit message.
        public var subject: String
        /// The content of the file.
        public var content: String

        /// Creates a state of a file.
        public init(author: String, date: Date, subject: String, content: String) {
            self.author = author
            self.date = date
            self.subject = subject
            self.content = content
        }
    }

    /// One stop of a tour: something to look at and something to try.
    public struct Stop: Sendable {
        /// The topic of the stop, in a few words.
        public var title: String
        /// The explanation of what the stop shows.
        public var text: String
        /// The document to show, as a path relative to the opened folder, with a line or a cell after `#`; nil to
        /// stay at the current document.
        public var document: String?
        /// Something to try; nil if there is only text to read.
        public var task: String?
        /// The keys of the task, to be pressed in this order: a character, or a name as in the help (`Enter`, `Esc`,
        /// `→`). Alternatives for the same key press are separated by spaces.
        public var keys: [String]

        /// Creates a stop.
        ///
        /// - Parameters:
        ///   - document: A path relative to the opened folder; nil to stay at the current document.
        ///   - task: Something to try.
        ///   - keys: The keys of the task.
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

/// Whether there is a tour of the documents, and how far the user is in it.
enum TourState: Sendable {
    case none
    /// The tour starts once its first document is found.
    case awaited(GuidedTour)
    case offered(GuidedTour)
    case taken(TourView)
    /// The user left the tour, and can resume it.
    case left(TourView)

    var tour: GuidedTour? {
        switch self {
        case .none: nil
        case .awaited(let tour), .offered(let tour): tour
        case .taken(let view), .left(let view): view.tour
        }
    }

    /// The tour in progress.
    var view: TourView? {
        get { if case .taken(let view) = self { view } else { nil } }
        set { if let newValue { self = .taken(newValue) } }
    }
}

/// A tour in progress.
struct TourView: Sendable {
    let tour: GuidedTour
    private(set) var number = 0
    /// The number of the stop's keys that have been pressed.
    private var pressed = 0

    init(_ tour: GuidedTour) { self.tour = tour }

    var stop: GuidedTour.Stop { tour.stops[number] }

    /// The document to show: the stop's own, or that of the last stop before it that has one.
    var document: String? { tour.stops[...number].last { $0.document != nil }?.document }

    /// Whether the stop's task is done.
    var isDone: Bool { pressed >= stop.keys.count }

    func canGo(by count: Int) -> Bool { tour.stops.indices.contains(number + count) }

    mutating func go(by count: Int) {
        guard canGo(by: count) else { return }
        number += count
        pressed = 0
    }

    /// Returns the height of the tour's panel: enough for the longest stop, so that it is the same at every stop.
    func height(width: Int, repertoire: Repertoire) -> Int {
        let room = max(10, width - 4)
        let lines = tour.stops.map { stop in
            [stop.text, stop.task.map { "> \($0)" } ?? ""].reduce(0) {
                $0 + TextWidth.wrap($1, to: room, repertoire: repertoire).count
            }
        }
        return 2 + (lines.max() ?? 0)
    }

    /// Notes that a key was pressed that did something.
    mutating func note(_ key: InspectorKey) {
        guard !isDone, stop.keys[pressed].split(separator: " ").contains(where: { $0 == key.name() }) else { return }
        pressed += 1
    }
}
