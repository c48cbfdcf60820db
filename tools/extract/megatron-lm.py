#!/usr/bin/env python3
"""Lists Megatron-LM's command-line options from a checkout, without importing it.

    megatron-lm.py CHECKOUT schemas/megatron-lm/options.json [--commit SHA]

CHECKOUT is a working tree or a git directory. The syntax tree of megatron/training/arguments.py is walked in the order in
which add_megatron_arguments() calls its group functions. Two sources of options are followed: parser.add_argument(...), and
ArgumentGroupFactory(SomeDataclass, exclude=[...]), whose rules are:

  * the flag is "--" and the field name with dashes; a bool that defaults to False is store_true, any other bool is
    store_false, spelled --no-X and --disable-X;
  * Optional[T] is T; list[T] is nargs "+"; Literal gives choices; an Enum gives its member names;
  * metadata["argparse_meta"] overrides any of it.

Options that single entry scripts add (extra_args_provider=...) follow, with the scripts in `parser`; likewise options for
which a script has a default of its own (args_defaults={...}). Help texts are read only to
spot deprecated options and are never written. The output is the same for the same checkout.

Two files beside the output say more: releases.json (by megatron-lm-releases.py) since which release a flag exists, and which flags
of older releases are gone; history.json, written by hand, what has taken the place of each of those.
"""
import argparse
import ast
import builtins
import json
import os
import re
import sys

from megatron_tree import MAIN, Tree, literal, type_name

ENTRY = "add_megatron_arguments"
REPOSITORY = "NVIDIA/Megatron-LM"
DEPRECATED = re.compile(r"^\W*\[?deprecated|deprecated[.:]|\(?deprecated\)|^old \w+|now ignored|[.] ?deprecated", re.I)
# Options whose text does not say so but which validation warns about or refuses, with what replaces them.
RENAMED = {
    "checkpoint_activations": "--recompute-activations", "moe_enable_deepep": "--moe-flex-dispatcher-backend deepep",
    "moe_layer_recompute": "--recompute-granularity selective --recompute-modules moe",
    "moe_router_padding_for_fp8": "--moe-router-padding-for-quantization",
    "moe_deepep_num_sms": "--moe-flex-dispatcher-num-sms", "moe_hybridep_num_sms": "--moe-flex-dispatcher-num-sms",
    "rampup_batch_size": "--step-batch-size-schedule", "no_weight_decay_cond_type": "--apply-wd-to-qk-layernorm",
    "hybrid_override_pattern": "--hybrid-layer-pattern", "mtp_hybrid_override_pattern":
    "--hybrid-layer-pattern with the pattern of each depth behind a slash (M*M*/MM/MM)",
    "enable_cuda_graph": "--cuda-graph-impl local", "external_cuda_graph": "--cuda-graph-impl transformer_engine",
    "cuda_graph_scope_deprecated": "--cuda-graph-modules", "moe_router_topk_limited_devices":
    "--moe-router-group-topk with --moe-router-num-groups", "batch_size": "--micro-batch-size",
    "use_rotary_position_embeddings": "--position-embedding-type rope",
    "add_position_embedding": "--position-embedding-type rope",
    "model_parallel_size": "--tensor-model-parallel-size", "warmup": "--lr-warmup-fraction",
    "use_dist_ckpt_deprecated": "--ckpt-format", "dist_ckpt_format_deprecated": "--ckpt-format",
}
# Deprecated options that nothing reads: upstream says that they have no effect, or only declares them.
# Choices that are gone, each with the last release of Megatron-core that took it (read in the tags' own argument parsers).
EARLIER_CHOICES = {
    "ckpt_format": {"zarr": "0.15"},
    "ckpt_convert_format": {"zarr": "0.15"},
    "moe_token_dispatcher_type": {"alltoall_seq": "0.12"},
    "tokenizer_type": {"Llama3Tokenizer": "0.8", "MistralTokenizer": "0.8"},
    "inference_dynamic_batching_prefix_caching_coordinator_policy": {"round_robin": "0.18"},
}
UNUSED = {"deprecated_use_mcore_models", "ckpt_fully_parallel_save_deprecated"}
# Options that stay valid although their text talks about something deprecated.
NOT_DEPRECATED = {"moe_flex_dispatcher_num_sms", "cuda_graph_modules", "optimizer", "fp8_param_gather",
                  "fp4_param_gather", "experimental_attention_variant",
                  "use_tokenizer_model_from_checkpoint_args", "ckpt_convert_update_legacy_dist_opt_format",
                  "model_provider", "export_model_type"}


