import DocumentModel
import DocumentSources
import Foundation
import InspectorUI
import MigrationCore

/// Writes the files that users request on the screen.
///
/// An existing file is replaced only if that was confirmed, and is then kept as a backup beside the new one.
struct FileWriting {
    let writing: Writing
    /// The document that the file is made from.
    let reference: DocumentReference
    /// Adds missing documents of steps to a trace.
    let complete: (MigrationTrace) throws -> MigrationTrace

    func perform() -> Writing.Outcome {
        let path = FilePath((writing.name as NSString).expandingTildeInPath)
        let isDocument = reference.isPart(ofFileAt: path)
        if isDocument, !reference.isWhole {
            return .failed("that file holds the document among others, and is not replaced:")
        }
        let exists = (try? FileManager.default.attributesOfItem(atPath: path.description)) != nil
        if exists, !writing.replaces { return .exists(isDocument: isDocument) }
        do {
            let source = reference.stamp == nil ? nil : reference.file
            let replaced = try AtomicFileWriter(keepsBackup: true).write(data(), to: path, like: source)
            return .done(note: replaced?.backup.map { CommandWords.kept("file", as: $0) }, isDocument: isDocument)
        } catch {
            return .failed("\(Console.words(for: error)):")
        }
    }

    private func data() throws -> Data {
        var product = writing.product
        if let trace = product.trace { product = product.made(of: try complete(trace)) }
        switch product {
        case .document(let document): return try document.dataAsRead ?? document.data(like: document)
        case .migrated(let trace):
            guard let data = try trace.resultData() else { throw OtherMigration() }
            return data
        case .patch(let difference):
            return Data((try JSONText.text(of: difference.writtenPatch(), layout: .pretty) + "\n").utf8)
        case .trace(let trace): return Data((try JSONText.text(of: trace) + "\n").utf8)
        case .picture(let canvas):
            let picture = ScreenPicture(canvas: canvas, title: CommandWords.picture(of: reference.name))
            return Data("\(picture.text)\n".utf8)
        case .story(let trace):
            return Data((TraceStory.text(of: trace, reference, edits: writing.supposition.edits) + "\n").utf8)
        }
    }
}
