import DisplayText

/// What happened to the list when it was looked for documents again, in words.
extension NumberWords {
    /// `2 new documents, 1 is gone`; nil where nothing came and nothing went.
    static func comingAndGoing(new: Int, gone: Int) -> String? {
        let came = new == 0 ? nil : new == 1 ? "1 new document" : "\(grouped(new)) new documents"
        let went = gone == 0 ? nil : gone == 1 ? "1 is gone" : "\(grouped(gone)) are gone"
        let words = [came, went].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
