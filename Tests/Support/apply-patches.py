"""Applies the patch of every step of trace files with the package jsonpatch, and fails where that does not give `after`.

    apply-patches.py TRACE ...

Prints how many steps it applied.
"""
import json
import sys

import jsonpatch


def main(paths):
    steps = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            trace = json.load(file)
        for step in trace["steps"]:
            if step["after"] is None:
                continue
            steps += 1
            patched = jsonpatch.apply_patch(step["before"], step["patch"])
            # As text, for Python holds that 1, 1.0 and True are equal.
            if json.dumps(patched, sort_keys=True) != json.dumps(step["after"], sort_keys=True):
                sys.exit(f"{trace['source']}: the patch from {step['from']} to {step['to']} gives {patched}")
    print(f"{steps} steps")


main(sys.argv[1:])
