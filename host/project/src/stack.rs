// SPDX-License-Identifier: MIT OR Apache-2.0
//! How large the kernel's stack of an image is, and how large it must be.

use crate::{Explain, Place};
use lichen_image::Image;
pub use lichen_stack::{Need, Part, RESERVE, Step, Unknown};

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
        let find = |name| image.symbols().find(name).map(|symbol| symbol.address);
        let bytes = find("kernel_stack_top")?.checked_sub(find("kernel_stack_bottom")?)?;
        let stated = find("kernel_stack_stated").is_none_or(|stated| stated != 0);
        Some(KernelStack { bytes, stated, need: lichen_stack::main_stack(image) })
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
                format!("computed: {} at its deepest, {RESERVE} for a fault there", need.bytes)
            }
            (Ok(need), false) => format!("not computed by this build; {} are needed", need.size()),
            (Err(unknown), true) => format!("as stated; cannot be computed: {}", told(unknown)),
            (Err(unknown), false) => format!("cannot be computed: {}", told(unknown)),
        }
    }

    /// Refuses a stack that is smaller than what it must have room for.
    pub fn check(&self) -> Result<(), StackError> {
        match &self.need {
            Ok(need) if need.size() > self.bytes => {
                Err(StackError { bytes: self.bytes, needed: need.size() })
            }
            _ => Ok(()),
        }
    }
}

/// The reason and its place.
fn told(unknown: &Unknown) -> String {
    match &unknown.place {
        Some((file, line)) => format!("{unknown} ({file}:{line})"),
        None => unknown.to_string(),
    }
}

/// The kernel's stack of an image is too small.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the kernel's stack has {bytes} bytes, and needs {needed}")]
pub struct StackError {
    /// Bytes that it has.
    pub bytes: u32,
    /// Bytes that it must have.
    pub needed: u32,
}

impl Explain for StackError {
    fn place(&self) -> Option<Place> {
        None
    }

    fn remedy(&self) -> Option<String> {
        let StackError { needed, .. } = self;
        Some(format!(
            "take kernel_stack out of lichen.toml, so that it is computed, or write at least \
             kernel_stack = {needed}; `lichen size PROGRAM --stack` shows what needs it"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_stack::Why;

    fn stack(bytes: u32, stated: bool) -> KernelStack {
        let need = Need { bytes: 100, panic: 120, parts: Vec::new() };
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
        assert_eq!(stack(136, true).check(), Err(StackError { bytes: 136, needed: 144 }));
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
