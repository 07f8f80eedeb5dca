// SPDX-License-Identifier: MIT OR Apache-2.0
//! How large the kernel's stack of an image is, and how large it must be.

use lichen_image::Image;
use lichen_project::{Explain, Place};
pub use lichen_stack::{Need, Part, Reserve, Room, Step, Unknown};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What this process has computed, by the images' digests: an image is fitted, checked, run and described, and read from
/// its file for each.
static COMPUTED: Mutex<Option<Computed>> = Mutex::new(None);

type Computed = HashMap<u128, Result<Need, Unknown>>;

fn computed() -> MutexGuard<'static, Option<Computed>> {
    COMPUTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the kernel's stack of `image` must have room for, computed once.
fn need(image: &Image) -> Result<Need, Unknown> {
    let digest = image.digest();
    if let Some(known) = computed().as_ref().and_then(|computed| computed.get(&digest)) {
        return known.clone();
    }
    let need = lichen_stack::main_stack(image);
    computed().get_or_insert_default().insert(digest, need.clone());
    need
}

/// The kernel's stack of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelStack {
    /// Bytes that it has.
    pub bytes: u32,
    /// Whether the program says how many, in its manifest or for CMake.
    pub stated: bool,
    /// What it must have room for, or why that is not known.
    pub need: Result<Need, Unknown>,
}

impl KernelStack {
    /// That of `image`; `None` if it is no program of the system.
    pub fn of(image: &Image) -> Option<KernelStack> {
        let bytes = KernelStack::size_of(image)?;
        let stated = image.symbols().find("kernel_stack_stated").is_none_or(|it| it.address != 0);
        Some(KernelStack { bytes, stated, need: need(image) })
    }

    /// Bytes that it has in `image`; `None` if it is no program of the system.
    pub(crate) fn size_of(image: &Image) -> Option<u32> {
        let find = |name| image.symbols().find(name).map(|symbol| symbol.address);
        find("kernel_stack_top")?.checked_sub(find("kernel_stack_bottom")?)
    }

    /// Bytes that it should have instead, if it has others and nobody has said so.
    pub(crate) fn fitting(&self) -> Option<u32> {
        let need = self.need.as_ref().ok().filter(|_| !self.stated)?;
        Some(need.size()).filter(|size| *size != self.bytes)
    }

    /// In words: how large it is and why.
    pub fn reason(&self) -> String {
        match (&self.need, self.stated) {
            (Ok(need), true) => format!("as stated; {} are needed", need.size()),
            (Ok(need), false) if need.size() == self.bytes => {
                let Reserve { bytes, purpose } = need.reserve;
                format!("computed: {} at its deepest, {bytes} for {purpose}", need.bytes)
            }
            (Ok(need), false) => format!("not computed by this build; {} are needed", need.size()),
            (Err(unknown), true) => format!("as stated; cannot be computed: {}", reported(unknown)),
            (Err(unknown), false) => format!("cannot be computed: {}", reported(unknown)),
        }
    }

    /// Refuses a stack that is smaller than what it must have room for, and a program whose interrupts
    /// need more of its threads' stacks than is kept for them.
    pub fn check(&self) -> Result<(), StackError> {
        let Ok(need) = &self.need else { return Ok(()) };
        if need.size() > self.bytes {
            return Err(StackError::Kernel { bytes: self.bytes, needed: need.size() });
        }
        match &need.thread {
            Some(room) if room.needed() > room.reserved => {
                Err(StackError::Thread { bytes: room.reserved, needed: room.needed() })
            }
            _ => Ok(()),
        }
    }
}

/// The reason and its place.
fn reported(unknown: &Unknown) -> String {
    match &unknown.place {
        Some((file, line)) => format!("{unknown} ({file}:{line})"),
        None => unknown.to_string(),
    }
}

/// A stack of an image is too small.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StackError {
    /// The kernel's.
    #[error("the kernel's stack has {bytes} bytes, and needs {needed}")]
    Kernel {
        /// Bytes that it has.
        bytes: u32,
        /// Bytes that it must have.
        needed: u32,
    },
    /// Those of threads, by what is kept on each for interrupts.
    #[error(
        "interrupts need {needed} bytes of the stack of the thread that they interrupt, and \
         {bytes} are kept for them"
    )]
    Thread {
        /// Bytes that are kept.
        bytes: u32,
        /// Bytes that they may need.
        needed: u32,
    },
}

impl Explain for StackError {
    fn place(&self) -> Option<Place> {
        None
    }

    fn remedy(&self) -> Option<String> {
        Some(match self {
            StackError::Kernel { needed, .. } => format!(
                "take kernel_stack out of lichen.toml, so that it is computed, or write at least \
                 kernel_stack = {needed}; `lichen size PROGRAM --stack` shows what needs it"
            ),
            StackError::Thread { .. } => "handlers of level 0 use a thread's stack: make them \
                shallower, or give them level 1; or write ARCH_STACKS_KEEP(bytes) and make the stacks \
                larger; `lichen size PROGRAM --stack` shows what needs it"
                .to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_stack::Why;

    fn stack(bytes: u32, stated: bool) -> KernelStack {
        let reserve = Reserve { bytes: 40, purpose: "a fault there" };
        let need =
            Need { bytes: 100, panic: 120, parts: Vec::new(), reserve, align: 8, thread: None };
        KernelStack { bytes, stated, need: Ok(need) }
    }

    #[test]
    fn one_that_nobody_states_is_made_to_fit() {
        assert_eq!(stack(1024, false).fitting(), Some(144));
        assert_eq!(stack(144, false).fitting(), None);
        assert_eq!(stack(1024, true).fitting(), None);
    }

    #[test]
    fn one_that_is_too_small_is_refused() {
        assert_eq!(stack(144, true).check(), Ok(()));
        assert_eq!(stack(136, true).check(), Err(StackError::Kernel { bytes: 136, needed: 144 }));
    }

    #[test]
    fn threads_have_room_for_interrupts() {
        let part = |bytes| Part { what: "entries".to_string(), bytes, steps: Vec::new() };
        let room = Room { reserved: 128, parts: vec![part(40), part(88)] };
        let mut stack = stack(144, false);
        let need = |thread| Need { thread: Some(thread), ..stack.need.clone().expect("known") };
        let (fits, exceeds) = (need(room.clone()), need(Room { reserved: 127, ..room }));
        stack.need = Ok(fits);
        assert_eq!(stack.check(), Ok(()));
        stack.need = Ok(exceeds);
        assert_eq!(stack.check(), Err(StackError::Thread { bytes: 127, needed: 128 }));
    }

    #[test]
    fn the_reason_names_who_is_in_the_way() {
        let place = Some(("main.c".to_string(), 7));
        let why = Why::Recursion(vec!["even".to_string()]);
        let unknown = Unknown { function: "odd".to_string(), why, place };
        let stack = KernelStack { need: Err(unknown), ..stack(1024, false) };
        assert_eq!(stack.reason(), "cannot be computed: odd calls itself through even (main.c:7)");
    }
}
