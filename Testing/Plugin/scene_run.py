"""What the tests of the example scenes share: a scene --quick as a user runs it, and the numbers it prints."""

import os
import re
import subprocess

from support import OUTPUT, ROOT, check


def run_scene(name, *arguments):
    """What a scene prints; fails if it does."""
    run = subprocess.run([os.readlink("/proc/self/exe"), str(ROOT / f"Plugin/Scenes/{name}.py"), str(OUTPUT),
                          *arguments, "--quick"], capture_output=True, text=True)
    print(run.stdout, run.stderr)
    check(run.returncode == 0, "the scene failed")
    return run.stdout


class SceneRun:
    """Runs a scene --quick; checked for a line a frame and a summary."""

    def __init__(self, name, *arguments):
        self.text = run_scene(name, *arguments)
        lines = re.findall(r"^frame (\d+)/(\d+)  t = ([\d.]+) s  ([\d,]+) particles  ([\d,]+) steps  \d+:\d\d to go$",
                           self.text, re.MULTILINE)
        check(lines, "no line of progress")
        self.frames = int(lines[0][1])
        check(len(lines) == self.frames > 10, f"{len(lines)} progress lines of {self.frames}")
        for word in ("steps", "limited by", "energy", "wall time"):
            check(word in self.text, f"the summary does not tell '{word}'")

    def number(self, pattern):
        """The number that stands in the brackets of a pattern."""
        found = re.search(pattern, self.text, re.MULTILINE)
        check(found is not None, f"nothing printed like {pattern}")
        return float(found.group(1).replace(",", ""))
