"""Mesh files that are written again with other positions, all else in them as it was (mote/model.h)."""
from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np

from ._arrays import Array, copy_numbers, doubles, numbers, pointer
from ._checks import checked
from ._library import DEFAULT, Callback, Error, call, ffi, lib, make, path_of, string, suggest, text
from ._surface import Mesh, copy_mesh, mesh_pointer


@checked
class Model:
    """A mesh file, Model("animal.obj"), or a Mesh, to be written with other positions: groups, textures, ... stay.

    `mesh` has the vertices of the file in their order, then copies of those with several normals.
    """

    def __init__(self, source: Any) -> None:
        if isinstance(source, Mesh):
            out = make("mote_model *", lib.mote_model_make, mesh_pointer(source), DEFAULT.pointer)
        else:
            out = make("mote_model *", lib.mote_model_read, path_of(source), DEFAULT.pointer)
        self._pointer = ffi.gc(out, lib.mote_model_destroy)

    @property
    def mesh(self) -> Mesh:
        """As the file has it, with its normals where it has any."""
        mesh, normal = copy_mesh(lib.mote_model_mesh(self._pointer)), lib.mote_model_normals(self._pointer)
        if normal != ffi.NULL:
            mesh.normals = copy_numbers(normal, (len(mesh.vertices), 3), np.float64)
        return mesh

    @property
    def vertices(self) -> int:
        """Vertices of the file, without the copies."""
        return int(lib.mote_model_vertices(self._pointer))

    @property
    def groups(self) -> list[str]:
        """Names of its parts: groups, objects, materials of OBJ; nodes, meshes, materials of GLB."""
        return [text(lib.mote_model_group(self._pointer, k)) for k in range(lib.mote_model_groups(self._pointer))]

    def group(self, name: str) -> Array:
        """The vertices of a part: numbers of rows of the mesh, as Deform.add_region takes them."""
        inside = np.zeros(len(self), np.uint8)
        if lib.mote_model_mark_group(self._pointer, string(name), pointer(inside, "uint8_t")) == 0:
            raise KeyError(f"there is no group {name!r}{suggest(str(name), self.groups)}")
        return np.flatnonzero(inside)

    def __len__(self) -> int:
        return int(lib.mote_model_mesh(self._pointer).vertices)

    def keeps(self, path: Any) -> bool:
        """Whether a file of this name would keep everything: it has the format of the source."""
        return bool(lib.mote_model_keeps(self._pointer, path_of(path)))

    def write(self, path: Any, vertices: Any, normals: Any = None) -> None:
        """Writes the file with other positions, and normals; `vertices` may be a Mesh, of deform.mesh say."""
        x, n = self._rows(vertices, normals)
        call(lib.mote_model_write, self._pointer, doubles(x), ffi.NULL if n is None else doubles(n), path_of(path))

    def write_motion(self, path: Any, times: Any, mesh_at: Callable[[float], Any]) -> None:
        """A GLB file with an animation: mesh_at(time) is the mesh, or its vertices, at each of the times, s."""
        at = numbers(times, "times", np.float64)

        def pose(_: Any, k: int, position: Any, normal: Any, __: Any) -> int:
            x, n = self._rows(mesh_at(float(at[k])), None)
            ffi.memmove(position, ffi.from_buffer(x), x.nbytes)
            if normal != ffi.NULL:
                n = self._normals(x) if n is None else n
                ffi.memmove(normal, ffi.from_buffer(n), n.nbytes)
            return int(lib.MOTE_OK)

        kind = "mote_result(void *, size_t, double *, double *, mote_error *)"
        with Callback(kind, pose, lib.MOTE_ERROR_ARGUMENT) as function:
            call(lib.mote_model_write_motion, self._pointer, doubles(at), len(at), function, ffi.NULL, path_of(path))

    def _rows(self, vertices: Any, normals: Any) -> tuple[Array, Optional[Array]]:
        if isinstance(vertices, Mesh):
            vertices, normals = vertices.vertices, vertices.normals if normals is None else normals
        x = numbers(vertices, "vertices", np.float64, columns=3, rows=len(self))
        if not len(x):
            raise Error("vertices: there are none", key="vertices")
        return x, None if normals is None else numbers(normals, "normals", np.float64, columns=3, rows=len(x))

    def _normals(self, vertices: Array) -> Array:
        """Means of the triangles' normals by their areas."""
        faces = self.mesh.faces
        a, b, c = (vertices[faces[:, k]] for k in range(3))
        out = np.zeros_like(vertices)
        for k in range(3):
            np.add.at(out, faces[:, k], np.cross(b - a, c - a))
        length = np.linalg.norm(out, axis=1, keepdims=True)
        return np.where(length > 0, out / np.where(length > 0, length, 1), [0.0, 0.0, 1.0])
