// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands for GDB, and its expected answers.
//!
//! `LINE` stands for the line where a philosopher has both forks, `SLEEP` and `SEATS` for addresses of
//! the function `sleep_converted_ms` and of the seats.

/// A conversation with GDB.
pub(super) struct Conversation {
    pub name: &'static str,
    pub program: Debugged,
    pub board: &'static str,
    /// Commands for GDB.
    pub commands: &'static [&'static str],
    /// Answers that it must give, in this order.
    pub answers: &'static [&'static str],
    /// Answers that it must not give.
    pub never: &'static [&'static str],
}

/// The program to debug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Debugged {
    /// The program as built.
    Program,
    /// Its image without symbols.
    Stripped,
    /// The program as built for a debugger.
    Debug,
    /// Another program as built.
    Other(&'static str),
}

/// The program to debug.
pub(super) const PROGRAM: &str = "philosophers";

/// An empty conversation.
const PLAIN: Conversation = Conversation {
    name: "",
    program: Debugged::Program,
    board: "hamilton",
    commands: &[],
    answers: &[],
    never: &[],
};

/// Steps through what is built for a debugger.
const LOCALS: [&str; 11] = [
    "break take_time",
    "continue",
    "delete",
    "info args",
    "next",
    "next",
    "next",
    "next",
    "finish",
    "print *seat",
    "print lower",
];
const LINE_BY_LINE: [&str; 9] = [
    "hit Breakpoint 1, take_time (",
    "ms = 300",
    "seat->chance ^= seat->chance << 13;",
    "seat->chance ^= seat->chance >> 17;",
    "seat->chance ^= seat->chance << 5;",
    "sleep_ms(ms + seat->chance % CHANCE_MS);",
    "dine (number=",
    "doing = THINKS, meals = 0",
    "<forks",
];

