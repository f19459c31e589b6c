# Two closed parts that cross: closed is a matter of edges, and told apart from crossings.
. "$(dirname "$0")/../things.sh"
sed 's/^v 0 0 0$/v -0.1 0.2 0.2/' tetra.obj > other.obj
{ grep ^v tetra.obj; grep ^v other.obj; grep ^f tetra.obj; echo f 5 7 6; echo f 5 6 8; echo f 5 8 7; echo f 6 7 8; } > two.obj
sed -i '6,8s/ \([01]\) \([01]\) \([01]\)$/ \1.2 \2.3 \3.1/' two.obj
"$MOTE" info two.obj | tail -2
"$MOTE" info two.obj --json | grep -oE '"(closed|manifold|crossings)":[^,]*'
