#!/usr/bin/env python3
"""fuzz_physics.py [--steered] MOTE COUNT [FIRST [SEED ...]]: random scenes of rigid and elastic bodies, fluids and colliders between closed walls,
from the seeds FIRST (1) to FIRST + COUNT - 1 and those named, run for half a second. A scene fails that
  gain     gains more than 1 % of its energy (kinetic, of weight above the lowest corner, elastic) above the
           least so far; where a collider or an emitter gives some, from the end of that
  outside  has something beyond a wall
  number   has a number that is none
  silent   ends with an error without a message, by a signal, or not within 120 s of processor time
  stopped  ends with an error and its message
The box may find its place taken. A run with an elastic body of the law svk may stop if its message names that law, which cannot come back from inversion; one that goes on is judged as all
others are. With --steered a hand pulls one of the bodies until DRIVEN, values of a material change, and a box waits, comes, goes and comes again. The failures must be those that tests/misses/physics.txt lists, "seed kind" a line, with --steered "seed steered_kind". FUZZ_KEEP=FOLDER keeps scenes and runs."""
import csv
import json
import math
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

GAIN = 0.01  # of the energy
SECONDS = 120  # of processor time
DURATION, FRAMES, DRIVEN = 0.5, 25, 0.2  # s, frames of a run; s: colliders and emitters then stop
INSIDE = 0.5  # spacings that a body's inscribed ball may be beyond a wall
KINDS = ("kinetic", "potential", "elastic")  # of energy


class Dice:
    """Random numbers that are the same for every version of Python: all are made of random()."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def between(self, low, high):
        return low + (high - low) * self.random()

    def power(self, low, high):
        return 10 ** self.between(low, high)

    def whole(self, low, high):
        return low + int(self.random() * (high - low + 1))

    def chance(self, part):
        return self.random() < part

    def one(self, choices):
        return choices[int(self.random() * len(choices))]

    def vector(self, dims, length):
        v = [self.between(-1, 1) for _ in range(dims)]
        size = math.hypot(*v) or 1.0
        return [length * x / size for x in v]


def rounded(value):
    """Numbers of four digits, so that a scene is read by people."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, list):
        return [rounded(v) for v in value]
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return value


# --- Shapes ---------------------------------------------------------------------------------------------------------


def turned(shape, dice, dims, at):
    if dice.chance(0.5):
        axis = [0, 0, 1] if dims == 2 else dice.vector(3, 1.0)
        shape["rotate"] = {"axis": axis, "angle": dice.between(0, 6.28), "about": at}
    return shape


def make_shape(dice, dims, at, radius, plain):
    """A shape within the ball; returns it and the radius of a ball in it about its middle."""
    kind = dice.one(["box", "sphere"] if plain else ["box", "box", "sphere", "capsule", "cylinder", "ellipsoid", "torus", "union"])
    half = [radius * dice.between(0.8 if plain else 0.35, 1.0) / math.sqrt(dims) for _ in range(dims)]
    if kind in ("cylinder", "torus") and dims == 2:
        kind = "box"
    if kind == "box":
        return turned({"box": {"centre": at, "size": [2 * h for h in half]}}, dice, dims, at), min(half)
    if kind == "sphere":
        r = radius * dice.between(0.7, 1.0)
        return {"sphere": {"centre": at, "radius": r}}, r
    if kind == "ellipsoid":
        return turned({"ellipsoid": {"centre": at, "radii": half}}, dice, dims, at), min(half)
    if kind in ("capsule", "cylinder"):
        r = radius * dice.between(0.15, 0.5)
        along = dice.vector(dims, 0.8 * radius - (r if kind == "capsule" else 0.5 * r))
        ends = {"from": [x - a for x, a in zip(at, along)], "to": [x + a for x, a in zip(at, along)]}
        return {kind: {**ends, "radius": r}}, min(r, math.hypot(*along))
    if kind == "torus":
        r = radius * dice.between(0.2, 0.3)
        return {"torus": {"centre": at, "axis": dice.vector(3, 1.0), "radius": 0.9 * radius - r, "thickness": r}}, 0.0
    bar = [{"box": {"centre": at, "size": [2 * radius * (0.8 if k == a else 0.25) for k in range(dims)]}} for a in range(2)]
    return turned({"union": bar}, dice, dims, at), 0.25 * radius


# --- Scenes ---------------------------------------------------------------------------------------------------------


def rigid_material(dice):
    return {
        "model": "rigid",
        "density": dice.power(1, 6),
        "friction": dice.one([0.0, 0.3, 0.7, 1.5]),
        "restitution": dice.one([0.0, 0.0, 0.2, 0.6, 1.0]),
    }


