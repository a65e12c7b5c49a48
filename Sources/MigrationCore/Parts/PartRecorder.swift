import DocumentModel
import Synchronization

/// Gathers the traces of the parts of a document that migrate on their own while the whole is decoded.
///
/// It travels in the decoder's `userInfo`. Where there is none, as in an app, parts do their work and say nothing.
final class PartRecorder: Sendable {
    private let recorded = Mutex<[MigrationTrace]>([])

    /// What the parts did, in the order in which they were decoded.
    var traces: [MigrationTrace] { recorded.withLock { $0 } }

    func record(_ trace: MigrationTrace) { recorded.withLock { $0.append(trace) } }
}

extension CodingUserInfoKey {
    /// Where a decoder keeps its ``PartRecorder``.
    static let partRecorder = CodingUserInfoKey(rawValue: "MigrationCore.partRecorder")
}

extension Decoder {
    /// Who wants to know about parts, if anybody does.
    var partRecorder: PartRecorder? {
        CodingUserInfoKey.partRecorder.flatMap { userInfo[$0] as? PartRecorder }
    }
}

extension DocumentDecoder {
    /// A decoder whose parts report to `recorder`.
    func reporting(to recorder: PartRecorder) -> DocumentDecoder {
        var decoder = self
        if let key = CodingUserInfoKey.partRecorder { decoder.strategies.userInfo[key] = recorder }
        return decoder
    }
}
