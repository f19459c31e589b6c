#!/usr/bin/env python3
"""tuning_scan.py BUILD [FOLDER...] [--write | --find]

Halves and doubles each tuned constant of src/FOLDER/tuning.inc (surface, track and lattice if none is named), runs the
gate that its row names, and compares what comes out with the row's effect. BUILD is configured with
-DMOTE_TUNING_SCAN=ON. Fails where a constant has no effect at all, and where a row says otherwise.
  --write  write the effects into the tables
  --find   of rows whose gate is "", name the first gate on which the constant has an effect
"""
import json, os, re, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCANNED = ["surface", "track", "lattice"]
FACTORS = [("half", 0.5), ("double", 2.0)]
ROW = re.compile(r'^TUNED\((\w+), ([^,]+), "([^"]*)", "([^"]*)", "([^"]*)"\)(.*)$', re.M)
# In the order in which --find tries them.
GATES = {
    "surface": "surface-spray surface-sheet surface-waves surface-dams surface-squeezed surface-pool surface-angles "
               "surface-balls surface-falling surface-shapes surface-motion".split(),
    "track": [],
    "lattice": [],
}


def measures(build, gate, tuning):
    """What a gate gives: measure -> (value, passed). A gate is a case of `mote validate --quick`."""
    env = dict(os.environ)
    if tuning:
        env["MOTE_TUNING"] = tuning
    run = subprocess.run([os.path.join(build, "mote"), "validate", gate, "--quick", "--json", "--threads", "1"],
                         env=env, capture_output=True, text=True, timeout=300)
    if run.returncode not in (0, 1, 3):
        return {"the case": ("refused", False)}
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return {row["measure"]: (row["value"], row["pass"]) for row in rows}


def number(x):
    return "%.3g" % x if isinstance(x, (int, float)) else str(x)


def effect_of(before, after):
    """The number of measures that change and the one that changes most, first those that miss their tolerance."""
    changed = [m for m in before if m not in after or after[m][0] != before[m][0]]
    if not changed:
        return "="

    def size(measure):
        a, b = before[measure][0], after.get(measure, (None, False))[0]
        if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
            return (2, 0.0)
        missed = before[measure][1] and not after[measure][1]
        return (1 if missed else 0, abs(a - b) / max(abs(a), abs(b)))

    most = max(changed, key=size)
    value, passed = after.get(most, ("none", False))
    missed = ", missed" if before[most][1] and not passed else ""
    return "%d of %d measures, %s %s to %s%s" % (len(changed), len(before), most, number(before[most][0]), number(value), missed)


class Scan:
    def __init__(self, build):
        self.build, self.base = build, {}

    def effect(self, folder, name, gate):
        if gate not in self.base:
            self.base[gate] = measures(self.build, gate, None)
        return "; ".join("%s: %s" % (word, effect_of(self.base[gate], measures(self.build, gate, "%s/%s=%g" % (folder, name, factor))))
                         for word, factor in FACTORS)

    def row(self, folder, row, find):
        name, gate = row[0], row[3]
        if gate == "" and find:
            for gate in GATES[folder]:
                effect = self.effect(folder, name, gate)
                if not dead(effect):
                    return gate, effect
            return "", ""
        return gate, self.effect(folder, name, gate) if gate else ""


def dead(effect):
    return effect in ("", "half: =; double: =")


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    write, find = "--write" in sys.argv, "--find" in sys.argv
    if not words:
        sys.exit(__doc__)
    scan, bad = Scan(words[0]), 0
    for folder in words[1:] or SCANNED:
        path = os.path.join(ROOT, "src", folder, "tuning.inc")
        text = open(path).read()
        rows = ROW.findall(text)
        if len(rows) != len(re.findall(r"^TUNED\(", text, re.M)):
            sys.exit(path + ": a row that cannot be read")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda row: scan.row(folder, row, find), rows))
        for row, (gate, effect) in zip(rows, found):
            print("%s/%s\t%s\t%s\t%s" % (folder, row[0], row[1], gate, effect))
            if dead(effect):
                print("  has no effect: it is superfluous, or its row names the wrong gate")
                bad += 1
            elif effect != row[4] and not (write or find):
                print("  the table says: " + row[4])
                bad += 1
        if write or find:
            changed = dict(zip((row[0] for row in rows), found))
            with open(path, "w") as out:
                out.write(ROW.sub(lambda m: 'TUNED(%s, %s, "%s", "%s", "%s")%s' % (m[1], m[2], m[3], *changed[m[1]], m[6]), text))
    print("%d constants without an effect or with another one" % bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
