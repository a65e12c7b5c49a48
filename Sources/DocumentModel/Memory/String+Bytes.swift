extension String {
    /// Calls `body` with the UTF-8 bytes of the string, which are valid only during the call.
    ///
    /// Unlike `withUTF8`, it isn't mutating, so callers don't need a reference-counted copy of the string.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try utf8.withContiguousStorageIfAvailable { try body(UnsafeRawBufferPointer($0)) }
            ?? native.utf8.withContiguousStorageIfAvailable { try body(UnsafeRawBufferPointer($0)) }!
    }

    /// A copy with contiguous UTF-8 bytes. A string from Objective-C may have a different encoding.
    private var native: String {
        @inline(never) get { String(decoding: utf8, as: UTF8.self) }
    }
}
