#!/bin/sh
# python_wheel.sh PYTHON MOTE DIR: the wheel that "pip install ." builds of the last commit, without network, into a new
# environment: it imports where no compiler is found, and its hash of a dam break is that of MOTE.
set -eu
cd "$(dirname "$0")/../.."
python=$1 tool=$2 work=$3
"$python" -c 'import setuptools, wheel, cffi, numpy, venv, pip' 2>/dev/null || exit 77
case $work in */python-wheel) rm -rf "$work" ;; *) echo "python_wheel.sh: not a directory of its own: $work" >&2; exit 2 ;; esac
mkdir -p "$work/source"
git archive HEAD | tar -x -C "$work/source"
"$python" -m venv --system-site-packages "$work/env"
"$work/env/bin/pip" -q wheel --no-build-isolation --no-deps --no-index -w "$work" "$work/source"
"$work/env/bin/pip" -q install --no-deps --no-index "$work"/mote-*-abi3-*.whl
scene=$PWD/scenes/dam_break_2d.yaml checks=$PWD/tests/checks
cd "$work"
"$tool" run "$scene" -o run --quiet --json --frames 2 --set outputs.preview=false > run.json
PATH=$work/empty "$work/env/bin/python3" "$checks/python_hash.py" "$scene" | tee python.txt
"$python" - <<'PY'
import json
said = json.loads(open("run.json").read().splitlines()[-1])["state_hash"]
assert int(open("python.txt").read().split()[-1]) == int(said, 16)
PY
