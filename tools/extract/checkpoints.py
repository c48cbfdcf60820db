#!/usr/bin/env python3
"""Writes schemas/models/checkpoints.json: what config.json of a model says, by the name of its folder.

    checkpoints.py SLIME_CHECKOUT --commit SHA > schemas/models/checkpoints.json

slime compares a checkpoint's config.json with the model arguments, and its own scripts pair model files with checkpoint
folders; so the arguments of the model file are the configuration. A folder is known by the name of the model file and by
the names under which slime's scripts load it. Files whose values depend on variables of the caller are left out for those
scripts that set them. Keys are those of config.json that slime compares, in its own terms;
`sparse_attention` tells the models with DeepSeek's sparse attention.
"""
from __future__ import annotations

import argparse
import json
import pathlib
import re
import shlex
import sys

NUMBERS = {"--hidden-size": "hidden_size", "--num-attention-heads": "num_attention_heads", "--num-layers": "num_hidden_layers",
           "--ffn-hidden-size": "intermediate_size", "--moe-ffn-hidden-size": "moe_intermediate_size",
           "--norm-epsilon": "rms_norm_eps", "--rotary-base": "rope_theta", "--vocab-size": "vocab_size"}
SHARED_EXPERT_KEY = ("qwen3-next", "qwen3.5", "qwen3.6")
# Megatron-LM's defaults, which a model file relies on when it leaves the flag out.
DEFAULTS = {"rms_norm_eps": 1e-5, "rope_theta": 10000}
# Model files that serve another model than their name says: what differs in the published config.json of that name.
OTHER_MODEL = {"qwen2.5-1.5b": {"of": "qwen2.5-math-1.5b", "rope_theta": 1000000}}
# Published models with the configuration of another folder.
SAME_CONFIG = {"qwen2.5-1.5b-instruct": "qwen2.5-1.5b"}
# Folders that somebody makes from a model: their configuration may differ.
DERIVED_FOLDER = re.compile(r"-(sft|int4|amd|fp8)$")


def arguments_of(text):
    """The words of MODEL_ARGS=( … ) with variables replaced where the file itself says their value."""
    values = {}
    for name, value in re.findall(r"^([A-Za-z_]+)=(\"?\$\(\(.*\)\)\"?|\"?[^\s(\"]+\"?)$", text, re.M):
        values[name] = expand(value.strip('"'), values)
    inside = re.search(r"MODEL_ARGS=\((.*?)^\)", text, re.S | re.M)
    lines = [expand(line.split("#")[0], values) for line in inside.group(1).splitlines()] if inside else []
    return shlex.split(" ".join(lines))


def expand(text, values):
    text = re.sub(r"\$\{[A-Za-z_]+:-([^}]*)\}", r"\1", text)
    text = re.sub(r"\$\(\((.*?)\)\)", lambda m: arithmetic(m.group(1), values), text)
    return re.sub(r"\$\{?([A-Za-z_]+)\}?", lambda m: values.get(m.group(1), m.group(0)), text)


def arithmetic(text, values):
    """A sum or a product of two numbers; anything else stays as it is."""
    match = re.fullmatch(r"\s*\$?(\w+)\s*([+*])\s*\$?(\w+)\s*", text)
    sides = [values.get(side, side) for side in match.group(1, 3)] if match else []
    if not all(side.isdigit() for side in sides) or not sides:
        return text
    left, right = map(int, sides)
    return str(left + right if match.group(2) == "+" else left * right)


def config_of(path):
    text = path.read_text(encoding="utf-8")
    variant = re.fullmatch(r"MODEL_ARGS_ROTARY_BASE=(\d+) source \S*?([^/\s\"]+)\.sh\"?", re.sub(r"\$\(.*?\)\"?\)?\"?\)?", "", text.strip()))
    if variant:
        return {**config_of(path.with_name(f"{variant.group(2)}.sh")), "rope_theta": int(variant.group(1))}
    words = arguments_of(text)
    out = {**DEFAULTS, "tie_word_embeddings": "--untie-embeddings-and-output-weights" not in words, "sparse_attention": "--allgather-cp" in words}
    for flag, word in zip(words, words[1:]):
        key = NUMBERS.get(flag)
        if flag == "--moe-shared-expert-intermediate-size" and path.stem.startswith(SHARED_EXPERT_KEY):
            key = "shared_expert_intermediate_size"
        if key:
            try:
                number = float(word)
            except ValueError:
                return None
            out[key] = int(number) if number.is_integer() and "e-" not in word else number
    return dict(sorted(out.items())) if {"hidden_size", "num_hidden_layers"} <= out.keys() else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--commit", required=True)
    arguments = parser.parse_args()
    models = {}
    for path in sorted(arguments.checkout.glob("scripts/models/*.sh")):
        config = config_of(path)
        if config:
            models[path.stem] = config
    named = {}
    for script in sorted(arguments.checkout.rglob("*.sh")):
        text = script.read_text(encoding="utf-8", errors="replace")
        source = re.findall(r"^(.*)source \"?[^\s\"]*models/([^\s\"/]+)\.sh\"?", text, re.M)
        checkpoint = re.findall(r"--hf-checkpoint\s+\"?([^\s\"]+)", text)
        if len(source) == 1 and not source[0][0].strip() and len(checkpoint) == 1 and "$" not in checkpoint[0] + source[0][1]:
            named.setdefault(checkpoint[0].rstrip("/").split("/")[-1].lower(), set()).add(source[0][1])
    stems = {path.stem.lower() for path in arguments.checkout.glob("scripts/models/*.sh")}
    out = {name.lower(): config for name, config in models.items()}
    for name, files in named.items():
        configs = {json.dumps(models[file]) for file in files if file in models}
        if len(configs) == 1 and name not in stems:
            out[name] = json.loads(configs.pop())
    for name, difference in OTHER_MODEL.items():
        if name in out:
            out[difference["of"]] = out[name]
            out[name] = {**out[name], **{key: value for key, value in difference.items() if key != "of"}}
    for name, other in SAME_CONFIG.items():
        if other in out:
            out[name] = out[other]
    out = {name: config for name, config in out.items() if not DERIVED_FOLDER.search(name)}
    json.dump({"repository": "THUDM/slime", "commit": arguments.commit, "models": dict(sorted(out.items()))}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
