#!/usr/bin/env python3
"""check_mutants.py MOTE [COUNT [SEED]]: `mote check` answers every scene of tests/scenes_bad, and COUNT mutants of
those and of the built-in scenes, within 5 s of processor time and 500 MB, with status 0, 1 or 2."""
import os
import pathlib
import random
import re
import resource
import shutil
import sys
import tempfile

SECONDS, MEGABYTES = 5.0, 500.0
NUMBER = re.compile(r"(?<![\w.#-])-?\d+\.?\d*(?:e[+-]?\d+)?(?![\w.])")
ODD = ["0", "-1", "1e-9", "1e-30", "1e9", "1e30", "inf", "-inf", "nan", "1e400", "7", "0.5", "100000", "null", "[]", "{}", "\"\""]


def change_number(lines, rng):
    """One number a thousand times as large or small, of the other sign, or an odd word."""
    places = [(k, m) for k, line in enumerate(lines) for m in NUMBER.finditer(line.split("#")[0])]
    if not places:
        return
    k, m = rng.choice(places)
    old = float(m.group())
    new = rng.choice([f"{old * f:.6g}" for f in (1e3, 1e-3, 1e2, 0.1, -1, 3)] + ODD)
    lines[k] = lines[k][: m.start()] + new + lines[k][m.end() :]


def drop_line(lines, rng):
    del lines[rng.randrange(len(lines))]


def repeat_line(lines, rng):
    k = rng.randrange(len(lines))
    lines.insert(k, lines[k])


def swap_lines(lines, rng):
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]


def swap_words(lines, rng):
    words = [(k, m) for k, line in enumerate(lines) for m in re.finditer(r"[a-z_]{3,}", line)]
    if len(words) < 2:
        return
    (k, m), (_, other) = rng.sample(words, 2)
    lines[k] = lines[k][: m.start()] + other.group() + lines[k][m.end() :]


def cut(lines, rng):
    k = rng.randrange(len(lines))
    lines[k] = lines[k][: rng.randrange(len(lines[k]) + 1)]


CHANGES = [change_number] * 6 + [swap_words, drop_line, repeat_line, swap_lines, cut]


def mutate(text, rng):
    lines = text.splitlines()
    for _ in range(rng.randint(1, 3)):
        if lines:
            rng.choice(CHANGES)(lines, rng)
    return "\n".join(lines) + "\n"


def check(tool, scene):
    """Exit status (negative: a signal), seconds and megabytes of one `mote check`."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (int(4 * SECONDS), int(4 * SECONDS)))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1), os.dup2(null, 2)
        os.execv(tool, [tool, "check", str(scene), "--threads", "1"])
    _, status, used = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    tool = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    tests = pathlib.Path(__file__).resolve().parent.parent
    bad = sorted(tests.glob("scenes_bad/*.yaml"))
    seeds = bad + 4 * sorted(tests.parent.glob("scenes/**/*.yaml"))
    failures, worst_seconds, worst_megabytes = 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for mesh in tests.parent.glob("scenes/*/*.obj"):
            shutil.copy(mesh, folder)
        for k in range(-len(bad) if count >= 2000 else 0, count):
            scene = bad[k] if k < 0 else pathlib.Path(folder) / f"mutant{k}.yaml"
            if k >= 0:
                seed = rng.choice(seeds)
                scene.write_text(mutate(seed.read_text(errors="replace"), rng))
            status, seconds, megabytes = check(tool, scene)
            worst_seconds, worst_megabytes = max(worst_seconds, seconds), max(worst_megabytes, megabytes)
            if status in (0, 1, 2) and seconds <= SECONDS and megabytes <= MEGABYTES:
                continue
            failures += 1
            print(f"{scene.name}{'' if k < 0 else ' of ' + seed.name}: status {status}, {seconds:.1f} s, {megabytes:.0f} MB")
            if k >= 0 and failures <= 5:
                print(scene.read_text())
            if os.environ.get("MUTANTS_KEEP") and k >= 0:
                pathlib.Path(os.environ["MUTANTS_KEEP"], scene.name).write_text(scene.read_text())
    print(f"{count} mutants: at most {worst_seconds:.1f} s and {worst_megabytes:.0f} MB, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
