# Particles of two sizes: the surface has their volume; files without volumes are refused.
awk 'BEGIN {
  OFS = ","
  print "x,y,z,volume"
  for (i = 0; i < 12; ++i) for (j = 0; j < 12; ++j) for (k = 0; k < 12; ++k) print i * 0.01 - 0.115, j * 0.01, k * 0.01, 1e-6
  for (i = 0; i < 6; ++i) for (j = 0; j < 6; ++j) for (k = 0; k < 6; ++k) print i * 0.02 + 0.01, j * 0.02 + 0.005, k * 0.02 + 0.005, 8e-6
}' > two.csv
"$MOTE" mesh two.csv -o two.ply --own-supports --quiet --threads 1 | grep -o "1 part, genus 0\|spacing 0.01 m\|volume 0.9[7-9]"
cut -d, -f1-3 two.csv > one.csv
"$MOTE" mesh one.csv -o one.ply --own-supports --quiet
