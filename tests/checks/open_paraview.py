# Run by pvpython: the series with its times, every frame with its positions, fields and cells (open_elsewhere.sh).
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy
from paraview import servermanager
from paraview import simple
from paraview.vtk.util.numpy_support import vtk_to_numpy

import frame_table
from frame_table import check


def compare(data, fields, what):
    points = vtk_to_numpy(data.GetPoints().GetData())
    position = fields["position"]
    check(points.dtype == position.dtype, what + ": positions of type %s" % points.dtype)
    check(numpy.array_equal(points, position), what + ": positions")
    check(data.GetNumberOfCells() == len(position), what + ": a vertex per point")
    for name, values in fields.items():
        if name == "position":
            continue
        array = data.GetPointData().GetArray(name)
        check(array is not None, what + ": no field " + name)
        there = vtk_to_numpy(array).reshape(values.shape)
        check(there.dtype == values.dtype, what + ": %s of type %s" % (name, there.dtype))
        check(numpy.array_equal(there, values), what + ": values of " + name)


CORNERS = [[0.125, 0.25, 0.375], [1, 0.5, 0.625], [0.75, 2, 0.875], [0.0625, 0.1875, 3]]
NORMALS = [[-1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
COLOURS = [[255, 0, 0], [0, 128, 0], [0, 0, 55], [10, 20, 30]]


def check_surface(path, reader):
    """A surface of four triangles in one of the formats; what it holds depends on that."""
    reader.UpdatePipeline()
    data = servermanager.Fetch(reader)
    while data.IsA("vtkMultiBlockDataSet"):
        data = data.GetBlock(0)
    points = vtk_to_numpy(data.GetPoints().GetData())
    check(data.GetNumberOfCells() == 4, path + ": %d cells" % data.GetNumberOfCells())
    for corner in CORNERS:
        check(min(numpy.linalg.norm(points - corner, axis=1)) < 1e-6, path + ": no point at %s" % corner)
    if path[-3:] == "stl":
        return
    normals = data.GetPointData().GetNormals()
    check(normals is not None, path + ": normals")
    check(numpy.array_equal(vtk_to_numpy(normals), NORMALS), path + ": values of the normals")
    if path[-3:] == "vtp":
        fields = data.GetPointData()
        check(numpy.array_equal(vtk_to_numpy(fields.GetArray("colour")), COLOURS), path + ": colours")
        check(numpy.array_equal(vtk_to_numpy(fields.GetArray("speed")), [1.5, 2.5, 3.5, 4.5]), path + ": speed")
        check(vtk_to_numpy(data.GetFieldData().GetArray("TimeValue"))[0] == 0.25, path + ": time")
        check(points.dtype == numpy.float64, path + ": positions of type %s" % points.dtype)


def check_surfaces(work):
    surface = lambda ending: os.path.join(work, "surface." + ending)
    check_surface(surface("vtp"), simple.XMLPolyDataReader(FileName=[surface("vtp")]))
    check_surface(surface("obj"), simple.WavefrontOBJReader(FileName=surface("obj")))
    check_surface(surface("stl"), simple.STLReader(FileNames=[surface("stl")]))
    ply = simple.PLYReader(FileNames=[surface("ply")])
    ply.UpdatePipeline()
    data = servermanager.Fetch(ply)
    check(numpy.array_equal(vtk_to_numpy(data.GetPointData().GetArray("RGB")), COLOURS), "colours of PLY")
    check(numpy.allclose(vtk_to_numpy(data.GetPoints().GetData()), CORNERS, atol=1e-7), "points of PLY")
    if hasattr(simple, "glTFReader"):
        check_surface(surface("glb"), simple.glTFReader(FileName=surface("glb")))


def main(run, work):
    check_surfaces(work)
    tables = [frame_table.read(path) for path in frame_table.frames(run)]
    check(len(tables) > 1, "no frames in " + run)
    series = simple.PVDReader(FileName=os.path.join(run, "particles.pvd"))
    check(list(series.TimestepValues) == [time for time, _ in tables], "times of the series")
    for time, fields in tables:
        series.UpdatePipeline(time)
        data = servermanager.Fetch(series)
        compare(data, fields, "series at %g s" % time)
        check(vtk_to_numpy(data.GetFieldData().GetArray("TimeValue"))[0] == time, "TimeValue")
        check(data.GetFieldData().GetArray("mote_version").GetNumberOfComponents() == 3, "version")
    for path, (time, fields) in zip(frame_table.frames(run), tables):
        grid = path[:-4] + ".vtu"
        if os.path.exists(grid):
            reader = simple.XMLUnstructuredGridReader(FileName=[grid])
            reader.UpdatePipeline()
            compare(servermanager.Fetch(reader), fields, grid)
    print("paraview: %d frames, %d particles, %d fields" % (len(tables), len(fields["position"]), len(fields)))


main(*sys.argv[1:3])
