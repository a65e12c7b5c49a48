import DocumentSources

/// The known documents by number, for comparison with what is found when looking again.
struct KnownDocuments {
    /// Marks that identify the state of each document when it was last checked.
    private var marks: [Int] = []
    /// The order in which the documents are shown.
    private(set) var order: [Int] = []
    /// The documents that no longer exist.
    private var gone: Set<Int> = []
    private var marker = DocumentMarker()

    /// The differences since the last look.
    struct News {
        /// The documents that still exist, as they were found now.
        var seen: [(number: Int, document: DocumentReference)] = []
        /// The new documents, which get the next numbers.
        var new: [DocumentReference] = []
        /// The numbers of the documents to check: those that are new, changed, back, or gone.
        var changed: [Int] = []
        /// The number of documents that are newly gone.
        var goneCount = 0
    }

    /// Adds documents that were found for the first time. They get the next numbers.
    mutating func append(_ found: [DocumentReference]) {
        order += marks.count..<(marks.count + found.count)
        marks += found.map { marker.mark(of: $0) }
    }

    /// Compares all documents that are found now with the known ones, and updates those.
    ///
    /// - Parameters:
    ///   - items: The known documents, by number.
    ///   - given: The files and folders that were opened.
    ///   - changesAll: Whether to check all documents, changed or not.
    mutating func compare(
        _ found: [DocumentReference], with items: [DocumentReference], given: [FilePath], changesAll: Bool
    ) -> News {
        // A document that is reached twice under one name is listed twice.
        var numbers: [DocumentReference: ArraySlice<Int>] = [:]
        for (number, item) in items.enumerated() { numbers[item, default: []].append(number) }
        // A known file that is temporarily unreadable keeps its documents. An opened folder that is unreadable loses
        // them.
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

/// Marks the state of documents with numbers, to detect changes. A mark depends on the document's bytes if they are
/// known, or else on the file that contains it.
private struct DocumentMarker {
    private var last: (file: FilePath, mark: Int)?

    /// Returns the mark of a document. Documents of one file must be marked one after the other.
    mutating func mark(of document: DocumentReference) -> Int {
        if let content = document.content ?? document.contentID?.hashValue { return content }
        if let last, last.file == document.file { return last.mark }
        let mark = document.stamp.hashValue
        last = (document.file, mark)
        return mark
    }
}

extension [Int] {
    /// Returns the numbers with others inserted, each of them after the number that it followed earlier.
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
