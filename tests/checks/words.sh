#!/bin/sh
# Retired words (docs/glossary.md) do not come back as identifiers, public names or file names in src, apps and include, and
# no constant has a name of one word. Of comments, and of docs/theory, only phrases that are never right are examined; of
# strings nothing, since names of scene keys, options and output files stay. FOLDERS as arguments restrict it to these.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- src apps include

# Regular expressions for whole identifiers.
retired='
soft|soft_.*|softs|.*_soft|.*_softs|.*_soft_.*
touch|touches|.*_touch|.*_touches|touch_.*|.*_touch_.*
press|.*_press|press_.*
pull|pulls|.*_pull|pull_(of|at|on).*|.*_pull_.*
push|push_[vw]|.*_push|push_.*|.*_push_.*
drag|.*_drag|drag_.*
hold|.*_hold|hold_.*
room|.*_room|room_.*|.*_ROOM|ROOM
way|ways|.*_way|.*_ways|way_.*|.*_way_.*
wet|.*_wet|wet_.*|.*_wet_.*
blow|blows|.*_blow|.*_blows|blow_.*|.*_blows_.*
crumb|crumbs|.*_crumb|crumb_.*|CRUMB
fours|.*_fours|fours_.*
places|.*_places|places_.*
air|.*_air|air_.*|.*_AIR
told|tells|tell|tell_.*
[a-z_]+_held
lattice|lattices|.*_lattice|lattice_.*|.*_lattice_.*|.*_LATTICE|.*_LATTICE_.*
mote_front|mote_front_.*
mote_image_sheet
solid|solids|solid_.*|.*_solid|.*_solids|.*_solid_.*|.*_solids_.*|.*SOLID.*
mote_stage_order|mote_order_elimination|stage_order
mote_skin|mote_skin_(sample|free|reach)|mote_shape_skin|shape_skin|near_skin|NEAR_SKIN|SKIN
mote_frame|mote_frame_.*|MOTE_FRAME_GUIDES|mote_motion_frame.*|mote_packing_frame|vec_frame|MOTE_LATTICE_FRAME|(into|out_of)_frame
mote_film|mote_film_.*|(GOAL|INPUT)_FILM
look_(at|up|around|again|ahead|into|nearer|chunk)|look_at_.*|looker|MOTE_KEY_LOOKS|.*_LOOK
'
# Where such a word is right: "file-regex identifier-regex".
allowed='
^(src/(commands|kinds|lattice|material|matter|particles|scene|stages|state|things|world)|include|apps|bench)/ .*([lL]attice|LATTICE).*
^(src|include|apps)/ mote_hold_def(_default)?
^(src|include|apps)/ hold|holds|initial_hold|make_hold|mote_elastic_hold|(is|move|make)_held
^src/elastic/ is_held|mote_elastic_system_is_held
^src/geom/ only_touch|boxes_touch
^src/march/fast_march\.c push|heap_push
^src/geom/shape_fill\.c no_room
^src/draw/ soft
^(src/world|include)/ mote_world_pull
^src/render/ soft|touches
^src/surface/ touches|.*_touches
^(src|include|apps)/ solid_(density|fraction)|mote_heat_solid_fraction|MOTE_KIND_SOLID
^src/material/heat_law\.h solid
^(include/mote/scene_world\.h|src/scene/|src/stages/stage_heat\.c|src/language/scene_unused\.c) air|add_air|lose_to_air
^(include/mote/foam\.h|src/foam/|apps/cli/cmd_foam\.c) air_density
'
found=$(
  git ls-files -- "$@" | grep '\.[ch]$' | RETIRED="$retired" ALLOWED="$allowed" xargs awk '
    BEGIN {
      n = split(ENVIRON["RETIRED"], line, "\n")
      for (k = 1; k <= n; ++k) if (line[k] != "") words = words (words == "" ? "" : "|") line[k]
      words = "^(" words ")$"
      m = split(ENVIRON["ALLOWED"], line, "\n")
      for (k = 1; k <= m; ++k) if (split(line[k], part, " ") == 2) { where[++rules] = part[1]; what[rules] = "^(" part[2] ")$" }
    }
    function examine(word, number,    k) {
      if (!(word in state)) state[word] = word ~ words
      if (!state[word]) return
      for (k = 1; k <= rules; ++k) if (FILENAME ~ where[k] && word ~ what[k]) return
      print FILENAME ":" number ": " word
    }
    FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.[ch]$/, "", name); examine(name, 0) }
    /^#include/ { next }
    {
      rest = $0  # without comments and strings
      sub(/\/\/.*/, "", rest)
      gsub(/"([^"\\]|\\.)*"/, "\"\"", rest)
      while (match(rest, /[A-Za-z_][A-Za-z_0-9]*/)) {
        word = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        examine(word, FNR)
      }
    }'
)
if [ -n "$found" ]; then
  echo "$found"
  echo 'retired words: docs/glossary.md has the ones to use'
  exit 1
fi
# Phrases for which there is a term: connected, bonded or cohesive; transparent; drop; impulse or impact; inverted; elastic
# body; public functions.
phrases='(h(ang|old)s? together|whoever|see-through|crumbs?|blows?|turned inside out|soft bod(y|ies)|public face)'
found=$(
  git ls-files -- "$@" | grep '\.[ch]$' | xargs grep -nE "//.*\b$phrases\b" | grep -v ':#define ' || true
  git ls-files -- docs/theory | xargs grep -nwE "$phrases" || true
)
if [ -n "$found" ]; then
  echo "$found"
  echo 'retired phrases in comments or docs/theory: docs/glossary.md has the terms'
  exit 1
fi
# Constants, that is numbers, texts and lists, also on a second line: what is limited, of what. Single letters are symbols
# of an equation, pi is pi.
found=$(
  git ls-files -- "$@" | grep -E '\.([ch]|inc)$' | xargs awk '
    { line = line $0 }
    sub(/\\$/, "", line) { next }
    line ~ /^ *# *define [A-Z][A-Z]+ +([-(]?[0-9.]|["{])/ && line !~ /define PI / { print FILENAME ":" FNR ": " line }
    line ~ /^TUNED[A-Z_]*\([A-Z]+,/ { print FILENAME ":" FNR ": " line }
    { line = "" }'
)
if [ -n "$found" ]; then
  echo "$found"
  echo 'constants of one word: name what they limit (docs/glossary.md)'
  exit 1
fi
