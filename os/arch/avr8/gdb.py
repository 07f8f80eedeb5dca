# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ends GDB's lists of callers where they end.

GDB finds the callers on an AVR by the beginnings of functions. It cannot see that nobody called a
thread, nor follow the kernel's assembly from one stack to another, and invents frames there.
"""

import gdb

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
    "sleep_forever",
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
