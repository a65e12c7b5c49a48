/// Taking a tour through the documents.
extension KeyCommand {
    /// Starts the tour, or resumes it where the user left it.
    static let tour = KeyCommand("tour") { now in
        guard now.tour.view == nil, let tour = now.tour.tour else { return .nothing(.noTour) }
        let isHere = tour.stops.contains { stop in
            stop.document.map { now.documents.document(ending: $0) != nil } ?? false
        }
        return .when(isHere, else: .noTour) { $0.takeTour() }
    }
    static let leaveTour = KeyCommand("leaveTour") {
        guard let view = $0.tour.view else { return .nothing() }
        return .change {
            $0.tour = .left(view)
            $0.message = Message(.tourIsLeft)
        }
    }
    static let nextTourStop = KeyCommand("nextTourStop") { .when($0.tour.view != nil) { $0.goInTour(by: 1) } }
    static let previousTourStop = KeyCommand("previousTourStop") {
        .when($0.tour.view?.canGo(by: -1) ?? false) { $0.goInTour(by: -1) }
    }
}

extension Inspector {
    fileprivate mutating func takeTour() {
        guard let tour = tour.tour, !tour.stops.isEmpty else { return }
        if case .left(let view) = self.tour { self.tour = .taken(view) } else { self.tour = .taken(TourView(tour)) }
        goToTourStop()
    }

    fileprivate mutating func goInTour(by count: Int) {
        guard let view = tour.view else { return }
        guard view.canGo(by: count) else {
            tour = .offered(view.tour)
            message = Message(.tourIsOver)
            return
        }
        tour.view?.go(by: count)
        goToTourStop()
    }

    /// Starts the tour once there is a document to show.
    mutating func beginTour() {
        guard case .awaited(let awaited) = tour, let document = awaited.stops.lazy.compactMap(\.document).first else {
            return
        }
        if documents.document(ending: document) != nil {
            opening = nil
            takeTour()
        } else if !documents.isFinding {
            tour = .offered(awaited)
            message = Message(.tourIsElsewhere, stays: true)
        }
    }

    /// Shows the stop's document as it is when it is first opened. Changes made to it in memory are kept.
    private mutating func goToTourStop() {
        closeOverlay()
        if timeline != nil { leaveTimeline() }
        isZoomed = false
        guard let name = tour.view?.document else { return }
        setFilter(DocumentFilter())
        guard let row = documents.document(ending: name).flatMap(documents.row) else {
            message = Message(.tourMisses(name))
            return
        }
        showsValue = false
        kept.style = .unified
        if inspection?.document == documents.document(ending: name), shown != nil {
            shown?.enter([])
            compare(with: nil)
        }
        documents.select(row: row)
        focus = .documents
    }
}
