"""Reads the directory of a run and plots its energies, with matplotlib where it is there, as a table elsewhere."""
from __future__ import annotations

import sys

import numpy as np

import mote

SPACING = sys.argv[1] if len(sys.argv) > 1 else "2 cm"


def make_run(directory: str) -> None:
    world = mote.World(dimensions=2, spacing=SPACING, duration="0.6 s", outputs={"preview": False},
                       domain={"low": [0, 0], "high": [1.2, 1], "x": "wall", "y": "wall"})
    world.add_body("dam", shape={"box": {"low": [0, 0], "high": [0.3, 0.6]}})
    world.add_probe("gauge", kind="level", from_=[1.0, 0], to=[1.0, 1])
    world.run(directory, progress=False, overwrite=True)


def main() -> None:
    make_run("plot_run")
    run = mote.Run("plot_run")
    totals, level = run.totals, run.probes["gauge"]["level"]
    energy = totals["kinetic_energy"] + totals["potential_energy"]
    print(f"{run}: {np.ptp(energy) / energy[0]:.1%} of the energy is gone, the gauge rose to {level.max():.2f} m")
    last = run.frame(run.frames)
    assert isinstance(last, mote.Cloud)
    print(f"fastest particle at the end: {np.linalg.norm(last['velocity'], axis=1).max():.2f} m/s")
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        for name in ("time", "kinetic_energy", "potential_energy"):
            print(name, " ".join(f"{value:.4g}" for value in totals[name][::5]))
        return
    for name in ("kinetic_energy", "potential_energy"):
        plt.plot(totals["time"], totals[name], label=name.replace("_", " "))
    plt.xlabel("time, s")
    plt.ylabel("J per metre")
    plt.legend()
    plt.savefig("plot_run.png")


main()
