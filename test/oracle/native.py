# SPDX-License-Identifier: MIT OR Apache-2.0
"""Programs of the system's C, compiled for this machine with sanitizers."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# The architecture is this machine. Headers of the C library are this machine's, too, not those that
# os/include has in front of them.
INCLUDES = ["-I{}/test/native", "-I{}/os", "-idirafter{}/os/include"]


def build(folder: Path, name: str, sources: list[str]) -> Path:
    """Compiles test/oracle/NAME.c with some of the system's sources."""
    program = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    includes = [option.format(ROOT) for option in INCLUDES]
    files = [ROOT / source for source in [f"test/oracle/{name}.c", *sources]]
    subprocess.run(["cc", *OPTIONS, *SANITIZERS, *includes, "-o", program, *files], check=True)
    return program


def compare(program: Path, cases: list[tuple[str, str]]) -> int:
    """Gives the program a line for each case, and compares what it says. Returns the exit code."""
    lines = "".join(line for line, _ in cases)
    run = subprocess.run([program], input=lines, capture_output=True, text=True)
    said = run.stdout.splitlines()
    wanted = [(line, answer) for line, answer in cases if answer is not None]
    for (line, answer), here in zip(wanted, said, strict=False):
        if here.rstrip() != answer:
            print(f"{line}here:  {here}\nthere: {answer}", file=sys.stderr)
            return 1
    if run.returncode != 0 or len(said) != len(wanted):
        print(run.stderr, end="", file=sys.stderr)
        print(f"after {len(said)} of {len(wanted)} cases", file=sys.stderr)
        return 1
    return 0
