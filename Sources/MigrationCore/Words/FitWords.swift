/// Why a document does not belong to a chain: `no version key; knows none of its 4 fields`.
struct FitWords {
    private let fit: ChainFit

    init(_ fit: ChainFit) { self.fit = fit }

    var text: String { [versionWords, fieldWords].compactMap { $0 }.joined(separator: "; ") }

    private var versionWords: String? {
        switch fit.version {
        case .known(let version): "has version \(version)"
        case .unknown(let version): "does not know version \(version)"
        case .missing: "no version key"
        case .notAsked: nil
        }
    }

    private var fieldWords: String {
        let missing = fit.shares.missingCount
        let needs = missing == 0 ? "" : "needs \(missing) that \(missing == 1 ? "is" : "are") not there"
        if fit.shares.nameCount == 0 { return "there are no fields to know it by" }
        if !fit.shares.isComplete {
            return needs.isEmpty ? "not all fields of \(fit.type) are known" : "\(fit.type) \(needs)"
        }
        let all = fit.shares.nameCount == 1 ? "its only field" : "its \(fit.shares.nameCount) fields"
        switch fit.shares.knownCount {
        case 0: return fit.shares.nameCount == 1 ? "does not know \(all)" : "knows none of \(all)"
        case fit.shares.nameCount: return "\(fit.type) knows \(all)" + (needs.isEmpty ? "" : ", but \(needs)")
        default: return "\(fit.type) knows \(fit.shares.knownCount) of \(all)" + (needs.isEmpty ? "" : " and \(needs)")
        }
    }
}
