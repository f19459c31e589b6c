"$MOTE" mesh 'none*.csv' -o a.%d.obj
