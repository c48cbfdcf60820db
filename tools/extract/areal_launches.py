"""Draws changed launches of AReaL: other values, keys that are dropped, misspelled or added, and overrides of Hydra."""

import copy
import json
import pathlib
import random
import re

import yaml

FACTS = pathlib.Path(__file__).resolve().parents[2] / "schemas" / "areal" / "options.json"
INTEGERS = [0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 100, 128, 1024, 4096, 16384, -1]
FLOATS = [0, 0.0, 0.1, 0.5, 0.9, 1, 1.0, 1.5, 2.0, 5.0, 1e-5, -1, -0.5]
TEXTS = ["", "auto", "none", "disabled", "/data/x", "bf16", "float32", "mean", "Qwen/Qwen3-8B", "a b"]
# Scalars as people write them, which YAML and OmegaConf read in their own ways.
WRITTEN = ["yes", "on", "off", "no", "~", "null", "1e-5", "1.0e-5", "012", "0x10", "1_000", '"4"', "'true'", "True", "FALSE", ".5", "1.", "4.0", "abc", "[]", "{}", "[1, 2]", "{a: 1}", "???", '""', ".inf", "2024-01-01"]
ENGINES = ["fsdp", "megatron", "archon", "sglang", "vllm"]
# What engines, schedulers and controllers compare with each other, and so what is changed more often than the rest.
TELLING = {
    "actor.use_lora": [True, False],
    "actor.kl_ctl": [0.0, 0.1],
    "actor.weight_update_mode": ["xccl", "disk", "awex", "nccl"],
    "actor._version": ["v1", "v2"],
    "rollout._version": ["v1", "v2"],
    "actor.offload": [True, False],
    "enable_offload": [True, False],
    "scheduler.type": ["local", "ray", "slurm", None, "Local"],
    "cluster.n_nodes": [1, 2, 3, 4, 8, 0],
    "cluster.n_gpus_per_node": [8, 4, 2, 1, 6, 16, 0],
    "cluster.name_resolve.type": ["nfs", "etcd3", "ray", "local", "memory"],
    "train_dataset.batch_size": [1, 7, 8, 64, 128, 0, -4],
    "valid_dataset": [None],
    "train_dataset": [None],
    "total_train_epochs": [1, 3, 0, -1],
    "total_train_steps": [None, 1, 2, 100],
    "gconfig.n_samples": [1, 2, 3, 8, 0],
    "actor.path": ["Qwen/Qwen3-8B", "Qwen/Qwen2.5-0.5B", "Qwen/Qwen3-30B-A3B", "", "/models/own"],
    "actor.archon.pp_schedule": ["1F1B", "Interleaved1F1B", "ZBVZeroBubble", "GPipe", "zbv", "InterleavedZeroBubble"],
    "actor.enable_tree_training": [True],
    "actor.is_critic": [True, False],
    "actor.optimizer": [None],
    "actor.optimizer.type": ["adam", "adam_bf16", "sgd", "adamw"],
    "actor.optimizer.lr_scheduler_type": ["constant", "linear", "cosine", "polynomial"],
    "actor.megatron.bridge_type": ["mbridge", "megatron-bridge", "none"],
    "actor.dtype": ["bfloat16", "float16", "float32", "fp8"],
    "rollout.return_routed_experts": [True],
    "rollout.agent": [None, {"mode": "online"}, {"mode": "inline"}, "inline"],
    "critic": [None],
    "ref": [None],
    "teacher": [None],
    "recover.mode": ["on", "off", "auto", "disabled", "fault", "resume", True],
    "saver.mode": ["auto", "sync", "async"],
    "allocation_mode": ["", "sglang:d4+fsdp:d4", "d4t2"],
}


