# A frame as its CSV file tells it: the reference for what other programs make of the other formats.
import csv
import glob
import os

import numpy

TYPES = {"f32": "f4", "f64": "f8", "u8": "u1", "u32": "u4", "u64": "u8", "i32": "i4"}


def read(path):
    """The time, and each field as an array of its type with a row per particle."""
    with open(path) as file:
        lines = file.read().splitlines()
    notes = [line[1:].split() for line in lines if line.startswith("#")]
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))[1:]
    time = [float(note[1]) for note in notes if note[0] == "time"][0]
    fields, column = {}, 0
    for note in notes:
        if note[0] != "field":
            continue
        size, kind = int(note[3]), TYPES[note[2]]
        number = int if kind[0] in "ui" else float
        values = [[number(cell) for cell in row[column : column + size]] for row in rows]
        fields[note[1]] = numpy.array(values, dtype=kind).reshape(len(rows), size)
        column += size
    return time, fields


def frames(run):
    return sorted(glob.glob(os.path.join(run, "particles.*.csv")))


def check(condition, text):
    if not condition:
        raise SystemExit("failed: " + text)
