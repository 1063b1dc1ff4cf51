"""What the engine calls. Not for import in a hook: `hookbox build` puts it around yours."""

import _strptime  # noqa: F401, which datetime would import when it is used
import builtins
import datetime
import importlib.machinery
import os
import random
import sys
import time

import hookbox
from componentize_py_types import Err
from wit_world import exports


class _Nothing:
    """Where print() writes: a hook has no output but its Action."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False


def _refuse(name: str, instead: str):
    def refuse(*args, **kwargs):
        raise PermissionError(f"{name} is not granted to a hook{instead}")

    return refuse


# Without these, what a hook has not got ends it without a word (clocks) or gives the same in each call (random numbers).
_CLOCKS = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns",
    "clock_gettime", "clock_gettime_ns", "sleep",
)
_DICE = (
    "betavariate", "choice", "choices", "expovariate", "gauss", "getrandbits", "normalvariate", "randbytes", "randint",
    "random", "randrange", "sample", "shuffle", "triangular", "uniform",
)
for _name in _CLOCKS:
    setattr(time, _name, _refuse(f"time.{_name}()", ": use input.now"))
for _name in ("localtime", "gmtime", "ctime"):
    def _with_time(seconds=None, _name=_name, _real=getattr(time, _name)):
        return time.time() if seconds is None else _real(seconds)

    setattr(time, _name, _with_time)
for _name in _DICE:
    setattr(random, _name, _refuse(f"random.{_name}()", ""))
os.urandom = _refuse("os.urandom()", "")


builtins.open = _refuse("open()", "")
builtins.input = _refuse("input()", ": the event is what your function is given")


class _Date(datetime.date):
    today = staticmethod(_refuse("date.today()", ": use input.now"))


class _Datetime(datetime.datetime):
    now = staticmethod(_refuse("datetime.now()", ": use input.now"))
    utcnow = staticmethod(_refuse("datetime.utcnow()", ": use input.now"))
    today = staticmethod(_refuse("datetime.today()", ": use input.now"))


datetime.date, datetime.datetime = _Date, _Datetime

# The author's module, with all of the above in place.
import hook  # noqa: E402

if hookbox._registered is None:
    raise RuntimeError("hook.py has no hook: put @hookbox.hook on a function")
del hook


class _NoFiles:
    """There are none to import from. Python's own look for one would end the hook without a word."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        raise ModuleNotFoundError(f"{name} is not in the component: import it at the top of hook.py", name=name)


sys.meta_path[:] = [importlib.machinery.BuiltinImporter, importlib.machinery.FrozenImporter, _NoFiles]
sys.stdout = sys.stderr = _Nothing()

# What the component keeps is the interpreter as it is now: with its caches filled and its code fitted to what it is used for.
for _ in range(16):
    hookbox.parse_input(
        '{"event":"pre_tool","session_id":"","pwd":"/","tool_name":"bash","tool_use_id":"","turn":1,"settings":{},'
        '"tool_input":{"command":"ls","numbers":[1,2.5],"others":[true,null,{}]}}'
    )
    hookbox._action_text(hookbox.allow())
    hookbox._action_text(hookbox.deny("-"))


class Hook(exports.Hook):
    def run(self, input: str) -> str:
        try:
            return hookbox.run(input)
        except BaseException as error:  # noqa: BLE001, since sys.exit() is no answer either
            raise Err(hookbox.describe(error)) from None
