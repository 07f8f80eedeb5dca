// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether threads of a program can have the same priority.

use lichen_image::Image;
use lichen_observe::Kernel;
use std::collections::BTreeSet;

/// Whether two ready threads of the program can ever be equals. They cannot if there is at most one, or if
/// each is declared with another priority, nothing sets priorities, and none is made at run time. Inheritance
/// makes no equals of different threads: whoever hands its priority on waits, and the one that has it gives
/// it back before that one is ready (`os/kernel/sync/mutex.c`).
pub(crate) fn possible(image: &Image) -> bool {
    let has = |name| image.has(name);
    let Ok(Some(kernel)) = Kernel::find(image) else { return true };
    let threads = kernel.threads();
    let distinct: BTreeSet<u32> = threads.iter().map(|thread| thread.priority).collect();
    let set = has("thread_set_priority") && threads.len() > 1;
    has("thread_created_info") || set || distinct.len() < threads.len()
}
