import MigrationInspector

@main struct Inspect: MigrationInspectorProgram {
    static let chains: [MigrationChain] = [
        MigrationChain(
            TrainingLog.self,
            notes: [
                2: "Weights are in kilograms, and an effort is one of three",
                3: "Names have two parts, the diary is one text, and pauses are in minutes",
                4: "Sets say their load in words, and a log knows its total",
            ]),
        MigrationChain(
            Round.self,
            fields: { version in
                switch version {
                case .v1: PayloadFields(required: ["driver", "miles", "stops"])
                case .v2, .v3: PayloadFields(required: ["driver", "kilometers", "stops"])
                }
            }),
        MigrationChain(
            named: "RoomPlan",
            shapes: ShapeVersions(RoomPlanV1.self)
                .then(RoomPlanV2.self) { try RoomPlanV2($0) }
                .then(RoomPlanV3.self) { try RoomPlanV3($0) }),
        MigrationChain(Turnstile.self, isRepeatable: false),
        MigrationChain(Placard.self),
    ]
}
