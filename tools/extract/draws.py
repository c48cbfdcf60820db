"""What the programs have in common that draw launches and ask upstream's own code for its verdict on each."""

import collections
import gzip
import json
import os
import pathlib
import sys
import traceback


def options_of(parser):
    """Adds the command line of such a program to its parser."""
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--bases", type=pathlib.Path, required=True)
    parser.add_argument("--draws", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=4)
    parser.add_argument("--out", type=pathlib.Path)


def bases_in(path):
    """The launches of a file, one JSON object a line, perhaps compressed; those that a program has changed are left out."""
    opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path, encoding="utf-8")
    with opened as handle:
        return [record for record in map(json.loads, handle) if not record.get("mutations")]


def grouped(argv):
    """Flags with their values."""
    out = []
    for word in argv:
        if word.startswith("--") or not out:
            out.append([word])
        else:
            out[-1].append(word)
    return out


def place_of(error, *roots):
    """The last place of some checkouts that an error came through; empty when there is none."""
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        for root in roots:
            if frame.filename.startswith(f"{root}/"):
                place = f"{frame.filename[len(str(root)) + 1 :]}:{frame.lineno}"
    return place


def in_child(ask):
    """Asks in a process of its own: upstream changes what is global."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w") as pipe:
            json.dump(ask(), pipe)
            pipe.flush()
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text)


def write_verdicts(given, launch, verdict):
    """Writes `--draws` launches with the verdict on each, one JSON object a line, and counts them on standard error."""
    out = given.out.open("w") if given.out else sys.stdout
    counted = collections.Counter()
    for number in range(given.draws):
        drawn = launch()
        answer = in_child(lambda: verdict(drawn))
        counted[answer["verdict"]] += 1
        out.write(json.dumps({"id": f"{given.seed}-{number}", **drawn, **answer}) + "\n")
    out.flush()
    print(dict(counted), file=sys.stderr)
