/// The terms for the conclusions from experiments, with their meanings, for the list of keys and signs and the manual
/// page.
package enum ClaimWords {
    /// The terms for failures.
    package static let ofFailures: [(word: String, meaning: String)] = [
        ("repair", "this one change keeps what the document means, and gets past the failure; a makes it"),
        ("proved cause, proof", "another value here gets past the failure; which value is right is not known"),
        ("opens with 5", "with 5 nothing fails: a proof, and no advice to write 5"),
        ("passes, gets past this", "this failure does not occur with it; the document may open, or fail later"),
        ("one of these", "another value in any of these fields gets past the failure"),
        ("likely cause", "nothing is proved; the error or a name like it points here"),
    ]

    /// The terms for values that steps read, drop, and create.
    package static let ofValues: [(word: String, meaning: String)] = [
        ("dropped", "the app does not read it on the way from the document's version to the newest"),
        ("left over", "a step read it, and the newest version does not"),
        ("lost", "the step reads it, and no other value that was tried changes the result"),
        ("narrowed", "the result holds less of it: rounded, cut short, without its time"),
        ("← name", "another value in name changes this one"),
        ("made by the step", "none of the values that the step reads changes it, as far as others were tried"),
        ("not known", "too few other values could be tried: it may be lost or not"),
    ]
}
