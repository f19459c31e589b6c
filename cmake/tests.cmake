# One program a folder, build/tests/unit-<folder>: tests/unit/<folder>/x_test.c is the CTest unit/<folder>/x, which
# runs `unit-<folder> x`; likewise property and golden.
option(MOTE_SLOW_TESTS "Add the slow tests (make test-all)" OFF)

# The program `target` of `files`, the tests of one folder.
function(mote_test_program target files)
  add_executable(${target} ${files} ${CMAKE_SOURCE_DIR}/tests/test_main.c)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE mote)
  if(MOTE_TOOL)
    target_link_libraries(${target} PRIVATE mote-io)
  endif()
  if(target STREQUAL "unit-cli")  # with the files of the tool that it tests, named in first lines
    foreach(file ${files})
      file(STRINGS ${file} sources REGEX "^// Links apps/")
      string(REGEX MATCHALL "apps/[a-z_/]+\\.c" sources "${sources}")
      target_sources(${target} PRIVATE ${sources})
    endforeach()
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/apps)
  endif()
  if(MOTE_SANITIZE)
    target_compile_definitions(${target} PRIVATE MOTE_TEST_SHORT)  # TEST_LONG of tests/test.h
  endif()
endfunction()

# Long motions that the address sanitizer does not repeat, since the same code runs in fewer steps in
# golden/standard_hash, golden/world_hash, unit/fluid/dfsph and pcisph.
set(MOTE_LONG_MOTIONS "^(property/fluid_(water|still)|unit/world/full_box)$")

# All programs of tests/LABEL: one a folder; CTest has an entry for each file.
function(mote_tests label)
  add_custom_target(${label}-tests)
  file(GLOB files CONFIGURE_DEPENDS ${ARGN})
  if(NOT MOTE_TOOL)  # and so no libmote-io
    list(FILTER files EXCLUDE REGEX "unit/(draw|render|io|language|cli)|draw_|steer|scenes_hash")
  endif()
  if(NOT MOTE_RENDER)
    list(FILTER files EXCLUDE REGEX "unit/render/(environment|glass|lamps|look|render|texture|trace)")
  endif()
  if(NOT MOTE_THREADS)
    list(FILTER files EXCLUDE REGEX "unit/base/pool_test")
  endif()
  set(folders)
  foreach(file ${files})
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/tests ${file})
    string(REGEX REPLACE "_test\\.c$" "" name ${name})
    get_filename_component(folder ${name} DIRECTORY)
    get_filename_component(short ${name} NAME)
    string(REPLACE "/" "-" target ${folder})
    list(APPEND folders ${folder})
    list(APPEND files_of_${target} ${file})
    if(MOTE_SANITIZE MATCHES "address" AND name MATCHES "${MOTE_LONG_MOTIONS}")
      continue()
    endif()
    add_test(NAME ${name} COMMAND ${target} ${short})
    set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 600)
    # Embree and setenv keep memory that test_leaks.h would count: there the sanitizer scans, which takes seconds.
    if(NOT name MATCHES "^unit/(render/(environment|glass|lamps|render|texture|trace)|draw/(film|video))")
      set_tests_properties(${name} PROPERTIES ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    string(REPLACE "/" "-" target ${folder})
    mote_test_program(${target} "${files_of_${target}}")
    add_dependencies(${label}-tests ${target})
  endforeach()
endfunction()

function(mote_script_test name label)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1200)
endfunction()

