// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads whose functions need more than their stacks have.

use super::place;
use crate::{Explain, Place};
use lichen_image::Image;
use lichen_observe::Kernel;
use lichen_stack::{Part, Step, known_depths};

/// A thread's stack is too small.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stack of thread `{thread}' has {bytes} bytes and may need {needed}: {}", way(*needed, steps))]
pub struct ThreadStackError {
    /// The thread.
    pub thread: String,
    /// Bytes that its stack has.
    pub bytes: u32,
    /// Bytes that it must have.
    pub needed: u32,
    /// The functions on the way to the deepest point.
    pub steps: Vec<Step>,
    /// The thread in the program.
    pub place: Option<Place>,
}

/// The functions that call each other, with what each has on the stack, and what is left of all that is needed.
fn way(needed: u32, steps: &[Step]) -> String {
    let used: u32 = steps.iter().map(|step| step.bytes).sum();
    let steps = steps.iter().filter(|step| step.bytes > 0);
    let mut steps: Vec<String> =
        steps.map(|step| format!("{} {}", step.function, step.bytes)).collect();
    if used < needed {
        steps.push(format!("and {} to be interrupted", needed - used));
    }
    steps.join(", ")
}

impl Explain for ThreadStackError {
    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn remedy(&self) -> Option<String> {
        let enough = self.needed.next_multiple_of(ROUND) + ROUND;
        Some(format!(
            "make large local variables `static', or the stack larger: {enough} bytes have some room to spare"
        ))
    }
}

/// Sizes are proposed in multiples of so many bytes.
const ROUND: u32 = 64;

/// Checks the stack of each declared thread.
pub(super) fn vet(image: &Image) -> Result<(), ThreadStackError> {
    let Ok(Some(kernel)) = Kernel::find(image) else { return Ok(()) };
    let entries: Vec<u32> = kernel.threads().iter().map(|thread| thread.entry & !1).collect();
    for (thread, part) in kernel.threads().iter().zip(known_depths(image, &entries)) {
        let Part { bytes: needed, steps, .. } = part;
        if needed > thread.stack_bytes {
            return Err(ThreadStackError {
                thread: thread.name.clone(),
                bytes: thread.stack_bytes,
                needed,
                steps,
                place: place(image, thread.entry & !1),
            });
        }
    }
    Ok(())
}
