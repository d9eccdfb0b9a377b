"""Table and CSV of one case from the logs of its programs.

    report.py LOG_FOLDER CASE OURS PEER...

Reads LOG_FOLDER/CASE.PROGRAM.log: lines of JSON of ContactBenchmark, or LAMMPS's and LIGGGHTS's "Loop time" lines, whose
first block of each run is not timed; and what `time` adds for each process. Blocks of all rounds count together.
"""

import json
import re
import statistics
import sys
from pathlib import Path

LOOP = re.compile(r"^Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms")
PROCESS = re.compile(r"^PROCESS (\d+) KiB (\d+)% CPU")


def read_ours(line, found):
    result = json.loads(line)
    found["blocks"] += result["blocks"]
    found.update(contacts=result["contacts_per_sphere"], energy=result["kinetic_energy"], lists=result["lists_per_step"])
    found["memory"] = result["rss_mib"]  # before it counts contacts


def read_peer(lines, found):
    """One run: the block before the timed ones and the empty one behind them do not count."""
    blocks, steps, builds = [], [], []
    for number, line in enumerate(lines):
        if match := LOOP.match(line):
            seconds, count, atoms = float(match[1]), int(match[2]), int(match[3])
            steps.append(count)
            blocks.append(count * atoms / seconds if count else 0)
        elif line.startswith("Neighbor list builds"):
            builds.append(int(line.split()[-1]))
        elif line.split()[:1] == ["Step"] and "contacts" in line:
            row = dict(zip(line.split(), lines[number + 1].split()))
            found.update(contacts=float(row["c_contacts"] if "c_contacts" in row else row["contacts"]),
                         energy=float(row["KinEng"]))
    found["blocks"] += blocks[1:6]
    if sum(steps[1:6]):
        found["lists"] = sum(builds[1:6]) / sum(steps[1:6])


def read(path):
    found = {"blocks": [], "contacts": float("nan"), "energy": float("nan"), "lists": float("nan"),
             "memory": 0}
    busy = []
    for run in path.read_text(errors="replace").split("RUN\n")[1:]:
        lines = run.splitlines()
        ours = [line for line in lines if line.startswith("{")]
        processes = [match for match in map(PROCESS.match, lines) if match]
        if ours:
            read_ours(ours[0], found)
        else:
            read_peer(lines, found)
            found["memory"] = sum(int(match[1]) for match in processes) / 1024
        # Of two threads in one process 200 %, of two processes 100 % each.
        busy.append(sum(int(match[2]) for match in processes))
    found["busy"] = min(busy, default=0)
    if not found["blocks"]:
        sys.exit(f"{path} has no timed blocks; its end:\n" + "\n".join(path.read_text(errors="replace").splitlines()[-5:]))
    found["figure"] = statistics.median(found["blocks"])
    return found


def main(folder, case, *programs):
    results = {program: read(Path(folder) / f"{case}.{program}.log") for program in programs}
    print(f"{case:<22}{'particle-steps/s':>17}{'slowest, fastest block':>25}{'MiB':>8}{'lists/step':>12}{'contacts':>10}"
          f"{'kinetic J':>12}{'CPU':>7}")
    for program, found in results.items():
        span = f"{min(found['blocks']):.4g}, {max(found['blocks']):.4g}"
        print(f"  {program:<20}{found['figure']:>17.4g}{span:>25}{found['memory']:>8.0f}{found['lists']:>12.3f}"
              f"{found['contacts']:>10.3f}{found['energy']:>12.4g}{found['busy']:>6}%")
    ours = results[programs[0]]["figure"]
    for program in programs[1:]:
        peer = results[program]["figure"]
        print(f"{case},{ours:.5g},{program},{peer:.5g},{ours / peer:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
