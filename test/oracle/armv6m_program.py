# SPDX-License-Identifier: MIT OR Apache-2.0
"""Random programs that any ARMv6-M must execute alike.

A program is a row of units. A unit sets up what its last instruction needs, such as an address in
RAM, so a branch may lead to the beginning of any unit, forwards or backwards. Branches, loads and
stores are therefore valid unless a unit means them to fault.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from encoding import Encoding, encodings

FLASH_BYTES = 0x2000
RAM = 0x2000_0000
RAM_BYTES = 0x2000
# Where programs lie, in flash or at the beginning of RAM, and how large they may be.
CODE_ROOM = 0x400
FLASH_CODE = 0x400
# The rest of RAM, with the stacks in its middle.
DATA = RAM + CODE_ROOM
DATA_END = RAM + RAM_BYTES
STACKS = RAM + 0x1000
STACKS_BYTES = 0x800
NOWHERE = 0x3000_0000

# Values at which carries, signs and shifts change.
EDGES = (
    0,
    1,
    2,
    31,
    32,
    33,
    255,
    256,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_0001,
    0xFFFF_FFFE,
    0xFFFF_FFFF,
)

# Encodings that no program contains, and why.
EXCLUDED = {
    "WFI T1": "ends the oracle's run instead of waiting",
    "WFE T1": "ends the oracle's run instead of waiting",
    "YIELD T1": "ends the oracle's run",
    "UNDEFINED (CBZ)": "the oracle executes it",
    "UNDEFINED (CPS 0000)": "the oracle executes it, as no operation",
    "UNDEFINED (CPS 0001)": "the oracle executes CPS of FAULTMASK",
    "UNDEFINED (CPS 0011)": "the oracle executes CPS of FAULTMASK",
    "UNDEFINED (SETEND)": "the oracle executes it for little endian",
    "UNDEFINED (IT, mask 1)": "the oracle executes it",
    "UNDEFINED (IT, mask 2)": "the oracle executes it",
    "UNDEFINED (IT, mask 4)": "the oracle executes it",
    "UNDEFINED (IT, mask 8)": "the oracle executes it",
    "UNDEFINED (32-bit, 11101)": "the oracle executes instructions of larger cores there",
    "UNDEFINED (32-bit, 11111)": "the oracle executes instructions of larger cores there",
}
# Uses that no program contains although their encodings occur.
AVOIDED = {
    "unaligned access": "the oracle makes it, ARMv6-M faults",
    "stack pointer that 4 does not divide": "the oracle keeps its low bits, which ARMv6-M clears",
    "MSR APSR with bit 27 set": "the oracle keeps Q, a flag that ARMv6-M lacks, for MRS",
    "CONTROL with nPRIV set": "the oracle has unprivileged code, SAM D and SAM R devices lack it",
    "branch to the ARM state": "the oracle stays in Thumb state, ARMv6-M faults",
    "STM with a base in its list that is not the lowest": "stores an unknown value",
    "LDM and POP that fault": "leave unknown values in the registers of their list",
    "program that overwrites itself": "executes unforeseen instructions",
}

# Neither SP (13) nor PC (15), which some units change by design.
PLAIN = tuple(range(13)) + (14,)
# SYSm: APSR, IAPSR, EAPSR, XPSR, MSP, PSP, PRIMASK, CONTROL; MRS also reads IPSR, EPSR, IEPSR.
FLAGS_SYSM = (0, 1, 2, 3)
STACK_SYSM = (8, 9)
PRIMASK_SYSM = 16
CONTROL_SYSM = 20
READ_SYSM = (0, 1, 2, 3, 5, 6, 7, 8, 9, 16, 20)


@dataclass
class Instruction:
    """An instruction. Some of its fields may be known only when all units have been placed."""

    encoding: Encoding
    fields: dict[str, int] = field(default_factory=dict)
    # Unit that a branch leads to.
    target: int | None = None
    # What a load from the pool returns: a value, or the address of a unit. Bit 0 of the address is
    # set if it is `odd`; if it is `relative`, it is relative to the value that PC has in the next
    # instruction.
    value: int | None = None
    unit: int | None = None
    odd: int = 1
    relative: bool = False


Unit = list[Instruction]


@dataclass
class Program:
    """Code, its address, its end, and the initial registers."""

    address: int
    end: int
    code: list[int]
    registers: list[int]
    apsr: int
    msp: int
    psp: int
    primask: int
    control: int


def value(random: Random) -> int:
    """A random word: one in two at or near an edge."""
    if random.random() < 0.5:
        return (random.choice(EDGES) + random.randint(-1, 1)) & 0xFFFF_FFFF
    return random.getrandbits(32)


def stack_address(random: Random) -> int:
    """Somewhere in the middle of the stacks."""
    return STACKS + random.randrange(0, STACKS_BYTES, 4)


class Generator:
    """Generates programs from one source of randomness."""

    def __init__(self, random: Random):
        self.random = random
        self.encodings = encodings("armv6m")
        names = [name for name in self.encodings if name not in EXCLUDED]
        self.traps = [n for n in names if n.startswith(("UNDEFINED", "UDF", "SVC", "BKPT"))]
        # The generator of units that end in an instruction of each encoding.
        special = [
            ("ADD (register) T2", self._add_any),
            ("ADD (register) T2", self._add_to_sp),
            ("ADD (register) T2", self._add_to_pc),
            ("CMP (register) T2", self._compare_any),
            ("MOV (register) T1", self._move_any),
            ("MOV (register) T1", self._move_to_sp),
            ("MOV (register) T1", self._move_to_pc),
            ("BX T1", self._exchange),
            ("BLX (register) T1", self._exchange),
            ("PUSH T1", self._push),
            ("POP T1", self._pop),
            ("POP T1", self._pop_pc),
            ("STM T1", self._store_multiple),
            ("LDM T1", self._load_multiple),
            ("BL T1", self._branch),
            ("MSR (register) T1", self._write_special),
            ("MRS T1", self._read_special),
        ]
        others = set(names) - set(self.traps) - {name for name, _ in special}
        self.makers = special + [(name, self._maker(name)) for name in names if name in others]
        self.units = 0

    def program(self) -> Program:
        """The next program."""
        random = self.random
        self.units = random.randint(6, 24)
        units = [self._unit() for _ in range(self.units)]
        if random.random() < 0.2:
            units.insert(random.randrange(len(units)), self._trap())
            self.units += 1
        base = random.choice((FLASH_CODE, RAM))
        address = base + random.randrange(0, 64, 2)
        code, end = place(units, address, self.encodings)
        return Program(
            address=address,
            end=end,
            code=code,
            registers=[value(random) for _ in range(13)] + [value(random)],
            apsr=random.getrandbits(4) << 28,
            msp=stack_address(random),
            psp=stack_address(random),
            primask=random.getrandbits(1),
            control=random.getrandbits(1) << 1,
        )

    def _unit(self) -> Unit:
        name, make = self.random.choice(self.makers)
        return make(name)

    def _maker(self, name: str) -> Callable[[str], Unit]:
        """The generator of units of an encoding that needs no special care, or only its kind's."""
        if name.startswith("B T"):
            return self._branch
        if name.startswith(("LDR", "STR")) and name.endswith(("(register) T1", "(immediate) T1")):
            return self._load_store
        return self._any

    def _trap(self) -> Unit:
        """Ends the program: an exception."""
        if self.random.random() < 0.3:
            return self._bad_access()
        encoding = self.encodings[self.random.choice(self.traps)]
        trap = Instruction(encoding, encoding.any_fields(self.random))
        # The second halfword of 32-bit encodings of which the list gives only the first.
        return [trap, self._plain("NOP T1")]

    def _bad_access(self) -> Unit:
        """A load from nowhere, a store to nowhere or to flash, a branch to nowhere."""
        base = self._low()
        kind, at = self.random.choice(
            (
                ("LDR (immediate) T1", NOWHERE),
                ("STRH (immediate) T1", NOWHERE),
                ("STRB (immediate) T1", FLASH_CODE + CODE_ROOM),
                ("STM T1", NOWHERE),
                ("BX T1", NOWHERE | 1),
            )
        )
        fields = {"n": base, "t": self._low(), "m": base, "r": 1 << base}
        return [self._literal(base, at), self._plain(kind, **fields)]

    def _low(self) -> int:
        return self.random.randrange(8)

    def _plain(self, name: str, **fields: int) -> Instruction:
        return Instruction(self.encodings[name], fields)

    def _literal(self, register: int, word: int) -> Instruction:
        return Instruction(self.encodings["LDR (literal) T1"], {"t": register}, value=word)

    def _unit_address(self, register: int, odd: int = 1, relative: bool = False) -> Instruction:
        """A load of the address of a unit."""
        unit = self.random.randint(0, self.units)
        encoding = self.encodings["LDR (literal) T1"]
        return Instruction(encoding, {"t": register}, unit=unit, odd=odd, relative=relative)

    def _any(self, name: str) -> Unit:
        encoding = self.encodings[name]
        return [Instruction(encoding, encoding.any_fields(self.random))]

    def _branch(self, name: str) -> Unit:
        return [Instruction(self.encodings[name], target=self.random.randint(0, self.units))]

    def _load_store(self, name: str) -> Unit:
        """A load or store of data, its base and index loaded before."""
        size = 1 if "B " in name else 2 if "H " in name else 4
        size = 1 if "SB" in name else 2 if "SH" in name else size
        random = self.random
        at = random.randrange(DATA, DATA_END, size)
        fields = self.encodings[name].any_fields(random)
        if "immediate" in name:
            base = at - fields["i"] * size
            return [self._literal(fields["n"], base), self._plain(name, **fields)]
        fields["m"] = (fields["n"] + random.randint(1, 7)) % 8
        index = random.randrange(-64 * size, 64 * size)
        setup = [
            self._literal(fields["n"], at - index),
            self._literal(fields["m"], index & 0xFFFF_FFFF),
        ]
        return setup + [self._plain(name, **fields)]

    def _store_multiple(self, name: str) -> Unit:
        base = self._low()
        # If the base is in the list, it is the lowest register there.
        registers = self.random.randint(1, 255)
        if registers & 1 << base:
            registers &= -1 << base
        at = self.random.randrange(DATA, DATA_END - 32, 4)
        return [self._literal(base, at), self._plain(name, n=base, r=registers)]

    def _load_multiple(self, name: str) -> Unit:
        base = self._low()
        at = self.random.randrange(DATA, DATA_END - 32, 4)
        fields = {"n": base, "r": self.random.randint(1, 255)}
        return [self._literal(base, at), self._plain(name, **fields)]

    def _push(self, name: str) -> Unit:
        return [self._plain(name, m=self.random.getrandbits(1), r=self.random.randint(1, 255))]

    def _pop(self, name: str) -> Unit:
        return [self._plain(name, p=0, r=self.random.randint(1, 255))]

    def _pop_pc(self, name: str) -> Unit:
        """POP of as many registers as were pushed, the last one into PC."""
        random = self.random
        pushed, register = random.randint(0, 255), self._low()
        popped = sum(1 << r for r in random.sample(range(8), pushed.bit_count()))
        return [
            self._unit_address(register),
            self._plain("MOV (register) T1", d=14, m=register),
            self._plain("PUSH T1", m=1, r=pushed),
            self._plain(name, p=1, r=popped),
        ]

    def _add_any(self, name: str) -> Unit:
        return [self._plain(name, d=self.random.choice(PLAIN), m=self.random.randrange(15))]

    def _move_any(self, name: str) -> Unit:
        return [self._plain(name, d=self.random.choice(PLAIN), m=self.random.randrange(16))]

    def _compare_any(self, name: str) -> Unit:
        """Not two low registers: that has an encoding of its own."""
        first, second = self.random.randrange(15), self.random.randrange(15)
        if first < 8 and second < 8:
            first += 7
        return [self._plain(name, n=max(first, 8) if second < 8 else first, m=second)]

    def _move_to_sp(self, name: str) -> Unit:
        low = self._low()
        return [self._literal(low, stack_address(self.random)), self._plain(name, d=13, m=low)]

    def _add_to_sp(self, name: str) -> Unit:
        low = self._low()
        offset = self.random.randrange(-64, 64, 4) & 0xFFFF_FFFF
        return [self._literal(low, offset), self._plain(name, d=13, m=low)]

    def _move_to_pc(self, name: str) -> Unit:
        low = self._low()
        odd = self.random.getrandbits(1)
        return [self._unit_address(low, odd), self._plain(name, d=15, m=low)]

    def _add_to_pc(self, name: str) -> Unit:
        low, odd = self._low(), self.random.getrandbits(1)
        return [self._unit_address(low, odd, relative=True), self._plain(name, d=15, m=low)]

    def _exchange(self, name: str) -> Unit:
        low, register = self._low(), self.random.choice(PLAIN)
        setup = [self._unit_address(low)]
        if register != low:
            setup.append(self._plain("MOV (register) T1", d=register, m=low))
        return setup + [self._plain(name, m=register)]

    def _write_special(self, name: str) -> Unit:
        random, low = self.random, self._low()
        special, word = random.choice(
            [(sysm, value(random) & ~(1 << 27)) for sysm in FLAGS_SYSM]
            + [(sysm, stack_address(random)) for sysm in STACK_SYSM]
            + [(PRIMASK_SYSM, value(random)), (CONTROL_SYSM, random.getrandbits(1) << 1)]
        )
        return [self._literal(low, word), self._plain(name, n=low, s=special)]

    def _read_special(self, name: str) -> Unit:
        return [self._plain(name, d=self.random.choice(PLAIN), s=self.random.choice(READ_SYSM))]


