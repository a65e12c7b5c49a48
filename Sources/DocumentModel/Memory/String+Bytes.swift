extension String {
    /// Calls `body` with the bytes of the string in UTF-8, which are valid only during the call.
    ///
    /// Unlike `withUTF8`, it changes nothing, so that nobody needs a copy of the string, whose references are counted.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try utf8.withContiguousStorageIfAvailable { try body(UnsafeRawBufferPointer($0)) }
            ?? native.utf8.withContiguousStorageIfAvailable { try body(UnsafeRawBufferPointer($0)) }!
    }

    /// A copy that has its bytes in UTF-8. A string of Objective-C may have them in another encoding.
    private var native: String {
        @inline(never) get { String(decoding: utf8, as: UTF8.self) }
    }
}
