import Foundation

/// Base64 (RFC 4648, section 4) with white space anywhere in it, as property lists break it into lines.
enum Base64 {
    /// The bytes that `text` stands for; nil if it is not base64.
    static func data(_ text: [UInt8]) -> Data? {
        Data(base64Encoded: Data(text.filter { $0 > 0x20 }))
    }
}
