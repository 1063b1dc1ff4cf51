import unittest

import hook
import hookbox


class Rule(unittest.TestCase):
    def test_files_of_secrets_are_protected(self):
        for path, access, decision in (
            ("/app/config/.env", "write", "deny"),
            ("/app/config/.env", "read", "allow"),
            ("/app/.env.example", "write", "allow"),
        ):
            tool = hookbox.Tool("write", paths=[hookbox.ToolPath(path, access)], complete=True)
            action = hook.judge(hookbox.Input("pre_tool", tool=tool))
            self.assertEqual(action.decision, decision, path)


if __name__ == "__main__":
    unittest.main()