def elastic_material(dice, wet):
    return {
        "model": "elastic",
        "density": dice.power(2, 4),
        "young": dice.power(4, 7),
        "poisson": dice.one([0.0, 0.3, 0.45, 0.49]),
        "law": dice.one(["svk", "corotated", "neo_hookean"]),
        "integrator": dice.one(["auto", "auto", "implicit", "auto" if wet else "midpoint"]),
        "order": dice.one([1, 2]),
        "friction": dice.one([0.0, 0.5]),
    }


def add_fluid(scene, dice, dims, height):
    high = [1.0, height, 1.0][:dims]
    if dice.chance(0.4):
        high[0] = dice.between(0.3, 0.8)
    scene["materials"]["liquid"] = {"density": dice.power(2.7, 3.3), "viscosity": dice.one([1e-3, 1e-3, 0.1, 10.0])}
    scene["bodies"]["pool"] = {"material": "liquid", "shape": {"box": {"low": [0.0] * dims, "high": high}}}
    scene["solver"] = {"pressure": dice.one(["dfsph", "dfsph", "pcisph", "wcsph"])}


def add_body(scene, dice, dims, name, at, radius, elastic):
    """A body in the ball; returns the radius of a ball inside of it."""
    material = f"of-{name}"
    shape, inner = make_shape(dice, dims, at, radius, elastic)
    body = {"material": material, "shape": shape}
    scene["materials"][material] = elastic_material(dice, "solver" in scene) if elastic else rigid_material(dice)
    slow = elastic or "solver" in scene
    if dice.chance(0.7):
        body["velocity"] = dice.vector(dims, dice.power(-1, 0.7 if slow else 1.3))
    if dice.chance(0.5):
        size = dice.power(0, 1 if slow else 3)
        body["spin"] = [0.0, 0.0, size] if dims == 2 else dice.vector(3, size)
    if elastic and dice.chance(0.2):
        body["hold"] = [{"shape": {"sphere": {"centre": [at[0] - 0.6 * radius, *at[1:]], "radius": 0.5 * radius}}}]
        body.pop("velocity", None), body.pop("spin", None)
    if not elastic and dice.chance(0.15):
        body.pop("velocity", None)
        if dice.chance(0.5):
            body["fixed"] = True
            body.pop("spin", None)
        else:
            body["hinge"] = {"point": at}
            body["spin"] = [0.0, 0.0, dice.power(0, 2)]
    scene["bodies"][name] = body
    return 0.0 if elastic else inner


def add_collider(scene, dice, dims, at, radius):
    """At rest, or moving until DRIVEN; whether it moves."""
    shape, _ = make_shape(dice, dims, at, 0.6 * radius, True)
    scene["colliders"]["obstacle"] = {"shape": shape}
    if dice.chance(0.5):
        return False
    way = [f"{x:.3g}*(1 - cos({math.pi / DRIVEN:.4g}*min(t, {DRIVEN})))" for x in dice.vector(dims, 0.15 * radius)]
    motion = {"move": way}
    if dice.chance(0.5):
        motion["angle"] = f"{dice.between(-20, 20):.3g}*min(t, {DRIVEN})"
    scene["colliders"]["obstacle"]["motion"] = motion
    return True


def add_stack(scene, dice, dims, at, edge, inner):
    count = dice.whole(2, 6)
    base = at[:]
    for k in range(count):
        base[1] = edge * (k + 0.5)
        name = f"box{k}"
        scene["materials"][f"of-{name}"] = {"model": "rigid", "density": dice.power(1, 6), "friction": 0.5}
        scene["bodies"][name] = {"material": f"of-{name}", "shape": {"box": {"centre": base[:], "size": [edge] * dims}}}
        inner[name] = 0.5 * edge


