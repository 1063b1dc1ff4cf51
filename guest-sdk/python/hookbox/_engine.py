"""What the engine offers: the modules that componentize-py makes of the interfaces which the component imports."""

import importlib
from types import ModuleType

from componentize_py_types import Err  # noqa: F401


def __getattr__(name: str) -> ModuleType:
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return importlib.import_module(f"wit_world.imports.{name}")
    except ImportError:
        # Never values in memory instead: the hook would think that it has a store.
        text = "`hookbox build` did not find this power in the hook: write `from hookbox import log, store, http` or a part of it"
        raise ImportError(text) from None
