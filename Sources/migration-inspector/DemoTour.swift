import Foundation
import MigrationInspector

extension Tour {
    /// The tour of the demo-data, in an order suited to learning.
    static let demoData = Tour(
        [
            Stop(
                "Versions, steps, a chain",
                "An app changes the shape of its documents over the years; each shape is a version. A step makes the next "
                    + "version of a document, and the steps in a row are a chain, here at the top: none, 1, 2, 3. The app "
                    + "runs it when it opens an old document. This one is of version 3 already.",
                document: "poems/version-3.json", task: "Press Tab to go from panel to panel; 1 goes to the list.",
                keys: ["Tab"]),
            Stop(
                "The signs of the list",
                "v1 → 3 was written as version 1 and becomes version 3, v1 ✗ 2 breaks on the way to 2, and v3 needs "
                    + "nothing. ✓ opens, ! opens with something to know, such as a loss, ✗ does not open, ? is of no chain.",
                document: "poems/version-1.json",
                task: "Press ↓ and ↑ to go through the list; e goes to the next problem.", keys: ["↓ j", "↑ k"]),
            Stop(
                "A version key",
                "Here $.version decides: $ is the whole document, and $.version its member version. The newest type is "
                    + "asked first, since most documents are new, then the one before it, until one says: this is mine.",
                document: "poems/version-1.json",
                task: "Press [ to go to the overview, in front of the first step; in the list ← does the same.",
                keys: ["← h ["]),
            Stop(
                "A version by shape",
                "This user names no version. So each type tries to decode it, the newest first, and the first that can gives "
                    + "the version. UserV2 needs an id, and there is none; UserV1 takes it.",
                document: "shapes/user-by-email.json",
                task: "Press [ for the overview: it lists what was tried, and why not.", keys: ["← h ["]),
            Stop(
                "One step, and what it changed",
                "A step makes a document of the next version. + is new, - is gone, ~ has another value, » has moved, and dim "
                    + "is as it was. {1} is an object of one member, [4] a list of four.",
                document: "poems/version-2.json",
                task: "Press d to put before and after beside each other, and d again.", keys: ["d", "d"]),
            Stop(
                "A chain of three",
                "This one says no version, so it takes three steps, each from what the one before it made. ◉ is what you look "
                    + "at, ● was reached, and ○ was not. The last stop, all, is the whole way as one.",
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
                "The author of the step says fieldNoLongerValid: version 2 has no place for nine stars. That it is this value "
                    + "and no other is proved: the app's own code opens the document with another value there.",
                document: "poems/rating-9.json",
                task: "Press t to see that field in all versions, and t again.", keys: ["t", "t"]),
            Stop(
                "Passing values",
                "With 0 to 5 the document gets past its failure. The program does not know which of them is right, so they "
                    + "are passing values and no repair. C offers them. \"likely\" is named but not shown; \"not known\" says why. "
                    + "All of it is in memory; w would write a file, to a name that you are asked for.",
                document: "poems/rating-9.json",
                task: "Press C and 1 to try a value, and u to take it back.", keys: ["C", "1", "u"]),
            Stop(
                "A repair",
                "The type asks for author, and the document has auhtor. The failure names what is missing; the experiments "
                    + "found what is there instead. Renamed, it keeps what the user wrote: that is a repair, and a makes it.",
                document: "poems/wrong-author-misspelt.json",
                task: "Press s to go to its place in the text, a to make the repair, and u to take it back.",
                keys: ["s", "a", "u"]),
            Stop(
                "A field that is dropped",
                "This letter opens, and yet something is gone at the next save: no version reads its postscript. That is "
                    + "dropped. ! is the sign, and check finds such documents before the users do.",
                document: "posted-letters/version-1-postscript-dropped.json",
                task: "Press 2, and ↓ to read the step.", keys: ["2", "↓ j"]),
            Stop(
                "Closures, and a loss inside a step",
                "Closures over a dictionary carry this one. The step to 3 takes number and puts 1 there: whatever number "
                    + "was, the result is the same, so it is lost. Narrowed is what is carried, but holds less; left over is "
                    + "what a step read and left behind.",
                document: "things/version-1.json",
                task: "Press ] for the next step, and look at the row number.", keys: ["→ l ]"]),
            Stop(
                "A document of no chain",
                "No type here decodes this one, and the overview says for each why not. With many documents, D lists what they "
                    + "fail of, with counts.",
                document: "unknown.json", task: "Press D, and Esc to close the list.", keys: ["D", "Esc"]),
            Stop(
                "Preferences",
                "Preferences are a document too. Version 4 kept each value as JSON in a string; version 5 keeps it natively, "
                    + "as a list, a dictionary, a number. Each key migrates on its own, and is a part of the document.",
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
                "Your own documents",
                "A key or a shape gives the version, steps make the next one, and every \"proved\", \"dropped\" and \"lost\" was "
                    + "shown by running the code. For your own types, a package of three files is enough; the README has "
                    + "it. Then check --strict FOLDER, and e from problem to problem. ? lists all keys."),
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
