"""Stand-ins for packages that are not installed, so that upstream's configuration code can be imported on a machine without GPUs.

What configurations are made of (dataclasses, torch's types, transformers) is the real thing; kernels, loggers and data loaders are not.
"""

import abc
import importlib.abc
import importlib.machinery
import sys
import types


class Fake:
    """Takes any call and gives itself."""

    def __init__(self, *_words, **_named):
        pass

    def __call__(self, *_words, **_named):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class StandInType(abc.ABCMeta):
    """A class of which every attribute is such a class, which decorates nothing and can be derived from."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return stand_in(name)

    def __or__(cls, _other):
        return object

    __ror__ = __or__

    def __getitem__(cls, _key):
        return cls

    def __iter__(cls):
        return iter(())

    def __call__(cls, *args, **named):
        decorates = len(args) == 1 and callable(args[0]) and not named
        return args[0] if decorates else super().__call__()


def _attribute(_self, name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stand_in(name)


def stand_in(name):
    members = {
        "__module__": "stand_ins",
        "__init__": lambda self, *args, **named: None,
        "__call__": lambda self, *args, **named: args[0] if args else None,
        "__getattr__": _attribute,
    }
    return StandInType(name, (object,), members)


class StandInModule(types.ModuleType):
    __path__ = []
    __version__ = "2.9.0"

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        value = stand_in(name)
        setattr(self, name, value)
        return value


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names):
        self.names = tuple(names)

    def find_spec(self, name, _path=None, _target=None):
        if any(name == known or name.startswith(f"{known}.") for known in self.names):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandInModule(spec.name)

    def exec_module(self, _module):
        pass


def stand_in_for(*names):
    """Lets imports of these packages and of what is below them succeed."""
    sys.meta_path.insert(0, Finder(names))
