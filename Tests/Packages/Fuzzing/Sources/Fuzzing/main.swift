import Foundation

do {
    let arguments = try Arguments(CommandLine.arguments.dropFirst())
    switch arguments.action {
    case .help: print(Arguments.help)
    case .list: for target in FuzzTarget.all { print(Campaign.column(target.name) + target.summary) }
    case .fuzz(let targets):
        if let note = try Note.ofParent {
            try Attempts(target: targets[0], note: note).run(seed: arguments.seed, arguments.count, arguments.seconds)
        } else {
            exit(try Campaign(arguments).run(targets) ? 0 : 1)
        }
    }
} catch let error as Arguments.Mistake {
    FileHandle.standardError.write(Data("Fuzzing: \(error.message)\n".utf8))
    exit(64)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
