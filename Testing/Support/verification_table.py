"""Writes the README's verification table from the output of tests.

Usage: verification_table.py README.md CTEST_LOG...

A test prints one line per law that it measured:

    VERIFY|name|asked|reached|source

and this script collects them from CTest's logs, in the order of their names, between the two
comment markers of the README, with the commit they were measured on.
"""

import re
import subprocess
import sys
from pathlib import Path

BEGIN = "<!-- verification table: begin -->"
END = "<!-- verification table: end -->"
# CTest puts "12: " before a test's output when it is verbose; GoogleTest nothing.
LINE = re.compile(r"^(?:\d+: )?VERIFY\|([^|]+)\|([^|]+)\|([^|]+)\|([^|]+)$")


def collect(logs):
    """The measured laws of all logs as (name, asked, reached, source), each name once."""
    laws = {}
    for log in logs:
        for line in Path(log).read_text(errors="replace").splitlines():
            match = LINE.match(line.rstrip())
            if match:
                name, *rest = (field.strip() for field in match.groups())
                laws[name] = rest  # a repeated law: the last measurement stands
    return [(name, *laws[name]) for name in sorted(laws, key=str.lower)]


def table(laws, commit):
    """The rows as Markdown."""
    lines = [f"Measured by `Testing/run.sh --full` on commit {commit}.", "",
             "| law | asked | reached | source |", "|---|---|---|---|"]
    lines += ["| " + " | ".join(law) + " |" for law in laws]
    return "\n".join(lines)


def replace(readme, text):
    """The README with `text` between its markers."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1:
        raise SystemExit(f"The README must hold '{BEGIN}' and '{END}' once each.")
    head, rest = readme.split(BEGIN)
    return head + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1]


def commit():
    """The short hash, marked where the work tree differs from it."""
    git = ["git", "-C", str(Path(__file__).parent)]
    name = subprocess.run(git + ["rev-parse", "--short=10", "HEAD"], capture_output=True,
                          text=True, check=True).stdout.strip()
    # The README itself is what we are about to change.
    changed = subprocess.run(git + ["status", "--porcelain", "--untracked-files=no", "--", ":/",
                                    ":(top,exclude)README.md"],
                             capture_output=True, text=True, check=True).stdout.strip()
    return name + (" with local changes" if changed else "")


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    readme = Path(sys.argv[1])
    laws = collect(sys.argv[2:])
    if not laws:
        raise SystemExit("No VERIFY lines in " + ", ".join(sys.argv[2:]))
    readme.write_text(replace(readme.read_text(), table(laws, commit())))
    print(f"{len(laws)} measured laws written to {readme}")


if __name__ == "__main__":
    main()
