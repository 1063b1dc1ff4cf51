import unittest

import hook
import hookbox


class Rule(unittest.TestCase):
    def test_files_of_secrets_are_protected(self):
        for path, decision in (("config/.env", "deny"), (".env.example", "allow")):
            action = hook.judge(hookbox.Input("pre_tool", tool_input={"path": path}))
            self.assertEqual(action.decision, decision, path)


if __name__ == "__main__":
    unittest.main()
