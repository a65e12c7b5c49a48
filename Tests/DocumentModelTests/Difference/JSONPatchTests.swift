import DocumentModel
import TestSupport
import Testing

@Suite("JSON Patches")
struct JSONPatchTests {
    private func apply(_ patch: String, to document: String) throws -> String {
        let patch = try JSONPatch(Document(json: patch).root)
        return JSONWriter().string(try patch.applied(to: Document(json: document).root).root)
    }

    private func failure(_ patch: String, _ document: String) -> JSONPatchError? {
        do {
            _ = try apply(patch, to: document)
            return nil
        } catch {
            return error as? JSONPatchError
        }
    }

    @Test(
        "the examples of RFC 6902, appendix A, are applied",
        arguments: [
            (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"foo":"bar","baz":"qux"}"#),
            (
                #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
                #"{"foo":["bar","qux","baz"]}"#
            ),
            (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
            (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
            (#"{"baz":"qux"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo"}"#),
            (
                #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
                #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
                #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
            ),
            (
                #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
                #"{"foo":["all","cows","eat","grass"]}"#
            ),
            (
                #"{"baz":"qux","foo":["a",2,"c"]}"#,
                #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2.0}]"#,
                #"{"baz":"qux","foo":["a",2,"c"]}"#
            ),
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"g":{}}, "xyz":1}]"#,
                #"{"foo":"bar","child":{"g":{}}}"#
            ),
            (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
            (#"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc"]}]"#, #"{"foo":["bar",["abc"]]}"#),
            (
                #"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/c"},{"op":"remove","path":"/a/b"}]"#,
                #"{"a":{},"c":{"b":1}}"#
            ),
            (#"{"a":1}"#, #"[{"op":"add","path":"","value":[]}]"#, "[]"),
        ])
    func examples(document: String, patch: String, result: String) throws {
        #expect(try apply(patch, to: document) == result)
    }

    @Test(
        "an operation that does not apply is reported, with the reason",
        arguments: [
            (#"[{"op":"test","path":"/a","value":2}]"#, JSONPatchError.Reason.testFailed("/a")),
            (#"[{"op":"add","path":"/x/y","value":2}]"#, .nothing(at: "/x/y")),
            (#"[{"op":"remove","path":"/x"}]"#, .nothing(at: "/x")),
            (#"[{"op":"replace","path":"/x","value":1}]"#, .nothing(at: "/x")),
            (#"[{"op":"add","path":"/l/3","value":2}]"#, .notAPosition("/l/3", count: 2)),
            (#"[{"op":"add","path":"/l/01","value":2}]"#, .notAPosition("/l/01", count: 2)),
            (#"[{"op":"remove","path":"/l/-"}]"#, .notAPosition("/l/-", count: 2)),
            (#"[{"op":"remove","path":"/a/b"}]"#, .notAContainer("/a/b", kind: .number)),
            (#"[{"op":"remove","path":"a"}]"#, .notAPointer("a")),
            (#"[{"op":"remove","path":"/~2"}]"#, .notAPointer("/~2")),
            (#"[{"op":"remove","path":""}]"#, .removesDocument),
            (#"[{"op":"move","from":"/l","path":"/l/0"}]"#, .movesIntoItself(from: "/l", to: "/l/0")),
            (
                #"[{"op":"spam","path":""}]"#,
                .malformed("'spam' is no operation; one is add, remove, replace, move, copy or test")
            ),
            (#"[{"op":"add","path":"/a"}]"#, .malformed("'value' must be there")),
        ])
    func errors(patch: String, reason: JSONPatchError.Reason) throws {
        let error = try #require(failure(patch, #"{"a":1,"l":[1,2]}"#))
        #expect(error.reason == reason)
        #expect(error.operation == 0)
    }

    @Test("a patch leads to every name, however strange")
    func names() throws {
        for name in ["", "~", "/", "0", "-", "~1", "\u{E9}", "e\u{301}", "/\u{338}", "👩‍👧"] {
            let old = try Document(json: "{\"\(name)\": {\"\(name)\": 1}}")
            let new = try Document(json: "{\"\(name)\": {\"\(name)\": 2}}")
            let patch = DocumentDifference(old: old.root, new: new.root).patch
            #expect(patch.operations.count == 1)
            #expect(try patch.applied(to: old.root) == new)
        }
    }

    @Test("a patch leaves no second member with a name that it removes")
    func duplicates() throws {
        #expect(try apply(#"[{"op":"remove","path":"/a"}]"#, to: #"{"a":1,"b":2,"a":3}"#) == #"{"b":2}"#)
        #expect(
            try apply(#"[{"op":"replace","path":"/a","value":0}]"#, to: #"{"a":1,"b":2,"a":3}"#) == #"{"a":0,"b":2}"#)
    }
}
