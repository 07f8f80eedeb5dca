// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instruction sets: decode, execute, count cycles.
//!
//! A core knows nothing of the chip around it. It reaches what is not plain memory through
//! the bus of its architecture ([`armv6m::Bus`], [`avr8::Bus`]), and it runs until a cycle that its caller names, or until something happens that
//! only the caller can handle ([`armv6m::Stop`], [`avr8::Stop`]).
//!
//! Time, for a core, is the number of edges of its own clock: [`Cycle`].

mod architecture;
pub mod armv6m;
pub mod avr8;
mod cycle;
mod instruction;
mod stacks;
mod traced;

pub use architecture::{
    Architecture, ByteOrder, LONGEST_INSTRUCTION, Pointers, RegisterInfo, RegisterKind,
    RegisterRole, Vectors, architecture,
};
pub use cycle::Cycle;
pub use instruction::{Access, Cycles, Flow, Instruction, Place, RegisterSet, System};
pub use stacks::{StackOverflow, Stacks};
pub use traced::TracedFlags;

/// Size of one access on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub enum Width {
    /// 8 bits.
    Byte,
    /// 16 bits.
    Half,
    /// 32 bits.
    Word,
}

impl Width {
    /// Number of bytes: 1, 2 or 4.
    pub const fn bytes(self) -> u32 {
        match self {
            Width::Byte => 1,
            Width::Half => 2,
            Width::Word => 4,
        }
    }
}

/// The origin and the time of an access, which a bus needs to time and report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Clock edge at which the access reaches the bus.
    pub cycle: Cycle,
    /// Address of the instruction that makes it.
    pub pc: u32,
}

/// The bus's answer to an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Value read, in the low bits; 0 for a write.
    pub value: u32,
    /// Cycles that the core waits beyond those of a zero-wait-state access.
    pub stall: u32,
}

/// Nothing answers at this address: the core takes its bus fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoDevice;
