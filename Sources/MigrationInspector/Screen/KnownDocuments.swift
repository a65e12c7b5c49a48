import DocumentSources

/// The documents that were found, by their numbers, for a comparison with what is found when it is looked again.
struct KnownDocuments {
    /// A mark of the state that each was in when it was last checked.
    private var marks: [Int] = []
    /// The order in which they are shown.
    private(set) var order: [Int] = []
    /// Those that are not there any more.
    private var gone: Set<Int> = []
    private var marker = DocumentMarker()

    /// What is other than it was.
    struct News {
        /// Those that are still there, as they were found now.
        var seen: [(number: Int, document: DocumentReference)] = []
        /// Those that are new; they have the next numbers.
        var new: [DocumentReference] = []
        /// The numbers of those to check: what is new, changed, there again, or gone.
        var changed: [Int] = []
        /// How many are gone that were there before.
        var goneCount = 0
    }

    /// Notes documents that were found for the first time; they have the next numbers.
    mutating func append(_ found: [DocumentReference]) {
        order += marks.count..<(marks.count + found.count)
        marks += found.map { marker.mark(of: $0) }
    }

    /// Compares all that is found now with what was known, and knows it from then on.
    ///
    /// - Parameters:
    ///   - items: The documents that were known, by their numbers.
    ///   - given: The files and folders that were opened.
    ///   - changesAll: Whether all of them are to be checked, changed or not.
    mutating func compare(
        _ found: [DocumentReference], with items: [DocumentReference], given: [FilePath], changesAll: Bool
    ) -> News {
        // What is reached twice under one name is listed twice.
        var numbers: [DocumentReference: ArraySlice<Int>] = [:]
        for (number, item) in items.enumerated() { numbers[item, default: []].append(number) }
        // A file that holds documents may be one that just now cannot be read: they stay as they are. So may a folder,
        // whose documents are gone then.
        let knownFiles = Set(items.map(\.file) + given)
        var unreadable: Set<FilePath> = []
        var news = News()
        var order: [Int] = []
        marker = DocumentMarker()
        for item in found {
            let mark = marker.mark(of: item)
            if let number = numbers[item]?.popFirst() {
                news.seen.append((number, item))
                order.append(number)
                if changesAll || marks[number] != mark || gone.contains(number) { news.changed.append(number) }
                marks[number] = mark
            } else if item.problem != nil, !item.isRest, knownFiles.contains(item.file) {
                unreadable.insert(item.file)
            } else {
                order.append(marks.count)
                news.changed.append(marks.count)
                marks.append(mark)
                news.new.append(item)
            }
        }
        let seen = Set(news.seen.map(\.number))
        let missing = items.indices.filter { !seen.contains($0) && !unreadable.contains(items[$0].file) }
        let newlyGone = missing.filter { !gone.contains($0) }
        news.changed += newlyGone
        news.goneCount = newlyGone.count
        gone = Set(missing)
        self.order = order.keeping(self.order.filter { !seen.contains($0) }, after: self.order)
        return news
    }
}

/// Tells by a number whether a document was changed since it was last looked at: by its own bytes where they are known,
/// else by the file that it lies in.
private struct DocumentMarker {
    private var last: (file: FilePath, mark: Int)?

    /// The mark of a document; those of one file follow each other.
    mutating func mark(of document: DocumentReference) -> Int {
        if let content = document.content ?? document.contentID?.hashValue { return content }
        if let last, last.file == document.file { return last.mark }
        let mark = document.stamp.hashValue
        last = (document.file, mark)
        return mark
    }
}

extension [Int] {
    /// The numbers with others between them, each of them behind the one that it followed earlier.
    fileprivate func keeping(_ others: [Int], after earlier: [Int]) -> [Int] {
        guard !others.isEmpty else { return self }
        let kept = Set(others)
        var followers: [Int: [Int]] = [:]
        var (last, first): (Int?, [Int]) = (nil, [])
        for number in earlier {
            if !kept.contains(number) {
                last = number
            } else if let last {
                followers[last, default: []].append(number)
            } else {
                first.append(number)
            }
        }
        return first + flatMap { [$0] + (followers[$0] ?? []) }
    }
}
