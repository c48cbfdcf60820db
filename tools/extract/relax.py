#!/usr/bin/env python3
"""Writes schemas/relax/options.json from relax.arguments.txt, for want of a checkout that slime.py could read.

    relax.py > schemas/relax/options.json

With a checkout of Relax at hand, `slime.py CHECKOUT --framework relax --repository redai-studio/Relax --commit SHA` reads
the same facts from the sources; the two agree on the commit that the table names.
"""
from __future__ import annotations

import json
import pathlib
import sys

from slime import mounted, unread

HERE = pathlib.Path(__file__).resolve().parent
COMMIT = "6174847b50134ef8e318e8a66a0ec63a8436c65a"
SOURCES = {"add_opd_arguments": "relax/utils/opd/opd_utils.py", "sglang": "relax/backends/sglang/arguments.py",
           "add_generative_arguments": "relax/backends/fsdp/arguments.py"}
# SGLang's server arguments that Relax does not register, and router arguments that it sets itself.
SKIPPED = ["model_path", "config", "trust_remote_code", "random_seed", "enable_memory_saver", "tp_size", "port", "nnodes",
           "node_rank", "dist_init_addr", "gpu_id_step", "base_gpu_id", "nccl_port", "skip_server_warmup",
           "enable_return_routed_experts"]
ROUTER_SKIPPED = {"worker_urls", "prefill", "decode", "pd_disaggregation", "service_discovery", "selector",
                  "service_discovery_port", "service_discovery_namespace", "prefill_selector", "decode_selector",
                  "prometheus_port", "policy", "request_timeout_secs"}
DEFAULTS = {"router_balance_abs_threshold": 10, "router_balance_rel_threshold": 1.2}
KINDS = {"int": "int", "float": "float", "str": "str", "json": "json", "posint": "int", "any": "any"}


def value_of(text, kind):
    if kind == "json" or text[:1] == "[":
        return json.loads(text)
    if kind in ("int", "posint"):
        return int(text)
    if kind == "float":
        return float(text)
    return {"true": True, "false": False}.get(text, text)


def option_of(line, group):
    words = line.split()
    flags = [word for word in words if word.startswith("--")]
    kind, *rest = [word for word in words if not word.startswith("--")]
    marks = {word[0]: word[2:] for word in rest if word[1:2] == ":"}
    default = next((word[1:] for word in rest if word.startswith("=")), None)
    option = {"name": marks.get("d", flags[0][2:].replace("-", "_")), "flags": flags}
    if kind in ("st", "sf"):
        option.update(type="bool", default=None if default == "null" else kind == "sf",
                      action="store_true" if kind == "st" else "store_false")
    elif kind == "boa":
        option.update(type="bool", nullable=True, default=value_of(default, "bool") if default else None, action="boolean_optional")
        option["flags"] = flags + ["--no-" + flag[2:] for flag in flags]
    else:
        option.update(type=KINDS[kind], default=None)
        if "n" in marks:
            option.update(type="list", items=KINDS[kind], nargs=int(marks["n"]) if marks["n"].isdigit() else marks["n"])
        if "c" in marks:
            option["choices"] = marks["c"].split(",")
        if default == "@unknown":
            option["defaultUnknown"] = True
        elif default is not None:
            option["default"] = value_of(default, kind)
    parser = "reset" if "R" in rest else "pre" if group == "_pre_parse_mode" else "sglang" if "sglang" in group else "megatron"
    source = next((path for key, path in SOURCES.items() if key in group), "relax/utils/arguments.py")
    elsewhere = group.startswith(("other versions", "patched"))
    option.update(parser=parser, source=group if elsewhere else f"{source} {group.split()[-1]}")
    return option


def router_options(router):
    """Router arguments stand under two prefixes: --router- in the main parser, --sglang-router- in SGLang's."""
    for option in router:
        yield {**option, "parser": "megatron"}
        name = option["name"].removeprefix("router_")
        if name not in ROUTER_SKIPPED:
            flags = [flag.replace("--router-", "--sglang-router-").replace("--no-router-", "--no-sglang-router-") for flag in option["flags"]]
            yield {**option, "name": "sglang_router_" + name, "flags": flags}


def main():
    options, group = [], ""
    for line in (HERE / "relax.arguments.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            group = line[1:-1]
        elif line.startswith("--"):
            options.append(option_of(line, group))
    # Two flags of one name (--x and --no-x registered apart) make one option here.
    merged = {}
    for option in options:
        earlier = merged.get(option["name"])
        if earlier is not None and option["flags"][0] == "--no-" + earlier["flags"][0][2:]:
            earlier.update(flags=earlier["flags"] + option["flags"], action="boolean_optional", nullable=True, parser="megatron")
        else:
            merged.setdefault(option["name"], option)
    taken = {flag for option in merged.values() for flag in option["flags"]}
    foreign = list(mounted(SKIPPED, DEFAULTS))
    router = [option for option in foreign if option["flags"][0].startswith(("--router-", "--worker-urls"))]
    servers = [option for option in foreign if option not in router and option["name"] not in merged]
    teachers = [{**option, "name": "teacher_" + option["name"],
                 "flags": [flag.replace("sglang-", "teacher-sglang-", 1) for flag in option["flags"]]} for option in servers]
    out = [*merged.values(), *servers, *teachers, *[o for o in router_options(router) if not taken & set(o["flags"])]]
    out += unread(SKIPPED, {flag for option in out for flag in option["flags"]}, "relax")
    json.dump({"framework": "relax", "repository": "redai-studio/Relax", "commit": COMMIT, "options": out}, sys.stdout,
              indent=1, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
