#!/usr/bin/env python3
"""Meshes as people have them: parts that cross or touch, seams, holes, doubled and turned triangles. Each fills, collides,
shatters and deforms like the union that it stands for.

usage: dirty_meshes.py MOTE [NAME]...

Each mesh comes with a function that says what is inside of its union; the exact volume is a sum over a grid. Printed for
each: volume, filled volume, volume of pieces (relative to it), and how deep water that is poured on it comes in. Exit
status 1 where a volume is wrong by more than 1 %, water is deeper than half a spacing, or a command fails.
"""
import csv, json, math, os, random, subprocess, sys, tempfile

SPACING = 0.01


def ball(c, r, rows=24, inward=False):
    columns = 2 * rows
    v = [(c[0], c[1] + r, c[2])]
    for i in range(1, rows):
        a = math.pi * i / rows
        for j in range(columns):
            b = math.pi * 2 * j / columns
            v.append((c[0] + r * math.sin(a) * math.cos(b), c[1] + r * math.cos(a), c[2] + r * math.sin(a) * math.sin(b)))
    v.append((c[0], c[1] - r, c[2]))
    at = lambda i, j: 1 + (i - 1) * columns + j % columns
    f = [(0, at(1, j + 1), at(1, j)) for j in range(columns)]
    for i in range(1, rows - 1):
        for j in range(columns):
            f += [(at(i, j), at(i, j + 1), at(i + 1, j)), (at(i, j + 1), at(i + 1, j + 1), at(i + 1, j))]
    f += [(len(v) - 1, at(rows - 1, j), at(rows - 1, j + 1)) for j in range(columns)]
    # The radius is chosen so that the polyhedron has the ball's volume.
    factor = (4 / 3 * math.pi * r**3 / volume((v, f))) ** (1 / 3)
    v = [tuple(c[k] + factor * (x[k] - c[k]) for k in range(3)) for x in v]
    return v, [(a, c2, b) for a, b, c2 in f] if inward else f


