import DocumentModel
import MigrationCore
import MigrationWorker

/// Reading a document with a chain, or as a version, that a person picks.
extension Inspector {
    /// Whether no chain claims the document on the screen.
    var isUnrecognized: Bool { shown?.whole.outcome == .unrecognized }

    /// Whether a chain can be picked for a document that none claims.
    var canPickChain: Bool { canChange && isUnrecognized && !chains.isEmpty }

    /// The item that picks another version of the document's chain.
    var versionItems: [MenuView.Item] {
        guard let name = shown?.whole.chain, let chain = chains.first(where: { $0.name.isExactly(name) }) else {
            return []
        }
        let items = items(forVersionsOf: chain, isOfContent: supposition.chain == nil)
        return items.isEmpty
            ? [] : [.init("v", "read it as another version") { $0.menu = MenuView("Read it as", items) }]
    }

    /// The item that picks a chain.
    var chainItems: [MenuView.Item] {
        guard isUnrecognized ? !chains.isEmpty : chains.count > 1 else { return [] }
        let label = isUnrecognized ? "read it with a chain, as one of its versions" : "read it with another chain"
        return [.init("k", label) { $0.openChainMenu() }]
    }

    /// Opens the menu of chains; of a document that none claims, the nearest comes first.
    mutating func openChainMenu() {
        guard let trace = shown?.whole else { return }
        let others = chains.filter { chain in trace.chain.map { !$0.isExactly(chain.name) } ?? true }
        let near = trace.chainsByFit
        let order = others.enumerated().sorted { left, right in
            let ranks = [left, right].map { item in
                near.firstIndex { $0.isExactly(item.element.name) } ?? near.count
            }
            return (ranks[0], left.offset) < (ranks[1], right.offset)
        }
        let keys = Array("123456789abcdefghilmnopqrstuvwxyz")
        let items = order.map(\.element).enumerated().map { index, chain in
            let versions = chain.versions.map { "\($0.version)" }
            let span =
                versions.count > 2
                ? "\(versions[0]) … \(versions[versions.count - 1])" : versions.joined(separator: ", ")
            return MenuView.Item(index < keys.count ? keys[index] : nil, "\(chain.name)  \(span)") {
                $0.openVersionMenu(of: chain)
            }
        }
        menu = MenuView("Read it with", items)
    }

    /// Opens the menu of the versions of a chain; with nothing to pick there, the chain is taken.
    private mutating func openVersionMenu(of chain: ChainDescription) {
        let items = items(forVersionsOf: chain, isOfContent: false)
        let isChoice = chain.versions.count > 1 || chain.statements.contains { !$0.isEmpty }
        guard !items.isEmpty, isChoice else { return read(with: ChosenChain(chain.name)) }
        let whatItSays = MenuView.Item("c", "the version that the chain finds") {
            $0.read(with: ChosenChain(chain.name))
        }
        menu = MenuView("Read it with \(chain.name) as", [whatItSays] + items)
    }

    /// The versions of a chain, newest first, but the one that the document is read as already.
    ///
    /// - Parameter isOfContent: Whether the chain is that which the document's content says, and is to be asked again.
    private func items(forVersionsOf chain: ChainDescription, isOfContent: Bool) -> [MenuView.Item] {
        guard let trace = shown?.whole, let document = trace.document else { return [] }
        let isSame = trace.chain?.isExactly(chain.name) == true
        let changes = chain.versions.indices.reversed().compactMap { index -> (ChainVersion, WhatIf.Change)? in
            let version = chain.versions[index]
            if isSame, version.version == trace.detection.version { return nil }
            if let edits = chain.statement(ofVersion: index, in: document) {
                return (version, .init(edits: edits, chain: isOfContent ? nil : ChosenChain(chain.name)))
            }
            guard chain.readsAsAnyVersion else { return nil }
            return (version, .init(edits: [], chain: ChosenChain(chain.name, version: version.version)))
        }
        return changes.enumerated().map { index, change in
            let (version, change) = change
            return .init(index < 9 ? Character("\(index + 1)") : nil, "version \(version.version)  \(version.type)") {
                $0.suppose(change)
            }
        }
    }

    private mutating func read(with chain: ChosenChain) { suppose(WhatIf.Change(edits: [], chain: chain)) }

    private mutating func suppose(_ change: WhatIf.Change) {
        guard let shown, let document = shown.whole.document else { return }
        suppose(change, of: shown.document, document)
    }
}

extension MigrationTrace {
    /// The chains that may claim the document, the nearest first; none of a document of a chain.
    fileprivate var chainsByFit: [String] {
        guard case .unrecognized(let reasons) = opening else { return [] }
        return reasons.flatMap { reason -> [String] in
            switch reason {
            case .poorFit(let chain, _): [chain]
            case .tie(let chains, _): chains
            default: []
            }
        }
    }
}

extension ChainDescription {
    /// The changes that make a document say that it is of a version, and of no other; nil where that cannot be said.
    fileprivate func statement(ofVersion index: Int, in document: Document) -> [DocumentEdit]? {
        let isStated = !statements[index].isEmpty
        guard isStated || versions[index].version == .unversioned && statements.contains(where: { !$0.isEmpty }) else {
            return nil
        }
        var (edits, changed) = ([DocumentEdit](), document)
        func make(_ edit: DocumentEdit) throws {
            changed = try changed.applying([edit])
            edits.append(edit)
        }
        do {
            // What says another version, where this one says nothing.
            for path in Set(statements.joined().map(\.path)).sorted(by: { "\($0)" < "\($1)" })
            where !statements[index].contains(where: { $0.path == path }) && changed.root.descendant(at: path) != nil {
                try make(.remove(path))
            }
            for case .set(let path, let value) in statements[index] {
                guard let node = changed.root.descendant(at: path) else {
                    try make(.adding(value, at: path, in: changed))
                    continue
                }
                if !node.isEqual(to: value.root) { try make(.set(path, value)) }
            }
        } catch {
            return nil
        }
        return edits
    }
}

extension DocumentEdit {
    /// The change that puts a value at a path, with the objects on the way to it that are missing.
    fileprivate static func adding(_ value: Document, at path: DocumentPath, in document: Document) -> DocumentEdit {
        var (path, text) = (path, JSONWriter(layout: .compact).string(value.root))
        while let parent = path.parent, document.root.descendant(at: parent) == nil, let name = path.lastKey {
            text = "{\(JSONWriter(layout: .compact).string(Document(text: name).root)):\(text)}"
            path = parent
        }
        return .add(path, (try? Document(json: text)) ?? value)
    }
}
