#!/usr/bin/env python3
"""csv_headers.py MOTE: the tables of a run are what pandas and numpy's genfromtxt(names=True) read: plain comma separated
values whose first line holds names that are identifiers, each once, and comments that begin with # (pandas: comment="#"). numpy reads them where it is installed. The columns
of totals.csv are those of a world with a fluid, a rigid and an elastic body, and belong together."""
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCENE = """
dimensions: 2
spacing: 0.05
duration: 0.4
fps: 20
domain: {low: [0, 0], high: [2, 1], x: wall, y: [wall, open]}
materials:
  rubber: {preset: rubber, young: 1 MPa, integrator: implicit}
  stone: {model: rigid, density: 2000}
bodies:
  pool: {material: water, shape: {box: {low: [0, 0], high: [0.6, 0.4]}}}
  rock: {material: stone, shape: {box: {low: [1.6, 0.01], high: [1.8, 0.21]}}}
  block: {material: rubber, shape: {box: {low: [1.1, 0.01], high: [1.4, 0.21]}}}
probes:
  corner: {from: [0.1, 0.1]}
  ground: {kind: force, of: rock}
  tip: {kind: body, of: block, from: [1.2, 0.2]}
outputs: {preview: false, formats: [csv]}
"""
TOTALS = """time step particles emitted drained left mass momentum_x momentum_y momentum_z angular_momentum_x angular_momentum_y
angular_momentum_z kinetic_energy potential_energy centre_x centre_y centre_z speed_max compression_mean compression_max
volume_error elastic_energy inverted""".split()
NAME = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")


def read(path):
    """Names and rows of numbers."""
    with open(path, newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names, table = rows[0], not re.match(r"(particles|elastic|solids)\.", path.name)
    assert not table or "#" not in path.read_text(), f"{path.name}: has comments"
    assert all(NAME.match(name) for name in names), f"{path.name}: {names}"
    assert len(set(names)) == len(names), f"{path.name}: a name is there twice: {names}"
    for row in rows[1:]:
        assert len(row) == len(names), f"{path.name}: {len(row)} values for {len(names)} names"
    return names, [{name: float(value) for name, value in zip(names, row)} for row in rows[1:]]


def read_with_numpy(path, names):
    try:
        import numpy
    except ImportError:
        return False
    table = numpy.genfromtxt(path, names=True, delimiter=",")
    assert list(table.dtype.names) == names, f"{path.name}: numpy reads {table.dtype.names}"
    return True


def check_totals(names, rows):
    assert names[: len(TOTALS)] == TOTALS, f"totals.csv: {names}"
    for row in rows:
        assert math.isclose(row["mass"], rows[0]["mass"], rel_tol=1e-12)
        assert math.isclose(row["potential_energy"], 9.81 * row["mass"] * row["centre_y"], rel_tol=1e-9)
        assert row["kinetic_energy"] >= 0 and row["elastic_energy"] >= 0 and row["inverted"] == 0
    last = rows[-1]
    assert last["time"] == 0.4 and last["elastic_energy"] > 0
    assert 0 < last["speed_max"] and abs(last["momentum_z"]) == 0


def main():
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "scene.yaml").write_text(SCENE)
        subprocess.run([tool, "run", "scene.yaml", "-o", "run", "--quiet", "--threads", "1"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        files = sorted((folder / "run").glob("*.csv"))
        assert {"totals.csv", "bodies.csv", "probe_corner.csv", "probe_ground.csv", "probe_tip.csv"} <= {f.name for f in files}
        numpy = True
        for path in files:
            names, rows = read(path)
            numpy = read_with_numpy(path, names) and numpy
            if path.name == "totals.csv":
                check_totals(names, rows)
            if path.name == "probe_ground.csv":
                weight = 2000 * 0.04 * 9.81
                assert math.isclose(rows[-1]["force_y"], weight, rel_tol=0.05), rows[-1]
    print(f"{len(files)} tables" + ("" if numpy else "; numpy is not installed"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
