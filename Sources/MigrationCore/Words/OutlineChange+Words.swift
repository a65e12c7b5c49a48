import DocumentModel

extension OutlineChange {
    /// A short description of the type, the old type, and the possible values.
    package var words: String {
        var parts = [field.writtenType ?? ""]
        if let old = old?.writtenType, kind == .changed, old != field.writtenType { parts.append("was \(old)") }
        // For most fields, the question mark says so.
        if !field.isRequired, field.type == nil { parts.append("may be missing") }
        let isAskedFor = kind == .changed && old?.isRequired == false && (old?.type == nil || field.type == nil)
        if field.isRequired, field.allowsNull || isAskedFor { parts.append("has to be there") }
        if kind != .removed, !field.choices.isEmpty {
            parts.append(field.choices.prefix(20).map { JSONWriter().string($0.root) }.joined(separator: ", "))
            if field.choices.count > 20 { parts.append("and \(field.choices.count - 20) more") }
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
