# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ends GDB's lists of callers where they end, and finds those of functions that push arguments.

GDB finds the callers on an AVR by the beginnings of functions. It cannot see that nobody called a
thread, nor follow the kernel's assembly from one stack to another, and invents frames there. What a
function pushes later, for a call with a variable number of arguments, it does not see either: then
`next` would not know the call for one, and end in it.
"""

import gdb
import gdb.unwinder

# Linear addresses of data begin here.
DATA = 0x800000

# Nobody called these, or what they interrupted is not known.
OUTERMOST = {
    "__do_clear_bss",
    "arch_idle",
    "arch_start_threads",
    "coop_alone",
    "interrupt_entered",
    "interrupt_of_kernel",
    "interrupt_of_main",
    "interrupt_of_thread",
    "kernel_entry_of_main",
    "kernel_sleep_forever",
    "thread_begins",
    "threads_start",
}
# Calls of threads: on the kernel's stack, nothing older is.
CALLS = {"call_of_thread", "kernel_call", "kernel_leave", "leave_ready"}


class Callers:
    """A frame filter that drops what is older than the oldest frame, and what is in no function."""

    name = "lichen"
    priority = 100
    enabled = True

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        for frame in frames:
            if frame.inferior_frame().name() is None:
                return
            yield frame
            if is_oldest(frame.inferior_frame()):
                return


def is_oldest(frame):
    """Whether no older frame is known."""
    name = frame.name()
    return name in OUTERMOST or (name in CALLS and is_on_kernels_stack(frame))


def is_on_kernels_stack(frame):
    sp = int(frame.read_register("SP")) | DATA
    bottom, top = (address_of(symbol) for symbol in ("kernel_stack_bottom", "kernel_stack_top"))
    return bottom <= sp < top


def address_of(symbol):
    """Linear address of a symbol of the data."""
    return int(gdb.parse_and_eval("(unsigned long)&" + symbol)) | DATA


Callers()


# All that a caller's frame has: GDB takes what is not said for lost.
REGISTERS = [f"r{number}" for number in range(32)] + ["SREG", "SP", "PC2"]


class Frame:
    """What GDB compares to know a frame again."""

    def __init__(self, sp, pc):
        self.sp = gdb.Value(sp)
        self.pc = gdb.Value(pc)


class Pushing(gdb.unwinder.Unwinder):
    """Finds the caller of a C function that has no frame pointer, by all that it has pushed."""

    def __init__(self):
        super().__init__("lichen")
        self.functions = {}

    def __call__(self, pending):
        pc = int(pending.read_register("PC2"))
        start = start_of(pc)
        if start == pc and pending.level() > 0 and not executes(pc):
            # A call that does not return was the last instruction of the function before.
            start = start_of(pc - 1)
        if start is None:
            return None
        if start not in self.functions:
            self.functions[start] = Function(start)
        depth = self.functions[start].depth(pc)
        if depth is None:
            return None
        entry = (int(pending.read_register("SP")) & 0xFFFF) + depth
        info = pending.create_unwind_info(Frame(DATA | (entry + 1), start))
        returns = bytes(gdb.selected_inferior().read_memory(DATA | (entry + 1), 2))
        saved = {"PC2": int.from_bytes(returns, "big") * 2, "SP": entry + 2}
        for pushed, register in enumerate(self.functions[start].saved[:depth]):
            byte = gdb.selected_inferior().read_memory(DATA | (entry - pushed), 1)
            saved[f"r{register}"] = byte[0][0]
        for name in REGISTERS:
            now = pending.read_register(name)
            info.add_saved_register(name, as_content(saved[name], now) if name in saved else now)
        return info


def as_content(number, register):
    """A number as the content of a register."""
    return gdb.Value(number.to_bytes(register.type.sizeof, "little"), register.type)


def start_of(pc):
    """Where the function at `pc` begins, if it is written in C."""
    symtab = gdb.find_pc_line(pc).symtab
    if symtab is None or not symtab.filename.endswith(".c"):
        return None
    # "main + 4 in section .text". Blocks may reach into the next function where calls shrank.
    words = gdb.execute(f"info symbol {pc:#x}", to_string=True).split()
    if len(words) < 3 or words[1] not in ("+", "in"):
        return None
    return pc - int(words[2]) if words[1] == "+" else pc


def executes(pc):
    """Whether the thread's own next instruction is at `pc`: inner frames may be inlined."""
    registers = gdb.execute("maintenance print raw-registers", to_string=True)
    row = next(row for row in registers.splitlines() if row.strip().startswith("PC2 "))
    return int.from_bytes(bytes.fromhex(row.split()[-1].removeprefix("0x")), "big") == pc


