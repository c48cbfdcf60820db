"""SGLang's command-line arguments as slime mounts them, made of sglang.arguments.txt: SGLang itself needs GPUs to be imported."""

import argparse
import pathlib
import types

ARGUMENTS = pathlib.Path(__file__).resolve().parent / "sglang.arguments.txt"
KINDS = {"int": int, "float": float, "str": str, "json": str, "optional": str, "ints": int, "floats": float, "strs": str}


def add_arguments(parser, wanted, prefix="", without=()):
    """Adds the arguments of the sections whose name starts so."""
    section = ""
    for line in ARGUMENTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line[1:].split("]")[0]
        if not line or line.startswith(("#", "[")) or section.split()[0] != wanted:
            continue
        name, kind, *rest = line.split()
        if name in without:
            continue
        flags = [f"--{prefix}{name.replace('_', '-')}"] + [f"--{prefix}{alias[2:]}" for alias in rest if alias.startswith("--")]
        default = next((word[1:] for word in rest if word.startswith("=")), None)
        named = {"dest": f"{prefix.replace('-', '_')}{name}"}
        if kind == "flag":
            named["action"] = "store_true"
        elif kind == "switch":
            named["action"] = argparse.BooleanOptionalAction
        else:
            named.update(type=KINDS.get(kind, str), default=default)
            if kind in ("ints", "floats", "strs"):
                named["nargs"] = "*" if wanted == "router" else "+"
            elif kind == "optional":
                named["nargs"] = "?"
        parser.add_argument(*flags, **named)


class ServerArgs:
    @staticmethod
    def add_cli_args(parser):
        add_arguments(parser, "server")


class RouterArgs:
    @staticmethod
    def add_cli_args(parser, use_router_prefix=False, exclude_host_port=False):
        parser.add_argument("--worker-urls", type=str, nargs="*", default=[])
        add_arguments(parser, "router", "router-" if use_router_prefix else "", ("worker_urls", "host", "port") if exclude_host_port else ("worker_urls",))

    @staticmethod
    def from_cli_args(_args, **_named):
        return types.SimpleNamespace()


def answer_of_engine(_url, **_named):
    """What an engine that runs elsewhere says of itself."""
    return {"tp_size": 4}
