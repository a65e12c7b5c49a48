import DocumentSources
import InspectorUI

/// A picture of the screen that a command line asks for.
struct PictureRequest: Equatable {
    let file: FilePath
    /// The size of the screen in cells.
    private(set) var width = 120
    private(set) var height = 36

    /// The size of a picture if none is named, as the user would name it.
    static var usualSize: String {
        let usual = PictureRequest(file: "")
        return "\(usual.width)x\(usual.height)"
    }

    /// The smallest size that has room for panels, as the user would name it.
    static let smallestSize = "\(Inspector.smallestSize.width)x\(Inspector.smallestSize.height)"

    /// The largest width and height, which no screen has. A picture of that size takes about 100 MB.
    private static let largest = 1_000

    init(file: FilePath) { self.file = file }

    /// Returns nil if the size is not `COLUMNSxROWS`, or if the screen has no room for its panels in it.
    init?(file: FilePath, size: String) {
        self.file = file
        let numbers = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1] else { return nil }
        let smallest = Inspector.smallestSize
        guard smallest.width...Self.largest ~= width, smallest.height...Self.largest ~= height else { return nil }
        (self.width, self.height) = (width, height)
    }
}
