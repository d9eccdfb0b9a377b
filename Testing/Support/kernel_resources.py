"""Registers and local memory of the kernels of a CUDA library: kernel_resources.py LIBRARY

Prints a table with a line for each kernel. Fails where a kernel that meets every pair in every step keeps anything in
local memory, be it spilled registers or arrays: each access would be one to the device's memory.

Reads the machine code's own notes, so it needs neither a GPU nor cuobjdump. The code must not be compressed (nvcc
--no-compress), as it is in builds with tests.
"""

import argparse
import re
import struct
import subprocess
import sys
from pathlib import Path

IN_REGISTERS = ["ContactStep", "SetLongRowForces"]
# What Executor puts around a functor.
WRAPPERS = {"EachRange", "LargestOf", "runEach"}

# Of the ELF files of CUDA. Notes are (format, attribute, then a value or a size and so many bytes).
EM_CUDA = 190
SIZED = 4
REGISTERS, FRAME, STACK = 0x2F, 0x11, 0x12


def cubins(data):
    """The ELF files of CUDA in a library."""
    at = data.find(b"\x7fELF")
    while at >= 0:
        if data[at + 4:at + 6] == b"\x02\x01" and struct.unpack_from("<H", data, at + 18)[0] == EM_CUDA:
            yield data[at:]
        at = data.find(b"\x7fELF", at + 4)


def text_at(data, at):
    return data[at:data.index(b"\0", at)].decode()


def sections(elf):
    """name -> bytes"""
    start, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQ", elf, start + k * size) for k in range(count)]
    return {text_at(elf, headers[names][4] + header[0]): elf[header[4]:header[4] + header[5]]
            for header in headers}


def notes(section):
    """(attribute, payload) of those with a size"""
    at = 0
    while at + 4 <= len(section):
        form, attribute, size = struct.unpack_from("<BBH", section, at)
        at += 4
        if form == SIZED:
            yield attribute, section[at:at + size]
            at += size


def resources(elf):
    """symbol -> {attribute: number}"""
    parts = sections(elf)
    found = {}
    for attribute, payload in notes(parts.get(".nv.info", b"")):
        if attribute in (REGISTERS, FRAME, STACK):
            symbol, value = struct.unpack("<II", payload)
            name, = struct.unpack_from("<I", parts[".symtab"], 24 * symbol)
            found.setdefault(text_at(parts[".strtab"], name), {})[attribute] = value
    # Functions that a kernel calls have no section of constants.
    return {name: numbers for name, numbers in found.items() if ".nv.constant0." + name in parts}


def demangled(names):
    if not names:
        return []
    return subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True,
                          check=True).stdout.splitlines()


def short_name(name):
    """ContactStep<HertzMindlin> of a kernel's whole name."""
    laws = re.findall(r"lapilli::(HertzMindlin|LinearSpring|CellSearch|TreeSearch)\b", name)
    algorithm = re.search(r"::(Device\w+Kernel)", name)
    if algorithm:
        return algorithm.group(1)
    name = re.sub(r"lapilli::cuda::(Merge|Sum)Block<[^,]*, ", "", name)  # the type of what they gather
    for functor in re.findall(r"lapilli::cuda::(?:\(anonymous namespace\)::)?(\w+)", name):
        if functor not in WRAPPERS:
            return functor + (f"<{laws[0]}>" if laws else "")
    return name[:60]


def faults(rows):
    """@param rows (name, registers, stack)"""
    for wanted in IN_REGISTERS:
        kernels = [row for row in rows if row[0].split("<")[0] == wanted]
        if not kernels:
            yield f"{wanted} is not in the library, or its code is compressed"
        for name, _, stack in kernels:
            if stack > 0:
                yield f"{name} keeps {stack} bytes of each thread in local memory"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", metavar="LIBRARY", type=Path)
    options = parser.parse_args()
    sound = [(name, 100, 0) for name in IN_REGISTERS]
    assert not list(faults(sound))
    assert list(faults(sound[1:])) and list(faults(sound + [("ContactStep<HertzMindlin>", 255, 8)]))

    kernels = {}
    for elf in cubins(options.path.read_bytes()):
        kernels.update(resources(elf))
    rows = sorted({(short_name(name), numbers.get(REGISTERS, 0), max(numbers.get(FRAME, 0), numbers.get(STACK, 0)))
                   for name, numbers in zip(demangled(list(kernels)), kernels.values())})
    print("| kernel | registers | local memory of a thread [bytes] |\n|---|---|---|")
    for name, registers, stack in rows:
        print(f"| {name} | {registers} | {stack} |")
    bad = list(faults(rows))
    for fault in bad:
        print(fault)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
