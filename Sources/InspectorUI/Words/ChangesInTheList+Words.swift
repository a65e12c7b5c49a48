import DisplayText

/// The changes of the list after documents were looked for again, in words.
extension NumberWords {
    /// Returns a text such as `2 new documents, 1 is gone`; nil if nothing has changed.
    static func comingAndGoing(new: Int, gone: Int) -> String? {
        let came = new == 0 ? nil : new == 1 ? "1 new document" : "\(grouped(new)) new documents"
        let went = gone == 0 ? nil : gone == 1 ? "1 is gone" : "\(grouped(gone)) are gone"
        let words = [came, went].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
