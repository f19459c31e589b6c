"""Files: clouds of particles and meshes in all formats of the library, and directories of runs."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Iterator, Optional, Union

import numpy as np

from ._arrays import Array, FieldViews, copy_of, doubles, numbers, vector
from ._checks import checked, items
from ._library import DEFAULT, Error, as_dict, call, ffi, lib, path_of, text, texts
from ._surface import Held, Mesh, as_mesh, take_surface


class Cloud(dict):  # type: ignore[type-arg]
    """Particles of a file: {"position": ..., "velocity": ...}; stamp: time, step, spacing, ... of the file."""

    def __init__(self, fields: dict[str, Any], stamp: Optional[dict[str, Any]] = None) -> None:
        super().__init__(fields)
        self.stamp = stamp or {}


@checked
def endings(kind: str, writing: bool) -> list[str]:
    """The endings of files of "clouds" or "meshes" that can be read or written."""
    known = {"clouds": lib.mote_cloud_endings, "meshes": lib.mote_surface_endings}
    if kind not in known:
        raise Error(f"kind: {kind!r} is none of {', '.join(known)}", key="kind")
    function = known[kind]
    return texts(function(writing))


def _ending(path: Any) -> str:
    return os.fsdecode(ffi.string(path_of(path))).removesuffix(".gz").rpartition(".")[2].lower()


def read(path: Any) -> Union[Cloud, Mesh]:
    """A file with particles as a Cloud, one with triangles as a Mesh."""
    if _ending(path) not in endings("clouds", False) or lib.mote_surface_holds(path_of(path)):
        return read_mesh(path)
    return read_cloud(path)


def read_mesh(path: Any) -> Mesh:
    out, stamp = ffi.new("mote_surface *"), ffi.new("mote_stamp *")
    call(lib.mote_surface_read, path_of(path), DEFAULT.pointer, out, stamp)
    return take_surface(out)


def read_cloud(path: Any) -> Cloud:
    cloud = ffi.new("mote_cloud *")
    call(lib.mote_cloud_read, path_of(path), DEFAULT.pointer, cloud)
    fields = {text(cloud.field[k].name): copy_of(cloud.field[k]) for k in range(cloud.fields)}
    stamp = as_dict(cloud.stamp)
    lib.mote_cloud_free(cloud, DEFAULT.pointer)
    return Cloud(fields, stamp)


@checked
def write(path: Any, content: Any, *, time: float = float("nan"), step: int = 0, spacing: float = 0.0) -> None:
    """Writes a Mesh, (vertices, faces), or a dict of fields with "position"; the ending chooses the format."""
    stamp = ffi.new("mote_stamp *")
    if step < 0:
        raise Error(f"step: {step} is negative", key="step")
    stamp.version, stamp.time, stamp.step, stamp.spacing = lib_version(), time, step, spacing
    if isinstance(content, dict):
        _write_cloud(path, content, stamp)
        return
    held = Held(as_mesh(content, "content"))
    call(lib.mote_surface_write, held.pointer, stamp, path_of(path))


def lib_version() -> bytes:
    return bytes(ffi.string(lib.mote_version()))


def _write_cloud(path: Any, fields: dict[str, Any], stamp: Any) -> None:
    if "position" not in fields:
        raise Error("a cloud needs a field \"position\"", key="position")
    rows = numbers(fields["position"], "position", np.float64, columns=3)
    cloud, views = ffi.new("mote_cloud *"), FieldViews(fields, len(rows), lib.MOTE_CLOUD_FIELDS)
    cloud.count, cloud.stamp = len(rows), stamp[0]
    views.put(cloud)
    call(lib.mote_cloud_write, cloud, path_of(path))


@checked
def write_grid(path: Any, fields: dict[str, Any], origin: Any, spacing: Any) -> None:
    """Writes values on a grid, arrays (z, y, x) or (z, y, x, components), as vti or csv; spacing: one number, or three."""
    shapes = {np.shape(value)[:3] for value in fields.values()}
    if len(shapes) != 1 or min(map(len, shapes)) != 3:
        raise Error(f"fields: the shapes are {sorted(shapes)}, not one (z, y, x)", key="fields")
    size = shapes.pop()
    flat = {name: np.reshape(value, (-1, *np.shape(value)[3:])) for name, value in fields.items()}
    grid, views = ffi.new("mote_grid_samples *"), FieldViews(flat, int(np.prod(size)), lib.MOTE_CLOUD_FIELDS)
    grid.size, grid.origin = list(reversed(size)), list(vector(origin, "origin"))
    grid.spacing = list(vector(np.broadcast_to(spacing, 3) if np.ndim(spacing) == 0 else spacing, "spacing"))
    grid.stamp.time, grid.stamp.version = float("nan"), lib_version()
    views.put(grid)
    call(lib.mote_grid_samples_write, grid, path_of(path))


def write_series(path: Any, files: Any, times: Any) -> None:
    """Writes a list of files with their times, which ParaView (pvd) or USD viewers (usda) show as a sequence."""
    at, names = numbers(times, "times", np.float64), [path_of(name, "files") for name in items(files, "files")]
    if len(names) != len(at):
        raise Error(f"times: there are {len(at)}, not {len(names)}", key="times")
    call(lib.mote_series_write, path_of(path), ffi.new("char *[]", names), doubles(at), len(at))


# --- Runs -------------------------------------------------------------------------------------------------


class Run:
    """The directory of a run: Run("dam").frames, .frame(3), .totals["kinetic_energy"], .probes["gauge"]["level"]."""

    def __init__(self, directory: Any) -> None:
        self.directory = Path(os.fsdecode(ffi.string(path_of(directory, "directory"))))
        place = self.directory / "run.json"
        if not place.is_file():
            raise Error(f"{self.directory}: not the directory of a run", code="file", file=str(directory))
        self.info: dict[str, Any] = json.loads(place.read_text())

    def frame_files(self, what: str = "particles") -> list[Path]:
        """The files of particles, "elastic", "lattice", "surface", ... of all frames, in their order."""
        names = sorted(self.directory.glob(f"{what}.[0-9]*.*"))
        first = _ending(names[0]) if names else ""
        return [name for name in names if _ending(name) == first]

    @property
    def frames(self) -> int:
        return max((len(self.frame_files(what)) for what in ("particles", "elastic", "lattice")), default=0)

    def frame(self, number: int, what: str = "particles") -> Union[Cloud, Mesh]:
        """Frame `number`, from 1."""
        files = self.frame_files(what)
        if not 1 <= number <= len(files):
            raise IndexError(f"there is no frame {number} of {what}: there are {len(files)}")
        return read(files[number - 1])

    def __iter__(self) -> Iterator[Union[Cloud, Mesh]]:
        return (read(name) for name in self.frame_files())

    def table(self, name: str) -> dict[str, Array]:
        """A table of the run, e.g. "totals": its columns."""
        import csv

        with open(self.directory / f"{name}.csv", newline="") as file:
            head, *rows = list(csv.reader(line for line in file if not line.startswith("#")))
        return {column: _column([row[k] for row in rows]) for k, column in enumerate(head)}

    @property
    def totals(self) -> dict[str, Array]:
        return self.table("totals")

    @property
    def probes(self) -> dict[str, dict[str, Array]]:
        """The tables of the probes by their names."""
        names = [name.stem for name in sorted(self.directory.glob("probe_*.csv"))]
        return {name[len("probe_"):]: self.table(name) for name in names}

    @property
    def snapshots(self) -> list[Path]:
        return sorted(self.directory.glob("*.mote"))

    def world(self, **options: Any) -> Any:
        """The world of the run in the state of its last snapshot."""
        from ._world import World

        world = World(self.directory / "scene.yaml", **options)
        world.load(self.directory / "snapshot.mote")
        return world

    def __repr__(self) -> str:
        return f"Run({str(self.directory)!r}, {self.frames} frames)"


def _column(values: list[str]) -> Array:
    try:
        return np.array([float(value) if value else np.nan for value in values])
    except ValueError:
        return np.array(values)
