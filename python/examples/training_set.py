"""Frames of particles as a training set: positions and velocities of the same particles in every row, for torch too."""
from __future__ import annotations

import sys

import numpy as np

import mote

SPACING = sys.argv[1] if len(sys.argv) > 1 else "2 cm"
FRAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 1000


def main() -> None:
    world = mote.World(dimensions=2, spacing=SPACING, fps=200, duration=FRAMES / 200,
                       domain={"low": [0, 0], "high": [1, 1], "x": "wall", "y": "wall"}, solver={"quality": "fast"})
    world.add_body("drop", shape={"sphere": {"centre": [0.5, 0.6], "radius": 0.2}})
    world.add_body("pool", shape={"box": {"low": [0, 0], "high": [1, 0.25]}})
    ids = np.sort(world["id"])
    position = np.empty((FRAMES, len(ids), 2), np.float32)
    velocity = np.empty_like(position)
    for row, _ in enumerate(world.frames(FRAMES)):
        position[row] = world.by_id("position", ids)[:, :2]
        velocity[row] = world.by_id("velocity", ids)[:, :2]
    np.savez_compressed("training_set.npz", position=position, velocity=velocity, ids=ids)
    print(f"{FRAMES} frames of {len(ids)} particles")
    try:
        import torch
    except ImportError:
        return
    inputs = torch.from_dlpack(position[:-1])  # without a copy
    print(inputs.shape, inputs.dtype)


main()
