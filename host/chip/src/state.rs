// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of whole chips, to be restored: in memory, or as bytes for a file.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The whole state of a chip at one moment, in memory. Copies share it.
#[derive(Clone)]
pub struct Snapshot(Arc<dyn Any + Send + Sync>);

impl Snapshot {
    /// Stores `chip`, a copy of one: for implementations of [`Chip`](crate::Chip).
    pub fn of<C: Any + Send + Sync>(chip: C) -> Snapshot {
        Snapshot(Arc::new(chip))
    }

    /// The copy, if it is one of a chip of this kind.
    pub fn get<C: Any>(&self) -> Option<&C> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Snapshot")
    }
}

/// What a chip's flash holds, in the form in which chips of the same kind share it: one copy for as many
/// as run the same program.
#[derive(Clone)]
pub struct Program(Arc<dyn Any + Send + Sync>);

impl Program {
    /// Stores `program`: for implementations of [`Chip`](crate::Chip).
    pub fn of<P: Any + Send + Sync>(program: P) -> Program {
        Program(Arc::new(program))
    }

    /// What was stored, if it is of this kind.
    pub fn get<P: Any>(&self) -> Option<&P> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Program")
    }
}

/// Why a chip cannot take a state. Its own is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The state belongs to another chip.
    #[error("the state is not one of the {part}; restore it on the chip that it was taken from")]
    OtherPart {
        /// The chip that should take it.
        part: &'static str,
    },
    /// The bytes are not a state.
    #[error("the state of the {part} is damaged ({what}); save it anew")]
    Damaged {
        /// The chip that should take it.
        part: &'static str,
        /// What is wrong with them.
        what: String,
    },
}
