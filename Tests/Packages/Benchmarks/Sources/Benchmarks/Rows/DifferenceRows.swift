import DocumentModel
import Foundation
import MigrationCore

extension Row {
    /// Comparing large documents, over parsing them.
    static let differenceRows: [Row] =
        ObjectArrays.Change.allCases.map { change in
            Row(
                name: "diff-\(change.rawValue)", group: "diff",
                summary: "diff of two arrays of 100,000 objects over parsing both"
            ) { extent in
                let count = extent(quick: 1_000, full: 100_000)
                let (oldData, newData) = ObjectArrays.pair(count, change)
                let old = try Document(parsing: SourceBytes(oldData))
                let new = try Document(parsing: SourceBytes(newData))
                var measurement = try Comparison(extent).measure {
                    use(DocumentDifference(old: old.root, new: new.root))
                } over: {
                    use(try Document(parsing: SourceBytes(oldData)))
                    use(try Document(parsing: SourceBytes(newData)))
                }
                measurement.bytes = oldData.count + newData.count
                measurement.count = count
                return measurement
            }
        } + [
            Row(
                name: "diff-pins", group: "diff",
                summary: "diff of the first step of a Package.resolved of version 1 with 560,000 pins over parsing it"
            ) { extent in
                let count = extent(quick: 1_000, full: 560_000)
                let data = PackageResolved.text(pins: count)
                let trace = MigrationChain(Pins.self).trace(data)
                guard let step = trace.steps.first, trace.failure == nil else {
                    throw InspectorProcess.Failure(description: "the pins do not migrate")
                }
                var measurement = try Comparison(extent).measure {
                    use(step.difference)
                } over: {
                    use(try Document(parsing: SourceBytes(data)))
                }
                measurement.bytes = data.count
                measurement.count = count
                return measurement
            }
        ]
}
