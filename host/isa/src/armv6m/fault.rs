// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults of instructions: all of them are HardFault on ARMv6-M.

use crate::Cycle;

/// A fault that the core took, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Fault {
    /// When.
    pub cycle: Cycle,
    /// Address of the instruction.
    pub pc: u32,
    /// Address that it accessed, if the access failed.
    pub address: Option<u32>,
    /// What was wrong.
    pub kind: FaultKind,
}

/// What was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub enum FaultKind {
    /// Nothing answers a load or store.
    Bus,
    /// Nothing answers an instruction fetch.
    Fetch,
    /// An instruction was fetched from a region for devices.
    ExecuteNever,
    /// A load or store that is not aligned to its size.
    Unaligned,
    /// Not an instruction of ARMv6-M.
    Undefined,
    /// A branch to an even address: there is no ARM state.
    NotThumb,
    /// BKPT without a debugger.
    Breakpoint,
    /// SVC at a priority that does not permit it, or with PRIMASK set.
    SupervisorCall,
    /// EXC_RETURN does not fit the active exceptions.
    Return,
    /// Nothing answers while registers are saved on the stack.
    Stacking,
    /// Nothing answers while registers are restored from the stack.
    Unstacking,
    /// Nothing answers when the vector is read.
    Vector,
    /// An unprivileged access to the private peripheral bus.
    Privilege,
}

impl FaultKind {
    /// In words.
    pub const fn reason(self) -> &'static str {
        match self {
            FaultKind::Bus => "nothing answers at this address",
            FaultKind::Fetch => "there is no memory to execute from at this address",
            FaultKind::ExecuteNever => "code cannot be executed from this region",
            FaultKind::Unaligned => "the address is not aligned to the size of the access",
            FaultKind::Undefined => {
                "not an instruction of ARMv6-M; compilers put one where they see a division by zero, or the use of a \
                 null pointer"
            }
            FaultKind::NotThumb => "branch to an even address (bit 0 of a code address must be 1)",
            FaultKind::Breakpoint => "BKPT without a debugger",
            FaultKind::SupervisorCall => {
                "SVC where its priority does not suffice or PRIMASK is set"
            }
            FaultKind::Return => "EXC_RETURN does not fit the active exceptions",
            FaultKind::Stacking => "no memory under the stack pointer on exception entry",
            FaultKind::Unstacking => "no memory at the stack pointer on exception return",
            FaultKind::Vector => "the vector table is not in memory",
            FaultKind::Privilege => "unprivileged access to the private peripheral bus",
        }
    }
}

/// A fault about to be taken: cycle and program counter are the core's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Abort {
    pub(super) kind: FaultKind,
    pub(super) address: Option<u32>,
}

impl Abort {
    pub(super) fn at(kind: FaultKind, address: u32) -> Abort {
        Abort { kind, address: Some(address) }
    }

    pub(super) fn of(kind: FaultKind) -> Abort {
        Abort { kind, address: None }
    }
}
