// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads whose functions need more than their stacks have.

use super::place;
use lichen_analysis::Text;
use lichen_image::Image;
use lichen_observe::{CoopStack, Kernel, Thread};
use lichen_project::{Explain, Place};
use lichen_stack::{Need, Part, Root, Step, depth_of_pointers, known_depths};

/// A thread's stack is too small.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stack of {owner} has {bytes} bytes and may need {needed}: {}", way(*needed, steps))]
pub struct ThreadStackError {
    /// Whose stack it is, in words.
    pub owner: String,
    /// Bytes that its stack has.
    pub bytes: u32,
    /// Bytes that it must have.
    pub needed: u32,
    /// The functions on the way to the deepest point.
    pub steps: Vec<Step>,
    /// How it is made larger.
    pub larger: &'static str,
    /// The thread in the program.
    pub place: Option<Place>,
}

/// The functions that call each other, with what each has on the stack, and what is left of all that is needed.
pub(super) fn way(needed: u32, steps: &[Step]) -> String {
    let used: u32 = steps.iter().map(|step| step.bytes).sum();
    let mut steps = listed(steps);
    if used < needed {
        steps.push(format!("and {} to be interrupted", needed - used));
    }
    steps.join(", ")
}

/// A function that a program has the name of, and an image the body, has two steps.
pub(super) fn listed(steps: &[Step]) -> Vec<String> {
    let mut listed: Vec<Step> = Vec::new();
    for step in steps.iter().filter(|step| step.bytes > 0) {
        match listed.last_mut() {
            Some(last) if last.function == step.function => last.bytes += step.bytes,
            _ => listed.push(step.clone()),
        }
    }
    listed.iter().map(|step| format!("{} {}", step.function, step.bytes)).collect()
}

impl Explain for ThreadStackError {
    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn remedy(&self) -> Option<String> {
        let enough = self.needed.next_multiple_of(ROUND) + ROUND;
        Some(format!(
            "make large local variables `static', or {}: {enough} bytes have some room to spare",
            self.larger
        ))
    }
}

/// Sizes are proposed in multiples of so many bytes.
const ROUND: u32 = 64;

/// Checks the stack of each declared thread, and that of the cooperative threads. `need` is that of the kernel's.
pub(super) fn vet(text: &Text<'_>, need: Option<&Need>) -> Result<(), ThreadStackError> {
    let image = text.image();
    let Ok(Some(kernel)) = Kernel::find(image) else { return Ok(()) };
    let threads = kernel.threads().iter().map(|thread| Stack::of_thread(thread, image));
    let threads: Vec<Stack> = threads.collect();
    let stacks = [threads, Stack::of_coop(image).into_iter().collect()].concat();
    let roots: Vec<Root> = stacks.iter().map(|stack| stack.root.clone()).collect();
    for (stack, part) in stacks.into_iter().zip(known_depths(text, &roots, need)) {
        let Part { bytes: needed, steps, .. } = part;
        if needed > stack.bytes {
            return Err(ThreadStackError {
                owner: stack.owner,
                bytes: stack.bytes,
                needed,
                steps,
                larger: stack.larger,
                place: place(image, stack.begins),
            });
        }
    }
    Ok(())
}

/// The thread that SHELL declares, the file that calls commands by their addresses, and how their names begin.
const SHELL: &str = "shell";
const CALLS_COMMANDS: &str = "os/service/shell/shell.c";
const COMMAND: &str = "shell_command_";

/// What the shell runs beside its own functions: the commands.
fn shell(image: &Image) -> Root {
    let functions = || image.symbols().functions().iter();
    let is_of_shell = |address| {
        let last = image.locations(address).pop();
        last.is_some_and(|it| it.file.as_deref() == Some(CALLS_COMMANDS))
    };
    let commands = functions().filter(|it| it.name.starts_with(COMMAND));
    let callers = functions().filter(|it| is_of_shell(it.address));
    Root {
        pointed: commands.map(|it| it.address & !1).collect(),
        callers: callers.map(|it| it.name.clone()).collect(),
        ..Root::default()
    }
}

/// Bytes of the shell's stack that commands of a program may use which is loaded into the image; `beside` is what it must
/// have beside functions. `None`: it has no shell.
pub(crate) fn command_bytes(text: &Text<'_>, beside: u32) -> Option<u32> {
    let image = text.image();
    let kernel = Kernel::find(image).ok().flatten()?;
    let thread = kernel.threads().iter().find(|thread| thread.name == SHELL)?;
    let used = depth_of_pointers(text, &Root { entry: thread.entry & !1, ..shell(image) })?;
    Some(thread.stack_bytes.saturating_sub(beside + used))
}

/// A stack to be checked.
#[derive(Clone)]
struct Stack {
    /// Whose it is, in words.
    owner: String,
    bytes: u32,
    larger: &'static str,
    root: Root,
    /// A function of the program that runs on it.
    begins: u32,
}

impl Stack {
    fn of_thread(thread: &Thread, image: &Image) -> Stack {
        let entry = thread.entry & !1;
        let root = if thread.name == SHELL { shell(image) } else { Root::default() };
        Stack {
            owner: format!("thread `{}'", thread.name),
            bytes: thread.stack_bytes,
            larger: match thread.name.as_str() {
                "net_main" if image.symbols().find("link_run_in_turn").is_some() => {
                    "the link's stack larger with LINK_IN_TURN_WITH(LINK_IN_TURN_STACK + 24); in one of the files \
                     (lichen/link.h)"
                }
                "net_main" | "net_tx" => {
                    "the link's stacks larger with LINK_THREADS(LINK_MAIN_STACK + 24, LINK_TX_STACK + 24); in one \
                     of the files (lichen/link.h)"
                }
                _ => "the stack larger",
            },
            root: Root { entry, ..root },
            begins: entry,
        }
    }

    fn of_coop(image: &Image) -> Option<Stack> {
        let CoopStack { bytes, entry, bodies } = Kernel::coop_stack(image)?;
        Some(Stack {
            owner: "cooperative threads".to_string(),
            bytes,
            larger: "their stack larger with COOP_STACK",
            begins: *bodies.first()?,
            root: Root { entry, pointed: bodies, ..Root::default() },
        })
    }
}
