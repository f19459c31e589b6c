"""The program `mote`, which comes with the package: whole runs, built-in scenes."""
from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ._library import Environment, Error, __version__
from ._scene import Scene


def tool() -> str:
    """The file of the program: in the package, in the build directory, or on the PATH."""
    package = Path(__file__).resolve().parent
    for place in (package / "bin" / "mote", package.parents[1] / "mote"):
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    found = shutil.which("mote")
    if found is None:
        raise Error("the program mote was not found beside the package, and not on the PATH", code="file")
    said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    if __version__ not in said:
        raise Error(f"{found} is {said!r}, not mote {__version__}", code="file")
    return found


def ask_tool(arguments: list[str]) -> str:
    """What the program prints."""
    return subprocess.run([tool(), *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def examples() -> dict[str, str]:
    """The built-in scenes: title by name. World("dam_break") is one of them."""
    return dict(line.split(None, 1) for line in ask_tool(["examples"]).splitlines())


def run_world(scene: Scene, out: Any, progress: bool, overwrite: bool, commands: Any, environment: Environment) -> str:
    """Runs the scene into a directory; returns the name of its last snapshot."""
    arguments = ["-o", os.fspath(out)] + [word for change in scene.set for word in ("--set", change)]
    arguments += ["--overwrite"] * overwrite + ["--quiet"] * (not progress)
    arguments += ["--threads", str(environment.threads)] if environment.threads is not None else []
    arguments += ["--commands", os.fspath(commands)] if commands is not None else []
    if scene.given is None:
        call_tool(["run", scene.path, *arguments])
    else:
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=".", delete=False) as file:
            file.write(scene.given)
        try:
            call_tool(["run", file.name, *arguments])
        finally:
            os.unlink(file.name)
    return os.path.join(os.fspath(out), "snapshot.mote")


def call_tool(arguments: list[str]) -> None:
    """Runs the program with what it shows on the terminal; its messages are those of the exception."""
    quiet = "--quiet" in arguments
    done = subprocess.run([tool(), *arguments], stderr=subprocess.PIPE if quiet else None,
                          stdout=subprocess.DEVNULL, text=True)
    if done.returncode == 130:
        raise KeyboardInterrupt
    if done.returncode:
        said = (done.stderr or "mote run failed").strip()
        raise Error(said.replace("mote: ", ""), code="argument" if done.returncode == 2 else "numeric")
