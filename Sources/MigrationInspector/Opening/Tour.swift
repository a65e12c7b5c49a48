import InspectorUI

/// A guided tour of documents; see ``MigrationInspectorProgram/tour``.
public typealias Tour = InspectorUI.GuidedTour
