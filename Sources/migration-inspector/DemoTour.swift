import Foundation
import MigrationInspector

extension Tour {
    /// The tour of the demo-data, in an order suited to learning.
    static let demoData = Tour(
        [
            Stop(
                "A document that opens",
                "The list has the documents. This one is of the newest version, so the app opens it as it is; the other panels "
                    + "say what there is to say of it, and show its text.",
                document: "poems/version-3.json", task: "Press Tab to go from panel to panel; 1 goes to the list.",
                keys: ["Tab"]),
            Stop(
                "A version key",
                "This poem is older: $.version is 1. The line at the top is the chain, from the oldest version to the newest. "
                    + "The overview, in front of the first step, lists which versions were tried, and why.",
                document: "poems/version-1.json", task: "Press [ to go to the overview; in the list ← does the same.",
                keys: ["← h ["]),
            Stop(
                "One step, and what it changed",
                "A step makes a document of the next version. + is new, - is gone, ~ has another value, » has moved. What is "
                    + "dim is as it was.",
                document: "poems/version-2.json",
                task: "Press d to put before and after beside each other, and d again.", keys: ["d", "d"]),
            Stop(
                "A chain of three",
                "This one has no version at all, so it takes three steps. Each gets what the one before it made; the last stop "
                    + "of the chain, all, is the whole way as one.",
                document: "poems/version-none.json", task: "Press ] three times.", keys: ["→ l ]", "→ l ]", "→ l ]"]),
            Stop(
                "A migration that plays",
                "The same way, change by change, with values on their way from their old to their new places. - and + change "
                    + "the pace, ← and → go back and on.",
                task: "Press p to play it; Esc ends that.", keys: ["p"]),
            Stop(
                "Where a value came from",
                "\"← starRating\" stands beside rating: the program ran the app's own migration again with other values and saw "
                    + "what depends on what. The source marks what the row under the cursor was made from.",
                document: "poems/version-1.json",
                task: "Press 2, and ↓ to go to rating: the source marks starRating.", keys: ["2", "↓ j"]),
            Stop(
                "A failure, and its proof",
                "Nine stars are no longer valid, and the row says so where it is. That it is this value and no other is "
                    + "proved: with 0 to 5 in its place the migration passes, with 6 and -1 it does not.",
                document: "poems/rating-9.json",
                task: "Press t to see that field in all versions, and t again.", keys: ["t", "t"]),
            Stop(
                "What if",
                "C offers the values with which the document gets past its failure, and takes any other. What the user meant by "
                    + "nine, nobody knows, so none of them is a repair. All of that is in memory; w would write the document, "
                    + "to a name that you are asked for.",
                document: "poems/rating-9.json",
                task: "Press C and 1 to try a value, and u to take it back.", keys: ["C", "1", "u"]),
            Stop(
                "A field that is lost",
                "This user opens, and yet something is gone: it is taken for version 2, which does not read the e-mail address, "
                    + "so the app would write the user without it. ! is the sign of losses; check --strict finds them.",
                document: "shapes/user-of-both-shapes-email-lost.json",
                task: "Press 2, and ↓ to read what the overview says.", keys: ["2", "↓ j"]),
            Stop(
                "A misspelt key",
                "The type asks for author, and the document has auhtor. The failure names what is missing; the experiments "
                    + "found what is there instead. Renamed, it keeps what the user wrote: that is a repair, and a makes it.",
                document: "poems/wrong-author-misspelt.json",
                task: "Press s to go to its place in the text, a to make the repair, and u to take it back.",
                keys: ["s", "a", "u"]),
            Stop(
                "A document of no chain",
                "No type here decodes this one, and the overview says for each why not. With many documents, D lists what they "
                    + "fail of, with counts.",
                document: "unknown.json", task: "Press D, and Esc to close the list.", keys: ["D", "Esc"]),
            Stop(
                "Preferences",
                "Preferences are a document too, of which each key migrates on its own. The overview lists them as parts; each "
                    + "can be looked at as a document.",
                document: "preferences/version-4.plist",
                task: "Press [ for the overview, 2 to go there, ↓, and Enter on a part; Esc goes back.",
                keys: ["← h [", "2", "↓ j", "Enter"]),
            Stop(
                "Rows of a store",
                "So is the JSON in the rows of a SwiftData store, which is only ever read. Each cell is a document with a name "
                    + "of its own.",
                document: "store-of-books.sqlite#ZBOOK/18/ZMETA",
                task: "Press f to see only what fails, in all folders, and Esc for everything.", keys: ["f", "Esc"]),
            Stop(
                "A history",
                "This file lies in a git repository, made for this tour. H puts its states from left to right, each checked; [ "
                    + "and ] go through time, and the step panel says what changed since the state before.",
                document: "limerick.json",
                task: "Press H, and { to go to the commit since which it fails.", keys: ["H", "{"]),
            Stop(
                "Your own types",
                "The program knows versions from Swift types. A package of three files makes it know yours; the README has it, "
                    + "under \"Your own documents\". ? lists all keys."),
        ],
        history: History(
            file: "limerick.json",
            states: [
                state(day: 0, "Ada Lovelace", "A limerick", version: 1, #""starRating": 4"#),
                state(day: 3, "Ada Lovelace", "Better than I thought", version: 1, #""starRating": 5"#),
                state(day: 40, "Charles Babbage", "Saved by the new app", version: 2, #""rating": "love""#),
                state(day: 41, "Mary Somerville", "Praise, by hand", version: 2, #""rating": "great""#),
                state(
                    day: 60, "Ada Lovelace", "Its author is known", version: 2, #""rating": "great""#,
                    author: "Edward Lear"),
            ]))

    private static func state(
        day: Int, _ committer: String, _ subject: String, version: Int, _ rating: String, author: String = "Anonymous"
    ) -> State {
        // Days are counted from March 1, 2024.
        State(
            author: committer, date: Date(timeIntervalSince1970: 1_709_287_200 + Double(day) * 86_400),
            subject: subject,
            content: """
                {
                  "version": \(version),
                  "author": "\(author)",
                  "poem": "There was an Old Man with a beard,\\nWho said, 'It is just as I feared!'",
                  \(rating)
                }

                """)
    }
}
