"""What the first window imports."""

import subprocess
import sys


def test_the_window_is_imported_without_torch():
    code = "import sys, lab.shell.window.main_window; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
