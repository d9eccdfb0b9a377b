"""Checks of the source tree that no compiler makes: structure.py CHECK [options]

    layers    which layer may include what, and which room of the engine which other
    headers   every public header compiles alone and twice
    labels    every kernel launch has a label, and every backend has every labelled kernel
    readme    README.md names every filter and every property of its panel

Each check first proves on a made-up line that it can fail.
"""

import argparse
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
GPU_AND_THREADS = re.compile(r"^(thrust|cub|cuda|nv|omp\.h|device_launch|curand)")
VTK_AND_PARAVIEW = re.compile(r"^(vtk|pq|pv)")
# What stands in the code of Core/Parallel alone.
PARALLEL_ONLY = re.compile(
    r"\bthrust::|\bcub::|#\s*pragma\s+omp|\bomp_\w+\(|__CUDA|\b__(?:global|device|host)__\b|\bcuda(?:Malloc|Free|Mem|Get|Set|Stream|Event|Device|Launch)\w*\(|<<<")

# The rooms of the engine from the ground up: a room uses only rooms before it, and itself.
ROOMS = ["Public", "Parallel", "Math", "Spatial", "Particles", "Terrain", "Integrators", "Clumps",
         "Contacts", "Air", "Grid", "Pairs"]

SUFFIXES = {".h", ".hpp", ".cpp", ".cxx", ".cu", ".cuh", ".txx"}


def without_comments(text):
    """The text with comments blanked; lines stay where they are."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.DOTALL)


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)


def line_of(text, match):
    return text.count("\n", 0, match.start()) + 1


# ---------------------------------------------------------------------------------------- layers

def layer_faults(root, path, text):
    """What `path` must not say, as (line, sentence)."""
    code = without_comments(text)
    parts = path.relative_to(root).parts
    layer, room = parts[0], parts[1] if len(parts) > 2 else ""
    public = {header.name for header in (root / "Core/Public").glob("*.h")}

    for match in INCLUDE.finditer(code):
        quoted, name = match.group(1) == '"', match.group(2)
        fault = None
        if layer == "Core":
            if VTK_AND_PARAVIEW.match(name):
                fault = "the engine knows neither VTK nor ParaView"
            elif room != "Parallel" and GPU_AND_THREADS.match(name):
                fault = "Core/Parallel is the one door to Thrust, OpenMP and CUDA"
            elif room == "Public" and (quoted and name not in public or not quoted and "/" in name):
                fault = "a public header needs the C++ standard library and other public headers only"
            elif quoted:
                fault = room_fault(room, name)
        elif GPU_AND_THREADS.match(name):
            fault = "filters know neither Thrust nor OpenMP nor CUDA"
        elif quoted and name not in public and not re.match(r"vtk|LapilliFiltersModule", name):
            target = name.split("/")[-1]
            if not list((root / "Filters").rglob(target)):
                fault = "filters see Core/Public and VTK only"
        if fault:
            yield line_of(code, match), f"includes {name}: {fault}"

    if not (layer == "Core" and room == "Parallel"):
        for match in PARALLEL_ONLY.finditer(code):
            yield line_of(code, match), (
                f"says '{match.group()}': Core/Parallel is the one door to Thrust, OpenMP and CUDA")


def room_fault(room, name):
    """Why a file of `room` may not include "OTHER/…", or nothing."""
    other = name.split("/")[-2] if "/" in name else room
    if other == room or other == "Public" or room not in ROOMS:  # models stand on top
        return None
    if other not in ROOMS or ROOMS.index(other) > ROOMS.index(room):
        return f"{room} stands below {other}"
    return None


def check_layers(options):
    root = options.root
    # Each line must be refused in the file that it is put into here.
    for place, line in [("Core/Public/X.h", "#include <thrust/sort.h>"),
                        ("Core/Public/X.h", "#include <vtkPolyData.h>"),
                        ("Core/Public/X.h", '#include "Particles/State.h"'),
                        ("Core/Spatial/X.cpp", '  #  include "omp.h"'),
                        ("Core/Spatial/X.cpp", "#include <cuda_runtime.h>"),
                        ("Core/Spatial/X.cpp", "#ifdef __CUDACC__"),
                        ("Core/Spatial/X.cpp", "#pragma omp parallel for"),
                        ("Core/Spatial/X.cpp", "thrust::sort(a, b);"),
                        ("Core/Spatial/X.cpp", '#include "Contacts/Contact.h"'),
                        ("Core/Parallel/X.h", "#include <vtkMath.h>"),
                        ("Filters/X.cxx", "#include <thrust/sort.h>"),
                        ("Filters/X.cxx", '#include "Particles/State.h"')]:
        assert list(layer_faults(root, root / place, "\n" + line + "\n")), f"not refused: {line}"
    assert not list(layer_faults(root, root / "Core/Spatial/X.cpp",
                                 '// thrust::sort\n#include "Parallel/Buffer.h"\n#include <vector>\n'))

    files = sources(root / "Core") + sources(root / "Filters")
    faults = [f"{path.relative_to(root)}:{line}: {sentence}"
              for path in files for line, sentence in layer_faults(root, path, path.read_text())]
    return faults, f"{len(files)} files"


# --------------------------------------------------------------------------------------- headers

def compiles(options, text):
    command = [options.compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
               "-I", str(options.root / "Core/Public"), "-x", "c++", "-"]
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    return result.returncode == 0, result.stderr


def check_headers(options):
    assert not compiles(options, '#include "NoSuchHeader.h"\n')[0]
    headers = sorted((options.root / "Core/Public").glob("*.h"))
    faults = []
    for header in headers:
        # Twice: an include guard that is missing shows as a redefinition.
        good, message = compiles(options, f'#include "{header.name}"\n' * 2)
        if not good:
            faults.append(f"Core/Public/{header.name}: does not compile alone and twice\n{message}")
    return faults, f"{len(headers)} headers"


# ---------------------------------------------------------------------------------------- labels

def launch_pattern(executor_header):
    """Matches a call of an Executor's method that takes a label, with the label if it is a literal."""
    # A method that launches has `label` as its first parameter.
    methods = set(re.findall(
        r"\b(\w+)\s*\(\s*(?:const\s+)?(?:char\s*\*|char\s+const\s*\*|std::string_view|std::string\s*&|Label)\s*(?:const\s+)?label\b",
        without_comments(executor_header)))
    return methods, re.compile(
        r"\bexec\w*(?:\.|->)(?:template\s+)?(" + "|".join(sorted(methods)) + r")\s*(?:<[^;(]*>)?\s*\(\s*(?:\"([^\"]*)\")?")


