#!/bin/bash
# readme_minutes.sh MOTE: the commands under "Ten minutes" of README.md run as they stand there, in ten minutes of two cores: at
# most 20 of processor time (machines that are as fast as those of docs/rendering.md; the number of threads hardly changes it).
# Of the film every ninth picture is drawn, and counted nine times.
set -u
PATH=$(dirname "$(realpath "$1")"):$PATH
readme=$(cd "$(dirname "$0")/../.." && pwd)/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir bin && ln -s "$(realpath "$1")" bin/mote && PATH=$work/bin:$PATH
TIMEFORMAT='%U %S'
sum=0 lines=0
while IFS= read -r line; do
  times=1
  case $line in *water.mp4*) line=${line/-o water.mp4/-o few --frames 1:1000:9} times=9 ;; esac
  used=$( { time bash -c "${line%%#*}" > out.txt 2> err.txt || echo failed >> failed.txt; } 2>&1)
  [ -e failed.txt ] && { echo "$line"; cat err.txt; exit 1; }
  sum=$(echo "$used $sum $times" | awk '{print $3 + ($1 + $2) * $4}')
  lines=$((lines + 1))
  echo "$used s, $times times: ${line%%#*}"
done < <(awk '/^## Ten minutes/ {on = 1} on && /^```$/ {exit} on && /^mote / {print}' "$readme")
echo "$lines commands, $sum s of processor time"
[ "$lines" -ge 7 ] && awk -v sum="$sum" 'BEGIN { exit !(sum > 1 && sum < 1200) }'