class Extractor:
    def __init__(self, tree):
        self.t = tree
        self.options = []
        self.notes = []

    # ---- enums -------------------------------------------------------------
    def enum_members(self, name, path):
        got = self.t.find_class(name, path)
        if not got:
            return None
        p, cls = got
        bases = {ast.unparse(b).split(".")[-1] for b in cls.bases}
        if not bases & {"Enum", "IntEnum", "StrEnum"}:
            return None
        return [tgt.id for n in cls.body if isinstance(n, ast.Assign)
                for tgt in n.targets if isinstance(tgt, ast.Name) and not tgt.id.startswith("_")]

    # ---- dataclass fields --------------------------------------------------
    def fields(self, name, path):
        got = self.t.find_class(name, path)
        if not got:
            raise SystemExit(f"dataclass {name} not found from {path}")
        p, cls = got
        merged = {}
        for base in cls.bases:
            b = ast.unparse(base).split(".")[-1]
            if b in dir(builtins) or b in ("ABC", "Protocol", "Generic"):
                continue
            if self.t.find_class(b, p):
                merged.update(self.fields(b, p))
        body = cls.body
        for i, n in enumerate(body):
            if not (isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)):
                continue
            if "ClassVar" in ast.unparse(n.annotation):
                continue
            doc = ""
            if i + 1 < len(body) and isinstance(body[i + 1], ast.Expr) and isinstance(body[i + 1].value, ast.Constant):
                doc = str(body[i + 1].value.value)
            old = merged.get(n.target.id)
            rec = dict(cls=name, path=p, line=n.lineno, ann=n.annotation, value=n.value, doc=doc,
                       root=(old or {}).get("root", name))
            merged[n.target.id] = rec     # dict keeps the base position
        return merged

    def infer(self, ann, path):
        """(kwargs, error) following ArgumentGroupFactory._extract_type."""
        if isinstance(ann, ast.Constant) and isinstance(ann.value, str):
            ann = ast.parse(ann.value, mode="eval").body
        if isinstance(ann, ast.BinOp) and isinstance(ann.op, ast.BitOr):
            right = ann.right
            if isinstance(right, ast.Constant) and right.value is None:
                return self.infer(ann.left, path)
            return None, "union"
        if isinstance(ann, ast.Subscript):
            head = ast.unparse(ann.value).split(".")[-1]
            args = list(ann.slice.elts) if isinstance(ann.slice, ast.Tuple) else [ann.slice]
            if head == "Optional":
                return self.infer(args[0], path)
            if head == "Union":
                if len(args) == 2 and isinstance(args[1], ast.Constant) and args[1].value is None:
                    return self.infer(args[0], path)
                return None, "union"
            if head in ("list", "List"):
                kw, err = self.infer(args[0], path)
                if err:
                    return None, err
                return dict(kw, nargs="+"), None
            if head == "Literal":
                choices = [ast.literal_eval(a) for a in args]
                return {"type": type(choices[0]).__name__, "choices": choices}, None
            return None, f"unsupported {head}"
        name = ast.unparse(ann).split(".")[-1]
        members = self.enum_members(name, path) if name[:1].isupper() else None
        if members:
            return {"type": f"enum:{name}", "choices": members}, None
        return {"type": name}, None

    def from_dataclass(self, cls_name, path, exclude):
        for fname, f in self.fields(cls_name, path).items():
            if fname in exclude:
                continue
            default, meta, init = None, {}, True
            v = f["value"]
            if isinstance(v, ast.Call) and ast.unparse(v.func).split(".")[-1] == "field":
                for kw in v.keywords:
                    if kw.arg == "default":
                        default = literal(kw.value, {})
                    elif kw.arg == "default_factory":
                        src = ast.unparse(kw.value)
                        default = {"list": [], "dict": {}}.get(src, None)
                        if default is None:
                            if isinstance(kw.value, ast.Lambda):
                                default = literal(kw.value.body, {})
                            else:
                                default = {"expr": src + "()"}
                    elif kw.arg == "init" and isinstance(kw.value, ast.Constant) and kw.value.value is False:
                        init = False
                    elif kw.arg == "metadata" and isinstance(kw.value, ast.Dict):
                        for k, val in zip(kw.value.keys, kw.value.values):
                            if isinstance(k, ast.Constant) and k.value == "argparse_meta" and isinstance(val, ast.Dict):
                                for mk, mv in zip(val.keys, val.values):
                                    meta[mk.value] = mv
            else:
                default = literal(v, {})
            if not init:
                continue
            kw, err = self.infer(f["ann"], f["path"])
            flags = ["--" + fname.replace("_", "-")]
            rec = {"type": None, "nargs": None, "choices": None, "action": "store"}
            if kw:
                rec.update({k: kw[k] for k in kw})
                if rec["type"] == "bool":
                    rec["type"] = None
                    if default is False:
                        rec["action"] = "store_true"
                    else:
                        rec["action"] = "store_false"
                        flags = [f"--no-{fname.replace('_', '-')}", f"--disable-{fname.replace('_', '-')}"]
            elif not meta:
                self.notes.append(f"{cls_name}.{fname}: type not inferable ({err}) and no metadata")
            dest = fname
            for mk, mv in meta.items():
                if mk == "arg_names":
                    flags = ast.literal_eval(mv)
                elif mk == "dest":
                    dest = ast.literal_eval(mv)
                elif mk == "type":
                    rec["type"] = ast.unparse(mv)
                elif mk == "choices":
                    val = literal(mv, {})
                    if isinstance(val, dict) and "expr" in val:
                        m = re.match(r"\[(\w+)\.name for \1 in (\w+)\]", val["expr"])
                        members = self.enum_members(m.group(2), f["path"]) if m else None
                        val = members or val
                    rec["choices"] = val
                elif mk in ("nargs", "action", "default"):
                    val = literal(mv, {})
                    if mk == "default":
                        default = val
                    else:
                        rec[mk] = val
            if isinstance(default, dict) and "expr" in default and str(rec["type"]).startswith("enum:"):
                default = default["expr"].split(".")[-1]
            self.options.append(dict(
                flags=flags, dest=dest, type=rec["type"], default=default, choices=rec["choices"], nargs=rec["nargs"],
                action=rec["action"], required=False, deprecated=bool(DEPRECATED.search(f["doc"])),
                file=f["path"], line=f["line"]))

    # ---- literal add_argument ----------------------------------------------
    def from_call(self, call, file, consts):
        flags = [ast.literal_eval(a) for a in call.args if isinstance(a, ast.Constant)]
        flags = [f for f in flags if isinstance(f, str)]
        if not flags or not flags[0].startswith("-"):
            return
        kws = {k.arg: k.value for k in call.keywords if k.arg}
        action = ast.unparse(kws["action"]) if "action" in kws else "'store'"
        action = action.strip("'\"").replace("argparse.", "")
        hlp = kws.get("help")
        help_src = ast.unparse(hlp) if hlp is not None else ""
        dest = literal(kws.get("dest"), consts) if "dest" in kws else None
        if dest is None:
            longs = [f for f in flags if f.startswith("--")] or flags
            dest = longs[0].lstrip("-").replace("-", "_")
        if action == "BooleanOptionalAction":
            flags = flags + ["--no-" + f[2:] for f in flags if f.startswith("--")]
        default = literal(kws.get("default"), consts)
        if "default" not in kws:
            default = {"store_true": False, "store_false": True}.get(action)
        choices = literal(kws.get("choices"), consts)
        self.options.append(dict(
            flags=flags, dest=dest, type=type_name(kws.get("type")), default=default, choices=choices,
            nargs=literal(kws.get("nargs"), consts), action=action,
            required=bool(literal(kws.get("required"), consts)),
            deprecated=bool(DEPRECATED.search(help_src)) or "SUPPRESS" in help_src or "deprecated" in str(dest),
            file=file, line=call.lineno))

    def function(self, fn_name, file, seen=()):
        """All options that a function of the form f(parser) adds, in order."""
        fn = next((n for n in self.t.tree(file).body if isinstance(n, ast.FunctionDef) and n.name == fn_name), None)
        if fn is None:
            self.notes.append(f"{file}: no function {fn_name}")
            return
        factories, consts = {}, {}
        statements = sorted((n for n in ast.walk(fn) if isinstance(n, (ast.Assign, ast.Expr, ast.Return))),
                            key=lambda n: (n.lineno, n.col_offset))
        for st in statements:
            value = st.value
            target = st.targets[0].id if isinstance(st, ast.Assign) and isinstance(st.targets[0], ast.Name) else None
            if target and isinstance(value, (ast.List, ast.Tuple, ast.Dict, ast.Constant)):
                consts[target] = value
                continue
            if not isinstance(value, ast.Call):
                continue
            short = ast.unparse(value.func).split(".")[-1]
            chained = value.func.value if isinstance(value.func, ast.Attribute) else None
            if short == "ArgumentGroupFactory" and target:
                factories[target] = value
            elif short == "build_group":
                factory = factories.get(ast.unparse(chained)) if isinstance(chained, ast.Name) else chained
                if not isinstance(factory, ast.Call):
                    self.notes.append(f"{file}:{st.lineno}: unresolved factory")
                    continue
                exclude = next((k.value for k in factory.keywords if k.arg == "exclude"), None)
                self.from_dataclass(ast.unparse(factory.args[0]), file, set(literal(exclude, consts) or []))
            elif short == "add_argument":
                self.from_call(value, file, consts)
            elif isinstance(value.func, ast.Name) and value.args and (value.func.id, file) not in seen:
                if ast.unparse(value.args[0]) == "parser":
                    where = provider_file(self.t, value.func.id, file)
                    if where:
                        self.function(value.func.id, where, seen + ((fn_name, file),))


