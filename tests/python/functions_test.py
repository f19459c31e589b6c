"""Every function of the public headers is called by the package, or there is a reason why not."""
import re
import unittest

import kit
from mote._library import lib
from mote._more import _is_plain

# Beginnings of names, or whole names, and why the package does not call them.
REASONS = {
    "world_add_|world_create$|world_(surface_)?def_default|value3_make|body_copies|body_list_free|scene_read|scene_parse|"
    "scene_check|scene_default|[a-z]+_def_default$|solver_def_set_quality|material_def_default|shape_def_(box|sphere)|"
    "error_list_add|scene_file_mesh":
        "definitions are made by the reader of scenes, which mote_scene_open calls",
    "edits_|animation_|scene_file_(edits|animation)": "files of mote deform and mote animate: Deform and Motion have keywords",
    "world_(set|move|remove)_|world_(add_impulse|find_emitter|pull)$|command_(check|removes|target_text)$|"
    "commands_(parse|write)$":
        "commands are made from the table of kinds and given by mote_world_command",
    "world_(hash|begin_frame|advance|view_at|(elastic|lattice)_(particles|objects)|rigid_)|scene_(section|key)|type_size|"
    "(mesh|cloud)_(read|write|find)$|field_value|surface_method_name|shape_kind_name|(kernel|gradient|laplacian)_name|"
    "pressure_|file_write|grid_(query|order|bytes)|kdtree_(nearest|range)|shape_mesh_(mending|point)|tracked_triangles|"
    "(body_def_there|collider_def_pose)|look_(water|matte)|image_(fill|get|set|text)":
        "another call gives the same values: a table, a field, a property or an array",
    "text_(read|print|distance)": "Python reads and prints numbers",
    "dense_|cg_|cholesky_|domain_difference|env_run": "solvers of equations: NumPy and SciPy have them",
    "(plot|panel|style|shade|colour)_": "plots: matplotlib and others take the arrays",
    "world_def_|body_def_particles|material_def_sound_speed|effective_viscosity|(capillary|viscous|acoustic)_step|"
    "fracture_default|shape_(fill_graded|shell)_estimate":
        "estimates before a world is made: World(...).particles and .report say what it is",
    "elastic_|lattice_solver_|cracks?_": "a body without a world: World with this body alone does the same",
}


def exported():
    """The functions of the public headers."""
    rows = (kit.ROOT / "tests" / "checks" / "api.txt").read_text().split("\n")
    return {row.split()[1] for row in rows if row}


def called():
    """Those whose name stands in the package, and those that `numeric` finds."""
    text = "".join(file.read_text() for file in (kit.ROOT / "python" / "mote").glob("*.py"))
    return set(re.findall(r"\bmote_[a-z0-9_]+", text)) | {name for name in exported() if _is_plain(name)}


class Functions(kit.Case):
    def test_all_are_in_the_module(self):
        self.assertEqual([name for name in exported() if not hasattr(lib, name)], [])

    def test_each_is_called_or_has_a_reason(self):
        left, used = exported() - called(), {}
        for name in sorted(left):
            found = [reason for reason in REASONS if re.match(f"mote_({reason})", name)]
            self.assertTrue(found, name)
            used[found[0]] = used.get(found[0], 0) + 1
        self.assertEqual([reason for reason in REASONS if reason not in used], [])
        print(f"{len(exported()) - len(left)} of {len(exported())} functions are called")
        for reason, count in used.items():
            print(f"{count:4d} {REASONS[reason]}")


if __name__ == "__main__":
    unittest.main()
