import DocumentModel

/// A chain of stages that a document passes one after the other.
struct StagedChain: ChainSystem {
    let name: String
    /// The stages, oldest first; there is at least one.
    let stages: [ChainStage]
    let detector: any ChainDetector
    let decoder: DocumentDecoder
    let encoder: DocumentEncoder
    /// How the value of the newest stage is decoded, where the values of the stages are documents: of payloads.
    var finish: (@Sendable (Document, DocumentDecoder, ReadRecord) throws -> any Codable)?

    var versions: [ChainVersion] { stages.map { ChainVersion(version: $0.version, type: $0.type) } }

    func fit(of document: Document, names: Set<String>) -> ChainFit {
        let detected = detector.detect(in: document.root, decoder: decoder)
        let hasVersion = detected.stage != nil && detected.path != nil
        let version: ChainFit.StatedVersion =
            if let version = detected.version, detected.path != nil {
                hasVersion ? .known(version) : .unknown(version)
            } else if hasVersion, let stage = detected.stage {
                .known(stages[stage].version)
            } else {
                stages.contains { $0.versionPath != nil } ? .missing : .notAsked
            }
        // Without a version key the document may be from before there was one, or have lost it.
        let candidates = hasVersion ? detected.stage.map { [stages[$0]] } : nil
        let strategies = decoder.strategies
        let fieldNames = Set(names.lazy.map { strategies.fieldName(ofKey: $0) })
        let fits = (candidates ?? stages.reversed()).map { stage in
            let versionName = stage.versionPath?.firstKey.map { strategies.fieldName(ofKey: $0) }
            return ChainFit(
                version: version, type: stage.type,
                shares: .init(stage.fields(), fieldNames, except: versionName))
        }
        // Of equal fits the newest counts.
        return fits.dropFirst().reduce(fits[0]) { $1.shares.sum > $0.shares.sum ? $1 : $0 }
    }

    func check(_ document: Document, source: String, to target: DocumentVersion?) -> CheckResult {
        var run = ChainRun(chain: self, document: document, source: source, target: target, isTracing: false)
        run.run()
        guard run.failedStep.map({ $0 > 0 }) != true else {
            // What is behind a failure after the first step shows only in the documents between, which a check does not make.
            return CheckResult(trace(document, source: source, to: target))
        }
        return CheckResult(run.trace)
    }

    func trace(_ document: Document, source: String, to target: DocumentVersion?) -> MigrationTrace {
        var run = ChainRun(chain: self, document: document, source: source, target: target, isTracing: true)
        run.run()
        return run.trace
    }
}

extension DocumentPath {
    /// The name at the beginning, if a name is at the beginning.
    fileprivate var firstKey: String? { if case .key(let name) = components.first { name } else { nil } }
}