pub(super) const CONVERSATIONS: &[Conversation] = &[
    Conversation {
        name: "breakpoint",
        commands: &[
            "info threads",
            "break philosophers.c:LINE",
            "continue",
            "backtrace",
            "stepi",
            "next",
            "finish",
        ],
        answers: &[
            "(core)",
            "Breakpoint 1 at",
            "hit Breakpoint 1, dine (",
            "philosophers.c:LINE",
            "#0  dine (",
            "_thread (argument=",
            "LINE\t        seat->meals++;",
            "now_does",
        ],
        ..PLAIN
    },
    Conversation {
        name: "from_an_event_to_what_it_interrupted",
        program: Debugged::Other("sense"),
        commands: &["break i2c_ended_event", "continue", "backtrace"],
        answers: &[
            "reset_handler () at os/arch/armv6m/start.S",
            "#0  i2c_ended_event (",
            "#1  ",
            "in deliver ()",
            "#2  <signal handler called>",
            "#3  arch_idle ()",
        ],
        never: &["corrupt stack", "panic_of_frame"],
        ..PLAIN
    },
    Conversation {
        name: "from_the_kernel_to_its_caller",
        commands: &["break mutex_take", "continue", "backtrace"],
        answers: &["#0  mutex_take (", "<signal handler called>", "in mutex_lock (", "dine ("],
        never: &["corrupt stack"],
        ..PLAIN
    },
    Conversation {
        name: "next_over_a_division",
        commands: &[
            "break dine",
            "continue",
            "delete",
            "next",
            "next",
            "next",
            "backtrace",
            "next",
        ],
        answers: &[
            "hit Breakpoint 1, dine (",
            "88\t    unsigned next = (number + 1) % ",
            "89\t    struct semaphore *lower",
            "#0  dine (",
            "in thread_begins ()",
            "90\t    struct semaphore *higher",
        ],
        never: &["__aeabi_uidiv", "lib1funcs"],
        ..PLAIN
    },
    Conversation {
        name: "next_in_a_body",
        program: Debugged::Other("sense"),
        commands: &["break sense_body", "continue", "next", "next", "next"],
        answers: &["hit Breakpoint 1, ", "round_of_all();", "due += sense_period_us;"],
        never: &["exited", "sense_thread (", "switch.S"],
        ..PLAIN
    },
    Conversation {
        name: "next_over_print",
        commands: &["break usnea_body", "continue", "next"],
        answers: &["hit Breakpoint 1, ", "print_head();", "dine(0);"],
        never: &["usnea_thread (", "exited"],
        ..PLAIN
    },
    Conversation {
        name: "next_in_a_body_on_avr",
        program: Debugged::Other("sense"),
        board: "micaz",
        commands: &["break sense_body", "continue", "next", "next", "next"],
        answers: &["hit Breakpoint 1, ", "round_of_all();", "due += sense_period_us;"],
        never: &["exited", "Python Exception", "switch.S"],
    },
    Conversation {
        name: "next_over_print_on_avr",
        program: Debugged::Other("hello"),
        board: "micaz",
        commands: &["break hello_body", "continue", "next", "next", "backtrace", "next", "next"],
        answers: &[
            "hit Breakpoint 1, hello_body (",
            "print(\"Hello, world!",
            "seconds++;",
            "in thread_begins ()",
            "sleep_until_us(",
        ],
        never: &["console", "Python Exception"],
    },
    Conversation {
        name: "callers_of_print_on_avr",
        board: "micaz",
        commands: &["break console_claim", "continue", "backtrace"],
        answers: &["#0  console_claim ()", " print (", "usnea_body (", "in thread_begins ()"],
        never: &["ready_move", "Python Exception", "corrupt stack"],
        ..PLAIN
    },
    Conversation {
        name: "locals",
        program: Debugged::Debug,
        commands: &LOCALS,
        answers: &LINE_BY_LINE,
        never: &["= <optimized out>"],
        ..PLAIN
    },
    Conversation {
        name: "locals_on_avr",
        program: Debugged::Debug,
        board: "micaz",
        commands: &LOCALS,
        answers: &LINE_BY_LINE,
        never: &["= <optimized out>", "Python Exception"],
    },
    Conversation {
        name: "callers_on_avr",
        board: "micaz",
        commands: &[
            "break take_time",
            "continue",
            "backtrace",
            "delete",
            "break handler_TIMER0_COMP",
            "continue",
            "backtrace",
            "thread 6",
            "backtrace",
        ],
        answers: &[
            "#0  take_time (",
            "_thread (argument=",
            "in thread_begins ()",
            "#0  handler_TIMER0_COMP ()",
            "in interrupt_of_thread ()",
            "Switching to thread 6",
            "#0  sleep_ticks (",
            "_thread (argument=",
        ],
        // Nobody called them.
        never: &["in ?? ()", "corrupt stack", "in  ()"],
        ..PLAIN
    },
    Conversation {
        name: "threads",
        commands: &["break philosophers.c:LINE", "continue", "info threads", "thread apply all bt"],
        answers: &[
            "usnea: running, priority 4",
            "cladonia: waiting for its deadline, priority 4",
            "idle: ready, priority 0",
            "sleep_ticks (",
            "sleep_converted_ms (",
            "dine (number=",
        ],
        ..PLAIN
    },
    Conversation {
        name: "watchpoint",
        commands: &[
            "watch seats[1].meals",
            "continue",
            "backtrace 2",
            "delete",
            "rwatch seats[4].meals",
            "continue",
        ],
        answers: &[
            "Hardware watchpoint 1: seats[1].meals",
            "Old value = 0",
            "New value = 1",
            "dine (number=number@entry=1)",
            "Hardware read watchpoint 2: seats[4].meals",
            "Value = ",
            "print_row ()",
        ],
        ..PLAIN
    },
    Conversation {
        name: "monitor",
        commands: &[
            "break philosophers.c:LINE",
            "continue",
            "monitor time",
            "monitor state",
            "monitor threads",
            "monitor nonsense",
            "monitor reset",
            "maintenance flush register-cache",
            "print $pc",
        ],
        answers: &[
            " cycles, ",
            "ATSAMR21E18A: 8000000 Hz, no interrupt, executing;",
            "usnea: running",
            "stack usnea: ",
            "there is no `monitor nonsense`",
            "reset; the processor is at",
            "<reset_handler>",
        ],
        ..PLAIN
    },
    Conversation {
        name: "registers",
        commands: &[
            "break philosophers.c:LINE",
            "continue",
            "set $r7 = 0x1234",
            "print/x $r7",
            "set var seats[3].meals = 77",
            "print seats[3].meals",
            "print $sp == $psp",
            "print/x $control",
        ],
        answers: &["$1 = 0x1234", "$2 = 77", "$3 = 1", "$4 = 0x2"],
        ..PLAIN
    },
    Conversation {
        name: "nothing",
        commands: &["break *0x60000000", "continue"],
        answers: &["Cannot insert hardware breakpoint 1."],
        ..PLAIN
    },
    Conversation { name: "end", commands: &["continue"], answers: &["exited normally"], ..PLAIN },
    Conversation {
        name: "frames",
        commands: &["break philosophers.c:LINE", "continue", "thread apply all backtrace"],
        answers: &[
            "_thread (argument=",
            "in thread_begins () at os/arch/armv6m/switch.S:",
            "#0  dine (",
            "in usnea_body (argument=",
            "usnea_thread (argument=",
            "in thread_begins () at os/arch/armv6m/switch.S:",
        ],
        never: &["?? ()", "Backtrace stopped"],
        ..PLAIN
    },
    Conversation {
        name: "back",
        commands: &[
            "break philosophers.c:LINE",
            "continue",
            "continue",
            "print number",
            "reverse-stepi",
            "monitor time",
            "reverse-step",
            "reverse-next",
            "set var seats[3].meals = 77",
            "monitor type x",
            "reverse-continue",
            "print number",
            "reverse-finish",
            "reverse-continue",
            "print $pc",
            "continue",
            "continue",
            "print number",
            "next",
            "print seats[2].meals",
        ],
        answers: &[
            "hit Breakpoint 1, dine (",
            "hit Breakpoint 1, dine (",
            "$1 = 2",
            "semaphore_take (",
            "the past; the present is at",
            "semaphore_wait_here",
            "Cannot access memory at address",
            "the past cannot be changed",
            "hit Breakpoint 1, dine (",
            "$2 = 0",
            "usnea_body (argument=",
            "No more reverse-execution history.",
            "<reset_handler",
            "hit Breakpoint 1, dine (",
            "hit Breakpoint 1, dine (",
            "$4 = 2",
            "$5 = 1",
        ],
        ..PLAIN
    },
    Conversation {
        name: "unwritten",
        commands: &[
            "watch seats[1].meals",
            "continue",
            "continue",
            "reverse-continue",
            "backtrace 1",
            "reverse-continue",
            "reverse-continue",
            "continue",
        ],
        answers: &[
            "Old value = 0",
            "New value = 1",
            "Old value = 1",
            "New value = 2",
            "Old value = 2",
            "New value = 1",
            "dine (number=number@entry=1)",
            "Old value = 1",
            "New value = 0",
            "No more reverse-execution history.",
            "Old value = 0",
            "New value = 1",
        ],
        ..PLAIN
    },
    Conversation {
        name: "stripped",
        program: Debugged::Stripped,
        commands: &[
            "info threads",
            "monitor threads",
            "break *SLEEP",
            "continue",
            "print/x $pc == SLEEP",
            "stepi",
            "delete",
            "watch *(int *)SEATS",
            "continue",
            "reverse-continue",
            "reverse-continue",
            "continue",
        ],
        answers: &[
            "note: the image has no symbols",
            "(core)",
            "the image has no symbols",
            "Breakpoint 1, ",
            "$1 = 0x1",
            "Hardware watchpoint 2: ",
            "Old value = ",
            "New value = ",
            "No more reverse-execution history.",
            "Old value = ",
        ],
        ..PLAIN
    },
    // A function that is part of others, since the program is linked twice.
    Conversation {
        name: "inlined",
        program: Debugged::Other("test/mote/sleep"),
        commands: &["break syscall_wait", "continue", "backtrace"],
        answers: &[
            "Breakpoint 1 at ",
            "hit Breakpoint 1",
            "#0  syscall_wait (",
            "sleep_until_us (",
        ],
        never: &["not defined"],
        ..PLAIN
    },
];
