import CursesTerminal
import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// One run of the program: from the arguments to the exit status.
struct Program {
    /// Makes the chains of the app. Called only if the app's code runs in this process.
    let makeChains: () -> [MigrationChain]
    let demoData: DemoData
    /// The document of the demo data to show first.
    let demoDocument: String?
    /// A guided tour of the demo data.
    let tour: Tour?
    let arguments: [FilePath]

    @MainActor
    func run() -> ExitStatus {
        do {
            let invocation = try CommandLineParser().parse(Array(arguments.dropFirst()))
            return try perform(invocation)
        } catch let error as UsageError {
            Console.complain(error.message)
            Console.error("Try '\(Console.programName) --help'.")
            return .usage
        } catch {
            Console.complain(Console.words(for: error))
            return .software
        }
    }

    @MainActor
    private func perform(_ invocation: Invocation) throws -> ExitStatus {
        if !opensScreen(invocation) {
            // This must be first: otherwise, the thread started by the second call wouldn't block SIGTSTP.
            try WorkerHost.stopWithProgram()
            try Interruption.prepare()
            // A worker's standard output isn't the program's.
            if invocation.isInProcess { Console.keepForReports() }
        }
        if let megabytes = invocation.sizeLimit { SizeLimit.set(megabytes: megabytes) }
        let host =
            invocation.isInProcess ? WorkerHost(inProcess: try declaredChains()) : WorkerHost(limits: invocation.limits)
        host.readStores()
        defer { host.close() }
        var opener = Opener(host: host, chain: invocation.chain, target: invocation.target)
        opener.edits = invocation.edits
        opener.versionKey = invocation.versionKey
        opener.makesExperiments = invocation.makesExperiments
        if let jobs = invocation.jobs { opener.jobs = jobs }
        try refuseUnknownNames(invocation, host)
        switch invocation.action {
        case .help(let command):
            try Console.print(HelpText(chains: host.chains().map(\.name)).text(for: command))
            return .success
        case .version:
            try Console.print("\(Console.programName) \(programVersion)")
            return .success
        case .completions(let shell):
            let chains = try host.chains().map(\.name)
            try Console.print(ShellCompletions(program: Console.programName, chains: chains).text(for: shell))
            return .success
        case .manual:
            try Console.print(ManualPage(program: Console.programName, chains: host.chains().map(\.name)).text)
            return .success
        case .chains(let name, let format):
            return try ChainsCommand(host: host, name: name, format: format).run()
        case .check(let paths, let reporting):
            let walker = DocumentWalker(names(paths, invocation), columns: invocation.columns)
            return try CheckCommand(
                opener: opener, walker: walker, reporting: reporting, order: invocation.order
            ).run()
        case .merge(let reports, let reporting):
            return try MergeCommand(reports: reports, reporting: reporting).run()
        case .trace(let path, let format):
            guard let lenders = Lenders.walker(invocation.lenders) else { return .noInput }
            return try redacting(path, invocation, opener) {
                try TraceCommand(opener: $0, given: $1, lenders: lenders, format: format).run()
            }
        case .blame(let path, let format, let isMigrated):
            return try BlameCommand(opener: opener, path: path, format: format, isMigrated: isMigrated).run()
        case .diff(let old, let new, let format, let isMigrated):
            return DiffCommand(
                old: GivenName(old), new: GivenName(new), format: format, redaction: invocation.redaction,
                opener: isMigrated ? opener : nil
            ).run()
        case .shrink(let path):
            guard let lenders = Lenders.walker(invocation.lenders) else { return .noInput }
            return try redacting(path, invocation, opener) {
                try ShrinkCommand(opener: $0, given: $1, lenders: lenders).run()
            }
        case .migrate(let paths, let output, let limits):
            return try MigrateCommand(
                opener: opener, paths: paths, columns: invocation.columns, output: output, limits: limits
            ).run()
        case .scaffold(let paths, let output, let name):
            return try ScaffoldCommand(
                walker: DocumentWalker(names(paths, invocation), columns: invocation.columns),
                areStates: invocation.isHistory, versionKey: invocation.versionKey, output: output, name: name
            ).run()
        case .inspect(let paths, let picture):
            let demo = paths.isEmpty ? try demoData.open() : nil
            defer { withExtendedLifetime(demo) {} }
            let walker = DocumentWalker(
                names(paths.isEmpty ? [demo?.folder ?? "."] : paths, invocation), columns: invocation.columns)
            if let given = walker.given.first, !opener.edits.isEmpty {
                guard given.isOneDocument else { throw UsageError.editsOfSeveral(.set) }
                try opener.resolveEdits(given)
            }
            guard picture != nil || opensScreen(invocation) else {
                return try CheckCommand(
                    opener: opener, walker: walker, reporting: CheckReporting(), order: invocation.order
                ).run()
            }
            opener.opensTraces = true
            return try InspectCommand(
                opener: opener, walker: walker, first: paths.isEmpty ? demoDocument : nil, order: invocation.order,
                tour: tour, shownFolder: demo?.sample?.path, picture: picture
            ).run()
        case .tour:
            guard let tour, !demoData.isEmpty else { throw UsageError.noTour }
            guard opensScreen(invocation) else { throw UsageError.tourWithoutScreen }
            guard let demo = try demoData.open() else { throw UsageError.noTour }
            return try TourCommand(opener: opener, demo: demo, tour: tour).run()
        }
    }
}

extension Program {
    /// Whether the screen is opened, which needs a terminal. Without one, `inspect` checks its documents instead.
    private func opensScreen(_ invocation: Invocation) -> Bool {
        switch invocation.action {
        case .inspect(_, nil), .tour: isatty(STDOUT_FILENO) != 0
        default: false
        }
    }

    /// Runs a command with a document, or with its redacted copy if that was requested.
    private func redacting(
        _ path: FilePath, _ invocation: Invocation, _ opener: Opener, _ run: (Opener, GivenName) throws -> ExitStatus
    ) throws -> ExitStatus {
        let given = GivenName(path)
        guard let choice = invocation.redaction else { return try run(opener, given) }
        let (copy, status) = try RedactedDocument.make(of: given, choice, opener: opener)
        guard let copy else { return status }
        let outcome = try run(copy.opener, copy.given)
        return outcome == .success ? status : outcome
    }

    private func names(_ paths: [FilePath], _ invocation: Invocation) -> [GivenName] {
        invocation.isHistory ? paths.map { GivenName(historyOf: $0) } : GivenName.resolve(paths)
    }

    /// Returns the chains to run in this process, after checking their declarations. A worker checks its own, and a
    /// mistake ends it.
    ///
    /// - Throws: ``ChainDeclarationError``.
    private func declaredChains() throws -> [MigrationChain] {
        let chains = makeChains()
        try chains.checkDeclarations()
        return chains
    }

    /// Refuses names of chains and versions that don't exist. Only the app's code knows them, so it's asked only if the
    /// command line names one.
    private func refuseUnknownNames(_ invocation: Invocation, _ host: WorkerHost) throws {
        guard invocation.chain != nil || invocation.target != nil else { return }
        var chains = try host.chains()
        if let name = invocation.chain {
            let known = chains.map(\.name)
            chains = chains.filter { name.isExactly($0.name) }
            if chains.isEmpty { throw UsageError.unknown("chain", name, known: known) }
        }
        guard let target = invocation.target,
            !chains.contains(where: { $0.versions.contains { $0.version.isMeant(by: target) } })
        else { return }
        throw UsageError.unknownVersion(target, chains: chains)
    }
}

/// The date of this version, for the manual page.
let programDate = "2026-11-23"

/// The version of the program.
let programVersion = "0.1.0"