ITEM_TYPES = {"int": "int", "float": "float", "str": "str", "bool": "bool", None: "str"}
ACTIONS = {"store_true", "store_false"}


def set_choices(tree, function, file):
    """Names that a `type=` function takes: the texts of its set literal and the members of the enum that it indexes."""
    node = next((n for n in tree.tree(file).body if isinstance(n, ast.FunctionDef) and n.name == function), None)
    if node is None:
        return None
    out = []
    for n in ast.walk(node):
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name):
            out += Extractor(tree).enum_members(n.value.id, file) or []
        elif isinstance(n, ast.Set):
            out += [e.value for e in n.elts if isinstance(e, ast.Constant)]
    return out or None


def option_fact(tree, record, parser=None):
    """One option as schemas/megatron-lm/options.json holds it."""
    out = {"name": record["dest"], "flags": record["flags"]}
    kind, action, nargs, choices = record["type"], record["action"], record["nargs"], record["choices"]
    if kind and kind.startswith("enum:"):
        kind = "str"
    elif kind and kind.startswith("_parse_"):
        choices, kind = set_choices(tree, kind, record["file"]) or choices, "str"
    item = ITEM_TYPES.get(kind, "any")
    if action in ACTIONS or action == "BooleanOptionalAction":
        out["type"] = "bool"
    elif nargs is not None and nargs != "?":
        out["type"], out["items"] = "list", item
    else:
        out["type"] = item
    default = record["default"]
    if isinstance(default, dict):
        out["default"], out["defaultUnknown"] = None, True
    else:
        out["default"] = default
    if out["default"] is None:
        out["nullable"] = True
    if isinstance(choices, list) and choices:
        out["choices"] = choices
        if record["dest"] in EARLIER_CHOICES:
            out["earlierChoices"] = EARLIER_CHOICES[record["dest"]]
    if nargs is not None:
        out["nargs"] = nargs
    if action in ACTIONS:
        out["action"] = action
    elif action == "BooleanOptionalAction":
        out["action"] = "boolean_optional"
    elif action in ("append", "store_const", "count"):
        out["action"] = action
    if record["required"]:
        out["required"] = True
    if record["dest"] in RENAMED or (record["deprecated"] and record["dest"] not in NOT_DEPRECATED):
        out["deprecated"] = True
    if record["dest"] in UNUSED:
        out["unused"] = True
    if record["dest"] in RENAMED:
        out["renamedTo"] = RENAMED[record["dest"]]
    if parser:
        out["parser"] = parser
    out["source"] = f"{record['file']}:{record['line']}"
    return out


