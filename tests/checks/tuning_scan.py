#!/usr/bin/env python3
"""tuning_scan.py BUILD [FOLDER...] [--write | --find]

Halves and doubles each tuned constant of src/FOLDER/tuning.inc (SCANNED if none is named), runs the gate that its
row names, and compares what comes out with the row's effect; rows that are "not scanned" are left out. BUILD is
configured with -DMOTE_TUNING_SCAN=ON. Fails where a constant has no effect at all, and where a row says otherwise.
  --write  write the effects into the tables
  --find   of rows that are "not scanned", name the first gate on which the constant has an effect
"""
import json, os, re, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCANNED = ["surface", "track", "lattice", "contact", "cracks", "fluid", "fragments"]
FACTORS = [("half", 0.5), ("double", 2.0)]
NO_GATE = "not scanned"
SEEN = 1e-6  # relative: less is rounding, no table has as many digits
ROW = re.compile(r'^(TUNED|TUNED_FLOAT)\((\w+), ([^,]+), "([^"]*)", "([^"]*)", "([^"]*)"\)(.*)$', re.M)
NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:e[-+]?\d+)?(?![\w.])")


def unit_tests(folder, names):
    return ["unit/%s/%s" % (folder, name) for name in names.split()]


# In the order in which --find tries them.
GATES = {
    "surface": "surface-spray surface-sheet surface-waves surface-dams surface-squeezed surface-pool surface-angles surface-shapes "
               "unit/surface/contour unit/surface/surface_walls unit/surface/point_spacing unit/surface/surfacer "
               "golden/surface_hash".split(),
    "track": "track-turn track-curvature track-noise track-waves track-tension track-dam track-topology track-enright "
             "unit/track/tracked_mesh unit/track/tracked_match unit/track/tracked_tension unit/track/tracked_waves "
             "unit/track/tracked_thickness unit/track/particle_flow golden/scenes_hash".split(),
    "lattice": "lattice-crack lattice-weld lattice-forces lattice-docking lattice-restitution lattice-bending lattice-bars "
               "lattice-energy lattice-momenta unit/lattice/lattice_sites unit/lattice/lattice_forces "
               "golden/world_hash".split(),
    "contact": unit_tests("contact", "contact contact_narrow contact_islands contact_direct contact_broad elastic_contact_set contact_gain contact_impact "
                                     "rigid obstacle contact_step"),
    "cracks": unit_tests("cracks", "crack_weight elastic_split crack_sheet elastic_cut crack_grow"),
    "fluid": unit_tests("fluid", "consistent dfsph pcisph"),
    "fragments": unit_tests("fragments", "cut_grid fragment_limit fragment_mesh cut_mesh fragments_api"),
}


def run_gate(build, gate, tuning):
    env = dict(os.environ)
    if tuning:
        env["MOTE_TUNING"] = tuning
    command = [os.path.join(build, "mote"), "validate", gate, "--quick", "--json", "--threads", "1"]
    if "/" in gate:
        folder, test = gate.rsplit("/", 1)
        command = [os.path.join(build, "tests", folder.replace("/", "-")), test]
    try:
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 2, "", "")


def test_measures(run):
    """Of a test: the numbers of its checks and of those that fail, and the numbers that it prints."""
    counts = re.search(r"(\d+) checks, (\d+) failures", run.stdout)
    checks, failed = (int(counts[1]), int(counts[2])) if counts else ("none", "none")
    found = {"checks": (checks, True), "failed checks": (failed, run.returncode == 0)}
    for line in re.sub(r"^\S+_test\.c: ", "", run.stdout, flags=re.M).splitlines():
        if not re.search(r"\d checks, ", line):
            for k, printed in enumerate(NUMBER.findall(line)):
                found["%s [%d]" % (NUMBER.sub("#", line), k)] = (float(printed), True)
    return found


def measures(build, gate, tuning):
    """What a gate gives: measure -> (value, passed). A gate is a case of `mote validate --quick` or a test."""
    run = run_gate(build, gate, tuning)
    if "/" in gate:
        return test_measures(run)
    if run.returncode not in (0, 1, 3):
        return {"the case": ("refused", False)}
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return {row["measure"]: (row["value"], row["pass"]) for row in rows}


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def differ(a, b):
    if is_number(a) and is_number(b):
        return abs(a - b) > SEEN * max(abs(a), abs(b))
    return a != b


def change_of(before, after):
    """A change in per cent, or both values where that says nothing."""
    if is_number(before) and is_number(after) and before != 0:
        return "%+.2g %%" % (100.0 * (after - before) / abs(before))
    return "%s to %s" % tuple("%.3g" % x if is_number(x) else x for x in (before, after))


def effect_of(before, after):
    """How many measures change, and the one that changes most; first those that miss their tolerance then."""
    changed = [m for m in before if m not in after or differ(before[m][0], after[m][0])]
    if not changed:
        return "="

    def missed(measure):
        return before[measure][1] and not after.get(measure, (None, False))[1]

    def size(measure):
        a, b = before[measure][0], after.get(measure, (None, False))[0]
        relative = abs(a - b) / max(abs(a), abs(b)) if is_number(a) and is_number(b) else 2.0
        return missed(measure), relative

    most = max(changed, key=size)
    return "%d of %d, %s %s%s" % (len(changed), len(before), most, change_of(before[most][0], after.get(most, ("none", 0))[0]),
                                  " (missed)" if missed(most) else "")


class Scan:
    def __init__(self, build):
        self.build, self.base = build, {}

    def effect(self, folder, name, gate):
        if gate not in self.base:
            self.base[gate] = measures(self.build, gate, None)
        return "; ".join("%s: %s" % (word, effect_of(self.base[gate], measures(self.build, gate, "%s/%s=%g" % (folder, name, factor))))
                         for word, factor in FACTORS)

    def row(self, folder, row, find):
        """The gate and the effect of a row; with `find`, of those that have none yet."""
        name, value, _, gate, effect = row[1:6]
        if find and gate == NO_GATE:
            for gate in GATES[folder]:
                effect = self.effect(folder, name, gate)
                print("%s\t%s\t%s" % (name, gate, effect), file=sys.stderr, flush=True)
                if not dead(effect):
                    return gate, effect
            return NO_GATE, ""
        if find or gate == NO_GATE:
            return gate, effect
        effect = self.effect(folder, name, gate)
        print("%s/%s\t%s\t%s\t%s" % (folder, name, value, gate, effect), flush=True)
        return gate, effect


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
        if len(rows) != len(re.findall(r"^TUNED", text, re.M)):
            sys.exit(path + ": a row that cannot be read")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda row: scan.row(folder, row, find), rows))
        for row, (gate, effect) in zip(rows, found):
            if gate != NO_GATE and dead(effect):
                print("%s/%s has no effect: it is superfluous, or its row names the wrong gate" % (folder, row[1]))
                bad += 1
            elif effect != row[5] and not (write or find):
                print("%s/%s: the table says: %s" % (folder, row[1], row[5]))
                bad += 1
        if write or find:
            changed = dict(zip((row[1] for row in rows), found))
            with open(path, "w") as out:
                out.write(ROW.sub(lambda m: '%s(%s, %s, "%s", "%s", "%s")%s' % (m[1], m[2], m[3], m[4], *changed[m[2]], m[7]), text))
    print("%d constants without an effect or with another one" % bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
