import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// A document for a worker to open. A ``Wanted`` says what to return.
@dynamicMemberLookup
public struct WorkerRequest: Sendable {
    /// The document to open.
    public var document: DocumentReference
    /// The bytes of the document, if they are already in memory or cannot be read again; nil to read them.
    public var bytes: SourceBytes?
    /// How to open the document.
    var options: Options

    /// How to open documents. Many requests share their options, which are then sent only once.
    public struct Options: Sendable, Codable, Equatable {
        /// The edits to make before the app's code sees the document.
        public var edits: [DocumentEdit] = []
        /// The chain to open the document with; nil to recognize it.
        public var chain: String?
        /// The version to read the document as, regardless of the version it states; nil to detect it.
        public var version: DocumentVersion?
        /// The version to stop at; nil for the newest.
        public var target: DocumentVersion?
        /// The question about the store at this path; nil for any other request.
        var storeQuestion: StoreQuestion?
        /// Whether a file that contains a trace opens as that trace.
        public var opensTraces = false
        /// Whether intermediate results are reported before the app's code continues, in case it never returns. Set for
        /// documents that are shown on screen.
        public var sendsSteps = false
        /// Whether to measure how long the work takes.
        public var isTimed = false
        /// The path of the version in documents of no chain; nil to look for values that may be the version.
        public var versionKey: DocumentPath?
    }

    /// Creates a request that recognizes the chain and migrates to the newest version, unless specified otherwise.
    public init(
        _ document: DocumentReference, bytes: SourceBytes? = nil, edits: [DocumentEdit] = [], chain: String? = nil,
        target: DocumentVersion? = nil, opensTraces: Bool = false
    ) {
        let options = Options(edits: edits, chain: chain, target: target, opensTraces: opensTraces)
        self.init(document, bytes: bytes, options)
    }

    init(_ document: DocumentReference, bytes: SourceBytes?, _ options: Options) {
        (self.document, self.bytes, self.options) = (document, bytes, options)
    }

    /// An option.
    public subscript<Value>(dynamicMember option: WritableKeyPath<Options, Value>) -> Value {
        get { options[keyPath: option] }
        set { options[keyPath: option] = newValue }
    }

    /// The maximum size of the document in bytes, as far as this process knows without the worker.
    var mostBytes: Int { min(bytes?.count ?? document.mostBytes, Document.largestSourceLength) }

    /// The number of seconds allowed for reading and parsing the document, which doesn't count as time of the app's
    /// code. A large document from a source slower than 500 KB a second is never read to its end.
    var mostReadingSeconds: Double {
        bytes == nil ? 10 + Double(mostBytes / 500_000) : WorkerLimits.usualSeconds(byteCount: mostBytes)
    }
}

// MARK: - On the wire

/// A ``WorkerRequest`` in a frame. The first block is the document's address, and the second, if any, the document's
/// bytes. A frame without a text repeats the previous request for another document.
struct SentRequest: Codable, Equatable {
    let wanted: WantedName
    let options: WorkerRequest.Options

    /// Returns the request in a frame.
    ///
    /// - Parameters:
    ///   - last: The document of the previous request.
    ///   - wereAskedTogether: Whether the previous request was sent together with this one, so that the file needn't be
    ///     checked again.
    /// - Throws: ``BrokenFrame`` if the frame lacks a block.
    func request(
        in frame: Frame, behind last: DocumentReference? = nil, wereAskedTogether: Bool = false
    ) throws -> WorkerRequest {
        guard let address = frame.blocks.first.flatMap({ DocumentAddress(UnsafeRawBufferPointer($0.bytes)) }) else {
            throw BrokenFrame()
        }
        let bytes = try frame.blocks.dropFirst().first.map { block in
            let count = block.bytes.count - SourceBytes.padding
            guard let bytes = SourceBytes(in: block.bytes, count: count, of: block) else { throw BrokenFrame() }
            return bytes
        }
        let last = bytes != nil || wereAskedTogether ? last : nil
        return WorkerRequest(address.document(behind: last), bytes: bytes, options)
    }
}

extension SentRequest {
    /// Reads a request from the text of a frame.
    init(_ text: [UInt8]) throws {
        self = try MessageCoding.message(SentRequest.self, in: MessageCoding.document(of: text).root)
    }
}

extension OutgoingFrame {
    /// Encodes a request; returns nil if the document is known to be unreadable.
    ///
    /// - Parameter last: The previous request, which isn't repeated if this one asks the same.
    init?(_ request: WorkerRequest, wanting wanted: WantedName, behind last: inout SentRequest?) {
        guard let address = DocumentAddress(request.document) else { return nil }
        let location = address.bytes
        var blocks = [Block(length: location.count) { $0.copyBytes(from: location) }]
        if let bytes = request.bytes {
            blocks.append(
                Block(length: bytes.count + SourceBytes.padding) { block in
                    bytes.withBytes(in: 0..<bytes.count) { block.copyMemory(from: $0) }
                })
        }
        let sent = SentRequest(wanted: wanted, options: request.options)
        // A request consists of plain values, which can always be encoded.
        guard let text = sent == last ? [] : try? MessageCoding.text(of: sent) else { return nil }
        last = sent
        self.init(text: text, blocks: blocks)
    }
}