def entry_scripts(tree):
    """(script, provider) for every script that parses Megatron's arguments; provider None when it adds no options."""
    out = []
    for path in sorted(tree.files):
        if path.startswith(("tests/", "megatron/training/", "megatron/core/")):
            continue
        text = tree.source(path)
        if "parse_and_validate_args" not in text and "parse_args(extra_args_provider" not in text:
            continue
        for n in ast.walk(tree.tree(path)):
            if not (isinstance(n, ast.Call) and ast.unparse(n.func).split(".")[-1] in ("parse_and_validate_args", "parse_args")):
                continue
            given = next((k.value for k in n.keywords if k.arg == "extra_args_provider"), None)
            if given is None and n.args and isinstance(n.args[0], ast.Name):
                given = n.args[0]
            names = [m.id for m in ast.walk(given) if isinstance(m, ast.Name)] if given is not None else []
            provider = next((x for x in names if provider_file(tree, x, path)), None)
            if given is None or provider:
                out.append((path, provider))
                break
    return out


def entry_defaults(tree, scripts):
    """(name, value) -> scripts, for the args_defaults={...} that entry scripts hand to the parser."""
    out = {}
    for path in scripts:
        for n in ast.walk(tree.tree(path)):
            given = next((k.value for k in n.keywords if k.arg == "args_defaults"), None) if isinstance(n, ast.Call) else None
            if not isinstance(given, ast.Dict):
                continue
            for key, value in zip(given.keys, given.values):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Constant):
                    out.setdefault((key.value, value.value), []).append(path)
    return out


