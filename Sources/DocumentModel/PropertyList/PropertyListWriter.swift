import Foundation
public enum PropertyListWriter { public static func xml(_ n: DocumentNode) throws -> Data { Data() }
 public static func binary(_ n: DocumentNode) throws -> Data { Data() } }
