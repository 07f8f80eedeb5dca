# SPDX-License-Identifier: MIT OR Apache-2.0
"""Executes random programs on simavr's ATmega128, and writes what they do: `avr8.py SIMAVR FILE
[--programs N] [--seed N]`, where SIMAVR is the program made of `simavr.c`. The example `oracle` of
host/isa reads the file and says where the core of Lichen differs.

FILE is TOML: the initial contents of flash and of the data space; what is not compared, and why;
per program the code, the state before and after, the bytes of the data space that changed, the
cycles and the instructions executed.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from random import Random

from avr8_program import AVOIDED, DATA_END, EXCLUDED, FLASH_BYTES, RAMPZ, Generator, Program
from encoding import pack
from output import write

# Loops end here.
MOST_INSTRUCTIONS = 128


def request(program: Program) -> str:
    """The program as simavr.c reads it."""
    code, state = pack(program.code).hex(), bytes(program.state).hex()
    return f"run {program.start:x} {program.end:x} {MOST_INSTRUCTIONS:x} {code} {state}\n"


def result(program: Program, line: str) -> dict:
    """What the program did, from what simavr.c prints."""
    state, pc, cycles, instructions, *changes = line.split()
    return {
        "address": program.start,
        "code": program.code,
        "before": program.state,
        "after": list(bytes.fromhex(state)),
        "pc": int(pc, 16),
        "cycles": int(cycles, 16),
        "instructions": int(instructions, 16),
        "data": [[int(number, 16) for number in change.split(":")] for change in changes],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("simavr", type=Path, help="the program made of simavr.c")
    parser.add_argument("file", type=Path, help="where to write what the programs do")
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    random = Random(arguments.seed)
    flash, data = random.randbytes(FLASH_BYTES), bytearray(random.randbytes(DATA_END))
    data[RAMPZ] = 0
    generator = Generator(random)
    programs = [generator.program() for _ in range(arguments.programs)]
    requests = [f"flash {flash.hex()}\n", f"data {data.hex()}\n", *map(request, programs)]
    done = subprocess.run(
        [arguments.simavr], input="".join(requests), stdout=subprocess.PIPE, text=True, check=True
    )
    lines = done.stdout.splitlines()
    runs = [result(program, line) for program, line in zip(programs, lines, strict=True)]
    contents = {"seed": arguments.seed, "flash": flash.hex(), "data": data.hex()}
    write(arguments.file, contents, EXCLUDED, AVOIDED, runs)
    instructions = sum(run["instructions"] for run in runs)
    print(f"{len(runs)} programs, {instructions} instructions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
