"""Every function of the public headers is called by the package, or there is a reason why not."""
import re
import unittest

import kit
from mote._library import lib
from mote._more import _is_plain

# Beginnings of names, or whole names, and why the package does not call them.
REASONS = {
    "world_add_|world_create$|world_surface_def|value3_make|body_copies|body_list_free|scene_read|scene_parse|scene_check|"
    "scene_default|[a-z]+_def_default$|solver_def_set_quality|material_def_default|world_def_default|shape_def_(box|sphere)|"
    "error_list_add|scene_file_mesh|edits_|animation_|scene_file_(edits|animation)":
        "definitions are made by the reader of scenes, which mote_scene_open calls",
    "world_(set|move|remove)_|world_add_impulse|world_find_emitter|command_check|commands_(parse|write)$":
        "commands are made from the table of kinds and given by mote_world_command",
    "world_(hash|begin_frame|advance|view_at|def_|(elastic|lattice)_(particles|body|bodies|objects)|rigid_)|scene_(section|key)|"
    "type_size|(mesh|cloud)_(read|write|find)$|field_value|surface_method_name|(shape_)?kind_name|(kernel|gradient|laplacian)_name|"
    "pressure_|track_kind_name|file_write|grid_(query|order|bytes|neighbours_)|kdtree_(nearest|range|neighbours)|"
    "mesh_mending|shape_mesh_mending|shape_kind|image_(fill|get|set|text)|series_|"
    "lattice_objects|tracked_(triangles|ids)|collider_def_pose":
        "another call gives the same values: a table, a field, a property or an array",
    "text_(read|print|distance)": "Python reads and prints numbers",
    "(plot|panel|style|shade|colour)_|contour_write|grid_samples_write|render_engine": "plots: matplotlib and others take the arrays",
    "eigen3|svd3|polar3|dense_|cg_|cholesky_|domain_difference|views_diff|env_run": "NumPy and SciPy do it on arrays",
    "body_def_particles|material_def_sound_speed|effective_viscosity|(capillary|viscous|acoustic)_step|fracture_default|"
    "shape_(fill|fill_graded|shell)_estimate|world_def_(grading|step|walls)|shape_mesh_point": "estimates before a world is made",
    "elastic_|lattice_solver_|cracks?_": "building blocks of solvers without a world",
    "look_water|(environment|texture|model)_|lattice_skin_move_to|deform_ties|fragments_(write|sharpen)|surface_(images|walls)|"
    "track_flow|tracked_(blend|tension|record|forget)|transfer_|mls_shapes_(value|gradient|second)": "not there yet",
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