def allocation(draw, engines=ENGINES):
    """The text of one engine and its sizes, now and then one that no engine takes."""
    engine = draw.choice(engines)
    sizes = "".join(f"{letter}{draw.choice([1, 1, 2, 2, 4, 4, 8, 3, 16])}" for letter in "dtpce" if draw.random() < {"d": 0.95, "t": 0.4, "p": 0.3, "c": 0.2, "e": 0.15}[letter])
    text = f"{engine}:{sizes}"
    kind = draw.random()
    if kind < 0.06:
        return draw.choice([sizes, f"{engine}.{sizes}", f"{engine}:", f"{engine}:{sizes}+fsdp:d2", text.upper(), f"{engine}:{sizes}x2", f"{engine}:d0", f"{engine}:4", f" {text} ", f"{engine}: {sizes}"])
    if kind < 0.12:
        return f"{engine}:(attn:d{draw.choice([2, 4, 8])}t{draw.choice([1, 2])}|ffn:d{draw.choice([1, 2, 4])}e{draw.choice([1, 2, 3, 4])})"
    if kind < 0.15:
        return f"{engine}[{draw.choice(['actor', 'rollout', 'x'])}]:{sizes}"
    return text


class Draws:
    """Launches that differ in up to `most` ways from one of the bases."""

    def __init__(self, seed, bases, most):
        self.random = random.Random(seed)
        self.bases, self.most = bases, most
        self.options = {}
        for option in json.loads(FACTS.read_text())["options"]:
            for experiment in option.get("parser", "").split():
                self.options.setdefault(experiment, {})[option["name"]] = option

    def value_of(self, option):
        """A value for an option as somebody might write it."""
        draw, kind, choices = self.random, option["type"], option.get("choices")
        if draw.random() < 0.06:
            return draw.choice([None, "", "abc", 3, 2.5, True, [1, 2], {"a": 1}])
        if option.get("nullable") and draw.random() < 0.2:
            return None
        if choices and draw.random() < 0.85:
            return draw.choice(choices)
        if option["name"].endswith(".backend"):
            return allocation(draw)
        if kind == "bool":
            return draw.choice([True, False])
        if kind == "int":
            return draw.choice(INTEGERS)
        if kind == "float":
            return draw.choice(FLOATS)
        if kind == "str":
            return draw.choice(TEXTS)
        if kind == "list":
            one = {"int": 1, "float": 0.5, "group": {}}.get(option.get("items"), "x")
            return draw.choice([[], [one], [one, one]])
        if kind == "dict":
            return draw.choice([{}, {"a": 1}, {"a": "b"}])
        if kind == "group":
            return draw.choice([{}, {}, None])
        return draw.choice([1, "x", None])

    def launch(self):
        draw = self.random
        base = draw.choice(self.bases)
        config, done = yaml.safe_load(base["yaml"]), []
        state = {"overrides": list(base["overrides"]), "texts": {}, "launch": base["launch"], "env": dict(base["env"])}
        for _ in range(draw.randint(0, self.most)):
            if not isinstance(config, dict):
                break
            said = self.change(config, base["experiment"], state)
            if said:
                done.append(said)
        text = yaml.safe_dump(config, sort_keys=False) if done else base["yaml"]
        for mark, written in state.pop("texts").items():
            text = text.replace(mark, written)
        return {"base": base["base"], "experiment": base["experiment"], "yaml": text, **state, "mutations": done}

    def change(self, config, experiment, state):
        """Makes one change and tells which."""
        draw, options = self.random, self.options[experiment]
        kind = draw.random()
        if kind < 0.12:
            role = draw.choice([role for role in ("actor", "rollout", "critic", "ref", "teacher") if isinstance(config.get(role), dict)] or ["actor"])
            usual = ["sglang", "vllm"] if role == "rollout" else ["fsdp", "megatron", "archon"]
            if state["launch"] == "controller":
                return self.put(config, state, f"{role}.backend", allocation(draw, usual if draw.random() < 0.9 else ENGINES))
            return self.put(config, state, "allocation_mode", "+".join([allocation(draw, ["sglang", "vllm"]), allocation(draw, ["fsdp", "megatron", "archon"])][draw.choice([0, 0, 0, 1]) :]))
        if kind < 0.3:
            name = draw.choice([name for name in TELLING if name in options])
            return self.put(config, state, name, copy.deepcopy(draw.choice(TELLING[name])))
        if kind < 0.55:
            section = draw.choice(["", "actor.", "rollout.", "critic.", "ref.", "train_dataset.", "actor.archon.", "actor.fsdp.", "actor.megatron.", "actor.optimizer."])
            name = draw.choice([name for name in options if name.startswith(section)] or list(options))
            return self.put(config, state, name, self.value_of(options[name]))
        if kind < 0.62:
            return self.strategy(config, state)
        paths = list(leaves(config))
        if not paths:
            return None
        path = draw.choice(paths)
        parent, key = at(config, path[:-1]), path[-1]
        dotted = ".".join(map(str, path))
        if kind < 0.78:
            option = options.get(re.sub(r"\.\d+(?=\.|$)", "[]", dotted))
            if option:
                return self.put(config, state, dotted, self.value_of(option))
        elif kind < 0.84:
            mark = f"MARK{len(state['texts'])}"
            state["texts"][mark] = draw.choice(WRITTEN)
            parent[key] = mark
            return f"{dotted}=RAW<{state['texts'][mark]}>"
        elif kind < 0.9:
            if draw.random() < 0.4 and len(path) > 1:
                path = path[:-1]
                parent, key = at(config, path[:-1]), path[-1]
            del parent[key]
            return f"{'.'.join(map(str, path))} dropped"
        elif kind < 0.93 and isinstance(key, str):
            wrong = key[:-1] if draw.random() < 0.5 else key + "s"
            parent[wrong] = parent.pop(key)
            return f"{dotted} as {wrong}"
        elif kind < 0.96:
            other = draw.choice(["no.such.key", "seed", "experiment_name", "actor.path", "gconfig.n_samples", "cluster", "rollout", ".path", "..seed", "oc.env:HOME_DIR,4"])
            parent[key] = "${" + other + "}"
            return f"{dotted}={parent[key]}"
        elif all(isinstance(step, str) for step in path):
            state["overrides"].append(f"~{dotted}")
            return f"override ~{dotted}"
        return None

    def strategy(self, config, state):
        """Where the workers of a role run, and what they are."""
        draw = self.random
        role = draw.choice(["actor", "rollout", "critic", "ref", "teacher"])
        if not isinstance(config.get(role), dict):
            return None
        if draw.random() < 0.6:
            value = {"type": draw.choice(["colocation", "colocation", "separation", "shared"])}
            if value["type"] == "colocation" and draw.random() < 0.9:
                value["target"] = draw.choice(["actor", "rollout", "critic", "ref", "nobody"])
            if draw.random() < 0.3:
                value["fork"] = draw.choice([True, False])
            return self.put(config, state, f"{role}.scheduling_strategy", value)
        one = {"gpu": draw.choice([1, 0, 2]), "cpu": 4, "mem": 32, "port_count": draw.choice([2, 1, 0, 3]), "cmd": draw.choice(["python3 -m areal.infra.rpc.rpc_server", None, "python -m x --port 1"])}
        if draw.random() < 0.3:
            one["ray_placement_strategy"] = draw.choice(["shared", "separate", "deferred", "spread"])
        return self.put(config, state, f"{role}.scheduling_spec", [copy.deepcopy(one) for _ in range(draw.choice([1, 1, 1, 2, 3, 0]))])

    def put(self, config, state, dotted, value):
        """Writes a value into the file, or now and then on the command line."""
        draw = self.random
        scalar = not isinstance(value, (dict, list))
        if scalar and "[]" not in dotted and draw.random() < 0.25:
            sign = draw.choice(["", "++", "++", "+"])
            text = {None: "null", True: "true", False: "false"}.get(value, value) if not isinstance(value, (int, float)) or isinstance(value, bool) else value
            state["overrides"].append(f"{sign}{dotted}={text}")
            return f"override {state['overrides'][-1]}"
        node, steps = config, dotted.replace("[]", ".0").split(".")
        for step, following in zip(steps, [*steps[1:], ""]):
            last = step is steps[-1] and following == ""
            if isinstance(node, list):
                step = int(step)
                if step >= len(node):
                    node.append({})
            elif not isinstance(node, dict):
                return None
            if last:
                node[step] = value
                break
            below = node.get(step) if isinstance(node, dict) else node[step]
            if not isinstance(below, (dict, list)):
                below = [] if following.isdigit() else {}
                node[step] = below
            node = below
        return f"{dotted}={value}"


def leaves(node, path=()):
    """The paths of all scalars of a configuration."""
    if isinstance(node, dict):
        for key, below in node.items():
            yield from leaves(below, (*path, key))
    elif isinstance(node, list):
        for key, below in enumerate(node):
            yield from leaves(below, (*path, key))
    else:
        yield path


def at(node, path):
    for step in path:
        node = node[step]
    return node
