// SPDX-License-Identifier: MIT OR Apache-2.0
//! How large the kernel's stack must be.
//!
//! Start-up runs on it with interrupts masked. Then, in a program with threads, the kernel level runs on
//! it from its top whenever a thread has been left for it; in a program without, what runs when nothing
//! else does is below the kernel level. Handlers of interrupts run on it, too. A panic begins at the top
//! again, whatever was there. On the stack of a thread interrupts have their entries, the thread's
//! registers, and handlers of level 0.

mod levels;

use crate::Unknown;
use crate::depth::{Absent, AbsentAt, CallPath, Depths};
use crate::need::{Need, Part, Reserve, Room, missing};
use crate::thread::{Known, Root};
use levels::Vectors;
use lichen_analysis::Text;
use lichen_analysis::avr8::{Entry, Walks};
use lichen_image::Image;

/// What begins after a reset.
const START: &str = "reset_handler";

/// Bytes that each stack of a thread has for interrupts and the thread's registers.
const THREAD_RESERVE: &str = "arch_frame_bytes";

/// The same, where the program says more.
const THREAD_STATED: &str = "arch_frame_stated";

/// For entries of handlers that are interrupted by their own sources (`ARCH_STACK_RESERVE`).
const RESERVE: Reserve = Reserve { bytes: 16, purpose: "interrupts that come again at once" };

/// The lowest byte of a thread's stack: the kernel takes the stack for one that has overflowed if it is used.
const LOWEST: u32 = 1;

/// What the stack of a thread must have beside what its functions use.
pub(crate) fn beside_functions(text: &Text<'_>, need: Option<&Need>) -> u32 {
    interrupts_of_thread(text, need) + LOWEST
}

pub(crate) fn paths(text: &Text<'_>, roots: &[Root], absent: &AbsentAt) -> Vec<CallPath> {
    let mut walks = Walks::new(text);
    let path = |root: &Root| {
        let pointed = root.pointed.iter().map(|function| Entry::of(*function)).collect();
        let mut known = Known::new(&mut walks, pointed, root.callers.clone(), absent);
        known.of(&Entry::of(root.entry))
    };
    roots.iter().map(path).collect()
}

pub(crate) fn bounds(
    text: &Text<'_>,
    functions: &[u32],
    absent: AbsentAt,
) -> Vec<Result<CallPath, Unknown>> {
    let mut walks = Walks::new(text);
    let mut depths = Depths::with(&mut walks, absent);
    let bound = |function: &u32| Ok(depths.of(&Entry::of(*function))?.all.clone());
    functions.iter().map(bound).collect()
}

/// Bytes of the name of an absent function before what stands for it (`os/arch/avr8/stub.inc`): a call of that, and a
/// return. Who jumps to the name is so seen to call it.
const STUB: u32 = 4;

/// What stands for absent functions. The return address is on the stack already, where their names are.
pub(crate) fn absent_at(text: &Text<'_>, absent: &Absent) -> AbsentAt {
    let at = |(name, path): (&String, &CallPath)| {
        let mut path = path.clone();
        path.bytes = path.bytes.saturating_sub(RETURN_ADDRESS);
        if let Some(first) = path.steps.first_mut() {
            first.bytes = first.bytes.saturating_sub(RETURN_ADDRESS);
        }
        Some((text.symbol(name)? + STUB, path))
    };
    absent.iter().filter_map(at).collect()
}

/// What a call has on the stack.
const RETURN_ADDRESS: u32 = 2;

/// What interrupts need of a thread's stack, as far as that is known. A program that states what its stacks keep is
/// believed that its threads have it beside what their functions need.
fn interrupts_of_thread(text: &Text<'_>, need: Option<&Need>) -> u32 {
    if text.symbol(THREAD_STATED).is_some() {
        return 0;
    }
    need.and_then(|need| need.thread.as_ref()).map_or(0, Room::needed)
}

/// Computes what the kernel's stack of `image` must have room for.
pub(crate) fn main_stack(image: &Image) -> Result<Need, Unknown> {
    let text = Text::of(image);
    let mut walks = Walks::new(&text);
    let reset = text.symbol(START).ok_or_else(|| missing(START))?;
    let handlers = Vectors::handlers(&walks)?;
    walks.body(&Entry::handler(reset).at_depth(0));
    for handler in &handlers {
        walks.body(handler);
    }
    for function in walks.pointers.taken.clone() {
        walks.body(&Entry::of(function));
    }
    let kernel = walks.kernel.map(|kernel| Entry::of_kernel(kernel).at_depth(walks.enters));
    if let Some(kernel) = &kernel {
        walks.body(kernel);
    }
    walks.follow_calls();
    let begins = walks.begin_anew();
    let on_thread = walks.on_thread();
    let mut depths = Depths::new(&mut walks);
    let vectors = Vectors::of(&mut depths, &handlers)?;
    let interrupts = vectors.above();
    let reserve = text.symbol(THREAD_STATED).or_else(|| text.symbol(THREAD_RESERVE));
    let thread = match (on_thread, reserve) {
        (Some(entry), Some(reserved)) => {
            let mut parts = vectors.above_thread(&*depths.of(&entry)?);
            parts.push(Part::plain(RESERVE.purpose, RESERVE.bytes));
            Some(Room { reserved, parts })
        }
        _ => None,
    };
    let (mut deepest, mut panic) = (Vec::new(), 0);
    for begin in begins {
        let deep = depths.of(&begin)?;
        let is_start = text.name(begin.address) == START;
        let what = if is_start { "start-up" } else { "kernel level" };
        if !is_start && !depths.bodies.begins_unmasked.contains(&begin.address) {
            panic = panic.max(deep.all.bytes);
            continue;
        }
        deepest = deeper(deepest, vec![Part::new(what, 0, &deep.all)]);
        let Some(unmasked) = &deep.unmasked else { continue };
        let mut parts = vec![Part::new(what, 0, unmasked)];
        if let Some(kernel) = kernel.as_ref().filter(|_| is_start) {
            // The kernel level is on the same stack.
            parts = vec![
                Part::new("no interrupt", 0, unmasked),
                Part::new("kernel level", 0, &depths.of(kernel)?.all),
            ];
        }
        parts.extend(interrupts.iter().cloned());
        deepest = deeper(deepest, parts);
    }
    Ok(Need { bytes: total(&deepest), panic, parts: deepest, reserve: RESERVE, align: 1, thread })
}

fn total(parts: &[Part]) -> u32 {
    parts.iter().map(|part| part.bytes).sum()
}

fn deeper(a: Vec<Part>, b: Vec<Part>) -> Vec<Part> {
    if total(&b) > total(&a) { b } else { a }
}
