// The one list of figures: see figures.h. docs/seeds.md has a row for each (tests/checks/docs.sh compares
// them).
#include "figures/figures.h"

// xsph keeps the sheet whole that rises where the columns meet.
#define DOUBLE_DAM(spacing, duration)                                                \
  "run double_dam_break -o @/run --set spacing=" spacing " --set duration=" duration \
  " --set fps=25 --set materials.left.xsph=0.1 --set materials.right.xsph=0.1"
#define SMALL_PICTURE " --set outputs.size=[420,320]"
// Two spheres merge with thin-plate waves from one of their two sources.
#define SPHERES(source)                                                               \
  "run spheres_merge -o @/" source                                                    \
  " --frames 15 --set track.waves.law=plate --set track.waves.strength=1.7e-8 --set " \
  "track.waves.source=" source
#define SPHERES_PANELS(source)                                                                              \
  "panels 5,7,10,15 @/" source                                                                              \
  "/surface.%04d.vtp --preview --size 300x200 --bare --no-ground --camera 'from 0.01,0.014,0.052 to 0,0,0 " \
  "angle 24'"
#define CROWN_CAMERA " --camera 'from 0.08,0.26,0.58 to 0,0.065,0 angle 32'"
#define FILM_CAMERA " --camera 'from 1.85,1.05,1.95 to 0.6,0.33,0.33 angle 26'"
#define LEAP_CAMERA " --camera 'from 0.8,0.7,3.2 to 0.72,0.45,0 angle 28'"
#define CORNER_FAR " --camera 'from 1.6,1.1,1.6 to 0.3,0.3,0.3 angle 30'"
#define CORNER_NEAR " --camera 'from 1.2,1.0,1.2 to 0.45,0.52,0.5 angle 16'"
#define GOO_PANEL(frame)                                                                             \
  "panel @/run/surface." frame ".ply --with @/run/lattice_surface." frame                            \
  ".ply --look honey --size 420x320 --samples 16 --bare --no-ground --camera 'from 0.2,0.2,0.42 to " \
  "0,0.12,0 angle 22'"

