import Foundation

/// What all decoders and containers of one decoding share.
final class DecodingSession {
    let document: Document
    let tape: Tape
    let text: SourceBytes
    let strategies: DecodingStrategies
    let record: ReadRecord?
    /// Whose rules the values follow: PropertyListDecoder's or JSONDecoder's.
    let isPropertyList: Bool
    let hasDefaultKeys: Bool

    init(_ document: Document, strategies: DecodingStrategies, record: ReadRecord?) {
        self.document = document
        tape = document.storage.tape
        text = document.storage.text
        self.strategies = strategies
        self.record = record
        isPropertyList = document.format.isPropertyList
        hasDefaultKeys = isPropertyList || strategies.keys.isDefault
    }

    /// The value at `index`, where there is one.
    func node(_ index: Int) -> DocumentNode { DocumentNode(document: document, index: index) }

    /// The context of an error of the decoder's own, which the record keeps.
    func context(
        _ path: [any CodingKey], _ description: String, _ problem: DecodingErrorDetail.Problem
    ) -> DecodingError.Context {
        record?.note(DecodingErrorDetail(codingPath: path, problem: problem, description: description))
        return .init(codingPath: path, debugDescription: description)
    }

    /// Whether there is no value, or one that stands for none. Property lists have no null; Foundation writes a string in its place.
    func isNull(_ index: Int?) -> Bool {
        guard let index else { return true }
        let node = tape[index]
        switch node.kind {
        case .null: return true
        case .string where isPropertyList: return self.node(index).hasText(PropertyListNull.text)
        default: return false
        }
    }
}

extension JSONDecoder.KeyDecodingStrategy {
    fileprivate var isDefault: Bool { if case .useDefaultKeys = self { true } else { false } }
}

extension DocumentNode {
    fileprivate func hasText(_ text: StaticString) -> Bool {
        hasText(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
