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


def main(run):
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


main(sys.argv[1])