def box(low, high):
    v = [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return v, [t for q in quads for t in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]


def volume(mesh):
    total = 0
    for t in mesh[1]:
        a, b, c = (mesh[0][k] for k in t)
        total += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    return abs(total) / 6


def join(*meshes):
    v, f = [], []
    for mesh in meshes:
        f += [tuple(k + len(v) for k in t) for t in mesh[1]]
        v += mesh[0]
    return v, f


def soup(mesh, noise=0.0):
    rng = random.Random(1)
    v = [tuple(x + rng.uniform(-noise, noise) for x in mesh[0][k]) for t in mesh[1] for k in t]
    return v, [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(len(mesh[1]))]


in_ball = lambda c, r: lambda x: sum((x[k] - c[k]) ** 2 for k in range(3)) < r * r
in_box = lambda low, high: lambda x: all(low[k] < x[k] < high[k] for k in range(3))
either = lambda *fs: lambda x: any(f(x) for f in fs)


def meshes():
    head, left, right = ((0, 0, 0), 0.1), ((0.04, 0.03, 0.085), 0.03), ((-0.04, 0.03, 0.085), 0.03)
    one, two = ((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)), ((0, -0.05, -0.05), (0.2, 0.05, 0.05))
    flush, stack = ((0, -0.1, -0.1), (0.2, 0.1, 0.1)), ((-0.06, 0.1, -0.06), (0.06, 0.2, 0.06))
    b = ball(*head)
    eyes = either(in_ball(*head), in_ball(*left), in_ball(*right))
    yield "crossing balls", join(b, ball(*left), ball(*right)), eyes
    yield "one turned", join(b, ball(*left, inward=True), ball(*right)), eyes
    yield "all turned", join(ball(*head, inward=True), ball(*left, inward=True), ball(*right, inward=True)), eyes
    yield "handle", join(box(*one), box(*two)), either(in_box(*one), in_box(*two))
    yield "common planes", join(box(*one), box(*flush)), either(in_box(*one), in_box(*flush))
    yield "standing", join(box(*one), box(*stack)), either(in_box(*one), in_box(*stack))
    yield "seams of 1e-17 m", soup(b, 1e-17), in_ball(*head)
    yield "seams of 1e-9 m", soup(b, 1e-9), in_ball(*head)
    yield "small hole", (b[0], b[1][: 300] + b[1][310:]), in_ball(*head)
    yield "twice", join(b, b), in_ball(*head)
    yield "both sides", (b[0], b[1] + [(t[0], t[2], t[1]) for t in b[1]]), in_ball(*head)
    yield "soup of boxes", soup(join(box(*one), box(*stack))), either(in_box(*one), in_box(*stack))


def exact_volume(inside, cell=0.005):
    n = int(0.5 / cell)
    at = lambda k: (k + 0.5) * cell - 0.25
    return cell**3 * sum(inside((at(i), at(j), at(k))) for i in range(n) for j in range(n) for k in range(n))


def mote(tool, *arguments):
    done = subprocess.run([tool, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("mote %s: %s" % (" ".join(arguments), done.stderr.strip()[-200:]))
    return done.stdout


SCENE = """spacing: %g
duration: 0.3
domain: {low: [-0.3, -0.3, -0.3], high: [0.3, 0.4, 0.3]}
%s
outputs: {formats: [csv], preview: false}
"""
POURED = """colliders: {thing: {shape: {mesh: {file: m.obj}}}}
bodies: {water: {shape: {box: {low: [-0.08, 0.22, -0.08], high: [0.08, 0.36, 0.08]}}}}"""


def filled_volume(tool):
    with open("fill.yaml", "w") as f:
        f.write(SCENE % (SPACING, "bodies: {thing: {shape: {mesh: {file: m.obj}}}}"))
    return json.loads(mote(tool, "check", "fill.yaml", "--json"))["particles"] * SPACING**3


def water_depth(tool, inside):
    """How deep, in spacings, any particle of the poured water ever is: the largest ball inside around one."""
    with open("pour.yaml", "w") as f:
        f.write(SCENE % (SPACING, POURED))
    mote(tool, "run", "pour.yaml", "-o", "poured", "--quiet", "--overwrite")
    deepest = 0.0
    directions = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z]
    for name in sorted(os.listdir("poured")):
        if not name.startswith("particles."):
            continue
        with open("poured/" + name) as f:
            rows = csv.DictReader(row for row in f if not row.startswith("#"))
            keys = [k for k in rows.fieldnames if k.split(".")[0].startswith(("position", "x", "y", "z"))][:3]
            for row in rows:
                x = tuple(float(row[k]) for k in keys)
                while inside(x) and all(inside(tuple(x[k] + (deepest + 0.05) * SPACING * d[k] / math.hypot(*d)
                                                     for k in range(3))) for d in directions):
                    deepest += 0.05
    return deepest


EDITS = """handles:
  low: {shape: {box: {low: [-0.3, -0.3, -0.3], high: [0.3, -0.06, 0.3]}}, fix: true}
  high: {shape: {box: {low: [-0.3, 0.06, -0.3], high: [0.3, 0.3, 0.3]}}, move: [2 cm, 2 cm, 0]}
"""


def check(tool, name, mesh, inside):
    with open("m.obj", "w") as f:
        f.writelines("v %.17g %.17g %.17g\n" % x for x in mesh[0])
        f.writelines("f %d %d %d\n" % tuple(k + 1 for k in t) for t in mesh[1])
    with open("edits.yaml", "w") as f:
        f.write(EDITS)
    exact = exact_volume(inside)
    info = json.loads(mote(tool, "info", "m.obj", "--json"))
    if not info.get("usable"):
        raise RuntimeError(info.get("usable_note"))
    said, filled = info["usable_volume"] / exact, filled_volume(tool) / exact
    mote(tool, "shatter", "m.obj", "-o", "pieces.ply", "--pieces", "5", "--edge", "0.008", "--quiet", "--overwrite")
    pieces = json.loads(mote(tool, "info", "pieces.ply", "--json"))["volume"] / exact
    mote(tool, "deform", "m.obj", "edits.yaml", "-o", "bent.obj", "--quiet", "--overwrite")
    depth = water_depth(tool, inside)
    good = max(abs(said - 1), abs(filled - 1), abs(pieces - 1)) < 0.01 and depth < 0.5
    print("%-4s %-18s %6.4f %6.4f %6.4f %5.2f  %s" % ("ok" if good else "FAIL", name, said, filled, pieces, depth,
                                                     info["usable_note"]), flush=True)
    return good


def main():
    tool, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    failed = 0
    print("     mesh                 said filled pieces depth")
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for name, mesh, inside in meshes():
            if wanted and name not in wanted:
                continue
            try:
                failed += not check(tool, name, mesh, inside)
            except RuntimeError as error:
                failed += 1
                print("FAIL %-18s %s" % (name, error), flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
