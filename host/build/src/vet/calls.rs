// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls that a kind of work must not make: in a real-time task those only for threads and events,
//! in a cooperative thread those that block threads, in an event, an `INIT` function and an interrupt
//! handler those only for threads.
//!
//! The code that each can reach is followed instruction by instruction, through direct calls and
//! branches. Calls through function pointers are not followed, since their targets are not known.

use super::place;
use lichen_image::Image;
use lichen_isa::{
    Access, Architecture, Flow, Instruction, LONGEST_INSTRUCTION, Place as Location, System,
    architecture,
};
use lichen_project::{Explain, Place};
use std::collections::HashSet;

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

/// The functions of a kind of work in the symbol table (`os/include/lichen`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Functions {
    /// Their names begin with this.
    Begin(&'static str),
    /// Their names end with this, after that of an object: others that only look alike have none.
    End(&'static str),
    /// Pointers in the linker's table between these two symbols lead to them, each an object whose name ends with
    /// the third after theirs.
    Table(&'static str, &'static str, &'static str),
    /// They are the program's handlers of interrupts, whose vectors have these in their names, before or behind.
    Vectors(&'static [(&'static str, &'static str)]),
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
const LAST_WORDS: [&str; 5] =
    ["panic", "panic_assert", "arch_panic", "panic_overflow", "panic_restart"];

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
pub(super) fn vet(image: &Image) -> Result<(), CallError> {
    // Code of an architecture that is not known runs on no chip either.
    let Some(architecture) = architecture(image.machine().number()) else { return Ok(()) };
    for kind in [&TASK, &COOP, &EVENT, &WOVEN, &INIT, &INTERRUPT] {
        for (name, address) in kind.functions.of(image, architecture) {
            let mut walk =
                Walk { image, architecture, kind, seen: HashSet::new(), calls: Vec::new() };
            if walk.is_closed(&walk.entries(address)) {
                return Err(walk.error(name));
            }
        }
    }
    Ok(())
}

impl Functions {
    /// Those of `image`: the names that the program declared, and their addresses.
    fn of<'a>(self, image: &'a Image, architecture: &Architecture) -> Vec<(&'a str, u32)> {
        let symbols = image.symbols();
        let functions = symbols.functions().iter();
        let named = |name: fn(Functions, &'a Image, &'a str) -> Option<&'a str>| {
            functions
                .filter_map(|function| Some((name(self, image, &function.name)?, function.address)))
                .collect()
        };
        match self {
            Functions::Begin(_) | Functions::End(_) | Functions::Vectors(_) => {
                named(Functions::declared)
            }
            Functions::Table(begin, end, suffix) => {
                let bound = |name| symbols.find(name).map_or(0, |symbol| symbol.address);
                let table = bound(begin)..bound(end);
                let pointers = symbols.objects().iter();
                let pointers = pointers.filter(|object| table.contains(&object.address));
                pointers
                    .filter_map(|pointer| {
                        let size = architecture.pointers.code_bytes as usize;
                        let bytes = image.initial_bytes_at(pointer.address, size)?;
                        let to = architecture.code_address(architecture.byte_order.number(bytes));
                        Some((pointer.name.strip_suffix(suffix)?, to))
                    })
                    .collect()
            }
        }
    }

    /// The name that a program declared, if `function` is of this kind.
    fn declared<'a>(self, image: &Image, function: &'a str) -> Option<&'a str> {
        let objects = || image.symbols().objects().iter();
        match self {
            Functions::Begin(prefix) => function.strip_prefix(prefix),
            Functions::End(suffix) => function
                .strip_suffix(suffix)
                .filter(|name| objects().any(|object| object.name == *name)),
            Functions::Vectors(affixes) => affixes
                .iter()
                .find_map(|(prefix, suffix)| function.strip_prefix(prefix)?.strip_suffix(suffix))
                .filter(|name| {
                    objects().any(|object| object.name.strip_prefix(VECTOR) == Some(name))
                })
                .filter(|_| is_of_program(image, function)),
            Functions::Table(..) => None,
        }
    }
}

