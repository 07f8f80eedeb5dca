// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls that a kind of work must not make: in a real-time task those only for threads and events,
//! in a cooperative thread those that block threads, in an event, an `INIT` function and an interrupt
//! handler those only for threads.
//!
//! The code that each can reach is followed through the graphs of functions. Calls through function pointers are not
//! followed, since their targets are not known.

mod functions;
mod walk;

use functions::Functions;
use lichen_analysis::{Graphs, Text};
use lichen_project::{Explain, Place};
use walk::Walk;

/// A kind of work, and the kernel entries that it must not use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in messages.
    pub name: &'static str,
    /// How its functions are found.
    functions: Functions,
    /// Whether system code that tests its own context is not followed further: it has another path
    /// for handlers.
    may_ask: bool,
    /// Functions that it must not call.
    closed: &'static [&'static str],
    /// Functions that it may call, although they make a kernel call.
    open: &'static [&'static str],
    /// Inline functions whose kernel call it must not make; any kernel call if there are none.
    asks: Option<&'static [&'static str]>,
    /// What to do instead.
    remedy: &'static str,
}

/// Calls of threads enter the kernel through `arch_kernel_call`; code that accesses the kernel's
/// data without such a call goes through the others.
static TASK: Kind = Kind {
    name: "real-time task",
    functions: Functions::Begin("rt_task_"),
    may_ask: false,
    closed: &[
        "arch_kernel_call",
        "arch_kernel_run",
        "mutex_enter",
        "mutex_leave",
        "semaphore_take",
        "semaphore_try_take",
        "semaphore_give",
        "notify_give",
        "queue_put_alone",
        "queue_take_alone",
        "notify_deliver",
        "notify_deliver_rare",
        "ready_insert_others",
        "ready_insert_fast",
        "deadline_insert",
        "syscall_end",
        "kernel_yield",
        "notify_wait_in_kernel",
    ],
    open: &[],
    asks: None,
    remedy: "a real-time task speaks to the rest by rt_post, rt_notify, rt_semaphore_post and other \
             calls whose context is `rt`; let an event or a thread do the rest",
};

/// Blocking calls use a struct syscall, or a sequence that may wait; calls that do not block may
/// make a kernel call.
static COOP: Kind = Kind {
    name: "cooperative thread",
    functions: Functions::Begin("coop_body_"),
    may_ask: false,
    closed: &[
        "syscall_run",
        "syscall_run_until",
        "syscall_run_on",
        "syscall_run_on_until",
        "semaphore_take",
        "sleep_ticks",
        "notify_wait_in_kernel",
        "kernel_yield",
        "thread_exit",
    ],
    open: &[],
    asks: Some(&["arch_notify_wait", "arch_yield"]),
    remedy: "a cooperative thread waits by coop_wait and coop_sleep_ms, in its own body, and prints in an \
             event that it posts; what blocks a thread is for threads",
};

/// Handlers of events and of woven pairs: any call that only threads may make is a fault there, and
/// a free mutex would be locked for the interrupted thread.
static EVENT: Kind = Kind {
    name: "event",
    functions: Functions::End("_event"),
    may_ask: true,
    closed: &[
        "mutex_enter",
        "mutex_leave",
        "semaphore_take",
        "thread_exit",
        "kernel_yield",
        "notify_wait_in_kernel",
    ],
    open: &["notify_give"],
    asks: None,
    remedy: "an event must not wait: let it post, signal or notify a thread, which then locks or waits",
};

static WOVEN: Kind = Kind { name: "woven pair", functions: Functions::End("_woven"), ..EVENT };

/// They run as one event.
static INIT: Kind = Kind {
    name: "INIT function",
    functions: Functions::Table("init_begin", "init_end", "_init"),
    remedy: "an INIT function runs before any thread and must not wait: start work that waits in a THREAD",
    ..EVENT
};

static INTERRUPT: Kind = Kind {
    name: "interrupt handler",
    functions: Functions::Vectors(&[("", "_handler"), ("handler_", "")]),
    remedy: "an interrupt handler must not wait: let it post, signal or notify a thread from its level \
             (lichen/interrupt.h), which then locks or waits",
    ..EVENT
};

/// From here on the program has ended, whatever is called.
pub(super) const LAST_WORDS: [&str; 6] =
    ["panic", "panic_end", "panic_assert", "arch_panic", "panic_overflow", "panic_restart"];

/// A forbidden call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} `{name}' must not call `{called}'{}", kind.name, by(path))]
pub struct CallError {
    /// The kind of work that calls.
    pub kind: &'static Kind,
    /// Its name.
    pub name: String,
    /// The forbidden function: the outermost one of the kernel.
    pub called: String,
    /// The functions of the program through which it is called.
    pub path: Vec<String>,
    /// The call in the program.
    pub place: Option<Place>,
}

fn by(path: &[String]) -> String {
    if path.is_empty() {
        String::new()
    } else {
        format!(", as it does through {}", path.join(", "))
    }
}

impl Explain for CallError {
    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn remedy(&self) -> Option<String> {
        Some(self.kind.remedy.to_string())
    }
}

/// Checks the code that each real-time task, cooperative thread and event of `image` can reach.
pub(super) fn vet(text: &Text<'_>) -> Result<(), CallError> {
    let mut graphs = Graphs::new(text);
    for kind in [&TASK, &COOP, &EVENT, &WOVEN, &INIT, &INTERRUPT] {
        for (name, address) in kind.functions.of(text) {
            let mut walk = Walk::new(&mut graphs, kind);
            if walk.is_closed(address) {
                return Err(walk.error(name));
            }
        }
    }
    Ok(())
}