# Tests read internals, so they link the static library.
if(NOT BUILD_SHARED_LIBS)
  mote_tests(unit ${CMAKE_SOURCE_DIR}/tests/unit/*/*_test.c)
  mote_tests(property ${CMAKE_SOURCE_DIR}/tests/property/*_test.c)
  mote_tests(golden ${CMAKE_SOURCE_DIR}/tests/golden/*_test.c)
  include(cmake/fuzz.cmake)
endif()

foreach(check format layers headers docs types words architecture determinism commits)
  mote_script_test(check/${check} check ${CMAKE_SOURCE_DIR}/tests/checks/${check}.sh)
endforeach()
if(NOT BUILD_SHARED_LIBS AND NOT MOTE_SANITIZE)
  mote_script_test(check/links check ${CMAKE_SOURCE_DIR}/tests/checks/links.sh ${CMAKE_BINARY_DIR})
  mote_script_test(check/budgets check ${CMAKE_SOURCE_DIR}/tests/checks/budgets.sh ${CMAKE_BINARY_DIR})
  mote_script_test(check/program check ${CMAKE_SOURCE_DIR}/tests/checks/program.sh ${CMAKE_C_COMPILER} $<TARGET_FILE:mote>
                   ${CMAKE_BINARY_DIR}/program)
endif()
if(MOTE_TOOL)
  mote_script_test(check/install check ${CMAKE_SOURCE_DIR}/tests/checks/install.sh ${CMAKE_BINARY_DIR}/install-check
                   ${CMAKE_BINARY_DIR})
  mote_script_test(check/api check ${CMAKE_SOURCE_DIR}/tests/checks/api.sh $<TARGET_FILE:mote> $<TARGET_FILE:mote-io>)
  mote_script_test(check/pages check ${CMAKE_SOURCE_DIR}/tests/checks/pages.sh $<TARGET_FILE:mote-tool>
                   ${CMAKE_BINARY_DIR}/pages-check)
  mote_script_test(check/bad_scenes check ${CMAKE_SOURCE_DIR}/tests/checks/bad_scenes.sh $<TARGET_FILE:mote-tool>)
  mote_script_test(check/mutants check ${CMAKE_SOURCE_DIR}/tests/checks/check_mutants.py $<TARGET_FILE:mote-tool> 20)
  mote_script_test(check/csv_headers check ${CMAKE_SOURCE_DIR}/tests/checks/csv_headers.py $<TARGET_FILE:mote-tool>)
  mote_script_test(check/blender_sequence check ${CMAKE_SOURCE_DIR}/tests/checks/blender_sequence.py)
  # The last ones: light bodies between others and walls, which impulses alone do not keep apart.
  mote_script_test(check/physics check ${CMAKE_SOURCE_DIR}/tests/checks/fuzz_physics.py $<TARGET_FILE:mote-tool> 20 1 35 187 192)
  mote_script_test(check/web_bits check ${CMAKE_SOURCE_DIR}/tests/web/built.sh few $<TARGET_FILE:mote-tool>)
  mote_script_test(check/physics_steered check ${CMAKE_SOURCE_DIR}/tests/checks/fuzz_physics.py --steered $<TARGET_FILE:mote-tool> 8)
  file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cli/cases/*.sh)
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    if(name STREQUAL "deform_large" AND NOT MOTE_SLOW_TESTS)  # as deform_meshes, with a million triangles
      continue()
    endif()
    file(STRINGS ${script} renders REGEX "MOTE\" (render|demo) ")
    if(renders AND NOT MOTE_RENDER)
      continue()
    endif()
    mote_script_test(cli/${name} cli ${CMAKE_SOURCE_DIR}/tests/cli/run.sh $<TARGET_FILE:mote-tool> ${script})
  endforeach()
  mote_script_test(cli/kill_resume cli ${CMAKE_SOURCE_DIR}/tests/cli/kill_resume.sh $<TARGET_FILE:mote-tool> 5)
  mote_script_test(cli/kill_resume_steered cli ${CMAKE_SOURCE_DIR}/tests/cli/kill_resume.sh $<TARGET_FILE:mote-tool> 2
                   steered)
  mote_script_test(cli/kill_resume_breaking cli ${CMAKE_SOURCE_DIR}/tests/cli/kill_resume.sh $<TARGET_FILE:mote-tool> 2
                   ${CMAKE_SOURCE_DIR}/scenes/torn_clay.yaml spacing=14mm duration=0.8 outputs.preview=false
                   outputs.snapshot_every=4)
  mote_script_test(cli/kill_resume_track cli ${CMAKE_SOURCE_DIR}/tests/cli/kill_resume.sh $<TARGET_FILE:mote-tool> 2
                   ${CMAKE_SOURCE_DIR}/scenes/spheres_merge.yaml spacing=1.6mm duration=0.03 outputs.size=[64,48]
                   outputs.snapshot_every=2)
  mote_script_test(cli/kill_resume_pcisph cli ${CMAKE_SOURCE_DIR}/tests/cli/kill_resume.sh $<TARGET_FILE:mote-tool> 3
                   solver.pressure=pcisph solver.shifting=2 domain.surface_velocity=[0.5,0] domain.friction=1
                   solver.viscosity_solve=implicit)
  add_executable(example-steer ${CMAKE_SOURCE_DIR}/examples/steer.c)
  set_target_properties(example-steer PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(example-steer PRIVATE mote-io mote)
  mote_script_test(cli/steer_example cli ${CMAKE_SOURCE_DIR}/tests/cli/steer_example.sh $<TARGET_FILE:mote-tool>
                   $<TARGET_FILE:example-steer> ${CMAKE_SOURCE_DIR}/examples)
  add_executable(example-shatter ${CMAKE_SOURCE_DIR}/examples/shatter.c)
  set_target_properties(example-shatter PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(example-shatter PRIVATE mote-io mote)
  mote_script_test(cli/shatter_example cli $<TARGET_FILE:example-shatter>)
  if(MOTE_SLOW_TESTS)
    set_tests_properties(cli/deform_large PROPERTIES LABELS slow)
  endif()
  foreach(group approx elastic shape)
    mote_script_test(validate/${group} validation $<TARGET_FILE:mote-tool> validate ${group} --quick)
  endforeach()
  # Of the long groups what takes seconds; all of their quick tier is slow/validate_quick_*.
  mote_script_test(validate/world validation $<TARGET_FILE:mote-tool> validate world-fill world-bullet world-far --quick)
  mote_script_test(validate/bodies validation $<TARGET_FILE:mote-tool> validate floating-momenta tension-laplace tension-wobble
    steps-fall steps-impact steps-tool steps-dam mixture-layers mixture-shear des96-forces body-slope body-roll body-tumble
    body-collision body-stack body-wall body-inside body-spin body-flips body-tip body-bounce body-stacks --quick)
  mote_script_test(validate/fluids validation $<TARGET_FILE:mote-tool> validate sloshing piston viscous-wave momentum --quick)
  mote_script_test(validate/tracking validation $<TARGET_FILE:mote-tool> validate track-rigid track-enright
    track-curvature track-turn track-noise track-waves track-patch track-tension track-rest track-cube track-thread --quick)
  mote_script_test(validate/surfaces validation $<TARGET_FILE:mote-tool> validate surface-shapes surface-pool
    surface-sheet surface-balls surface-dams surface-angles surface-waves surface-squeezed --quick)
endif()

if(MOTE_PYTHON)
  file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/python/*_test.py)
  foreach(file ${python_tests})
    get_filename_component(name ${file} NAME_WE)
    string(REGEX REPLACE "_test$" "" name ${name})
    mote_script_test(python/${name} python ${python_program} -B ${file})
    set_tests_properties(python/${name} PROPERTIES
      ENVIRONMENT "PYTHONPATH=${CMAKE_BINARY_DIR}/python;MOTE_TOOL=$<TARGET_FILE:mote-tool>")
  endforeach()
endif()

# The longest begin first, so that no core is idle at the end: seconds, of the release build or with sanitizers, whichever
# takes longer. A clean clone has no times of its own.
foreach(row "check/install 27" "unit/io/surface_file 22" "property/fluid_water 20" "validate/tracking 20" "cli/check_examples 18"
        "unit/fragments/fragment_simplify 15" "unit/contact/elastic_contact 15" "validate/surfaces 14" "validate/world 14"
        "property/surface_adams 13" "unit/geom/shape_shell 13" "property/surface_abuse 12" "validate/elastic 12"
        "check/physics 11" "golden/elastic_bodies_hash 11" "validate/fluids 11" "property/steer_same 11" "unit/world/ledger 11"
        "golden/deform_hash 10" "python/scenes 12" "python/misuse 6" "validate/shape 10" "validate/bodies 10" "check/headers 10" "unit/kinds/fracture_bodies 10"
        "unit/geom/shell_smooth 9" "golden/standard_hash 9" "unit/track/tracked_project 9" "golden/scenes_hash 9"
        "unit/fluid/tension 9" "check/format 8" "unit/elastic/elastic_coarse 8" "unit/world/prepare_world 8"
        "property/world_resume 8" "unit/deform/deform_limbs 8")
  separate_arguments(row UNIX_COMMAND "${row}")
  list(GET row 0 name)
  list(GET row 1 seconds)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST ${seconds})
  endif()
endforeach()

# Slow: the same bits on other machines.
if(MOTE_SLOW_TESTS)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(other x86_64)
  else()
    set(other aarch64)
  endif()
  foreach(machine ${other} wasm)
    mote_script_test(slow/${machine} slow ${CMAKE_SOURCE_DIR}/tests/checks/other_machine.sh ${machine}
                     ${CMAKE_BINARY_DIR}/${machine})
  endforeach()
  mote_script_test(slow/install_shared slow ${CMAKE_SOURCE_DIR}/tests/checks/install.sh
                   ${CMAKE_BINARY_DIR}/install-check-shared shared)
  mote_script_test(slow/no_embree slow ${CMAKE_SOURCE_DIR}/tests/checks/no_embree.sh ${CMAKE_BINARY_DIR}/no-embree)
  mote_script_test(slow/fifth_kind slow ${CMAKE_SOURCE_DIR}/tests/checks/fifth_kind.sh ${CMAKE_BINARY_DIR}/fifth-kind)
  mote_script_test(slow/deb slow ${CMAKE_SOURCE_DIR}/tests/checks/deb.sh ${CMAKE_BINARY_DIR}/deb-check)
  mote_script_test(slow/dist slow ${CMAKE_SOURCE_DIR}/tests/checks/dist.sh ${CMAKE_BINARY_DIR}/dist-check)
  foreach(release trixie sid)
    mote_script_test(slow/release_${release} slow ${CMAKE_SOURCE_DIR}/tests/checks/other_release.sh ${release}
                     ${CMAKE_BINARY_DIR}/release-${release} $<TARGET_FILE:mote-tool>)
    set_tests_properties(slow/release_${release} PROPERTIES TIMEOUT 7200)
  endforeach()
  set_tests_properties(slow/deb slow/release_trixie slow/release_sid PROPERTIES SKIP_RETURN_CODE 77)
  if(MOTE_PYTHON)
    mote_script_test(slow/python_wheel slow ${CMAKE_SOURCE_DIR}/tests/checks/python_wheel.sh ${python_program}
                     $<TARGET_FILE:mote-tool> ${CMAKE_BINARY_DIR}/python-wheel)
    mote_script_test(slow/python_trixie slow ${CMAKE_SOURCE_DIR}/tests/checks/python_release.sh trixie
                     ${CMAKE_BINARY_DIR}/python-trixie ${CMAKE_BINARY_DIR}/python-wheel $<TARGET_FILE:mote-tool>)
    mote_script_test(slow/python_types slow ${CMAKE_SOURCE_DIR}/tests/checks/python_types.sh)
    mote_script_test(slow/python_asan slow ${CMAKE_SOURCE_DIR}/tests/checks/python_asan.sh ${python_program}
                     $<TARGET_FILE:mote-tool> ${CMAKE_BINARY_DIR}/python-asan)
    mote_script_test(slow/python_leaks slow ${python_program} -B ${CMAKE_SOURCE_DIR}/tests/python/abuse_test.py)
    set_tests_properties(slow/python_wheel slow/python_trixie slow/python_types PROPERTIES SKIP_RETURN_CODE 77)
    set_tests_properties(slow/python_trixie PROPERTIES DEPENDS slow/python_wheel)
    set_tests_properties(slow/python_asan PROPERTIES TIMEOUT 14400)
    set_tests_properties(slow/python_leaks PROPERTIES TIMEOUT 7200 ENVIRONMENT
      "PYTHONPATH=${CMAKE_BINARY_DIR}/python;MOTE_TOOL=$<TARGET_FILE:mote-tool>;MOTE_OPERATIONS=100000;MOTE_WORLDS=10000")
  endif()
  mote_script_test(slow/tidy slow ${CMAKE_SOURCE_DIR}/tests/checks/tidy.sh ${CMAKE_BINARY_DIR})
  mote_script_test(slow/threads slow ${CMAKE_SOURCE_DIR}/tests/checks/threads.sh ${CMAKE_BINARY_DIR}/tsan)
  set(MOTE_TOOL_BEFORE "" CACHE FILEPATH "An older tool, whose instructions are compared (slow/instructions)")
  if(MOTE_TOOL_BEFORE)
    mote_script_test(slow/instructions slow ${CMAKE_SOURCE_DIR}/tests/checks/instructions.sh ${MOTE_TOOL_BEFORE}
                     $<TARGET_FILE:mote-tool>)
  endif()
  mote_script_test(slow/tuning slow ${CMAKE_SOURCE_DIR}/tests/checks/tuning_scan.sh ${CMAKE_BINARY_DIR}/tuning-scan)
  set_tests_properties(slow/tuning PROPERTIES TIMEOUT 3600)  # 9 CPU minutes
  mote_script_test(slow/dirty_meshes slow ${CMAKE_SOURCE_DIR}/tests/checks/dirty_meshes.py $<TARGET_FILE:mote-tool>)
  mote_script_test(slow/limbs slow ${CMAKE_SOURCE_DIR}/tests/checks/limbs.py $<TARGET_FILE:mote-tool>)
  mote_script_test(slow/mutants slow ${CMAKE_SOURCE_DIR}/tests/checks/check_mutants.py $<TARGET_FILE:mote-tool> 2000)
  mote_script_test(slow/physics slow ${CMAKE_SOURCE_DIR}/tests/checks/fuzz_physics.py $<TARGET_FILE:mote-tool> 500)
  mote_script_test(slow/physics_steered slow ${CMAKE_SOURCE_DIR}/tests/checks/fuzz_physics.py --steered $<TARGET_FILE:mote-tool> 200)
  set_tests_properties(slow/physics slow/physics_steered PROPERTIES TIMEOUT 3600)  # 10 CPU minutes
  mote_script_test(slow/web_bits slow ${CMAKE_SOURCE_DIR}/tests/web/built.sh bits $<TARGET_FILE:mote-tool>)
  mote_script_test(slow/web_view slow ${CMAKE_SOURCE_DIR}/tests/web/built.sh view $<TARGET_FILE:mote-tool>)
  set_tests_properties(slow/web_bits slow/web_view PROPERTIES TIMEOUT 3600)
  mote_script_test(slow/readme_minutes slow ${CMAKE_SOURCE_DIR}/tests/checks/readme_minutes.sh $<TARGET_FILE:mote-tool>)
  mote_script_test(slow/estimates slow ${CMAKE_SOURCE_DIR}/tests/checks/estimates.sh $<TARGET_FILE:mote-tool>)
  set_tests_properties(slow/estimates PROPERTIES TIMEOUT 3600)  # 10 CPU minutes
  mote_script_test(slow/kill_resume slow ${CMAKE_SOURCE_DIR}/tests/cli/kill_resume.sh $<TARGET_FILE:mote-tool> 50)
  mote_script_test(slow/open_elsewhere slow ${CMAKE_SOURCE_DIR}/tests/checks/open_elsewhere.sh
                   $<TARGET_FILE:mote-tool> ${CMAKE_BINARY_DIR}/elsewhere)
  set_tests_properties(slow/open_elsewhere PROPERTIES SKIP_RETURN_CODE 77)
  mote_script_test(slow/scene_meshes slow ${CMAKE_SOURCE_DIR}/tests/checks/scene_meshes.sh
                   $<TARGET_FILE:mote-tool> ${CMAKE_BINARY_DIR}/scene-meshes)
  set_tests_properties(slow/scene_meshes PROPERTIES TIMEOUT 3600)  # 7 CPU minutes
  # The tool of the other compiler is there: "make test-all" builds it before.
  mote_script_test(slow/same_bits slow ${CMAKE_SOURCE_DIR}/tests/same_bits.sh $<TARGET_FILE:mote-tool>
                   ${CMAKE_SOURCE_DIR}/build-clang/mote)
  mote_script_test(slow/soak slow ${CMAKE_SOURCE_DIR}/tests/soak.sh $<TARGET_FILE:mote-tool> --spacing 2
                   --length 2 --log ${CMAKE_BINARY_DIR}/soak.log)
  mote_script_test(slow/validate slow ${CMAKE_SOURCE_DIR}/tests/checks/validate.sh $<TARGET_FILE:mote-tool>
                   ${CMAKE_SOURCE_DIR}/tests/misses/all.txt)
  mote_script_test(slow/validate_quick_tracking slow $<TARGET_FILE:mote-tool> validate tracking --quick)
  foreach(group world bodies fluids)
    mote_script_test(slow/validate_quick_${group} slow ${CMAKE_SOURCE_DIR}/tests/checks/validate.sh
                     $<TARGET_FILE:mote-tool> ${CMAKE_SOURCE_DIR}/tests/misses/${group}-quick.txt ${group} --quick)
  endforeach()
  set_tests_properties(slow/same_bits slow/soak slow/validate PROPERTIES TIMEOUT 7200)  # still water stands for minutes
endif()
