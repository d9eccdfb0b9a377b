#!/usr/bin/env python3
"""Makes a VTK to build on of two wheels: headers and CMake files of vtk-sdk, libraries of vtk.

    unpack_vtk_wheels.py SDK_WHEEL [VTK_WHEEL] FOLDER

Prints the folder for VTK_DIR. Without the second wheel there are no libraries, which is enough to compile.
"""
import pathlib
import re
import sys
import zipfile


def unpack(wheel, folder, part):
    """Files whose path holds `part` (a pattern), with what follows it as their path."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            found = re.search(part, name)
            if found and not name.endswith("/"):
                target = folder / name[found.end():]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))


def point_at_libraries(cmake, libraries):
    """Libraries are where we put them, with the names of this system, and need not all be there."""
    for file in cmake.rglob("*argets-release.cmake"):
        text = "".join(line for line in file.read_text().splitlines(keepends=True)
                       if not re.match(r"list\(APPEND _(cmake_import|IMPORT)_(check|CHECK)", line))
        text = re.sub(r'(IMPORTED_LOCATION_RELEASE) "[^"]*/(lib[^"/]*)\.(?:dylib|so)"',
                      rf'\1 "{libraries.as_posix()}/\2.so"', text)
        text = re.sub(r'(IMPORTED_SONAME_RELEASE) "[^"]*?(lib[^"/]*)\.(?:dylib|so)"', r'\1 "\2.so"', text)
        file.write_text(text)
        for library in re.findall(r'IMPORTED_LOCATION_RELEASE "([^"$]*\.so)"', text):
            # A build depends on the files of libraries, also where it does not link them.
            if not pathlib.Path(library).exists():
                pathlib.Path(library).parent.mkdir(exist_ok=True)
                pathlib.Path(library).touch()


def main(wheels, folder):
    folder = pathlib.Path(folder)
    if not any(folder.glob("*.data")):
        unpack(wheels[0], folder, r"^vtk_sdk/content/(?=[^/]*\.data/headers/)")
    if len(wheels) > 1:
        unpack(wheels[1], folder / "lib", r"^vtkmodules/(?=[^/]*\.so$)")
    cmake = next(folder.glob("*.data")) / "headers" / "cmake"
    point_at_libraries(cmake, folder / "lib")
    print(cmake)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(sys.argv[1:-1], sys.argv[-1])
