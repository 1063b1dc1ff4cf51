"""python3 -m unittest, in this folder."""

import contextlib
import io
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "python"))

import hookbox  # noqa: E402
from hookbox import http, log, store  # noqa: E402


def answer(judge, text='{"event":"pre_tool"}'):
    hookbox._registered = judge
    return hookbox.run(text)


class Powers(unittest.TestCase):
    """In memory, as authors test with them."""

    def setUp(self):
        store.clear()
        self.store = store.open()

    def test_a_store_keeps_bytes_and_text(self):
        self.assertEqual((self.store.get("a"), self.store.exists("a"), self.store.keys()), (None, False, []))
        self.store.set("a", "ä")
        self.store.set_many({"b": b"\xff", "c": "3"})
        self.assertEqual(self.store.get_many(["b", "x", "c"]), [b"\xff", None, b"3"])
        self.assertEqual((self.store.get_text("a"), self.store.keys()), ("ä", ["a", "b", "c"]))
        with self.assertRaisesRegex(store.StoreError, "'b' is not text"):
            self.store.get_text("b")
        self.store.delete("a")
        self.store.delete_many(["b", "x"])
        self.assertEqual(self.store.keys(), ["c"])

    def test_keys_come_whole_however_many_there_are(self):
        names = [f"{n:03}" for n in range(50)]
        self.store.set_many(dict.fromkeys(names, ""))
        self.assertEqual(self.store.keys(), names)

    def test_a_number_is_incremented_and_nothing_else_is(self):
        self.assertEqual([self.store.increment("n"), self.store.increment("n", 5), self.store.increment("n", -7)], [1, 6, -1])
        self.assertEqual(self.store.get("n"), b"-1")
        self.store.set("n", "many")
        with self.assertRaises(store.StoreError):
            self.store.increment("n")
        self.store.set("n", str((1 << 63) - 1))
        with self.assertRaises(store.StoreError):
            self.store.increment("n")
        for wrong, error in ((1.5, TypeError), ("1", TypeError), (1 << 63, OverflowError)):
            with self.assertRaises(error):
                self.store.increment("n", wrong)

    def test_an_update_starts_again_if_another_call_was_faster(self):
        seen = []

        def change(value):
            seen.append(value)
            if len(seen) < 3:
                self.store.set("k", f"other {len(seen)}")
            return "mine"

        self.assertEqual(self.store.update_text("k", change), "mine")
        self.assertEqual((seen, self.store.get("k")), ([None, "other 1", "other 2"], b"mine"))
        with self.assertRaisesRegex(store.StoreError, "100 times"):
            self.store.update("k", lambda _: self.store.set("k", "other") or "mine")
        with self.assertRaises(ZeroDivisionError):
            self.store.update("k", lambda _: 1 // 0)
        self.assertEqual(self.store.get("k"), b"other")

    def test_what_is_no_key_and_no_value_is_refused(self):
        for key in (1, None, b"k"):
            with self.assertRaises(TypeError):
                self.store.get(key)
        for value in (1, None, ["a"]):
            with self.assertRaises(TypeError):
                self.store.set("k", value)
        with self.assertRaises(UnicodeEncodeError):
            self.store.set("\ud800", "v")

    def test_requests_are_answered_by_the_test(self):
        with self.assertRaisesRegex(http.HttpError, "answer_with"):
            http.fetch("https://api.example.com/")

        def answer(request):
            return http.Response(201, request.body, (("content-type", request.method),))

        http.answer_with(answer)
        self.addCleanup(http.answer_with, None)
        response = http.fetch("https://api.example.com/", method="POST", body='{"a":1}', headers={"x": "y"})
        self.assertEqual((response.status, response.json(), response.header("Content-Type")), (201, {"a": 1}, "POST"))
        for wrong in ({"body": 1}, {"method": 2}, {"headers": {"a": 1}}):
            with self.assertRaises(TypeError):
                http.fetch("https://api.example.com/", **wrong)

    def test_messages_go_to_stderr(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            log.info("one", "here")
            log.critical(2)
            log.warn("\ud800")
        self.assertEqual(said.getvalue(), "info: here: one\ncritical: 2\nwarn: \\ud800\n")


class StrictJson(unittest.TestCase):
    def test_takes_what_all_of_the_sdks_take_and_refuses_the_same(self):
        count = 0
        for line in (HERE / "strict-json.txt").read_bytes().split(b"\n"):
            how, found, text = line.partition(b" ")
            if not found or how == b"#":
                continue
            count += 1
            with self.subTest(line):
                try:
                    hookbox.loads((bytes.fromhex(text.decode()) if how == b"hex" else text).decode())
                    self.assertEqual(how, b"accept")
                except ValueError:
                    self.assertNotEqual(how, b"accept")
        self.assertGreater(count, 100)

    def test_what_was_read_is_written_again(self):
        for text in (
            '{"b":1,"a":[1.0,1e400,-0,-0.0,123456789012345678901234567890],"c":{"d":null,"e":true}}',
            '"\\"\\\\\\n\\u0000é😀"',
            "9" * 10_000,
            "[" * 128 + "]" * 128,
        ):
            self.assertEqual(hookbox.dumps(hookbox.loads(text)), text)

    def test_what_json_has_no_form_for_is_an_error(self):
        for value in ({1: 2}, float("nan"), float("inf"), b"x", {"a"}, "\ud800", {"\udc00": 1}):
            with self.assertRaises((TypeError, ValueError)):
                hookbox.dumps(value)


class Inputs(unittest.TestCase):
    def test_all_that_a_hook_may_know(self):
        given = hookbox.parse_input(
            '{"event":"post_tool","turn":18446744073709551615,"pwd":null,"tool_input":{"a":"b"},'
            '"tool_result":{"is_error":true,"content":"c"},"iteration":3}'
        )
        self.assertEqual((given.event, given.turn, given.pwd), ("post_tool", 2**64 - 1, None))
        self.assertEqual((given.get("a"), given.get("b"), given.get("b", 1)), ("b", None, 1))
        self.assertEqual((given.text("a"), given.text("b")), ("b", None))
        with self.assertRaises(TypeError):
            hookbox.Input("e", tool_input={"a": 1}).text("a")
        with self.assertRaises(TypeError):
            hookbox.Input("e", tool_input=["a"]).text("a")
        self.assertEqual(given.tool_result, hookbox.ToolResult("c", True))
        self.assertEqual((given.settings, given.all["iteration"]), ({}, 3))
        self.assertIsNone(hookbox.Input("e", tool_input="text").get("a"))

    def test_the_facts_of_a_tool_call(self):
        facts = (
            '{"kind":"write","cwd":"/w","paths":[{"path":"/w/a","real":"/w/b","as_written":"a","access":"write","place":"project",'
            '"new":1}],"added_text":["x"],"urls":[],"later":{},"complete":true}'
        )
        tool = hookbox.parse_input('{"event":"pre_tool","tool":' + facts + "}").facts()
        self.assertEqual((tool.kind, tool.cwd, tool.added_text, tool.complete, tool.server), ("write", "/w", ["x"], True, None))
        self.assertEqual(tool.paths, [hookbox.ToolPath("/w/a", "write", "project", "/w/b", "a")])
        possible = hookbox.parse_input(
            '{"event":"pre_tool","tool":{"kind":"mcp","paths":[{"path":"/w/a","access":"write","certain":false}]}}'
        )
        self.assertFalse(possible.facts().paths[0].certain)
        with self.assertRaises(LookupError):
            hookbox.Input("pre_tool").facts()
        for bad in ('"x"', "{}", '{"kind":1}', '{"kind":"shell","complete":1}', '{"kind":"shell","paths":[{"path":"/"}]}',
                    '{"kind":"shell","paths":["/"]}', '{"kind":"shell","urls":"x"}', '{"kind":"shell","argv":[1]}',
                    '{"kind":"shell","paths":[{"path":"/","access":"write","real":1}]}'):
            with self.subTest(bad), self.assertRaises(ValueError):
                hookbox.parse_input('{"event":"pre_tool","tool":' + bad + "}")

    def test_what_cannot_be_read_exactly_is_refused(self):
        for bad in (
            "", "[]", "{}", '{"event":1}', '{"event":""}', '{"event":"e","pwd":1}', '{"event":"e","turn":-1}',
            '{"event":"e","turn":1.0}', '{"event":"e","turn":true}', '{"event":"e","turn":18446744073709551616}',
            '{"event":"e","tool_result":"x"}', '{"event":"e","tool_result":{"content":1}}',
            '{"event":"e","tool_result":{"is_error":null}}', '{"event":"e","event":"e"}',
        ):
            with self.subTest(bad), self.assertRaises(ValueError):
                hookbox.parse_input(bad)


class Answers(unittest.TestCase):
    def test_are_written_as_actions(self):
        result = hookbox.ToolResult("", False)
        for want, action in (
            ('{"decision":"allow"}', hookbox.allow()),
            ('{"decision":"deny","reason":"a \\"b\\"\\né"}', hookbox.deny('a "b"\né')),
            ('{"decision":"ask","reason":"?"}', hookbox.ask("?")),
            ('{"decision":"modify","modified_tool_input":null}', hookbox.modify_tool_input(None)),
            ('{"decision":"modify","modified_message":"m"}', hookbox.modify_message("m")),
            (
                '{"decision":"modify","modified_tool_result":{"is_error":true,"content":"c"}}',
                hookbox.modify_tool_result("c", is_error=True),
            ),
            (
                '{"decision":"allow","modified_tool_result":{"is_error":false,"content":""},"stop":true,"stop_reason":"s"}',
                hookbox.Action(modified_tool_result=result, stop=True, stop_reason="s"),
            ),
        ):
            self.assertEqual(answer(lambda _, action=action: action), want)

    def test_anything_else_is_an_error(self):
        for wrong in (None, {}, {"decision": "deny"}, "deny", True):
            with self.subTest(wrong), self.assertRaises(TypeError):
                answer(lambda _, wrong=wrong: wrong)
        with self.assertRaises(RuntimeError):
            answer(None)

    def test_a_mistake_in_an_action_does_not_allow(self):
        self.assertEqual(answer(lambda _: hookbox.Action(False)), '{"decision":false}')
        misspelt = hookbox.allow()
        misspelt.decison = "deny"
        with self.assertRaisesRegex(TypeError, "`decison`"):
            answer(lambda _: misspelt)

    def test_a_second_hook_is_an_error(self):
        hookbox._registered = None
        hookbox.hook(lambda _: hookbox.allow())
        with self.assertRaises(RuntimeError):
            hookbox.hook(lambda _: hookbox.allow())

    def test_a_failure_says_what_and_where(self):
        def judge(_):
            raise KeyError("no such rule")

        try:
            answer(judge)
        except KeyError as error:
            self.assertRegex(hookbox.describe(error), r"^KeyError: 'no such rule' at test_hookbox.py:\d+$")
        else:
            self.fail("it did not fail")


if __name__ == "__main__":
    unittest.main()