def launches(pattern, text):
    code = without_comments(text)
    for match in pattern.finditer(code):
        yield line_of(code, match), match.group(1), match.group(2)


def check_labels(options):
    root = options.root
    methods, pattern = launch_pattern((root / "Core/Parallel/Executor.h").read_text())
    assert "forEach" in methods, "no launching method found in Core/Parallel/Executor.h"
    assert [label for _, _, label in launches(pattern, 'executor_.forEach("a.b", n, F{});')] == ["a.b"]
    assert [label for _, _, label in launches(pattern, "executor.forEach(n, F{});")] == [None]

    faults, labels = [], {}
    for path in sources(root / "Core"):
        if path.parent.name == "Parallel":
            continue  # passes labels on
        for line, method, label in launches(pattern, path.read_text()):
            place = f"{path.relative_to(root)}:{line}"
            if label is None:
                faults.append(f"{place}: {method}() without a label as its first argument")
            elif not re.fullmatch(r"[a-z][A-Za-z]*\.[a-z][A-Za-z]*", label):
                faults.append(f'{place}: label "{label}"; write room.kernel, as in "granular.drift"')
            else:
                labels.setdefault(label, place)
    if not labels:
        faults.append("no launch found at all")

    for library in options.libraries:
        text = subprocess.run(["strings", "-a", library], capture_output=True, text=True,
                              check=True).stdout
        present = set(text.split())
        assert "granular.noSuchKernel" not in present
        faults += [f"{place}: kernel {label} is missing in {Path(library).name}"
                   for label, place in labels.items() if label not in present]
    return faults, f"{len(labels)} labels in {len(options.libraries)} backends: " + " ".join(sorted(labels))


# ---------------------------------------------------------------------------------------- readme

def unnamed(xml, readme):
    """Proxies and properties in a proxy's XML that the README does not name."""
    for proxy in ElementTree.fromstring(xml).iter():
        if not proxy.tag.endswith("SourceProxy"):
            continue
        if proxy.get("label") not in readme:
            yield proxy.get("label")
        for element in proxy:
            if (element.tag.endswith("Property") and element.get("panel_visibility") != "never" and
                    not re.search(rf"\b{element.get('name')}\b", readme)):
                yield f"{proxy.get('label')}: {element.get('name')}"


def check_readme(options):
    for tag in ("SourceProxy", "LapilliSourceProxy"):
        assert list(unnamed(f'<G><{tag} label="Ash"><IntVectorProperty name="Grains"/></{tag}></G>',
                            "nothing")) == ["Ash", "Ash: Grains"]
    readme = (options.root / "README.md").read_text()
    files = sorted((options.root / "Plugin/Xml").glob("*.xml"))
    faults = [f"README.md does not name {name}" for file in files
              for name in unnamed(file.read_text(), readme)]
    return faults, f"{len(files)} files"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=["layers", "headers", "labels", "readme"])
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--libraries", nargs="*", default=[], help="one library per backend")
    options = parser.parse_args()
    options.root = Path(__file__).resolve().parents[2]
    faults, looked_at = globals()["check_" + options.check](options)
    print(looked_at)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