def make_scene(seed, steered):
    """The scene of a seed, with a box that waits where it is steered; for each rigid body the radius of a ball inside of it; the time from which energy is kept."""
    dice = Dice(seed)
    dims = dice.one([2, 2, 3])
    spacing = dice.one([0.02, 0.025, 0.03]) if dims == 2 else 0.05
    wall = {"low": [0.0] * dims, "high": [1.0] * dims, "x": "wall", "y": "wall", "z": "wall"}
    if dims == 2:
        del wall["z"]
    scene = {"dimensions": dims, "spacing": spacing, "seed": seed, "duration": DURATION, "fps": FRAMES / DURATION, "domain": wall}
    scene.update({"materials": {}, "bodies": {}, "colliders": {}, "emitters": {}})
    scene["outputs"] = {"preview": False, "formats": ["csv"], "fields": ["velocity"], "every": FRAMES}
    wet = dice.chance(0.35)
    gravity = dice.one([-9.81, -9.81, -9.81, -9.81, 0.0]) if not wet else -9.81
    scene["gravity"] = [-5.0 if dice.chance(0.1) else 0.0, gravity] + [0.0] * (dims - 2)
    inner, driven = {}, False
    cells = dice.one([3, 4]) if dims == 2 else 3
    size = 1.0 / cells
    free = [c for c in range(cells**dims)]
    if wet:
        add_fluid(scene, dice, dims, 0.9 * size)
        free = [c for c in free if (c // cells) % cells > 0]
    middle = lambda c: [size * ((c // cells**a) % cells + 0.5) for a in range(dims)]
    take = lambda: free.pop(int(dice.random() * len(free)))
    if not wet and dice.chance(0.2):
        at = middle(take())
        free = [c for c in free if any(abs(middle(c)[a] - at[a]) > 0.1 * size for a in range(dims) if a != 1)]
        add_stack(scene, dice, dims, at, dice.between(2.5 * spacing, min(0.16, 0.9 * size)), inner)
    soft = dice.chance(0.35)
    for k in range(min(dice.whole(1, 6), len(free) - 2)):
        elastic = soft and dice.chance(0.6)
        radius = size * (0.46 if elastic else dice.between(0.25, 0.46))
        inner[f"body{k}"] = add_body(scene, dice, dims, f"body{k}", middle(take()), radius, elastic)
    if dice.chance(0.3):
        driven = add_collider(scene, dice, dims, middle(take()), 0.46 * size)
    if wet and dice.chance(0.2):
        at = middle(take())
        scene["emitters"]["jet"] = {"material": "liquid", "centre": at, "radius": 0.2 * size, "speed": dice.between(0.5, 3.0), "end": DRIVEN}
        driven = True
    if steered and free:
        scene["materials"]["of-guest"] = {"model": dice.one(["rigid", "elastic"]), "density": dice.power(2, 3), "young": 1e5}
        box = {"centre": middle(free[0]), "size": [0.4 * size] * dims}
        scene["bodies"]["guest"] = {"material": "of-guest", "waits": True, "shape": {"box": box}}
        inner["guest"] = 0.2 * size
    return rounded(scene), inner, DRIVEN if driven else 0.0


# --- Commands -------------------------------------------------------------------------------------------------------


def middle_of(shape):
    """Of the bounds of a shape as make_shape makes it."""
    if isinstance(shape, list):
        points = [middle_of(one) for one in shape]
    elif "centre" in shape:
        return shape["centre"]
    elif "from" in shape or "low" in shape:
        points = [shape[end] for end in (("from", "to") if "from" in shape else ("low", "high"))]
    else:
        return middle_of(next(value for key, value in shape.items() if key != "rotate"))
    return [sum(x) / len(points) for x in zip(*points)]


def make_commands(scene, seed):
    """A hand takes hold of a body at the beginning, pulls it about and lets go at DRIVEN; friction or viscosity changes."""
    dice = Dice(1000003 + seed)
    names = [name for name, body in scene["bodies"].items() if "fixed" not in body and "waits" not in body]
    if not names:
        return []
    body, dims = scene["bodies"][dice.one(names)], scene["dimensions"]
    at, stiffness = middle_of(body["shape"]), dice.power(1, 4)
    commands = [{"step": 0, "command": "pull", "at": at, "radius": 0.3, "stiffness": stiffness}]
    times = sorted(dice.between(0.0, DRIVEN) for _ in range(5))
    for time in times:
        to = [x + dx for x, dx in zip(at, dice.vector(dims, dice.between(0.0, 0.4)))]
        commands.append({"time": time, "command": "pull", "to": to, "stiffness": stiffness})
    model = scene["materials"][body["material"]].get("model", "fluid")
    value = "viscosity" if model == "fluid" else "friction"
    commands.append({"time": DRIVEN, "command": "material", "material": f"{body['material']}.{value}", "value": dice.power(-2, 0)})
    if "guest" in scene["bodies"]:
        add = {"command": "add_body", "body": "guest"}
        commands = [{"step": 0, **add}, *commands, {"time": 0.4 * DRIVEN, "command": "remove_body", "body": "guest"}]
        commands.append({"time": 0.7 * DRIVEN, "velocity": dice.vector(dims, 1.0), **add})
        commands.sort(key=lambda one: one.get("time", 0.0))
    commands.append({"time": DRIVEN, "command": "pull", "stiffness": 0})
    return rounded(commands)


# --- Judgement ------------------------------------------------------------------------------------------------------


def read(path):
    with open(path, newline="") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(line for line in file if line[0] != "#")]


def largest_gain(rows, begin):
    """The largest rise above the least energy so far, as a part of the largest one."""
    energy = [sum(r.get(kind + "_energy", 0.0) for kind in KINDS) for r in rows if r["time"] > begin - 1e-9]
    least, gain = energy[0], 0.0
    for e in energy:
        least = min(least, e)
        gain = max(gain, e - least)
    return gain / max(energy) if max(energy) > 0 else 0.0


def is_outside(folder, scene, inner):
    dims, beyond = scene["dimensions"], INSIDE * scene["spacing"]
    away = lambda row, margin: any(not margin <= row["xyz"[a]] <= 1.0 - margin for a in range(dims))
    names = [n for n, b in scene["bodies"].items() if scene["materials"][b["material"]].get("model") == "rigid"]
    if (folder / "bodies.csv").exists():
        fixed = {n for n in names if "fixed" in scene["bodies"][n]}
        order = {float(k + 1): n for k, n in enumerate(names)}
        for row in read(folder / "bodies.csv"):
            name = order[row["body"]]
            if name not in fixed and away(row, inner[name] - beyond):
                return f"{name} at {row['time']:g} s"
    for path in sorted(folder.glob("*.csv")):
        rows = read(path) if path.name not in ("bodies.csv", "totals.csv") else []
        if any(away(r, -beyond) for r in rows if "x" in r):
            return path.name
    return None


def judge(folder, scene, inner, begin):
    """Kind of failure, or None; and words."""
    rows = read(folder / "totals.csv")
    report = json.loads((folder / "run.json").read_text())
    words = "; ".join(report[k].get("reason", "") for k in ("compressed", "inverted", "bodies_wrong") if k in report)
    if not all(math.isfinite(v) for r in rows for k, v in r.items()):
        return "number", words
    outside = is_outside(folder, scene, inner)
    if outside or rows[-1]["left"] > 0:
        return "outside", f"{outside}; {words}"
    gain = largest_gain(rows, begin)
    return "gain" if gain > GAIN else None, f"{100 * gain:.3g} %; {words}"


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def try_seed(tool, folder, seed, steered):
    scene, inner, begin = make_scene(seed, steered)
    path, out = folder / f"{seed}.yaml", folder / f"run{seed}"
    path.write_text("\n".join(f"{k}: {json.dumps(v)}" for k, v in scene.items() if v != {}) + "\n")
    command = [tool, "run", str(path), "-o", str(out), "--threads", "1", "--quiet", "--overwrite"]
    commands = make_commands(scene, seed) if steered else []
    if commands:
        record, begin = folder / f"{seed}.jsonl", DRIVEN
        record.write_text("".join(json.dumps(one) + "\n" for one in commands))
        command += ["--commands", str(record)]
    run = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    if run.returncode != 0:
        words = run.stderr.strip()
        if "the law svk" in words or '"guest" would overlap' in words:
            return None, words
        return "silent" if run.returncode < 0 or not words else "stopped", words[:300]
    return judge(out, scene, inner, begin)


def listed(path, seeds):
    lines = [line.split() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {(int(words[0]), words[1]) for words in lines if int(words[0]) in seeds}


def main():
    steered = "--steered" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--steered"]
    tool, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    seeds = [*range(first, first + count), *map(int, sys.argv[4:])]
    known = listed(pathlib.Path(__file__).resolve().parent.parent / "misses" / "physics.txt", seeds)
    known = {one for one in known if one[1].startswith("steered_") == steered}
    failures = set()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(os.environ.get("FUZZ_KEEP", folder))
        for seed in seeds:
            kind, words = try_seed(tool, folder, seed, steered)
            kind = f"steered_{kind}" if kind and steered else kind
            if kind or os.environ.get("FUZZ_KEEP"):
                print(f"{seed} {kind or 'passes'}: {words}", flush=True)
            failures |= {(seed, kind)} if kind else set()
    for seed, kind in sorted(known - failures):
        print(f"{seed} {kind} is listed and does not fail so")
    if failures != known:
        print("to insert into tests/misses/physics.txt: " + ", ".join(f"{seed} {kind}" for seed, kind in sorted(failures - known)))
    print(f"{len(seeds)} scenes, {len(failures)} failures, {len(known)} of them known")
    return 0 if failures == known else 1


if __name__ == "__main__":
    sys.exit(main())
