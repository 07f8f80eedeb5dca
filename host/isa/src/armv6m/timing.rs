// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long things take, in cycles, and the model behind it.
//!
//! Instructions take what the Cortex-M0+ Technical Reference Manual (DDI 0484C, section 3.3)
//! lists for the single-cycle multiplier and zero wait states. To this are added
//!
//! - wait states of flash, once per 64-bit line that the flash controller does not hold, for
//!   instructions, literals and what the core fetches ahead (`fetch.rs`); code in RAM has none;
//! - a cycle for a branch whose target leaves fetch and access to contend for the bus (`fetch.rs`);
//! - the stalls of a peripheral on the bus ([`crate::Reply::stall`]).
//!
//! The single-cycle I/O port at 0x6000_0000 takes one cycle less than the bus. An instruction
//! is never overlapped with the next.
//!
//! Exception entry takes 15 cycles from the instruction boundary at which it begins to the first
//! instruction of the handler; the manual gives 15 as the worst latency of an interrupt. LDM,
//! STM, PUSH and POP in plain memory do not delay it: they are abandoned and start again after
//! the handler. The wait states of the stack frame's memory (none for RAM), of the vector and of
//! the handler's first line are added. The manual gives no figure for exception exit, tail-chaining
//! and late arrival; those marked "fitted" are this model's choice.

/// Data processing, and anything else without a figure of its own.
pub(super) const SIMPLE: u64 = 1;
/// One load or store on the bus, RAM, flash and the private peripheral bus.
pub(super) const LOAD_STORE: u64 = 2;
/// One load or store on the single-cycle I/O port.
pub(super) const IO_PORT: u64 = 1;
/// LDM, STM, PUSH and POP, beyond one cycle a register.
pub(super) const MULTIPLE: u64 = 1;
/// A taken branch; also BX, BLX and moves to PC. POP with PC takes this much more than POP without
/// (3 + N for N registers, including PC).
pub(super) const BRANCH: u64 = 2;
/// Branch with link.
pub(super) const BRANCH_LINK: u64 = 3;
/// MRS, MSR, DSB, DMB and ISB.
pub(super) const SPECIAL: u64 = 3;
/// WFI and WFE, not counting sleep.
pub(super) const WAIT: u64 = 2;

/// Exception entry: from the boundary at which it begins to the handler's first instruction.
pub(super) const ENTRY: u64 = 15;
/// How far into an entry a more urgent exception can still take it over. Fitted: all cycles except
/// those of the vector and the first fetch.
pub(super) const LATE_ARRIVAL: u64 = 11;
/// Exception exit, in place of the branch's own cycles. Fitted.
pub(super) const EXIT: u64 = 13;
/// From an exit to the first instruction of the next handler. Fitted.
pub(super) const TAIL_CHAIN: u64 = 6;
