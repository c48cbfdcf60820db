"""How launches of slime are drawn: the changes that somebody might make to a launch that works."""

import json
import pathlib
import random
import shlex

import yaml

from draws import grouped

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "schemas"
ENVIRONMENT = {
    "CUDA_DEVICE_MAX_CONNECTIONS": [None, "1", "8"],
    "PYTORCH_CUDA_ALLOC_CONF": [None, "expandable_segments:True", "max_split_size_mb:512"],
    "NVTE_FLASH_ATTN": [None, "0", "1"],
    "NVTE_FUSED_ATTN": [None, "0", "1"],
    "NCCL_NVLS_ENABLE": [None, "0", "1"],
    "NCCL_ALGO": [None, "Ring"],
    "WORLD_SIZE": [None, "8"],
}
GPUS = {
    "--actor-num-nodes": [1, 2, 3, 4, 8, 16],
    "--actor-num-gpus-per-node": [1, 2, 3, 4, 6, 8, 12, 16],
    "--rollout-num-gpus": [0, 1, 2, 3, 4, 6, 8, 12, 16],
    "--rollout-num-gpus-per-engine": [0, 1, 2, 3, 4, 8, 16],
    "--num-gpus-per-node": [0, 1, 4, 8, 16],
    "--tensor-model-parallel-size": [1, 2, 3, 4, 8, 16],
    "--pipeline-model-parallel-size": [1, 2, 3, 4, 8],
    "--context-parallel-size": [1, 2, 4, 8],
    "--expert-model-parallel-size": [1, 2, 4, 8, 16],
    "--expert-tensor-parallel-size": [1, 2, 4],
}
INTEGERS = [0, 1, 2, 3, 4, 5, 8, 12, 16, 32, 64, 100, 128, 256, 512, 1024, 4096, 8192, 16384, -1]
FLOATS = ["0", "0.0", "0.1", "0.5", "0.9", "1", "1.0", "2.0", "1e-5", "-1", "1.5"]
TEXTS = ["auto", "full", "/root/out", "1", "bf16", "fp32", "core_attn", "none", "disk", "math", "pkg.module.function", ""]
WRONG = ["8k", "auto", "2.5", "", "true", "1e3", "None", "-3"]
OBJECTS = ['{"NCCL_DEBUG": "INFO"}', "{}", '{"A": 1}', "[1]", "nothing", "null"]
# Options that decide a launch: the trainer's own are drawn more often than the engines'.
SHARES = [("own", 0.5), ("megatron", 0.36), ("sglang", 0.12), ("none", 0.02)]


def values_of(option, draw):
    """The words behind a flag, as somebody might write them."""
    kind, choices = option["type"], option.get("choices")
    if kind == "bool" and option.get("action") != "append":
        return []
    if kind == "list":
        kind = option.get("items", "str")
    if choices and draw.random() < 0.9:
        one = lambda: str(draw.choice(choices))
    elif "int" in kind:
        one = lambda: str(draw.choice(INTEGERS))
    elif "float" in kind:
        one = lambda: draw.choice(FLOATS)
    elif kind == "json":
        one = lambda: draw.choice(OBJECTS)
    else:
        one = lambda: draw.choice(TEXTS)
    if option.get("nargs") in ("*", "+") and draw.random() < 0.35:
        return [one() for _ in range(draw.choice([2, 2, 3]))]
    if option.get("nargs") in ("*", "?") and draw.random() < 0.15:
        return []
    return [one()]


def examples():
    """The examples of rules, as flags and the text of the YAML file that they name: settings that belong together."""
    for framework in ("slime", "megatron-lm"):
        for path in sorted((SCHEMAS / framework).glob("constraints*/*.yaml")):
            for rule in yaml.safe_load(path.read_text()):
                for side in ("bad", "good"):
                    # One example, or several.
                    for example in rule[side] if isinstance(rule[side], list) else [rule[side]]:
                        parts = example if isinstance(example, dict) else {"args": example}
                        if parts.get("base") == "none" or "launch" in parts:
                            continue
                        words = shlex.split(parts.get("args", "").replace("settings.yaml", "/root/settings.yaml"))
                        yield f"{side} of {rule['id']}", grouped(words), parts.get("env", {}), parts.get("yaml")