/// A worker's message in a frame. A frame without a text repeats the previous result.
enum SentReply: Codable {
    /// The chains of the program, sent once before the first request.
    case chains([ChainDescription])
    /// A result, with what reports of it leave out.
    case result(CheckResult, seconds: Double?, versionCandidates: [ObservedVersion])
    /// The block, if any, is the document to write.
    case migration(MigratedDocument)
    /// The blocks are those documents of the trace that no earlier intermediate result contains.
    case trace(MigrationTrace)
    /// An intermediate result; the answer follows.
    case known(MigrationTrace)
    case chain(SeriesChain)
    case outline(VersionOutline?)
    /// The block, if any, is the requested cell.
    case store(StoreAnswer)
    case notEdited(DocumentEditError)

    /// Creates the reply for the result of a document, which the parent names.
    init(_ result: CheckResult) {
        var result = result
        result.source = ""
        self = .result(result, seconds: result.seconds, versionCandidates: result.versionCandidates)
    }

    /// Creates the reply for a migrated document, which the parent names.
    init(_ migrated: MigratedDocument) {
        var migrated = migrated
        migrated.result.source = ""
        self = .migration(migrated)
    }

    /// Whether the next frame may repeat the reply.
    var isRepeatable: Bool {
        switch self {
        case .result, .migration: true
        default: false
        }
    }

    /// Returns whether the reply is the same as the previous one.
    func repeats(_ last: SentReply?) -> Bool {
        switch (self, last) {
        case (.result(let result, _, _), .result(let last, _, _)?): result == last && !result.hasSpelledVersion
        case (.migration(let document), .migration(let last)?): document == last && !document.result.hasSpelledVersion
        default: false
        }
    }
}

extension CheckResult {
    /// Whether a version is shown as the document spells it. Such versions are equal if their numbers are, though two
    /// documents may spell them differently.
    fileprivate var hasSpelledVersion: Bool { [version, target].contains { $0?.isSpelled == true } }
}

// MARK: - Documents in blocks

extension SentReply {
    /// A reply, and the layout of the documents in the blocks of its frame.
    private struct Described: Encodable {
        let reply: SentReply
        let documents: MessageDocuments
        let sentCount: Int

        enum CodingKeys: CodingKey { case documents }

        func encode(to encoder: any Encoder) throws {
            try reply.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            let new = documents.all[sentCount...].map(PackedDocument.init)
            if !new.isEmpty { try container.encode(new, forKey: .documents) }
        }
    }

    /// Returns the text of the reply, and the blocks of those of its documents that weren't sent before.
    ///
    /// - Parameters:
    ///   - documents: The documents sent so far for the same request. Those of the reply are added.
    ///   - memory: Returns shared memory that already holds a document, if any.
    func encoded(
        _ documents: MessageDocuments, in memory: (Document) -> Int32? = { _ in nil }
    ) throws -> (text: [UInt8], blocks: [OutgoingFrame.Block]) {
        let sentCount = documents.all.count
        let text = try MessageCoding.text(
            of: Described(reply: self, documents: documents, sentCount: sentCount), documents)
        let blocks = documents.all[sentCount...].map { document in
            let packed = PackedDocument(document)
            return OutgoingFrame.Block(length: packed.blockLength, memory: memory(document)) {
                packed.write(document, into: $0)
            }
        }
        return (text, blocks)
    }

    /// Reads a reply.
    ///
    /// - Parameters:
    ///   - blocks: The blocks of the frame. Those of documents are removed.
    ///   - documents: The documents received so far for the same request. Those in the blocks are added. Nil if the
    ///     reply must contain none.
    /// - Throws: ``BrokenFrame`` if the text is no reply, or a document is missing or broken.
    init(
        _ text: [UInt8], _ blocks: inout [SharedBlock], _ documents: MessageDocuments? = nil
    ) throws(BrokenFrame) {
        do {
            let root = try MessageCoding.document(of: text).root
            if let described = root[Described.CodingKeys.documents.stringValue] {
                guard let documents else { throw BrokenFrame(.kind) }
                let packed = try MessageCoding.message([PackedDocument].self, in: described)
                guard packed.count == blocks.count else { throw BrokenFrame(.document) }
                for (packed, block) in zip(packed, blocks) {
                    guard let document = packed.document(in: block.bytes, of: block) else {
                        throw BrokenFrame(.document)
                    }
                    documents.number(of: document)
                }
                blocks = []
            }
            self = try MessageCoding.message(SentReply.self, in: root, documents ?? MessageDocuments())
        } catch let error as BrokenFrame {
            throw error
        } catch is MessageDocuments.UnknownNumber {
            throw BrokenFrame(.document)
        } catch {
            throw BrokenFrame()
        }
    }
}

/// The error thrown when data on the socket isn't what a worker or its parent sends.
struct BrokenFrame: Error, Equatable {
    /// The rule that was broken; nil if the frame cannot be read at all.
    let rule: WorkerRule?

    init(_ rule: WorkerRule? = nil) { self.rule = rule }

    /// The cause of the crash that is reported for a worker that was ended because of this.
    var cause: Crash.Cause { rule.map { .brokenRule($0) } ?? .unreadableAnswer }
}
