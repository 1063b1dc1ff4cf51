"""python3 -m unittest, in this folder."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "python"))

import hookbox  # noqa: E402


def answer(judge, text='{"event":"pre_tool"}'):
    hookbox._registered = judge
    return hookbox.run(text)


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
        with self.assertRaises(LookupError):
            hookbox.Input("pre_tool").facts()
        for bad in ('"x"', "{}", '{"kind":1}', '{"kind":"shell","complete":1}', '{"kind":"shell","paths":[{"path":"/"}]}',
                    '{"kind":"shell","paths":["/"]}', '{"kind":"shell","urls":"x"}'):
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