def provider_file(tree, name, path, seen=()):
    """The file that defines a provider function used in `path`."""
    if any(isinstance(n, ast.FunctionDef) and n.name == name for n in tree.tree(path).body):
        return path
    near = os.path.dirname(path)
    for mod, orig in tree.imports(path).get(name, []):
        for cand in (mod + ".py", mod + "/__init__.py", f"{near}/{mod}.py"):
            if cand in tree.files and cand not in seen:
                found = provider_file(tree, orig, cand, seen + (path,))
                if found:
                    return found
    return None


def with_releases(facts, folder):
    """The facts with their first releases, and rows for options that older releases had."""
    with open(os.path.join(folder, "releases.json"), encoding="utf-8") as fh:
        releases = json.load(fh)
    with open(os.path.join(folder, "history.json"), encoding="utf-8") as fh:
        history = json.load(fh)
    for fact in facts:
        first = [releases["since"].get(flag) for flag in fact["flags"]]
        if "parser" not in fact and None not in first:
            fact["since"] = min(first, key=lambda name: int(name.split(".")[1]))
        deprecated = [releases["deprecated"].get(flag) for flag in fact["flags"]]
        if "parser" not in fact and None not in deprecated:
            fact["deprecatedSince"] = min(deprecated, key=lambda name: int(name.split(".")[1]))
    rows = []
    for flag, found in releases["gone"].items():
        successor = history[flag]
        row = {"name": "gone_" + flag[2:].replace("-", "_"), "flags": [flag],
               "type": "any" if found["takesValues"] else "bool", "default": None if found["takesValues"] else False}
        row |= {"nargs": "*"} if found["takesValues"] else {"action": "store_true"}
        if "to" in successor:
            row["renamedTo"] = successor["to"]
        last = int(found["until"].split(".")[1])
        row |= {"removed": successor.get("why", "renamed"), "since": found["since"], "until": found["until"],
                "source": f"{MAIN} of core_r0.{last}.0"}
        rows.append(row)
    return facts + rows


def release(tree):
    """The release that the checkout belongs to: 0.20.0."""
    text = tree.source("megatron/core/package_info.py")
    return ".".join(re.search(rf"^{part} *= *(\d+)", text, re.M)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("checkout")
    ap.add_argument("out")
    ap.add_argument("--commit", default=None)
    a = ap.parse_args()
    tree = Tree(a.checkout, a.commit or "HEAD")
    commit = a.commit or tree.commit()
    if commit is None:
        sys.exit("no commit: give --commit when CHECKOUT is not a git working tree")
    ex = Extractor(tree)
    ex.function(ENTRY, MAIN)
    facts = [option_fact(tree, record) for record in ex.options]
    known = {flag for fact in facts for flag in fact["flags"]}
    users = {}
    for script, provider in entry_scripts(tree):
        key = (provider_file(tree, provider, script), provider) if provider else (None, None)
        users.setdefault(key, []).append(script)
    plain = users.pop((None, None), [])
    own = {}
    for (file, provider), scripts in users.items():
        sub = Extractor(tree)
        sub.function(provider, file)
        ex.notes += sub.notes
        for record in sub.options:
            if not known.intersection(record["flags"]):
                own.setdefault((record["file"], record["line"], record["dest"]), (record, []))[1].extend(scripts)
    facts += [option_fact(tree, record, ",".join(sorted(scripts))) for record, scripts in own.values()]
    entries = sorted(plain + [s for scripts in users.values() for s in scripts])
    by_name = {record["dest"]: record for record in ex.options}
    # First, so that whoever looks options up by name alone ends with the general one.
    facts = [
        option_fact(tree, dict(by_name[name], default=value), ",".join(sorted(scripts)))
        for (name, value), scripts in sorted(entry_defaults(tree, entries).items(), key=str)
        if name in by_name and by_name[name]["default"] is None
    ] + facts
    facts = with_releases(facts, os.path.dirname(os.path.abspath(a.out)))
    document = {"framework": "megatron-lm", "repository": REPOSITORY, "commit": commit, "release": release(tree),
                "entries": entries, "options": facts}
    with open(a.out, "w", encoding="utf-8") as fh:
        json.dump(document, fh, indent=1, ensure_ascii=False)
        fh.write("\n")
    print(f"{len(facts)} options, {len(document['entries'])} entry scripts")
    for note in ex.notes:
        print("note:", note)


if __name__ == "__main__":
    main()
