import InspectorUI

/// A guided tour of documents; see ``MigrationInspectorProgram/tour``.
public typealias Tour = InspectorUI.GuidedTour

/// What ``MigrationInspectorProgram/tour`` can be: a ``Tour`` or nil.
public protocol TourOfDocuments {
    /// The tour; nil if there is none.
    var tour: Tour? { get }
}

extension GuidedTour: TourOfDocuments {
    public var tour: Tour? { self }
}

extension Optional: TourOfDocuments where Wrapped == GuidedTour {
    public var tour: Tour? { self }
}
