"""What the tests of the Python package share: small scenes, the tool, the folder of sources."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import mote

ROOT = Path(__file__).resolve().parents[2]
TOOL = os.environ["MOTE_TOOL"]
FAST = {"outputs": {"preview": False}}

DAM = {"dimensions": 2, "spacing": 0.05, "duration": 0.4, "solver": {"quality": "fast"}, **FAST,
       "domain": {"low": [0, 0], "high": [1, 1], "x": "wall", "y": "wall"},
       "bodies": {"dam": {"shape": {"box": {"low": [0, 0], "high": [0.4, 0.6]}}}}}

# Every kind of matter, heat, a collider, an emitter, a drain, probes.
EVERYTHING = """
dimensions: 2
spacing: 4 cm
duration: 0.4 s
heat: true
domain: {low: [0, 0], high: [1, 1], x: wall, y: [wall, open], temperature: 350}
materials:
  water: {conductivity: 600}
  foam: {model: elastic, density: 300, young: 30 kPa, poisson: 0.3, heat_capacity: 1000}
  block: {model: lattice, density: 1500, young: 300 kPa, poisson: 0.2, heat_capacity: 1000, melting_point: 400}
  wood: {model: rigid, density: 500, heat_capacity: 1000}
bodies:
  pool: {shape: {box: {low: [0, 0], high: [1, 0.28]}}, temperature: 300}
  ball: {material: foam, shape: {sphere: {centre: [0.25, 0.5], radius: 0.1}}, temperature: 300}
  brick: {material: block, shape: {box: {low: [0.6, 0.4], high: [0.8, 0.6]}}, temperature: 300}
  box: {material: wood, shape: {box: {low: [0.42, 0.34], high: [0.5, 0.42]}}}
colliders:
  paddle: {shape: {box: {low: [0.9, 0.3], high: [0.94, 0.6]}}}
emitters:
  jet: {centre: [0.1, 0.9], direction: [0, -1], radius: 0.06, speed: 1, temperature: 300}
drains:
  hole: {shape: {box: {low: [0.9, 0], high: [1, 0.1]}}}
probes:
  gauge: {kind: level, from: [0.5, 0], to: [0.5, 1]}
  inside: {kind: line, from: [0.1, 0.1], to: [0.9, 0.1], count: 5}
outputs: {preview: false, ledger: true}
"""


def run_tool(*arguments):
    """Runs the tool, which must not fail."""
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.returncode}: {done.stderr}")
    return done.stdout


def tool_hash(scene, *arguments):
    """The hash of the state at the end of `mote run`."""
    with tempfile.TemporaryDirectory() as folder:
        out = run_tool("run", scene, "-o", f"{folder}/run", "--json", "--quiet", *arguments)
    return int(json.loads(out.splitlines()[-1])["state_hash"], 16)


class Case(unittest.TestCase):
    def fails(self, part, call, *arguments, error=mote.Error, **keys):
        """The call raises with this part of its message, which is returned."""
        with self.assertRaises(error) as caught:
            call(*arguments, **keys)
        self.assertIn(part, str(caught.exception))
        return caught.exception
