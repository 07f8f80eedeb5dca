// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long things take, in cycles.
//!
//! AVR Instruction Set Manual, column "AVRe" for a program counter of two bytes; ATmega128 data sheet,
//! "Reset and Interrupt Handling" and "Instruction Set Summary". Internal SRAM and I/O registers have no
//! wait states; the bus adds those of external memory ([`crate::Reply::stall`]).

/// Anything without a figure of its own. A skip takes one more for each word that it skips.
pub(super) const SIMPLE: u64 = 1;
/// A branch or a relative jump that is taken.
pub(super) const BRANCH: u64 = 2;
/// JMP.
pub(super) const JUMP: u64 = 3;
/// RCALL and ICALL.
pub(super) const CALL_NEAR: u64 = 3;
/// CALL.
pub(super) const CALL: u64 = 4;
/// RET and RETI.
pub(super) const RETURN: u64 = 4;
/// Loads and stores, PUSH and POP.
pub(super) const LOAD_STORE: u64 = 2;
/// SBI and CBI.
pub(super) const BIT: u64 = 2;
/// LPM and ELPM.
pub(super) const LOAD_PROGRAM: u64 = 3;
/// ADIW and SBIW.
pub(super) const WORD: u64 = 2;
/// All multiplications.
pub(super) const MULTIPLY: u64 = 2;

/// From the boundary at which an interrupt is taken to the first instruction at its vector.
pub(super) const ENTRY: u64 = 4;
/// More of these for a processor that was asleep, in addition to its start-up time.
pub(super) const WAKE_UP: u64 = 4;

/// The cycle of a load or store, from its start, in which memory is accessed ("Instruction Execution
/// Timing": the first one computes the address).
pub(super) const ACCESS: u64 = 1;
