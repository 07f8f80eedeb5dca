# SPDX-License-Identifier: MIT OR Apache-2.0
"""Random programs for AVR that stay in the memory of an ATmega128.

A program is a row of units. A unit sets up what its last instruction needs, such as a pointer, so a
branch may lead to the beginning of any unit, forwards or backwards; a skip has what it skips in its
own unit.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from encoding import Encoding, encodings

FLASH_BYTES = 128 * 1024
DATA_END = 0x1100
SRAM = 0x100
# Where the stack pointer may be.
STACK_PAGES = range(0x04, 0x0D)
# Where programs lie.
CODE = range(0x400, 0x800, 2)

# Data addresses of registers of the core.
IO = 0x20
RAMPZ, SPL, SPH, SREG = 0x5B, 0x5D, 0x5E, 0x5F

# Values at which carries, signs and shifts change.
EDGES = (0, 1, 2, 0x0F, 0x10, 0x3F, 0x40, 0x7F, 0x80, 0x81, 0xFE, 0xFF)

# Encodings that no program contains, and why.
EXCLUDED = {
    "SPM": "what it does is up to the chip's self-programming",
}
# Uses that no program contains although their encodings occur.
AVOIDED = {
    "a pointer that changes and is loaded or stored": "undefined",
    "access to the pointer through itself": "the oracle writes the pointer back, even if it stays",
    "RAMPZ above 1": "the oracle keeps eight bits, the ATmega128 has one",
    "ELPM Z+ at the end of flash": "the oracle's RAMPZ becomes 2",
    "an address outside of registers, I/O and SRAM": "the oracle stops",
    "JMP and CALL beyond 64 K words": "the oracle's program counter has more than 16 bits",
    "ADIW and SBIW of 12 to 15, 28 to 31 and so on after a skip": "the oracle skips two words",
    "a displacement beyond 0xFFFF": "the oracle does not wrap around",
    "interrupts and sleep": "the oracle's entry takes no cycles",
}

POINTERS = {"X": 26, "Y": 28, "Z": 30}


@dataclass
class Instruction:
    """An instruction. Some of its fields may be known only when all units have been placed."""

    encoding: Encoding
    fields: dict[str, int] = field(default_factory=dict)
    # Unit to which a relative branch leads.
    target: int | None = None
    # Unit whose address goes into the field k: all of it, or the byte at this shift.
    unit: int | None = None
    shift: int | None = None


Unit = list[Instruction]


@dataclass
class Program:
    """Code, the addresses of its first and last byte, and the registers at its start."""

    start: int
    end: int
    code: list[int]
    # r0 to r31, SREG, SPL, SPH, RAMPZ.
    state: list[int]


class Generator:
    """Generates programs from one source of randomness."""

    def __init__(self, random: Random):
        self.random = random
        self.encodings = encodings("avr8")
        self.names = [name for name in self.encodings if name not in EXCLUDED]
        self.units = 0
        # What ends a unit of one instruction, and may be skipped.
        self.plain = [name for name in self.names if self._maker(name) == self._any]

    def program(self) -> Program:
        """The next program."""
        random = self.random
        self.units = random.randint(6, 24)
        units = [self._unit(random.choice(self.names)) for _ in range(self.units)]
        start = random.choice(CODE)
        code, end = place(units, start)
        pointers = [random.randrange(256), random.choice(STACK_PAGES), random.getrandbits(1)]
        registers = [self._byte() for _ in range(32)]
        return Program(start, end, code, registers + [random.getrandbits(8)] + pointers)

    def _byte(self) -> int:
        """A random byte: one in two at an edge."""
        return self.random.choice((self.random.choice(EDGES), self.random.getrandbits(8)))

    def _unit(self, name: str) -> Unit:
        return self._maker(name)(name)

    def _maker(self, name: str) -> Callable[[str], Unit]:
        """What makes a unit that ends in an instruction of this encoding."""
        kind = name.split()[0]
        makers = {
            ("BRBC", "BRBS", "RJMP", "RCALL"): self._branch,
            ("JMP", "CALL"): self._jump,
            ("IJMP", "ICALL"): self._indirect,
            ("RET", "RETI"): self._return,
            ("CPSE", "SBRC", "SBRS", "SBIC", "SBIS"): self._skip,
            ("LD", "LDD", "ST", "STD"): self._through_pointer,
            ("LDS", "STS"): self._direct,
            ("LPM", "ELPM"): self._load_program,
            ("OUT",): self._output,
        }
        return next((make for kinds, make in makers.items() if kind in kinds), self._any)

    def _plain(self, name: str, **fields: int) -> Instruction:
        return Instruction(self.encodings[name], fields)

    def _any(self, name: str) -> Unit:
        encoding = self.encodings[name]
        fields = encoding.any_fields(self.random)
        if self.random.random() < 0.3 and encoding.width("k") == 8:
            fields["k"] = self._byte()
        return [Instruction(encoding, fields)]

    def _set(self, register: int, value: int) -> Instruction:
        """LDI; `register` is one of r16 to r31."""
        return self._plain("LDI", d=register - 16, k=value)

    def _set_unit(self, register: int, unit: int, shift: int) -> Instruction:
        fields = {"d": register - 16}
        return Instruction(self.encodings["LDI"], fields, unit=unit, shift=shift)

    def _any_unit(self) -> int:
        return self.random.randint(0, self.units)

    def _branch(self, name: str) -> Unit:
        encoding = self.encodings[name]
        fields = encoding.any_fields(self.random)
        return [Instruction(encoding, fields, target=self._any_unit())]

    def _jump(self, name: str) -> Unit:
        return [Instruction(self.encodings[name], {}, unit=self._any_unit())]

    def _indirect(self, name: str) -> Unit:
        unit = self._any_unit()
        setup = [self._set_unit(30, unit, 0), self._set_unit(31, unit, 8)]
        return setup + [self._plain(name)]

    def _return(self, name: str) -> Unit:
        """Low byte, high byte, and back."""
        unit, setup = self._any_unit(), []
        for shift in (0, 8):
            register = self.random.randrange(16, 32)
            setup += [self._set_unit(register, unit, shift), self._plain("PUSH", d=register)]
        return setup + [self._plain(name)]

    def _skip(self, name: str) -> Unit:
        """A skip, and an instruction of one or two words."""
        skipped = self.random.choice(self.plain + ["LDS", "JMP"] * 4)
        unit = self._any(name) + self._unit(skipped)
        if skipped in ("ADIW", "SBIW"):
            unit[-1].fields["k"] &= ~4
        return unit

    def _address(self) -> int:
        """Mostly SRAM; registers, and I/O registers that may have any value."""
        kind = self.random.random()
        if kind < 0.75:
            return self.random.randrange(SRAM, DATA_END)
        if kind < 0.9:
            return self.random.randrange(32)
        return self._io(0x100 - IO) + IO

    def _io(self, count: int) -> int:
        """An I/O address below `count`."""
        address = self.random.randrange(count)
        return address if address + IO not in (RAMPZ, SPL, SPH) else SREG - IO

    def _through_pointer(self, name: str) -> Unit:
        random, encoding = self.random, self.encodings[name]
        pointer = next(register for letter, register in POINTERS.items() if letter in name)
        fields, address = encoding.any_fields(random), self._address()
        if "+" in name.split()[1][-1:] or "-" in name:
            while fields["d"] & 30 == pointer:
                fields["d"] = random.randrange(32)
        while address & ~1 == pointer:
            address = self._address()
        if "q" in fields:
            fields["q"] = min(fields["q"], address)
        base = address - fields.get("q", 0) + (1 if "-" in name else 0)
        setup = [self._set(pointer, base & 0xFF), self._set(pointer + 1, base >> 8)]
        return setup + [Instruction(encoding, fields)]

    def _direct(self, name: str) -> Unit:
        encoding = self.encodings[name]
        return [Instruction(encoding, encoding.any_fields(self.random) | {"k": self._address()})]

    def _load_program(self, name: str) -> Unit:
        encoding = self.encodings[name]
        fields = encoding.any_fields(self.random)
        while "+" in name and fields["d"] & 30 == 30:
            fields["d"] = self.random.randrange(32)
        # Not the last byte of a half of flash.
        setup = [self._set(31, self.random.randrange(0xFF))] if name == "ELPM Z+" else []
        return setup + [Instruction(encoding, fields)]

    def _output(self, name: str) -> Unit:
        """To any register, to both halves of the stack pointer, or to RAMPZ."""
        random, register = self.random, self.random.randrange(16, 32)

        def out(address: int, value: int) -> Unit:
            a = address - IO
            return [self._set(register, value), self._plain(name, a=a, d=register)]

        kind = random.random()
        if kind < 0.2:
            halves = [(SPL, random.getrandbits(8)), (SPH, random.choice(STACK_PAGES))]
            return [i for half in random.sample(halves, 2) for i in out(*half)]
        if kind < 0.3:
            return out(RAMPZ, random.getrandbits(1))
        return [self._plain(name, a=self._io(64), d=random.randrange(32))]


def place(units: list[Unit], start: int) -> tuple[list[int], int]:
    """Code of units at an address, and where it ends."""
    starts = [start]
    for unit in units:
        starts.append(starts[-1] + sum(2 * len(i.encoding.halfwords) for i in unit))
    code: list[int] = []
    for instruction in (i for unit in units for i in unit):
        fields = instruction.fields
        if instruction.target is not None:
            at = start + 2 * len(code)
            offset = (starts[instruction.target] - (at + 2)) // 2
            width = instruction.encoding.width("o")
            # What is too far away is left out: the next instruction follows.
            near = -1 << width - 1 <= offset < 1 << width - 1
            fields = {**fields, "o": offset & (1 << width) - 1 if near else 0}
        elif instruction.unit is not None:
            word = starts[instruction.unit] // 2
            shift = instruction.shift
            fields = {**fields, "k": word if shift is None else word >> shift & 0xFF}
        code += instruction.encoding.encode(fields)
    return code, starts[-1]
