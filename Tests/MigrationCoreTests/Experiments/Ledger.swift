import MigrationCore

/// An account book with a dictionary of accounts and a form with many entries, for tests of experiments.
struct Ledger: VersionedCodable {
    static let version: Int? = 2
    typealias PreviousVersion = LedgerV1

    var total: Int

    init(from old: LedgerV1) throws {
        struct NoPlainAmount: Error { let amount: String }
        total = try old.accounts.values.reduce(0) { sum, account in
            guard let amount = Int(account.amount) else { throw NoPlainAmount(amount: account.amount) }
            return sum + amount
        }
        guard old.form?.entries["e99"] != "void" else { throw NoPlainAmount(amount: "") }
    }
}

struct LedgerV1: VersionedCodable {
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier

    struct Account: Codable {
        var owner: String
        var amount: String
    }

    /// All hundred entries are required.
    struct Form: Codable {
        var entries: [String: String]

        init(from decoder: any Decoder) throws {
            entries = try [String: String](from: decoder)
            if entries.count < 100 {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "an incomplete form"))
            }
        }

        func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
    }

    var accounts: [String: Account]
    var form: Form?
}
