// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers of exceptions (ARMv6-M Architecture Reference Manual, B1.5.2).

/// The non-maskable interrupt.
pub const NMI: u32 = 2;
/// All faults.
pub const HARD_FAULT: u32 = 3;
/// SVC.
pub const SV_CALL: u32 = 11;
/// The exception that software requests for later.
pub const PEND_SV: u32 = 14;
/// The core's own timer.
pub const SYS_TICK: u32 = 15;
/// Request line 0 of the chip.
pub const INTERRUPT_0: u32 = 16;
/// Where the core's own vectors end, after a reset: those of the chip's interrupts follow.
pub(super) const VECTORS_END: u32 = 4 * INTERRUPT_0;
