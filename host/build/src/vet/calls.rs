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
use lichen_image::Image;
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

/// In a program that is loaded calls are names without code (`os/load/interface.toml`): those that an image refuses in an event
/// by the code behind them.
static LOADED_EVENT: Kind = Kind { closed: CALLS_OF_THREADS, open: &[], ..EVENT };

static LOADED_INIT: Kind = Kind {
    functions: Functions::Table("tables_starts_begin", "tables_starts_end", "_init"),
    closed: CALLS_OF_THREADS,
    open: &[],
    ..INIT
};

const CALLS_OF_THREADS: &[&str] = &[
    "program_confirm",
    "thread_yield",
    "thread_exit",
    "thread_create",
    "thread_destroy",
    "thread_join",
    "thread_join_until",
    "sleep_ticks",
    "sleep_converted_us",
    "sleep_converted_ms",
    "sleep_long_us",
    "sleep_long_ms",
    "sleep_until_us",
    "sleep_exact_us",
    "semaphore_wait",
    "semaphore_wait_until",
    "mutex_lock",
    "mutex_lock_until",
    "mutex_try",
    "mutex_unlock",
    "condition_wait",
    "condition_wait_until",
    "barrier_wait",
    "barrier_wait_until",
    "reference_wait",
    "reference_wait_until",
    "notify_wait",
    "notify_wait_until",
    "queue_send",
    "queue_send_until",
    "queue_receive",
    "queue_receive_until",
    "console_drain",
    "console_read",
    "console_read_until",
    "console_read_line",
    "sensor_read",
    "sensor_read_raw",
    "sensor_start",
    "sensor_stop",
    "log_append",
    "log_sync",
    "log_read",
    "log_seek",
    "log_tell",
    "log_erase",
    "block_read",
    "block_write",
    "block_sync",
    "block_erase",
    "block_crc",
    "counter_take",
    "counter_reserve",
    "counter_restart",
    "link_open",
    "am_send",
    "am_send_until",
    "am_receive",
];

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
    vet_kinds(text, &[&TASK, &COOP, &EVENT, &WOVEN, &INIT, &INTERRUPT])
}

/// Checks the code that each event and `INIT` function can reach in `image`, the link of a program that is to be loaded.
pub fn vet_loaded_calls(image: &Image) -> Result<(), CallError> {
    vet_kinds(&Text::of(image), &[&LOADED_EVENT, &LOADED_INIT])
}

fn vet_kinds(text: &Text<'_>, kinds: &[&'static Kind]) -> Result<(), CallError> {
    let mut graphs = Graphs::new(text);
    for kind in kinds {
        for (name, address) in kind.functions.of(text) {
            let mut walk = Walk::new(&mut graphs, kind);
            if walk.is_closed(address) {
                return Err(walk.error(name));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::CALLS_OF_THREADS;
    use lichen_project::{Tree, interface::Interface};
    use std::path::Path;

    /// Commands of a shell run in its thread; elsewhere these are print, which never waits in an event.
    const OF_COMMANDS: &str = "shell_";

    /// What a header says of a call, in the comment above it.
    fn comment<'t>(header: &'t str, name: &str) -> Option<&'t str> {
        let at = ["", "*"].iter().find_map(|before| header.find(&format!(" {before}{name}(")));
        let (_, comment) = header[..at?].rsplit_once("/*")?;
        let (comment, between) = comment.split_once("*/")?;
        (!between.contains([';', '}'])).then_some(comment)
    }

    #[test]
    fn calls_that_wait_are_those_of_threads() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let interface = Interface::read(&Tree::at(root.clone()).expect("a tree")).expect("calls");
        let calls =
            || interface.groups.iter().flat_map(|it| it.calls.iter().map(move |call| (it, call)));
        for name in CALLS_OF_THREADS {
            assert!(calls().any(|(_, call)| call.name == *name), "{name} is no call");
        }
        let mut waiting = 0;
        for (group, call) in calls().filter(|(_, call)| !call.name.starts_with(OF_COMMANDS)) {
            for header in &group.headers {
                let file = root.join(format!("os/include/lichen/{header}.h"));
                let text = std::fs::read_to_string(file).expect("a header");
                let Some(comment) = comment(&text, &call.name) else { continue };
                let has = |what: &str| comment.lines().any(|line| line.starts_with(what));
                if has(" * context   thread")
                    && !has(" * context   thread,")
                    && has(" * blocks    yes")
                {
                    assert!(CALLS_OF_THREADS.contains(&call.name.as_str()), "{}", call.name);
                    waiting += 1;
                }
            }
        }
        assert!(waiting > 20, "{waiting}");
    }
}