SPL = 0x3D
Y = 28
RET, RETI, IJMP = 0x9508, 0x9518, 0x9409


class Function:
    """The stack of a function without a frame pointer, instruction by instruction."""

    def __init__(self, start):
        self.start = start
        self.code = bytes(gdb.selected_inferior().read_memory(start, 2048))
        # The registers pushed first, which are the caller's.
        self.saved = []
        self.depths = {}
        pc = start
        while is_push(self.word(pc)):
            self.saved.append(register(self.word(pc)))
            pc += 2
        while self.word(pc) == RCALL_NEXT or is_push(self.word(pc)):
            pc += 2
        if in_of(self.word(pc)) != (Y, SPL):
            self.follow()

    def depth(self, pc):
        """Bytes pushed before `pc`, or before the call that would return there."""
        known = (self.depths[at] for at in (pc, pc - 2, pc - 4) if at in self.depths)
        return next(known, None)

    def word(self, pc):
        at = pc - self.start
        return int.from_bytes(self.code[at : at + 2], "little")

    def follow(self):
        """Computes the depth at each instruction that can be reached."""
        todo = [(self.start, 0, None, 0)]
        while todo:
            pc, depth, copy, offset = todo.pop()
            if pc in self.depths or not self.start <= pc < self.start + len(self.code) - 2:
                continue
            self.depths[pc] = depth
            word = self.word(pc)
            depth, copy, offset = after(word, depth, copy, offset)
            todo += [(to, depth, copy, offset) for to in self.next(pc, word)]

    def next(self, pc, word):
        """Where the processor may go from an instruction."""
        following = pc + 2 * words_of(word)
        if word in (RET, RETI, IJMP):
            return []
        if word & 0xF000 == 0xC000:
            return [pc + 2 + 2 * signed(word & 0xFFF, 12)]
        if word & 0xFE0E == 0x940C:
            high = (word >> 3 & 0x3E) | word & 1
            return [2 * (high << 16 | self.word(pc + 2))]
        if word & 0xF800 == 0xF000:
            return [following, pc + 2 + 2 * signed(word >> 3 & 0x7F, 7)]
        if skips(word):
            return [following, following + 2 * words_of(self.word(following))]
        return [following]


RCALL_NEXT = 0xD000


def after(word, depth, copy, offset):
    """The depth after an instruction, and how a register that is a copy of SP differs from it."""
    if is_push(word):
        return depth + 1, copy, offset
    if word & 0xFE0F == 0x900F:
        return depth - 1, copy, offset
    if word == RCALL_NEXT:
        return depth + 2, copy, offset
    if word & 0xF800 == 0xB000 and in_of(word)[1] == SPL:
        return depth, register(word), 0
    if word & 0xFE00 == 0x9600 and copy == 24 + 2 * (word >> 4 & 3):
        by = (word >> 2 & 0x30) | word & 0xF
        return depth, copy, offset + (by if word & 0x100 == 0 else -by)
    if word & 0xE000 == 0x4000 and copy is not None:
        return depth, copy, offset - subtracted(word, copy)
    if word & 0xF800 == 0xB800 and in_of(word) == (copy, SPL):
        return depth - signed(offset & 0xFFFF, 16), None, 0
    return depth, copy, offset


def subtracted(word, copy):
    """What subi and sbci subtract from the copy of SP."""
    by = (word >> 4 & 0xF0) | word & 0xF
    to = 16 + (word >> 4 & 0xF)
    if word & 0xF000 == 0x5000 and to == copy:
        return by
    return by << 8 if word & 0xF000 == 0x4000 and to == copy + 1 else 0


def is_push(word):
    return word & 0xFE0F == 0x920F


def register(word):
    return word >> 4 & 0x1F


def in_of(word):
    """Register and port of in and out."""
    if word & 0xF000 != 0xB000:
        return None, None
    return register(word), (word >> 5 & 0x30) | word & 0xF


def words_of(word):
    """Length of an instruction: lds, sts, jmp and call have two words."""
    is_long = word & 0xFC0F == 0x9000 or word & 0xFE0C == 0x940C
    return 2 if is_long else 1


def skips(word):
    """Whether the next instruction may be skipped: cpse, sbrc, sbrs, sbic, sbis."""
    return word & 0xFC00 == 0x1000 or word & 0xFC08 == 0xFC00 or word & 0xFD00 == 0x9900


def signed(number, bits):
    return number - (1 << bits) if number >> (bits - 1) else number


gdb.unwinder.register_unwinder(None, Pushing(), replace=True)
