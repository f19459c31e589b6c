#!/bin/sh
# python_release.sh RELEASE DIR WHEELS TOOL: the wheel that python_wheel.sh has built in WHEELS imports under the CPython of another
# release of Debian, such as trixie, and its hash of a dam break is that of TOOL. DIR: a directory to work in.
set -eu
cd "$(dirname "$0")/../.."
release=$1 work=$2 wheels=$3 tool=$4
ls "$wheels"/mote-*-abi3-*.whl > /dev/null 2>&1 || exit 77
. tests/checks/debian_root.sh
make_root "$release" "$work"
in_root sh -euc '
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-numpy python3-cffi-backend python3-pip > /dev/null
'
cp "$wheels"/mote-*-abi3-*.whl tests/checks/python_hash.py scenes/dam_break_2d.yaml "$root/root/"
"$tool" run scenes/dam_break_2d.yaml -o "$work/run" --quiet --json --frames 2 --set outputs.preview=false > "$work/run.json"
in_root sh -euc '
  cd /root
  python3 --version
  pip -q install --no-deps --no-index --break-system-packages --root-user-action ignore ./mote-*.whl
  python3 python_hash.py dam_break_2d.yaml
' | tee "$work/python.txt"
python3 - "$work" <<'PY'
import json, sys
said = json.loads(open(sys.argv[1] + "/run.json").read().splitlines()[-1])["state_hash"]
assert int(open(sys.argv[1] + "/python.txt").read().split()[-1]) == int(said, 16)
PY
