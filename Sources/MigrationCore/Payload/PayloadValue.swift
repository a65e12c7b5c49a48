import DocumentModel
import Foundation

/// Conversions to the values of a payload: those that JSONSerialization creates from JSON, and also the dates and data
/// of a property list.
enum PayloadValue {
    /// Returns the value of a node.
    static func value(of node: DocumentNode) -> Any {
        switch node.kind {
        case .object:
            return readMembers(of: node).mapValues(value)
        case .array: return node.elements.map(value)
        case .string, .key: return node.string ?? ""
        case .number: return number(node.numberText ?? "0")
        case .boolean: return NSNumber(value: node.boolean ?? false)
        case .null: return NSNull()
        case .date: return node.date ?? Date.distantPast
        case .data: return node.data ?? Data()
        }
    }

    /// Returns the values of an object's members that a payload contains. If several names are equal as `String`, it
    /// contains the last, with its spelling of the name, as JSONSerialization does on Linux. JSONDecoder reads the
    /// first.
    static func readMembers(of object: DocumentNode) -> [String: DocumentNode] {
        Dictionary(
            Array(object.members).reversed().lazy.map { ($0.name, $0.value) }, uniquingKeysWith: { last, _ in last })
    }

    /// Returns an integer if it fits. Other numbers become a double, or a decimal if they have more characters than a
    /// double has digits. JSONSerialization uses the same limit on Linux.
    private static func number(_ text: String) -> NSNumber {
        if let integer = Int64(text) { return NSNumber(value: integer) }
        if let integer = UInt64(text) { return NSNumber(value: integer) }
        let double = Double(text) ?? .nan
        let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let isWhole = digits.count == text.utf8.count && !digits.contains(UInt8(ascii: "."))
        if isWhole || digits.count > 17 || !double.isFinite, let decimal = Decimal(string: text) {
            return NSDecimalNumber(decimal: decimal)
        }
        return NSNumber(value: double)
    }
}