// clang-format off
const figure figures[] = {
    // --- EG09 and its slides ---
    {.name = "eg09-1", .what = "kernels: a polynomial one in 2D, three supports, all of Mote", .draw = draw_kernels, .vector = true},
    {.name = "eg09-2", .what = "a balanced kd-tree; a hash grid and its table", .draw = draw_search_structures, .vector = true},
    {.name = "eg09-3", .what = "queries of a kd-tree and of hash grids with d = r and d = 2r", .draw = draw_search_queries, .vector = true},
    {.name = "eg09-4", .what = "particles close to a free surface, before and after", .draw = draw_surface_layer, .vector = true},
    {.name = "eg09-5", .what = "four frames of a dam break, its particles cut (above) and its surface",
     .step = {"run dam_break -o @/run", "panels 5,11,18,36 @/run --section z=0.3 --size 400x260 --bare --preview",
              "panels 5,11,18,36 @/run --as surface --size 400x260 --samples 12 --bare", "sheet 4"},
     .quick = "--set spacing=4cm"},
    {.name = "eg09-6", .what = "material and world coordinates, and the displacement between", .draw = draw_coordinates, .vector = true},
    {.name = "eg09-7", .what = "a figure of jelly falls and sags",
     .step = {"run jelly_figure -o @/run" SMALL_PICTURE, "previews 1,9,11,13,18,31 @/run", "sheet 3"},
     .quick = "--set spacing=2.5cm"},
    {.name = "eg09-8", .what = "a bar of clay is drawn out, with cracks",
     .step = {"run torn_clay -o @/run" SMALL_PICTURE, "previews 1,11,16,18,23,41 @/run", "sheet 3"},
     .quick = "--set spacing=12mm"},
    {.name = "eg09-gas", .what = "a puff of gas as semi-transparent spheres (EG09 6.5)",
     .step = {"scene eg09_gas", "run @/eg09_gas.yaml -o @/run",
              "panels 1,9,17,27 @/run --as puffs --look smoke --size 360x440 --samples 12 --bare --no-ground", "sheet 4"},
     .quick = "--set spacing=4cm"},
    {.name = "eg09-9", .what = "visibility and transparency of a crack: the weight of one sample", .draw = draw_crack_criteria, .vector = true},
    {.name = "eg09-10", .what = "weight and shape function beside a crack, by visibility and by transparency", .draw = draw_crack_shapes, .vector = true},
    {.name = "eg09-11", .what = "a shape function beside a crack, without and with resampling", .draw = draw_crack_resampling, .vector = true},
    {.name = "eg09-12", .what = "a hollow stone figure falls and breaks",
     .step = {"run stone_pig -o @/run" SMALL_PICTURE, "previews 1,4,7,10,13,16 @/run", "sheet 3"},
     .quick = "--set spacing=2.4cm"},
    {.name = "eg09-13", .what = "a box stretched, without and with its volume kept", .draw = draw_deform},
    {.name = "eg09-14", .what = "a long-necked animal posed", .draw = draw_deform},
    {.name = "eg09-16", .what = "a fish between two keys, with a velocity and an obstacle", .draw = draw_motion},
    {.name = "eg09-17", .what = "an animal through a gate", .draw = draw_motion},
    {.name = "eg09s-36", .what = "weight and shape function of one of several scattered samples", .draw = draw_shape_function, .vector = true},
    {.name = "eg09s-37", .what = "shape functions of samples on a line, degrees 0 to 2, and their sum", .draw = draw_line_shapes, .vector = true},
    {.name = "eg09s-48", .what = "a known function from 900 scattered samples, by SPH and by moving least squares", .draw = draw_comparison, .vector = true},
    {.name = "eg09s-49", .what = "Lagrangian and Eulerian kernels in a shear", .draw = draw_supports, .vector = true},
    {.name = "eg09s-165", .what = "a tower of slabs bent", .draw = draw_deform},
    {.name = "eg09s-166", .what = "an animal leaps by keys (above), is let go and falls",
     .step = {"animate leap -o @/keys --format ply --quiet", "animate leap --release leap_fall -o @/leap.jsonl --quiet",
              "run leap_fall --commands @/leap.jsonl -o @/run",
              "panels 1,10,18,26 @/keys/shape.%04d.ply --look clay --size 400x270 --samples 12 --bare" LEAP_CAMERA,
              "panels 4,10,16,21 @/run --look clay --size 400x270 --samples 12 --bare" LEAP_CAMERA, "sheet 4"},
     .quick = "--frames 22"},
    // --- DES96 ---
    {.name = "des96-1", .what = "the spline kernel and its derivative in 1D", .draw = draw_des96_kernel, .vector = true},
    {.name = "des96-2", .what = "the kernel without clustering and its derivative", .draw = draw_des96_kernel, .vector = true},
    {.name = "des96-3", .what = "force between two particles, spline and new kernel",
     .step = {"validate des96-forces -o @"}},
    {.name = "des96-4", .what = "a tool cuts a body of 80 particles, density in grey", .draw = draw_des96_snapshots, .vector = true},
    {.name = "des96-5", .what = "two particles at their maximum range, and the surface of 2 m W(h)", .draw = draw_two_particles, .vector = true},
    {.name = "des96-6", .what = "a quasi-liquid of 80 particles falls, coated by its surface", .draw = draw_des96_snapshots, .vector = true},
    {.name = "des96-7", .what = "area within isodensities during Fig. 4", .draw = draw_des96_areas, .vector = true},
    // --- YU11 ---
    {.name = "yu11-1.1", .what = "a double dam break: stretched kernels, and the surface of them",
     .step = {DOUBLE_DAM("1.6cm", "0.5s"), "panels 12 @/run --as ellipsoids --colour-by material --size 600x400 --samples 12 --bare" FILM_CAMERA,
              "panels 12 @/run --as surface --size 600x400 --samples 16 --bare" FILM_CAMERA, "sheet 2"},
     .quick = "--set spacing=3cm"},
    {.name = "yu11-2.1", .what = "five methods on the double dam break of 140,000 particles, and YU11 Table 4.2",
     .step = {"validate surface-figure -o @", "take @/surface-figure.png", "sheet 1"}},
    {.name = "yu11-3.1", .what = "the Lagrangian form of the material derivative", .draw = draw_derivative, .vector = true},
    {.name = "yu11-3.2", .what = "the Eulerian form of the material derivative", .draw = draw_derivative, .vector = true},
    {.name = "yu11-4.1", .what = "a dam break by isotropic and by anisotropic kernels, and a corner of its particles",
     .step = {"run dam_break -o @/run --frames 5",
              "panels 3 @/run --as surface --method density --smooth 0 --look glossy --size 500x340 --samples 12 --bare" CORNER_FAR,
              "panels 3 @/run --as surface --smooth 0 --look glossy --size 500x340 --samples 12 --bare" CORNER_FAR,
              "panels 3 @/run --as spheres --size 500x340 --samples 12 --bare" CORNER_NEAR,
              "panels 3 @/run --as ellipsoids --size 500x340 --samples 12 --bare" CORNER_NEAR, "sheet 2"},
     .quick = "--set spacing=4cm"},
    {.name = "yu11-4.2", .what = "spheres that merge, without (above) and with connected components",
     .step = {"scene yu11_4_2", "run @/yu11_4_2.yaml -o @/run",
              "panels 1,6,7,8,9,10 @/run --as surface --no-components --look glossy --size 300x200 --samples 8 --bare --no-ground",
              "panels 1,6,7,8,9,10 @/run --as surface --look glossy --size 300x200 --samples 8 --bare --no-ground", "sheet 6"},
     .quick = "--set spacing=14mm"},
    {.name = "yu11-4.3", .what = "a drop into deep water: kernels, opaque and transparent surface",
     .step = {"scene yu11_4_3", "run @/yu11_4_3.yaml -o @/run",
              "panels 4,8,16,24,80 @/run --as ellipsoids --size 320x240 --samples 8 --bare",
              "panels 4,8,16,24,80 @/run --as surface --look glossy --size 320x240 --samples 8 --bare",
              "panels 4,8,16,24,80 @/run --as surface --size 320x240 --samples 12 --bare", "sheet 5"},
     .quick = "--set spacing=12mm"},
    {.name = "yu11-4.4", .what = "chocolate is poured over a figure",
     .step = {"run chocolate_figure -o @/run", "panels 6,12,20,30 @/run --as surface --preview --size 400x340 --bare", "sheet 4"},
     .quick = "--set spacing=6mm"},
    {.name = "yu11-4.5", .what = "two figures of water slide into a pool",
     .step = {"run falling_figures -o @/run", "panels 1,6,9,12,20,50 @/run --as surface --preview --size 440x300 --bare", "sheet 3"},
     .quick = "--set spacing=4cm"},
    {.name = "yu11-4.6", .what = "the double dam break: two columns meet and throw up a thin sheet",
     .step = {DOUBLE_DAM("1.6cm", "0.8s"), "panels 1,7,9,11,13,17 @/run --as surface --samples 12 --size 440x300 --bare", "sheet 3"},
     .quick = "--set spacing=3cm"},
    {.name = "yu11-t4.1", .what = "times of the surface of falling figures, all particles stretched and only those near the surface",
     .step = {"run falling_figures -o @/run --frames 7", "mesh @/run/particles.0007.vtp -o @/all.ply --thesis --tag-count 1000 --fields none --no-examine --json",
              "mesh @/run/particles.0007.vtp -o @/near.ply --thesis --inside 0.2 --fields none --no-examine --json"},
     .quick = "--set spacing=4cm"},
    {.name = "yu11-5.1", .what = "a tracked mesh through mergers and breaks of a double dam break",
     .step = {"run double_dam_tracked -o @/run --set spacing=2.5cm" SMALL_PICTURE, "previews 1,8,11,14,18,26 @/run", "sheet 3"},
     .quick = "--set spacing=5cm"},
    {.name = "yu11-5.2", .what = "a dumbbell is drawn out and parts",
     .step = {"run dumbbell_pinch -o @/run", "panels 1,8,9,10,13,18 @/run/surface.%04d.vtp --preview --size 400x225 --bare", "sheet 3"},
     .quick = "--set spacing=2mm"},
    {.name = "yu11-5.3", .what = "three viscous figures of different colours on a bar",
     .step = {"run viscous_figures -o @/run" SMALL_PICTURE, "previews 1,5,8,14,18,24 @/run", "sheet 3"},
     .quick = "--set spacing=25mm"},
    {.name = "yu11-5.4", .what = "the colour of a surface by four methods, with errors and flicker: mean of particles, nearest, carried back, tracked",
     .step = {"validate track-colour -o @", "panels 1,2,3,4 @/colour.%04d.vtp --samples 8 --size 440x360 --bare", "sheet 2"}},
    {.name = "yu11-5.5", .what = "two spheres merge with thin-plate waves: what moves the mesh starts them, below its bending, as printed",
     .step = {SPHERES("moves"), SPHERES("printed"), SPHERES_PANELS("moves"), SPHERES_PANELS("printed"), "sheet 4"},
     .quick = "--set spacing=1.5mm"},
    {.name = "yu11-5.7", .what = "a water crown without waves and with them",
     .step = {"run crown_waves -o @/calm --frames 22 --set track.waves=false", "run crown_waves -o @/waves --frames 22",
              "panels 13,21 @/calm/surface.%04d.vtp --preview --look clay" CROWN_CAMERA " --size 560x350 --bare",
              "panels 13,21 @/waves/surface.%04d.vtp --preview --look clay" CROWN_CAMERA " --size 560x350 --bare", "sheet 2"},
     .quick = "--set spacing=2cm"},
    // --- WIC06 ---
    {.name = "wic06-4", .what = "squares of lattices: one bounces, one flows, one breaks",
     .step = {"run lattice_bounce -o @/a" SMALL_PICTURE, "run lattice_flow -o @/b" SMALL_PICTURE, "run lattice_break -o @/c" SMALL_PICTURE,
              "previews 1,8,14,20 @/a", "previews 1,14,18,40 @/b", "previews 1,8,14,20 @/c", "sheet 4"}},
    {.name = "wic06-5", .what = "nine stiff dice fall and collide",
     .step = {"run dice -o @/run" SMALL_PICTURE, "previews 1,8,14,26 @/run", "sheet 4"}},
    {.name = "wic06-6", .what = "goo freezes on a cold rod",
     .step = {"run goo_freezes -o @/run --set outputs.preview=false", GOO_PANEL("0008"), GOO_PANEL("0018"), GOO_PANEL("0030"),
              GOO_PANEL("0048"), "sheet 4"},
     .quick = "--set spacing=7mm"},
    {.name = "wic06-7", .what = "a figure of chocolate melts on hot ground",
     .step = {"run chocolate_melts -o @/run" SMALL_PICTURE, "previews 1,25,60,120 @/run", "sheet 4"}},
    {0}};
// clang-format on
