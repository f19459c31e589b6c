# Every scene of scenes/, those with files of their own as well, is understood and looks right: no warning.
cd "$(dirname "$0")/../../../scenes" || exit 1
for scene in *.yaml */*.yaml; do "$MOTE" check --json "$scene" || exit 1; done
