#!/bin/sh
# The program on another release of Debian: $1, such as trixie or sid (the newest compilers). $2: a directory to work
# in. A root of that release is made there with debootstrap, from the mirror that apt uses on this machine. In it, the
# packages of packages.txt are installed, the tool is built, a coarse dam break is simulated, meshed and rendered as a
# picture and a film, as "make demo" does it, and the golden tests run; the Debian package is made and used in a second,
# fresh root. $3, where given: this machine's tool, whose motion hash must be the same and whose picture may differ by
# less than 1 % in the mean.
# Exit status 77 (skipped) without root or debootstrap. Takes about 15 minutes on 2 cores, most of them compiling.
set -eu
cd "$(dirname "$0")/../.."
release=$1 work=$2 tool=${3:-}
. tests/checks/debian_root.sh
make_root "$release" "$work"

cp -a "$root" "$work/fresh"
mkdir "$root/mote"
git ls-files -z | tar -c --null -T - | tar -x -C "$root/mote"
in_root sh -euc '
  cd /mote
  ./packages.sh install build
  cmake --preset release | grep -i embree
  make > build/make.log 2>&1 || { tail -n 50 build/make.log; exit 1; }
  grep "warning:" build/make.log || echo "no warnings"
  run_coarse="--set spacing=4cm --set duration=0.6 --set outputs.preview=false"
  build/mote run dam_break -o demo $run_coarse --quiet > motion.txt
  build/mote mesh demo -o demo/mesh --format glb --quiet > /dev/null
  build/mote render demo --as surface --size 160x90 --samples 4 --quiet -o demo/dam_break.mp4
  build/mote render demo --as surface --frames 10 --size 320x180 --samples 16 --quiet -o demo/dam_break.png
  cmake --build build -j"$(nproc)" --target golden-tests > build/golden.log 2>&1 || { cat build/golden.log; exit 1; }
  ctest --test-dir build --output-on-failure --no-tests=error -L golden
  make deb
'
built=$root
root=$(cd "$work" && pwd)/fresh
use_package "$built"/mote/build/mote_*.deb
root=$built
[ -n "$tool" ] || exit 0

# The mean of all bytes of a picture, 0 to 255.
mean() {
  ffmpeg -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 |
    awk '{for (k = 1; k <= NF; ++k) sum += $k; n += NF} END {print sum / n}'
}
"$tool" run dam_break -o "$work/here" --set spacing=4cm --set duration=0.6 --set outputs.preview=false --quiet > "$work/motion.txt"
motion_there=$(grep -o 'motion [0-9a-f]*' "$root/mote/motion.txt")
motion_here=$(grep -o 'motion [0-9a-f]*' "$work/motion.txt")
[ "$motion_there" = "$motion_here" ] || { echo "the motion differs: $motion_there there, $motion_here here"; exit 1; }
"$tool" render "$work/here" --as surface --frames 10 --size 320x180 --samples 16 --quiet -o "$work/here.png"
echo "$(mean "$root/mote/demo/dam_break.png") $(mean "$work/here.png")" | awk '
  {part = $1 / $2 - 1; printf "mean of the picture: %g there, %g here: %+.3f %%\n", $1, $2, 100 * part}
  END {exit part >= 0.01 || part <= -0.01}'
