import Foundation

/// A value as SQLite stores it (datatype3.html, section 2).
///
/// Text is kept as the bytes it is made of: a database does not promise that they are well-formed UTF-8, and a key that was repaired would
/// be another key.
enum StoreValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Data)
    case blob(Data)
}
