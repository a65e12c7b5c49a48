import DocumentSources
import InspectorUI

extension FoundDocument {
    /// The document that `reference` names, with the names by which a person tells it from others.
    ///
    /// - Parameter folder: What was opened: names go on from there. What is not inside it keeps its whole path.
    init(_ reference: DocumentReference, below folder: String) {
        let path = Self.path(reference.file, below: folder)
        let fileStart = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let title = path + reference.name.dropFirst(reference.file.count)
        switch reference.part {
        case .whole where reference.isStandardInput:
            self.init(name: reference.name, displayName: reference.displayName)
        case .whole:
            self.init(name: reference.name, place: String(path[..<fileStart]), displayName: String(path[fileStart...]))
        case .line(let number):
            self.init(name: reference.name, place: path, displayName: "line \(number)", title: title)
        case .cell(let table, let key, let column):
            self.init(name: reference.name, place: path, displayName: "\(table)/\(key)/\(column)", title: title)
        }
    }

    private static func path(_ file: String, below folder: String) -> String {
        var path = file[...]
        if !folder.isEmpty, path.hasPrefix(folder) {
            let rest = path.dropFirst(folder.count)
            // What was opened may be the file itself, of which the last component says enough.
            if rest.isEmpty { return file.split(separator: "/").last.map(String.init) ?? file }
            if rest.hasPrefix("/") || folder.hasSuffix("/") { path = rest }
        }
        return String(path.drop { $0 == "/" && path.count < file.count })
    }
}