/// What precedes the name of each vector in the symbol of its place in the table.
const VECTOR: &str = "vector_";

/// Whether the code of `function` is in a file of the program's own.
fn is_of_program(image: &Image, function: &str) -> bool {
    let symbol = image.symbols().find(function);
    let locations = symbol.map(|symbol| image.locations(symbol.address)).unwrap_or_default();
    let file = locations.last().and_then(|location| location.file.as_deref());
    file.is_some_and(|file| !file.starts_with("os/"))
}

/// A walk through code, depth first.
struct Walk<'a> {
    image: &'a Image,
    architecture: &'static Architecture,
    kind: &'static Kind,
    seen: HashSet<u32>,
    /// Addresses of the calls that led to the current place.
    calls: Vec<u32>,
}

impl Walk<'_> {
    /// Where the code at `start` can be entered: at its start, and after the end of each path in
    /// it, since a cooperative thread resumes by a jump to an address.
    fn entries(&self, start: u32) -> Vec<u32> {
        let functions = self.image.symbols().functions().iter();
        let size = functions.filter(|f| f.address == start).map(|f| f.size).max().unwrap_or(0);
        let mut entries = vec![start];
        let mut at = start;
        while *self.kind == COOP && at < start + size {
            let Some((flow, bytes)) = self.flow(at) else { break };
            at += bytes;
            if !flow.continues() && at < start + size {
                entries.push(at);
            }
        }
        entries
    }

    /// Whether a forbidden entry can be reached from one of `starts`; `calls` then lead to it.
    fn is_closed(&mut self, starts: &[u32]) -> bool {
        let mut ways = starts.to_vec();
        while let Some(mut at) = ways.pop() {
            while self.seen.insert(at) {
                let Some((flow, bytes)) = self.flow(at) else { break };
                match flow {
                    Flow::Next | Flow::IndirectCall => {}
                    Flow::BranchIf(there) => ways.push(there),
                    Flow::Service if self.asks(at) => {
                        self.calls.push(at);
                        return true;
                    }
                    Flow::Service => {}
                    Flow::Call(there) | Flow::Branch(there) if self.is_function(there) => {
                        self.calls.push(at);
                        if self.enters(there) {
                            return true;
                        }
                        self.calls.pop();
                        if matches!(flow, Flow::Branch(_)) || self.is_last(there) {
                            break;
                        }
                    }
                    Flow::Call(_) => {}
                    Flow::Branch(there) => {
                        at = there;
                        continue;
                    }
                    Flow::Indirect | Flow::Return => break,
                    Flow::Breakpoint | Flow::Undefined => break,
                }
                at += bytes;
                // Compiled code does not run into the next function: these are constants.
                if self.is_function(at) {
                    break;
                }
            }
        }
        false
    }

    /// Whether the function at `address` is a forbidden entry, or leads to one.
    fn enters(&mut self, address: u32) -> bool {
        if self.is_last(address) || self.is_one_of(address, self.kind.open) {
            return false;
        }
        self.is_one_of(address, self.kind.closed) || self.is_closed(&[address])
    }

    /// Whether the kernel call at `address` is forbidden for this kind of work.
    fn asks(&self, address: u32) -> bool {
        let locations = self.image.locations(address);
        let functions = || locations.iter().filter_map(|location| location.function.as_deref());
        self.kind.asks.is_none_or(|closed| functions().any(|name| closed.contains(&name)))
    }

    /// Whether this is the function by which threads enter the kernel where no instruction does it.
    fn is_kernel_call(&self, address: u32) -> bool {
        address != 0 && self.is_one_of(address, &["kernel_call"])
    }

    fn is_last(&self, address: u32) -> bool {
        self.is_one_of(address, &LAST_WORDS)
    }

    fn is_one_of(&self, address: u32, names: &[&str]) -> bool {
        names
            .iter()
            .any(|name| self.image.symbols().find(name).is_some_and(|s| s.address == address))
    }

    fn is_function(&self, address: u32) -> bool {
        let functions = self.image.symbols().functions();
        functions.binary_search_by_key(&address, |function| function.address).is_ok()
    }

    /// Where the instruction at `address` leads, and its length. Code that tests its context is not
    /// followed further where that is permitted.
    fn flow(&self, address: u32) -> Option<(Flow, u32)> {
        let instruction = (self.architecture.decode)(address, self.code_at(address)?)?;
        let asks = self.kind.may_ask && self.tells_context(&instruction);
        let flow = match instruction.flow {
            _ if asks && self.is_code_of_system(address) => Flow::Return,
            Flow::Call(there) | Flow::Branch(there) if self.is_kernel_call(there) => Flow::Service,
            flow => flow,
        };
        Some((flow, instruction.bytes))
    }

    /// Whether an instruction asks in which context it runs: of the processor, or of the byte in which a
    /// port keeps the level where the processor has none.
    fn tells_context(&self, instruction: &Instruction) -> bool {
        let level = self.image.symbols().find("arch_level").map(|level| level.address);
        let reads_level = |access: Access| match access.place {
            Location::Fixed(at) => !access.write && Some(at) == level,
            _ => false,
        };
        instruction.system == Some(System::ReadException)
            || instruction.access.is_some_and(reads_level)
    }

    /// Enough bytes for any instruction, or what there is. Code in RAM is read from its load address.
    fn code_at(&self, address: u32) -> Option<&[u8]> {
        let find = |name| self.image.symbols().find(name).map(|symbol| symbol.address);
        let at = match (find("data_begin"), find("data_end"), find("data_load")) {
            (Some(begin), Some(end), Some(load)) if (begin..end).contains(&address) => {
                load + (address - begin)
            }
            _ => address,
        };
        let shortest = self.architecture.instruction_alignment as usize;
        let lengths = (shortest..=LONGEST_INSTRUCTION).rev().step_by(shortest);
        lengths.into_iter().find_map(|length| self.image.bytes_at(at, length))
    }

    /// The calls in the user's terms: the first function of the system that was called, and the
    /// program's functions before it.
    fn error(&self, name: &str) -> CallError {
        let targets = self.calls.iter().filter_map(|call| match self.flow(*call)?.0 {
            Flow::Call(there) | Flow::Branch(there) => Some((*call, there)),
            _ => None,
        });
        let mut path = Vec::new();
        let last = self.calls.last().and_then(|call| self.inlined(*call));
        let mut called = last.unwrap_or_else(|| "a kernel call".to_string());
        for (call, target) in targets {
            if self.is_of_system(target) {
                called = self.inlined(call).unwrap_or_else(|| self.name(target));
                break;
            }
            called = self.name(target);
            path.push(called.clone());
        }
        if path.last() == Some(&called) {
            path.pop();
        }
        let place = self.calls.iter().rev().find_map(|call| place(self.image, *call));
        CallError { kind: self.kind, name: name.to_string(), called, path, place }
    }

    /// The function of the system that was inlined at `call`, such as `notify_wait` and
    /// `mutex_lock`.
    fn inlined(&self, call: u32) -> Option<String> {
        let locations = self.image.locations(call);
        let of_system = |file: &str| file.starts_with("os/include");
        locations.iter().find(|l| l.file.as_deref().is_some_and(of_system))?.function.clone()
    }

    fn name(&self, address: u32) -> String {
        let place = self.image.symbols().place(address);
        place.map_or_else(|| format!("0x{address:x}"), |place| place.name.to_string())
    }

    fn is_of_system(&self, address: u32) -> bool {
        let locations = self.image.locations(address);
        locations.iter().any(|l| l.file.as_deref().is_some_and(|file| file.starts_with("os/")))
    }

    /// Whether the function around `address` is the system's. A test in code inlined in the
    /// program's own functions, such as `notify_post`, applies to that code only.
    fn is_code_of_system(&self, address: u32) -> bool {
        let locations = self.image.locations(address);
        locations.last().and_then(|l| l.file.as_deref()).is_none_or(|file| file.starts_with("os/"))
    }
}