def place(units: list[Unit], address: int, known: dict[str, Encoding]) -> tuple[list[int], int]:
    """Code of units at an address, followed by the pool, and where the code ends."""
    starts = [address]
    for unit in units:
        starts.append(starts[-1] + sum(2 * len(i.encoding.halfwords) for i in unit))
    end = starts[-1]
    pool: list[int] = []
    pool_at = (end + 3) & ~3
    code: list[int] = []
    for instruction in (i for unit in units for i in unit):
        at = address + 2 * len(code)
        fields = instruction.fields
        if instruction.target is not None:
            fields = _offset(instruction.encoding, starts[instruction.target] - (at + 4))
        elif instruction.value is not None or instruction.unit is not None:
            words = pool_at + 4 * len(pool) - (at + 4 & ~3) >> 2
            fields = {**fields, "i": words}
            word = instruction.value
            if word is None:
                word = starts[instruction.unit] + instruction.odd
                word -= at + 6 if instruction.relative else 0
            pool.append(word & 0xFFFF_FFFF)
        code += instruction.encoding.encode(fields)
    code += known["NOP T1"].encode({}) * ((pool_at - end) // 2)
    code += [half for word in pool for half in (word & 0xFFFF, word >> 16)]
    return code, end


def _offset(encoding: Encoding, offset: int) -> dict[str, int]:
    """Fields of a branch over `offset` bytes from PC."""
    halfwords = offset >> 1
    if encoding.name != "BL T1":
        return {"i": halfwords & (1 << encoding.width("i")) - 1}
    # Near branches: J1 and J2 are set, whatever the sign.
    return {"s": int(offset < 0), "j": 0b11, "i": halfwords & 0x1F_FFFF}
