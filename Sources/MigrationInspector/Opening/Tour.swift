import InspectorUI

/// A guided walk through documents; see ``MigrationInspectorProgram/tour``.
public typealias Tour = InspectorUI.Tour
