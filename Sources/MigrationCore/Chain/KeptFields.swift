import DocumentModel

/// A source of the fields of a type.
protocol FieldSource: Sendable {
    /// Returns the top-level fields that a document of the type has.
    func fields(userInfo: [CodingUserInfoKey: any Sendable]) -> TypeFields

    /// Returns the fields at every depth, with their types.
    func outline(userInfo: [CodingUserInfoKey: any Sendable]) -> VersionOutline
}

/// The fields of a type, which are determined on first use and then kept. Safe to use from any thread.
final class KeptFields: Sendable {
    private let source: any FieldSource
    private let userInfo: [CodingUserInfoKey: any Sendable]
    private let kept = Locked<TypeFields?>(nil)
    private let keptOutline = Locked<VersionOutline?>(nil)

    init(_ source: any FieldSource, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.source = source
        self.userInfo = userInfo
    }

    /// Returns the fields of a chain's type. They are unknown if asking for them ended an earlier process.
    ///
    /// - Parameters:
    ///   - stage: The index of the type's version.
    ///   - observer: What observes the reading of a document.
    func value(of chain: String, stage: Int, for observer: (any RunObserver)?) -> TypeFields {
        guard let observer else { return value }
        return observer.mayAsk(chain, stage) ? value : .unknown
    }

    /// Returns the fields of a chain's type at every depth. They are unknown if asking for them ended an earlier
    /// process.
    ///
    /// - Parameters:
    ///   - stage: The index of the type's version.
    ///   - observer: What observes the reading of a document.
    func outline(of chain: String, stage: Int, for observer: any RunObserver) -> VersionOutline {
        guard observer.mayAsk(chain, stage) else { return .unknown }
        return keptOutline.withLock { kept in
            let outline = kept ?? source.outline(userInfo: userInfo)
            kept = outline
            return outline
        }
    }

    var value: TypeFields {
        kept.withLock { kept in
            let fields = kept ?? source.fields(userInfo: userInfo)
            kept = fields
            return fields
        }
    }
}

extension RunObserver {
    /// Records that a type of a chain is about to be asked for its fields, and returns whether it may be: not if that
    /// ended an earlier process.
    fileprivate func mayAsk(_ chain: String, _ stage: Int) -> Bool {
        note(.describing, stage: stage)
        let asked = RunPlace.Asked(chain: MigrationChain.mark(of: chain), stage: Int32(truncatingIfNeeded: stage))
        return !unaskable.contains(asked)
    }
}
