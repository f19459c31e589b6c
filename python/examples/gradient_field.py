"""The gradient of one's own field at the particles of a world, by moving least squares."""
from __future__ import annotations

import sys

import numpy as np

import mote

SPACING = sys.argv[1] if len(sys.argv) > 1 else "1 cm"


def main() -> None:
    world = mote.World(dimensions=2, spacing=SPACING, domain={"low": [0, 0], "high": [1, 1], "x": "wall", "y": "wall"})
    world.add_body("pool", shape={"box": {"low": [0, 0], "high": [1, 0.5]}}, fill="relaxed")
    world.advance(0.05)
    x = world["position"]
    field = np.sin(4 * x[:, 0]) * np.exp(-2 * x[:, 1])
    exact = np.stack([4 * np.cos(4 * x[:, 0]) * np.exp(-2 * x[:, 1]), -2 * field], axis=1)

    shapes = mote.Mls(x, 3 * world.spacing, order=2, dimensions=2).at(derivatives=1)
    found = shapes.gradient(field)[:, :2]
    inside = shapes.fit["order"] == 2
    error = np.abs(found - exact)[inside].max()
    print(f"{len(x)} particles, {inside.sum()} of them fitted by quadratics, largest error {error:.2e}")

    vorticity = mote.Mls(x, 3 * world.spacing, dimensions=2).at().gradient(world["velocity"])
    turning = vorticity[:, 1, 0] - vorticity[:, 0, 1]
    print(f"largest vorticity {np.abs(turning).max():.2e} 1/s")
    assert error < 0.1


main()
