"""All programs of python/examples run, with coarse settings, and are short."""
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

import kit

COARSE = {
    "crack_length": ["2 cm", "0.2"], "dam_front": ["1 cm"], "gradient_field": ["4 cm"], "keep_afloat": ["4 cm"],
    "plot_run": ["5 cm"], "scanned_points": ["4000"], "training_set": ["6 cm", "20"], "viscosity_sweep": ["5 cm"],
}


def run_example(name):
    """What it prints."""
    with tempfile.TemporaryDirectory() as folder:
        path = kit.ROOT / "python" / "examples" / f"{name}.py"
        done = subprocess.run([sys.executable, "-B", "-W", "error::RuntimeWarning", path, *COARSE[name]], cwd=folder,
                              capture_output=True, text=True, env={**os.environ, "MPLBACKEND": "Agg"})
    return done.returncode, done.stdout, done.stderr


class Examples(kit.Case):
    def test_all(self):
        files = sorted((kit.ROOT / "python" / "examples").glob("*.py"))
        self.assertEqual([file.stem for file in files], sorted(COARSE))
        for file in files:
            self.assertLess(len(file.read_text().splitlines()), 60, file.name)
        with ThreadPoolExecutor(2) as pool:
            for name, (code, out, errors) in zip(COARSE, pool.map(run_example, COARSE)):
                self.assertEqual((code, errors), (0, ""), name)
                self.assertGreater(len(out), 20, name)


if __name__ == "__main__":
    unittest.main()
