/// Taking a tour through the documents.
extension Inspector {
    /// Whether there is a tour of the documents that were opened.
    var canTakeTour: Bool {
        guard let tour else { return false }
        return tour.stops.contains { stop in stop.document.map { documents.document(ending: $0) != nil } ?? false }
    }

    /// Starts the tour, or resumes it where the user left it.
    mutating func takeTour() {
        guard let tour, !tour.stops.isEmpty else { return }
        tourView = leftTour ?? TourView(tour)
        goToTourStop()
    }

    mutating func leaveTour() {
        leftTour = tourView
        tourView = nil
        message = Message("T goes on with the tour")
    }

    mutating func goInTour(by count: Int) {
        guard tourView?.canGo(by: count) == true else {
            (tourView, leftTour) = (nil, nil)
            message = Message("that was the tour; T begins it again")
            return
        }
        tourView?.go(by: count)
        goToTourStop()
    }

    /// Starts the tour once there is a document to show.
    mutating func beginTour() {
        guard startsTour, let document = tour?.stops.lazy.compactMap(\.document).first else { return }
        if documents.document(ending: document) != nil {
            startsTour = false
            opening = nil
            takeTour()
        } else if !documents.isFinding {
            startsTour = false
            message = Message("the documents of the tour are not here", stays: true)
        }
    }

    /// Shows the stop's document as it is when it is first opened. Changes made to it in memory are kept.
    private mutating func goToTourStop() {
        (menu, page, chainTable, prompt) = (nil, nil, nil, nil)
        endPlaying()
        if timeline != nil { leaveTimeline() }
        isZoomed = false
        guard let name = tourView?.document else { return }
        setFilter(DocumentFilter())
        guard let row = documents.document(ending: name).flatMap(documents.row) else {
            message = Message("\(name) is not here; . goes on")
            return
        }
        showsValue = false
        style = .unified
        if inspection?.document == documents.document(ending: name), shown != nil {
            shown?.enter([])
            compare(with: nil)
        }
        documents.select(row: row)
        focus = .documents
    }
}
