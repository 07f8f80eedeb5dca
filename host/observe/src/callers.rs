// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who called a function that ends the program, as a debugger's backtrace says it.

use crate::arch::Calls;
use crate::{Code, Kernel, Place, place};
use lichen_analysis::Owner;
use lichen_chip::{Chip, instruction};
use lichen_image::Image;
use lichen_isa::Flow;

/// Functions that end the program, in `os/arch`. They are called, and never return.
const ENDS: [&str; 3] = ["panic_assert", "panic", "arch_panic"];
/// More callers are not looked for.
const MOST: usize = 32;
/// The functions that divide push less, and their frames are not described.
const MOST_SAVED_BYTES: u32 = 16;

impl Kernel {
    /// The first instructions of the functions that end the program.
    pub fn ends(image: &Image) -> Vec<u32> {
        let symbols = ENDS.iter().filter_map(|name| image.symbols().find(name));
        symbols.filter(|symbol| symbol.function).map(|symbol| symbol.address).collect()
    }

    /// The line of the program from which the function is called at whose first instruction the processor
    /// is, directly or through the system's own; `None` if that is not known.
    pub fn caller(&self, image: &Image, chip: &dyn Chip) -> Option<Place> {
        let how = &self.port?.calls;
        let code = self.code(image, chip);
        let mut calls = calls(how, &code, chip, (how.entered)(chip)?);
        // The kernel level is entered by an exception of the thread that calls it.
        if let Some(thread) = (how.interrupted)(chip, &self.places) {
            calls.extend(self::calls(how, &code, chip, thread));
        }
        calls.into_iter().find_map(|pc| code.of_program(pc))
    }
}

impl Kernel {
    /// The line of the program that led to the instruction at `pc`, which has just been interrupted by a fault; `None`
    /// if it is the program's own, or that is not known.
    pub fn interrupted_at(&self, image: &Image, chip: &dyn Chip, pc: u32) -> Option<Place> {
        let how = &self.port?.calls;
        let code = self.code(image, chip);
        let frame =
            (how.interrupted)(chip, &self.places).filter(|frame| frame.pc & !1 == pc & !1)?;
        let calls = calls(how, &code, chip, frame);
        let (at, program) = calls
            .into_iter()
            .enumerate()
            .find_map(|(at, pc)| Some((at, code.of_program(pc & !1)?)))?;
        (at > 0).then_some(program)
    }

    /// The line of the program at which the thread with this control block waits.
    pub(crate) fn waits_at(&self, image: &Image, chip: &dyn Chip, block: u32) -> Option<Place> {
        let how = &self.port?.calls;
        let code = self.code(image, chip);
        let frame = (how.waiting)(&self.saved_registers(chip, block)?)?;
        calls(how, &code, chip, frame).into_iter().find_map(|pc| code.of_program(pc))
    }

    /// The line of the program that divides by zero; the processor is where [`Division`](crate::Division) says.
    pub fn divider(&self, image: &Image, chip: &dyn Chip) -> Option<Place> {
        let how = &self.port?.calls;
        let code = self.code(image, chip);
        let sp = (how.entered)(chip)?.sp;
        let saved = (sp..sp.checked_add(MOST_SAVED_BYTES)?).step_by(4).filter_map(|at| {
            let pc = ((how.return_address)(chip, at)? & !1).checked_sub(1)?;
            follows_call(chip, pc + 1).then_some(Frame { pc, sp: at + 4, link: None })
        });
        let callers = || saved.flat_map(|frame| calls(how, &code, chip, frame));
        self.caller(image, chip).or_else(|| callers().find_map(|pc| code.of_program(pc)))
    }
}

/// Where to go on from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// An instruction within the function.
    pub(crate) pc: u32,
    /// The stack pointer there.
    pub(crate) sp: u32,
    /// The link register there, if there is one and it has not been used since.
    pub(crate) link: Option<u32>,
}

/// Instructions of the functions that have called each other, the last one first.
fn calls(how: &Calls, code: &Code<'_>, chip: &dyn Chip, first: Frame) -> Vec<u32> {
    frames(how, code, chip, first, MOST).into_iter().map(|frame| frame.pc).collect()
}

/// The frames of the functions that have called each other, `most` of them, from the innermost one, `first`, on.
pub(crate) fn frames(
    how: &Calls,
    code: &Code<'_>,
    chip: &dyn Chip,
    first: Frame,
    most: usize,
) -> Vec<Frame> {
    let callers = |frame: &Frame| caller(how, code, chip, *frame);
    std::iter::successors(Some(first), callers).take(most).collect()
}

fn caller(how: &Calls, code: &Code<'_>, chip: &dyn Chip, frame: Frame) -> Option<Frame> {
    // Where no function is, no frame is: tables describe what the linker has dropped as if it were at address 0.
    let (sp, returns_to) = match code.has(frame.pc).then(|| code.call_frame(frame.pc)).flatten() {
        Some(found) if how.pointers.contains(&found.register) => {
            let sp = frame.sp.checked_add_signed(found.caller.try_into().ok()?)?;
            let saved = |offset: i64| {
                (how.return_address)(chip, sp.checked_add_signed(offset.try_into().ok()?)?)
            };
            (sp, found.return_at.map_or(frame.link, saved)?)
        }
        Some(_) => return None,
        // Assembly says nothing of its frames; that of the system pushes nothing before it calls C.
        None => (frame.sp, frame.link?),
    };
    // The lowest bit says which instruction set it is, where there are several.
    let pc = (returns_to & !1).checked_sub(1)?;
    if !follows_call(chip, pc + 1) {
        return None;
    }
    code.has(pc).then_some(Frame { pc, sp, link: None })
}

/// Whether the instruction before `address` calls: what was found otherwise is no return address.
pub(crate) fn follows_call(chip: &dyn Chip, address: u32) -> bool {
    let is_call = |bytes: u32| {
        let call = instruction(chip, address.checked_sub(bytes)?)?;
        let calls = matches!(call.flow, Flow::Call(_) | Flow::IndirectCall);
        Some(calls && call.bytes == bytes)
    };
    [2, 4].into_iter().any(|bytes| is_call(bytes) == Some(true))
}

/// The place of an instruction if it is the program's: not inlined from a header of the system.
pub(crate) fn of_program(image: &Image, pc: u32) -> Option<Place> {
    let locations = image.locations(pc);
    let own = locations.iter().position(|at| Owner::at(at) == Some(Owner::Program))?;
    Some(place::at(image, pc, &locations[own..]))
}
