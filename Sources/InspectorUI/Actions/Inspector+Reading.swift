import DocumentModel
import MigrationCore

/// Reading a document with a chain, or as a version, that the user picks.
extension Inspector {
    /// Whether no chain claims the document on the screen.
    var isUnrecognized: Bool { shown?.whole.outcome == .unrecognized }

    /// The menu item for picking another version of the document's chain. Where none can be picked although the chain
    /// has several, the item says so.
    var versionItems: [MenuView.Item] {
        guard let name = shown?.whole.chain, let chain = chains.all.first(where: { $0.name.isExactly(name) }) else {
            return []
        }
        let items = items(forVersionsOf: chain, isOfContent: supposition.chain == nil)
        if !items.isEmpty {
            return [.init("v", MenuWords.otherVersion) { $0.overlay = MenuView(MenuWords.readAs, items) }]
        }
        guard chain.versions.count > 1, !chain.readsAsAnyVersion else { return [] }
        return [.init("v", MenuWords.noOtherVersion) { $0.message = Message(.noOtherVersion(of: name)) }]
    }

    /// The menu item for picking a chain.
    var chainItems: [MenuView.Item] {
        guard chains.all.count > (isUnrecognized ? 0 : 1) else { return [] }
        let label = isUnrecognized ? MenuWords.chain : MenuWords.otherChain
        return [.init("k", label) { $0.openChainMenu() }]
    }

    /// Opens the menu of chains. For a document that no chain claims, the closest chains come first.
    private mutating func openChainMenu() {
        guard let trace = shown?.whole else { return }
        let others = chains.all.filter { chain in trace.chain.map { !$0.isExactly(chain.name) } ?? true }
        let near = trace.chainsByFit
        let order = others.enumerated().sorted { left, right in
            let ranks = [left, right].map { item in
                near.firstIndex { $0.isExactly(item.element.name) } ?? near.count
            }
            return (ranks[0], left.offset) < (ranks[1], right.offset)
        }
        let items = order.map(\.element).map { chain in
            let versions = chain.versions.map { "\($0.version)" }
            let span =
                versions.count > 2
                ? "\(versions[0]) … \(versions[versions.count - 1])" : versions.joined(separator: ", ")
            return (
                label: "\(chain.name)  \(span)",
                choose: { @Sendable (inspector: inout Inspector) in inspector.openVersionMenu(of: chain) }
            )
        }
        overlay = MenuView(MenuWords.readWith(), numbered: items)
    }

    /// Opens the menu of a chain's versions. If there is nothing to choose, the chain is used directly.
    private mutating func openVersionMenu(of chain: ChainDescription) {
        let items = items(forVersionsOf: chain, isOfContent: false)
        let isChoice = chain.versions.count > 1 || chain.statements.contains { !$0.isEmpty }
        guard !items.isEmpty, isChoice else { return read(with: ChosenChain(chain.name)) }
        let detected = MenuView.Item("c", MenuWords.detectedVersion) {
            $0.read(with: ChosenChain(chain.name))
        }
        overlay = MenuView(MenuWords.readWith(chain.name), [detected] + items)
    }

    /// Returns items for a chain's versions, newest first, except the one that the document is already read as.
    ///
    /// - Parameter isOfContent: Whether the document's content determines the chain, and should do so again.
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
            return .init(index < 9 ? Character("\(index + 1)") : nil, MenuWords.version(version)) {
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
    /// The chains that come closest to claiming the document, best first; empty if a chain claims it.
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
    /// Returns the edits that make a document state this version and no other; nil if a document cannot state it.
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
            // Remove statements of other versions at paths that this version does not use.
            for path in Set(statements.joined().map(\.path)).sorted(by: { "\($0)" < "\($1)" })
            where !statements[index].contains(where: { $0.path == path }) && changed.root.descendant(at: path) != nil {
                try make(.remove(changed.root.outermost(withNothingBut: path)))
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
        return isStated && readsNoVersion(inPlaceOf: index, changed) ? nil : edits
    }

    /// Returns whether a document counts as unversioned although it states the given version at that version's own
    /// path: the object in which the newest version states itself is there, and states none.
    private func readsNoVersion(inPlaceOf index: Int, _ document: Document) -> Bool {
        guard versions.contains(where: { $0.version == .unversioned }), let newest = statements.last else {
            return false
        }
        return newest.allSatisfy { edit in
            guard let parent = edit.path.parent, document.root.descendant(at: parent)?.kind == .object else {
                return false
            }
            return !statements[index].contains { $0.path == edit.path }
        }
    }
}

extension DocumentNode {
    /// Returns the path of the outermost object that contains nothing except the value at `path`, or `path` itself.
    fileprivate func outermost(withNothingBut path: DocumentPath) -> DocumentPath {
        guard let parent = path.parent, !parent.isRoot, let node = descendant(at: parent), node.count == 1
        else { return path }
        return outermost(withNothingBut: parent)
    }
}

extension DocumentEdit {
    /// Returns the edit that adds a value at a path, along with any missing objects above it.
    fileprivate static func adding(_ value: Document, at path: DocumentPath, in document: Document) -> DocumentEdit {
        var (path, text) = (path, JSONWriter(layout: .compact).string(value.root))
        while let parent = path.parent, document.root.descendant(at: parent) == nil, let name = path.lastKey {
            text = "{\(JSONWriter(layout: .compact).string(Document(text: name).root)):\(text)}"
            path = parent
        }
        return .add(path, (try? Document(json: text)) ?? value)
    }
}
