import DocumentModel

extension CodingUserInfoKey {
    /// Where a decoder keeps its ``PartRecorder``.
    static let partRecorder = CodingUserInfoKey(rawValue: "MigrationCore.partRecorder")
}

extension Decoder {
    /// Who wants to know about parts, if anybody does.
    var partRecorder: PartRecorder? {
        CodingUserInfoKey.partRecorder.flatMap { userInfo[$0] as? PartRecorder }
    }

    /// Where the decoder stands, in the names of the document.
    func documentPath(_ strategies: DecodingStrategies) -> DocumentPath {
        let path = DocumentPath(codingPath: codingPath)
        return documentNode?.document.root.spelled(path, by: strategies) ?? path
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
