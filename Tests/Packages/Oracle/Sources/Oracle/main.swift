import DocumentModel
import Foundation
import MigrationWorker

WorkerMain.runIfWorker { Registry.schemes.indices.map(Scheme.chain) }
exit(try Campaign(arguments: Arguments.current).run() ? 0 : 1)
