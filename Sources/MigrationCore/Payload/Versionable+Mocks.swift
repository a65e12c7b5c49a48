import Foundation

extension Versionable {
    /// The folder in which the folders of stored samples are: the desktop of the person at the machine, also where the program runs in a
    /// simulator.
    public static var mockDirectoryRootPath: String {
        let home = NSHomeDirectory()
        #if targetEnvironment(simulator)
            // A simulator's home lies inside the person's: /Users/NAME/Library/Developer/….
            let components = home.split(separator: "/")
            if components.count >= 2, components[0] == "Users" { return "/Users/\(components[1])/Desktop" }
        #endif
        return home.hasSuffix("/") ? home + "Desktop" : home + "/Desktop"
    }

    /// The folder of stored samples of this type.
    public static var mockDirectoryPath: String { "\(mockDirectoryRootPath)/\(self)/" }
}
