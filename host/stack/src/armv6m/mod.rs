// SPDX-License-Identifier: MIT OR Apache-2.0
//! How large the main stack must be.
//!
//! Start-up runs on it with interrupts masked. Then, in a program that has the kernel level, threads run
//! on stacks of their own, and the main stack has what interrupts them: one handler of each level at
//! most, above one another. In a program without, what runs when nothing else does is below them.
//! A panic begins at the top again, whatever was there.

mod levels;

use crate::Unknown;
use crate::depth::{Absent, AbsentAt, CallPath, Depths};
use crate::need::{Need, Part, Reserve, missing};
use crate::thread::{Known, Root};
use levels::{LEVELS, Vector};
use lichen_analysis::Text;
use lichen_analysis::armv6m::{Entry, Walks};
use lichen_image::Image;
use lichen_isa::armv6m::exceptions::NMI;
use lichen_isa::armv6m::{FRAME_BYTES, REALIGNED_BYTES};

/// What the processor stacks on exception entry, with the word that aligns it.
const FRAME: u32 = FRAME_BYTES + REALIGNED_BYTES;

/// The stack's alignment.
const ALIGN: u32 = 8;

/// The frame of a fault at the deepest point, so that it can be recorded.
const RESERVE: Reserve = Reserve { bytes: FRAME.next_multiple_of(ALIGN), purpose: "a fault there" };

/// What the kernel saves on the stack of a thread that is interrupted, when another one runs: r4 to r11.
const SWITCHED: u32 = 32;

/// The lowest word of a thread's stack: the kernel takes the stack for one that has overflowed if it is used.
const LOWEST: u32 = 4;

/// What the stack of a thread must have beside what its functions use: an interrupt that lets another thread run has its
/// frame and the other registers there.
pub(crate) fn beside_functions() -> u32 {
    FRAME + SWITCHED + LOWEST
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

/// Where the names of absent functions are: `os/arch/armv6m/stub.inc`.
pub(crate) fn absent_at(text: &Text<'_>, absent: &Absent) -> AbsentAt {
    let at = |(name, path): (&String, &CallPath)| Some((text.symbol(name)? & !1, path.clone()));
    absent.iter().filter_map(at).collect()
}

/// Computes what the main stack of `image` must have room for.
pub(crate) fn main_stack(image: &Image) -> Result<Need, Unknown> {
    let text = Text::of(image);
    let mut walks = Walks::new(&text);
    let reset = text.symbol("reset_handler").ok_or_else(|| missing("reset_handler"))?;
    let start = Entry::masked(reset);
    walks.body(&start);
    for function in walks.pointers.taken.clone() {
        walks.body(&Entry::of(function));
    }
    let vectors = levels::vectors(&walks);
    let mut depths = Depths::new(&mut walks);
    let mut deepest = interrupts(&mut depths, &vectors)?;
    let above = never_masked(&mut depths, &vectors)?;
    let start = depths.of(&start)?;
    match &start.unmasked {
        // What idles is interrupted on the main stack.
        Some(idle) => deepest.insert(0, Part::new("no interrupt", 0, idle)),
        // The outermost frame is on the stack of the interrupted thread.
        None => {
            if let Some(outermost) = deepest.first_mut() {
                outermost.bytes -= FRAME;
            }
        }
    }
    let mut bytes = deepest.iter().map(|part| part.bytes).sum();
    if start.all.bytes > bytes {
        bytes = start.all.bytes;
        deepest = vec![Part::new("start-up", 0, &start.all)];
    }
    let nmi = above.as_ref().map_or(0, |part| part.bytes);
    deepest.extend(above);
    Ok(Need {
        bytes: bytes + nmi,
        panic: panic(&mut depths)? + nmi,
        parts: deepest,
        reserve: RESERVE,
        align: ALIGN,
        thread: None,
    })
}

/// The handlers that are deepest above one another, outermost first.
fn interrupts(
    depths: &mut Depths<'_, Walks<'_>>,
    vectors: &[Vector],
) -> Result<Vec<Part>, Unknown> {
    let paths = vectors.iter().map(|vector| Ok(depths.of(&Entry::of(vector.handler))?.all.clone()));
    let paths = paths.collect::<Result<Vec<CallPath>, Unknown>>()?;
    let bytes: Vec<u32> = paths.iter().map(|path| path.bytes).collect();
    let name = |index: usize| depths.bodies.text.name(vectors[index].handler);
    let nested = levels::deepest(vectors, &bytes, LEVELS);
    let parts = nested.into_iter().map(|(level, index)| {
        Part::new(format!("{} at level {level}", name(index)), FRAME, &paths[index])
    });
    Ok(parts.collect())
}

/// The handler that interrupts start-up and panics, too, if the program has one.
fn never_masked(
    depths: &mut Depths<'_, Walks<'_>>,
    vectors: &[Vector],
) -> Result<Option<Part>, Unknown> {
    let Some(nmi) = vectors.iter().find(|vector| vector.number == NMI) else { return Ok(None) };
    let path = depths.of(&Entry::of(nmi.handler))?.all.clone();
    Ok(Some(Part::new(depths.bodies.text.name(nmi.handler), FRAME, &path)))
}

/// What takes the stack from its top, as panics do; one inside a panic does the same. They are found with
/// all functions that were followed, the handler of faults among them.
fn panic(depths: &mut Depths<'_, Walks<'_>>) -> Result<u32, Unknown> {
    let mut deepest = 0;
    let mut done = 0;
    while let Some(entry) = depths.bodies.anew.get(done).cloned() {
        deepest = deepest.max(depths.of(&entry)?.all.bytes);
        done += 1;
    }
    Ok(deepest)
}
