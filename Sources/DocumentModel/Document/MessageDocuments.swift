/// The documents of messages between processes of one program. A message contains their numbers instead of them.
///
/// The documents are in the `userInfo` of the coders of messages. Types that are also written to files check for it: a
/// message is read only by the same program, so it holds everything, and leaves out what can be computed again.
package final class MessageDocuments: Sendable {
    private struct State: Sendable {
        var documents: [Document] = []
        var numbers: [ObjectIdentifier: Int] = [:]
    }

    private static let key = CodingUserInfoKey(rawValue: "DocumentModel.MessageDocuments")
    private let state = Locked(State())

    package init() {}

    /// The `userInfo` of coders of messages with these documents.
    package var userInfo: [CodingUserInfoKey: any Sendable] { Self.key.map { [$0: self] } ?? [:] }

    /// Returns the documents of the message for whose coder this is the `userInfo`; nil for any other coder.
    fileprivate static func of(_ userInfo: [CodingUserInfoKey: Any]) -> MessageDocuments? {
        key.flatMap { userInfo[$0] as? MessageDocuments }
    }

    /// The documents in the order of their numbers.
    package var all: [Document] { state.withLock(\.documents) }

    /// Returns the number of a document, which is added if it's new.
    @discardableResult package func number(of document: Document) -> Int {
        state.withLock { state in
            if let number = state.numbers[document.identity] { return number }
            state.numbers[document.identity] = state.documents.count
            state.documents.append(document)
            return state.documents.count - 1
        }
    }

    /// An error thrown for a number that no document has.
    package struct UnknownNumber: Error {}

    /// Returns the document with that number.
    package func document(_ number: Int) throws(UnknownNumber) -> Document {
        let document = state.withLock { $0.documents.indices.contains(number) ? $0.documents[number] : nil }
        guard let document else { throw UnknownNumber() }
        return document
    }
}

extension Encoder {
    /// The documents of the message that is written; nil if it's no message.
    package var messageDocuments: MessageDocuments? { .of(userInfo) }
}

extension Decoder {
    /// The documents of the message that is read; nil if it's no message.
    package var messageDocuments: MessageDocuments? { .of(userInfo) }
}
