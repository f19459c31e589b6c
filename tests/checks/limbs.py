#!/usr/bin/env python3
"""Twenty bodies with limbs of 3 to 12 edges' width and random handles, deformed by mote deform at its defaults.

usage: limbs.py MOTE [MESHES]

Each mesh is an ellipsoid with one to five bent, tapered tubes, joined to it or 0.5 to 4 % of the size away from it, turned either way. The
lower end of the body stays and the upper one, or the end of a limb, is turned by up to 60 degrees and moved by up to a
quarter of its distance from the lower end. Edges are measured here, not taken from the report. Exit status 1 where fewer than 17 of 20 give no warning and no error, or an
edge is stretched more than 3 times without a word.
"""
import json, math, os, random, subprocess, sys, tempfile

MOVE_MOST = 0.25  # of the distance of the handles


def tube(path, radius, around, along, turned):
    """A closed tube about points of `path` (of 0..1), with the triangles' sense."""
    v, f = [], []
    for i in range(along + 1):
        t = i / along
        c, d = path(t), [b - a for a, b in zip(path(t - 1e-4), path(t + 1e-4))]
        n = math.hypot(*d)
        d = [x / n for x in d]
        k = min(range(3), key=lambda a: abs(d[a]))
        u = [(1.0 if a == k else 0.0) - d[k] * d[a] for a in range(3)]
        n = math.hypot(*u)
        u = [x / n for x in u]
        w = (d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0])
        for j in range(around):
            a = 2 * math.pi * j / around
            v.append(tuple(c[q] + radius(t) * (math.cos(a) * u[q] + math.sin(a) * w[q]) for q in range(3)))
    for i in range(along):
        for j in range(around):
            a, b = i * around + j, i * around + (j + 1) % around
            f += [(a, b, b + around), (a, b + around, a + around)]
    for end in (0, along):
        v.append(path(end / along))
        for j in range(around):
            a, b = end * around + j, end * around + (j + 1) % around
            f.append((len(v) - 1, b, a) if end == 0 else (len(v) - 1, a, b))
    return v, [(a, c, b) for a, b, c in f] if turned else f


def body(r, rows=24, columns=32):
    """An ellipsoid about the origin."""
    path = lambda t: (0.0, r[1] * -math.cos(math.pi * min(max(t, 0.0), 1.0)) + 1e-6 * t, 0.0)
    v, f = tube(path, lambda t: max(math.sin(math.pi * t), 0.02), columns, rows, False)
    return [(x * r[0], y, z * r[2]) for x, y, z in v], f


def creature(seed):
    """Vertices, triangles, first vertices of the limbs, half axes of the body."""
    rng = random.Random(seed)
    r = [0.1 * rng.uniform(0.7, 1.2), 0.1 * rng.uniform(1.0, 1.8), 0.1 * rng.uniform(0.7, 1.2)]
    v, f = body(r)
    firsts = []
    limbs = rng.randint(1, 5)
    for k in range(limbs):
        # A limb is 3 to 12 of its edges wide.
        edge, wide = 0.4 * r[0] / rng.uniform(3, 12), rng.uniform(3, 12)
        thick = 0.5 * edge * wide
        angle, height = 2 * math.pi * (k + rng.uniform(-0.2, 0.2)) / limbs, r[1] * rng.uniform(-0.5, 0.5)
        at = math.sqrt(1 - (height / r[1])**2)
        root = math.hypot(r[0] * at * math.cos(angle), r[2] * at * math.sin(angle))
        gap = rng.choice((0.0, rng.uniform(0.002, 0.01)))
        begin, length = root + gap if gap else 0.6 * root, rng.uniform(0.12, 0.25)
        rise, sway, tip = rng.uniform(-0.08, 0.08), rng.uniform(-0.03, 0.03), rng.uniform(0.3, 1.0)

        def path(t, angle=angle, height=height, begin=begin, length=length, rise=rise, sway=sway):
            d, s = begin + length * t, sway * math.sin(3 * t)
            return (d * math.cos(angle) - s * math.sin(angle), height + rise * t * t, d * math.sin(angle) + s * math.cos(angle))

        around = max(6, round(math.pi * wide))
        along = max(4, min(120, round(length / edge)))
        w, g = tube(path, lambda t, thick=thick, tip=tip: thick * (1 - (1 - tip) * t), around, along, rng.random() < 0.5)
        firsts.append(len(v))
        f += [tuple(q + len(v) for q in t) for t in g]
        v += w
    firsts.append(len(v))
    return v, f, firsts, r, rng


def handles(v, firsts, r, rng):
    low = [k + 1 for k in range(firsts[0]) if v[k][1] < -0.6 * r[1]]
    if rng.random() < 0.6:
        high = [k + 1 for k in range(firsts[0]) if v[k][1] > 0.6 * r[1]]
    else:
        k = rng.randrange(len(firsts) - 1)
        a, b = firsts[k], firsts[k + 1]
        high = list(range(b - (b - a) // 6, b + 1))
    axis, move = [rng.gauss(0, 1) for _ in range(3)], [rng.gauss(0, 1) for _ in range(3)]
    middle = lambda rows: [sum(v[q - 1][k] for q in rows) / len(rows) for k in range(3)]
    length = rng.uniform(0, MOVE_MOST) * math.dist(middle(low), middle(high)) / math.hypot(*move)
    move = [length * x for x in move]
    angle = rng.uniform(-60, 60)
    return "handles:\n  low: {vertices: %s, fix: true}\n  high: {vertices: %s, rotate: {axis: [%g, %g, %g], angle: %g deg}, move: [%g, %g, %g]}\n" % (
        low, high, *axis, angle, *move)


def positions(name):
    with open(name) as f:
        return [tuple(map(float, line.split()[1:4])) for line in f if line.startswith("v ")]


def stretch(v, f, moved):
    most = 1.0
    for t in f:
        for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
            rest = math.dist(v[a], v[b])
            if rest > 1e-5:
                most = max(most, math.dist(moved[a], moved[b]) / rest)
    return most


def deform(tool, seed):
    v, f, firsts, r, rng = creature(seed)
    with open("m.obj", "w") as out:
        out.writelines("v %.9g %.9g %.9g\n" % x for x in v)
        out.writelines("f %d %d %d\n" % tuple(k + 1 for k in t) for t in f)
    with open("edits.yaml", "w") as out:
        out.write(handles(v, firsts, r, rng))
    if os.path.exists("bent.obj"):
        os.remove("bent.obj")
    done = subprocess.run([tool, "deform", "m.obj", "edits.yaml", "-o", "bent.obj", "--json"], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "tied over" not in line]
    most = stretch(v, f, positions("bent.obj")) if os.path.exists("bent.obj") else 0.0
    report = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    print("%-5s %3d: %d limbs, %5d triangles, %3s nodes, %s ties, edges up to %.2f, handles %.1e  %s" % (
        "said" if said or done.returncode else "quiet", seed, len(firsts) - 1, len(f), report.get("nodes"), report.get("ties"), most,
        report.get("handle_error", math.nan), " ".join(said)[:160]), flush=True)
    return not said and done.returncode == 0, most > 3 and not said


def main():
    tool, meshes = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    quiet = silent = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for seed in range(1, meshes + 1):
            good, unsaid = deform(tool, seed)
            quiet, silent = quiet + good, silent + unsaid
    print("%d of %d without warning or error, %d with edges stretched more than 3 times unsaid" % (quiet, meshes, silent))
    sys.exit(quiet < 0.85 * meshes or silent > 0)


if __name__ == "__main__":
    main()
