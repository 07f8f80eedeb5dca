// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a finished image must not contain although it compiles and links.

mod calls;
mod entry;
mod flash;
mod formats;
mod loaded;
mod nothing;
mod objects;
mod sections;
mod stacks;

pub use calls::{CallError, Kind, vet_loaded_calls};
pub use entry::MainError;
pub use flash::{FlashError, waiting};
pub use formats::FormatError;
pub use loaded::{LoadedStack, LoadedStackError, vet_loaded};
pub use nothing::NothingError;
pub use objects::{Declared, ObjectError};
pub use sections::{SectionError, Wrong};
pub use stacks::ThreadStackError;
pub(crate) use stacks::command_bytes;

use crate::stack::{KernelStack, StackError};
use lichen_analysis::{Owner, Text};
use lichen_image::Image;
use lichen_project::{Explain, Place};

/// An error in an image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VetError {
    /// A `main`.
    #[error(transparent)]
    Main(#[from] MainError),
    /// A format that print does not know.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A forbidden call.
    #[error(transparent)]
    Call(#[from] CallError),
    /// A kernel object that its macro did not declare.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// A thread's stack is too small.
    #[error(transparent)]
    ThreadStack(#[from] ThreadStackError),
    /// The kernel's stack is too small.
    #[error(transparent)]
    Stack(#[from] StackError),
    /// There is nothing to run.
    #[error(transparent)]
    Nothing(#[from] NothingError),
    /// A real-time task does not run while flash is written.
    #[error(transparent)]
    Flash(#[from] FlashError),
    /// A section is in the wrong place.
    #[error(transparent)]
    Section(#[from] SectionError),
}

impl Explain for VetError {
    fn place(&self) -> Option<Place> {
        match self {
            VetError::Main(error) => error.place(),
            VetError::Format(error) => error.place(),
            VetError::Call(error) => error.place(),
            VetError::Object(error) => error.place(),
            VetError::ThreadStack(error) => error.place(),
            VetError::Stack(error) => error.place(),
            VetError::Nothing(error) => error.place(),
            VetError::Flash(error) => error.place(),
            VetError::Section(error) => error.place(),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            VetError::Main(error) => error.remedy(),
            VetError::Format(error) => error.remedy(),
            VetError::Call(error) => error.remedy(),
            VetError::Object(error) => error.remedy(),
            VetError::ThreadStack(error) => error.remedy(),
            VetError::Stack(error) => error.remedy(),
            VetError::Nothing(error) => error.remedy(),
            VetError::Flash(error) => error.remedy(),
            VetError::Section(error) => error.remedy(),
        }
    }
}

/// Checks `image`, and what can only be seen in its ordinary link, if it was linked again after that.
pub fn vet_linked(ordinary: Option<&Image>, image: &Image) -> Result<(), VetError> {
    let text = Text::of(image);
    match ordinary {
        Some(ordinary) => program(&Text::of(ordinary))?,
        None => program(&text)?,
    }
    stacks(&text)
}

/// Checks an image of an ordinary link.
pub fn vet(image: &Image) -> Result<(), VetError> {
    vet_linked(None, image)
}

/// Checks where the program begins, where its sections lie, that it has something to run, the objects and formats of `image`, the code that each of its real-time tasks,
/// cooperative threads and events can reach, and which tasks wait for flash. Functions are still what the source says: a
/// second link makes one of several, and drops what it has found out.
fn program(text: &Text<'_>) -> Result<(), VetError> {
    let image = text.image();
    entry::vet(image)?;
    sections::vet(image)?;
    nothing::vet(image)?;
    objects::vet(image)?;
    formats::vet(image)?;
    calls::vet(text)?;
    Ok(flash::vet(text)?)
}

/// Checks all that runs on the threads' stacks and the kernel's.
fn stacks(text: &Text<'_>) -> Result<(), VetError> {
    let stack = KernelStack::of(text.image());
    stacks::vet(text, stack.as_ref().and_then(|stack| stack.need.as_ref().ok()))?;
    Ok(stack.map_or(Ok(()), |stack| stack.check())?)
}

/// Where in the program `address` is, not in an inline function of a header.
fn place(image: &Image, address: u32) -> Option<Place> {
    let locations = image.locations(address);
    let location = locations.iter().find(|it| Owner::at(it) == Some(Owner::Program))?;
    Some(Place::line(location.file.as_deref()?, location.line?))
}
