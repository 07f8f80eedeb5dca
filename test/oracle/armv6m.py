# SPDX-License-Identifier: MIT OR Apache-2.0
"""Executes random programs on QEMU's Cortex-M0, as the package unicorn has it, and writes what they
do: `armv6m.py FILE [--programs N] [--seed N]`. The example `oracle` of host/isa reads the file and
says where the core of Lichen differs.

FILE is TOML: the initial contents of flash and RAM; what is not compared, and why; per program the
code, the registers before and after, the words of RAM that changed, the instructions executed, and
the exception that ended it.
"""

import argparse
import struct
import sys
from collections import Counter
from pathlib import Path
from random import Random

import unicorn
from unicorn import arm_const as arm

from armv6m_program import (
    AVOIDED,
    CODE_ROOM,
    EXCLUDED,
    FLASH_BYTES,
    RAM,
    RAM_BYTES,
    Generator,
    Program,
)
from encoding import pack
from output import write

# Loops end here.
MOST_INSTRUCTIONS = 64
HANDLER = 0x200

REGISTERS = [getattr(arm, f"UC_ARM_REG_R{i}") for i in range(13)] + [arm.UC_ARM_REG_LR]
SPECIAL = ("APSR", "MSP", "PSP", "PRIMASK", "CONTROL")

# The exception that an error of the oracle means.
EXCEPTIONS = {
    unicorn.UC_ERR_INSN_INVALID: "undefined",
    unicorn.UC_ERR_READ_UNMAPPED: "load",
    unicorn.UC_ERR_WRITE_UNMAPPED: "store",
    unicorn.UC_ERR_WRITE_PROT: "store",
    unicorn.UC_ERR_FETCH_UNMAPPED: "fetch",
}


class Oracle:
    """A Cortex-M0 with flash and RAM."""

    def __init__(self, flash: bytes, ram: bytes):
        self.flash, self.ram = flash, ram
        self.uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        self.uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M0)
        self.uc.mem_map(0, FLASH_BYTES, unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC)
        self.uc.mem_map(RAM, RAM_BYTES)
        self.overwritten = False
        self.executed = 0
        code_end = RAM + CODE_ROOM - 1
        self.uc.hook_add(unicorn.UC_HOOK_MEM_WRITE, self._on_write, begin=RAM, end=code_end)
        self.uc.hook_add(unicorn.UC_HOOK_CODE, self._on_instruction)

    def _on_write(self, *_: object) -> None:
        self.overwritten = True

    def _on_instruction(self, *_: object) -> None:
        self.executed += 1

    def run(self, program: Program) -> dict | str:
        """What the program does, or why it cannot be compared."""
        before = self._load(program)
        exception = None
        try:
            self.uc.emu_start(program.address | 1, program.end, count=MOST_INSTRUCTIONS)
        except unicorn.UcError as error:
            exception = self._exception(error)
            if exception != "fetch":
                self.executed -= 1
        if self.overwritten:
            return "program that overwrites itself"
        if exception == "load" and self._is_load_multiple():
            return "LDM and POP that fault"
        return {
            "address": program.address,
            "code": program.code,
            "before": before,
            "after": self._registers(),
            "ram": self._changes(),
            "instructions": self.executed,
            "exception": exception or "none",
        }

    def _load(self, program: Program) -> list[int]:
        """Loads the program and its registers."""
        uc = self.uc
        uc.mem_write(0, self.flash)
        uc.mem_write(RAM, self.ram)
        uc.mem_write(program.address, pack(program.code))
        uc.ctl_flush_tb()
        for register, word in zip(REGISTERS, program.registers, strict=True):
            uc.reg_write(register, word)
        uc.reg_write(arm.UC_ARM_REG_CONTROL, program.control)
        for name in SPECIAL[:-1]:
            uc.reg_write(getattr(arm, f"UC_ARM_REG_{name}"), getattr(program, name.lower()))
        uc.reg_write(arm.UC_ARM_REG_PC, program.address | 1)
        self.overwritten, self.executed = False, 0
        return self._registers()

    def _registers(self) -> list[int]:
        """R0 to R12, LR, PC, then the special ones."""
        read = self.uc.reg_read
        special = [read(getattr(arm, f"UC_ARM_REG_{name}")) for name in SPECIAL]
        return [read(register) for register in REGISTERS] + [read(arm.UC_ARM_REG_PC)] + special

    def _exception(self, error: unicorn.UcError) -> str:
        """The exception that ended the run; PC is set to the instruction that caused it."""
        if error.errno != unicorn.UC_ERR_EXCEPTION:
            return EXCEPTIONS[error.errno]
        pc = self.uc.reg_read(arm.UC_ARM_REG_PC)
        if self._halfword(pc) >> 8 == 0xBE:
            return "breakpoint"
        if self._halfword(pc - 2) >> 8 != 0xDF:
            raise ValueError(f"the oracle stops at 0x{pc:x} for an unknown reason: {error}")
        self.uc.reg_write(arm.UC_ARM_REG_PC, pc - 2 | 1)
        return "supervisor call"

    def _is_load_multiple(self) -> bool:
        at = self._halfword(self.uc.reg_read(arm.UC_ARM_REG_PC))
        return at >> 11 == 0b11001 or at >> 9 == 0b1011110

    def _halfword(self, address: int) -> int:
        return int.from_bytes(self.uc.mem_read(address, 2), "little")

    def _changes(self) -> list[list[int]]:
        """Address and value of each data word in RAM that has changed."""
        ram = self.uc.mem_read(RAM, RAM_BYTES)
        changes = []
        for block in range(CODE_ROOM, RAM_BYTES, 64):
            if ram[block : block + 64] == self.ram[block : block + 64]:
                continue
            for at in range(block, block + 64, 4):
                if ram[at : at + 4] != self.ram[at : at + 4]:
                    changes.append([RAM + at, int.from_bytes(ram[at : at + 4], "little")])
        return changes


def memories(random: Random) -> tuple[bytes, bytes]:
    """Flash with a vector table, and RAM, both full of random bytes."""
    vectors = struct.pack("<48I", RAM + RAM_BYTES, *[HANDLER | 1] * 47)
    return vectors + random.randbytes(FLASH_BYTES - len(vectors)), random.randbytes(RAM_BYTES)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("file", type=Path, help="where to write what the programs do")
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    random = Random(arguments.seed)
    flash, ram = memories(random)
    oracle, generator = Oracle(flash, ram), Generator(random)
    runs, dropped = [], Counter()
    while len(runs) < arguments.programs:
        run = oracle.run(generator.program())
        if isinstance(run, str):
            dropped[run] += 1
        else:
            runs.append(run)
    contents = {"seed": arguments.seed, "flash": flash.hex(), "ram": ram.hex()}
    write(arguments.file, contents, EXCLUDED, AVOIDED, runs)
    instructions = sum(run["instructions"] for run in runs)
    print(f"{len(runs)} programs, {instructions} instructions; not compared: {dict(dropped)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