class Draws:
    def __init__(self, seed, bases, most):
        self.random = random.Random(seed)
        self.bases, self.most = bases, most
        own = json.loads((SCHEMAS / "slime" / "options.json").read_text())["options"]
        trainer = json.loads((SCHEMAS / "megatron-lm" / "options.json").read_text())["options"]
        trainer = [option for option in trainer if option.get("flags") and not option.get("parser") and not option.get("until")]
        self.pools = {
            "own": [option for option in own if option["parser"] in ("pre", "megatron", "reset")],
            "megatron": trainer,
            "sglang": [option for option in own if option["parser"] == "sglang"],
            "none": [option for option in own if option["parser"] == "none"],
        }
        self.by_flag = {flag: option for option in [*trainer, *own] for flag in option["flags"]}
        self.examples = list(examples())

    def launch(self):
        draw = self.random
        base = draw.choice(self.bases)
        self.groups = [list(group) for group in grouped(base["argv"])]
        self.env, self.files, self.entry = dict(base["env"]), dict(base["files"]), base["entry"]
        mutations = []
        for _ in range(draw.randint(0, self.most)):
            told = self.change()
            if told is not None:
                mutations.append(told)
        argv = [word for group in self.groups for word in group]
        return {"base": base["base"], "entry": self.entry, "env": self.env, "argv": argv, "files": self.files, "mutations": mutations}

    def change(self):
        draw = self.random
        kinds = [self.entry_script, self.environment, self.count, self.example, self.dropped, self.another, self.misspelt, self.twice, self.joined, self.wrong, self.unprefixed, self.added]
        return draw.choices(kinds, [4, 4, 10, 24, 11, 10, 3, 3, 2, 4, 2, 23])[0]()

    def put(self, group):
        """Gives an option the place that it has, or the last."""
        for at, other in enumerate(self.groups):
            if other[0] == group[0]:
                self.groups[at] = group
                return
        self.groups.append(group)

    def entry_script(self):
        self.entry = self.random.choice(["train.py", "train_async.py"])
        return f"entry {self.entry}"

    def environment(self):
        name = self.random.choice(list(ENVIRONMENT))
        value = self.random.choice(ENVIRONMENT[name])
        self.env.pop(name, None)
        if value is not None:
            self.env[name] = value
        return f"env {name}={value}"

    def count(self):
        flag = self.random.choice(list(GPUS))
        self.put([flag, str(self.random.choice(GPUS[flag]))])
        return " ".join(self.groups[-1]) if self.groups[-1][0] == flag else flag

    def example(self):
        name, groups, env, text = self.random.choice(self.examples)
        for group in groups:
            self.put(list(group))
        self.env.update(env)
        if text is not None:
            self.files["/root/settings.yaml"] = text
        return name

    def dropped(self):
        return f"{self.groups.pop(self.random.randrange(len(self.groups)))[0]} dropped"

    def another(self):
        group = self.random.choice(self.groups)
        option = self.by_flag.get(group[0])
        if option is None or option["type"] == "bool":
            return None
        group[1:] = values_of(option, self.random)
        return " ".join(group)

    def misspelt(self):
        group = self.random.choice(self.groups)
        at = self.random.randrange(3, max(4, len(group[0])))
        group[0] = self.random.choice([group[0][:at] + group[0][at + 1 :], group[0] + "s", "--" + group[0][2:].replace("-", "_")])
        return f"misspelt {group[0]}"

    def twice(self):
        group = list(self.random.choice(self.groups))
        option = self.by_flag.get(group[0])
        if option is not None and option["type"] != "bool":
            group[1:] = values_of(option, self.random)
        self.groups.append(group)
        return f"again {' '.join(group)}"

    def joined(self):
        group = self.random.choice(self.groups)
        if len(group) != 2:
            return None
        group[:] = ["=".join(group)]
        return f"joined {group[0]}"

    def wrong(self):
        group = self.random.choice(self.groups)
        option = self.by_flag.get(group[0])
        if option is None:
            return None
        group[1:] = [self.random.choice(WRONG)]
        return f"wrong {' '.join(group)}"

    def unprefixed(self):
        option = self.random.choice(self.pools["sglang"])
        flag = option["flags"][0].replace("--sglang-", "--")
        self.groups.append([flag, *values_of(option, self.random)])
        return f"unprefixed {flag}"

    def added(self):
        pool = self.random.choices([name for name, _ in SHARES], [share for _, share in SHARES])[0]
        option = self.random.choice(self.pools[pool])
        self.put([self.random.choice(option["flags"]), *values_of(option, self.random)])
        return f"added {option['flags'][0]}"
