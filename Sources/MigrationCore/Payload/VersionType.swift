/// The versions of a ``Versionable`` type, oldest first, as the cases of an enum.
///
///     enum Version: Int, VersionType {
///         case v1 = 1
///         case v2 = 2
///     }
///
/// Because a migration switches over the cases, the compiler reminds whoever adds one to say how documents get there.
public protocol VersionType: CaseIterable, Codable, Comparable, RawRepresentable {}

extension VersionType where RawValue: Comparable {
    /// Versions come in the order of their raw values.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
