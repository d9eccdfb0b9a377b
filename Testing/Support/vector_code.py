"""Vector instructions of the CPU's kernels: vector_code.py REGISTERS=FILE[,FILE…] …

Disassembles object files or libraries (objdump, of binutils) and prints a table with a line for each kernel: its
arithmetic by precision, packed in whole registers (zmm of AVX-512, ymm of AVX2) or one number at a time. Fails where
the arithmetic of pairs is not packed. REGISTERS is zmm, ymm, or any: what the file was compiled for, if it has vectors.

Double arithmetic of single numbers is no fault: drag in layered wind and spheres of clumps have it, in branches of
their own.
"""

import argparse
import collections
import re
import subprocess
import sys

ARITHMETIC = re.compile(r"\sv?(mul|add|sub|div|sqrt|fmadd|fmsub|fnmadd|fnmsub)\d*(ps|pd|ss|sd)\s+(.*)")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
# Kernel -> what its functions are called, and the least of each kind of packed instruction. A pair costs about 200 in
# single and 60 in double precision.
KERNELS = {
    f"{kernel}<{law}>": (rf"{kernel}<lapilli::{law}>::operator", {"ps": 200, "pd": double, "fma ps": 40, "fma pd": 4})
    for kernel, double in (("ContactStep", 100), ("SetLongRowForces", 30)) for law in ("LinearSpring", "HertzMindlin")}
KERNELS.update({
    "AddGroundForces (planes of triangles)": (r"(AddGroundForces<.*>::operator|NearTriangles::openAt)", {"fma ps": 2}),
    "FindNeighbors": (r"(FindNeighbors<.*>::operator|<lapilli::cpu::KeptRow>\()", {"ps": 12}),
})
# Packed single precision instructions for each of a single number. Fused ones of single numbers are none at all: a
# formula that the compiler has taken apart would have them.
LEAST_RATIO = 20
IN_LANES_ALONE = {"ContactStep", "SetLongRowForces"}


def counts_of(lines):
    """kernel -> Counter of (kind, register)"""
    found = {kernel: collections.Counter() for kernel in KERNELS}
    into = []
    for line in lines:
        function = FUNCTION.match(line)
        if function:
            into = [found[kernel] for kernel, (pattern, _) in KERNELS.items() if re.search(pattern, function.group(1))]
            continue
        if not into:
            continue
        instruction = ARITHMETIC.search(line)
        if not instruction:
            continue
        name, kind, operands = instruction.groups()
        register = next((r for r in ("zmm", "ymm") if r in operands), "xmm")
        for counter in into:
            counter[kind, register] += 1
            if name.startswith("f"):
                counter["fma " + kind, register] += 1
    return found


def faults(found, register):
    for kernel, (_, least) in KERNELS.items():
        count = found[kernel]
        for kind, wanted in least.items():
            if count[kind, register] < wanted:
                yield f"{kernel} has {count[kind, register]} instructions {kind} on {register}, less than {wanted}"
        if kernel.split("<")[0] not in IN_LANES_ALONE:
            continue
        single = count["ss", "xmm"]
        if single * LEAST_RATIO > count["ps", register]:
            yield f"{kernel} has {single} instructions ss, too many beside {count['ps', register]} ps on {register}"
        fused = count["fma ss", "xmm"] + count["fma sd", "xmm"]
        if fused > 0:
            yield f"{kernel} has {fused} fused instructions of single numbers"


def check_yourself():
    text = []
    for kernel, (pattern, least) in KERNELS.items():
        function = {"AddGroundForces (planes of triangles)": "AddGroundForces<X>::operator()",
                    "FindNeighbors": "FindNeighbors<X>::operator()"}.get(kernel, pattern + "()")
        text.append(f"00 <lapilli::cpu::{function}(int) const>:")
        for kind, wanted in least.items():
            name = "vfmadd213" + kind[4:] if kind.startswith("fma") else "vmul" + kind
            text += [f"  0:\t{name} %zmm0,%zmm1,%zmm2"] * wanted
    assert not list(faults(counts_of(text), "zmm"))
    assert list(faults(counts_of(text), "ymm"))
    assert list(faults(counts_of(text[:-1]), "zmm"))
    assert list(faults(counts_of(text[:1] + ["  0:\tvfmadd213sd %xmm0,%xmm1,%xmm2"] + text[1:]), "zmm"))
    assert list(faults(counts_of(text[:1] + ["  0:\tvmulss %xmm0,%xmm1,%xmm2"] * 40 + text[1:]), "zmm"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", metavar="REGISTERS=FILES", nargs="+")
    options = parser.parse_args()
    check_yourself()

    bad = []
    print("| kernel | registers | packed ps | packed pd | fused ps | fused pd | single ss | single sd |\n|" + "---|" * 8)
    for variant in options.variants:
        wanted, files = variant.split("=", 1)
        lines = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", *files.split(",")], capture_output=True,
                               text=True, check=True).stdout.splitlines()
        found = counts_of(lines)
        register = wanted
        if wanted == "any":
            used = {r for counter in found.values() for (kind, r) in counter if kind == "ps"}
            register = next((r for r in ("zmm", "ymm") if r in used), None)
            if register is None:
                print(f"{files}: compiled for processors without AVX2")
                continue
        for kernel, count in found.items():
            print(f"| {kernel} | {register} | " + " | ".join(
                str(count[kind, register]) for kind in ("ps", "pd", "fma ps", "fma pd")) + " | " + " | ".join(
                str(count[kind, "xmm"]) for kind in ("ss", "sd")) + " |")
        bad += faults(found, register)
    for fault in bad:
        print(fault)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
