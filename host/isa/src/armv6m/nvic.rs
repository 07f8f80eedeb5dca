// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which exceptions are pending, enabled and active, and which one is next.
//!
//! Exceptions are bits by their number, interrupts (16 and up) and system exceptions alike.
//! A request line is a level. Its rising edge pends the exception, even while it is active; a line
//! that is still high when the exception is left pends it again; a line that falls does not cancel
//! a pend (ARMv6-M Architecture Reference Manual, B3.4.1).

use super::exceptions::{HARD_FAULT, INTERRUPT_0, NMI, PEND_SV, SV_CALL, SYS_TICK};

/// One more than the highest exception number.
pub(super) const EXCEPTIONS: usize = 48;

/// Priority of a thread: less urgent than every exception.
pub(super) const THREAD_PRIORITY: i8 = 4;
/// HardFault: what faults at this priority or above cannot be handled.
pub(super) const HARD_FAULT_PRIORITY: i8 = -1;
const NMI_PRIORITY: i8 = -2;

/// Exceptions that cannot be disabled.
const ALWAYS_ENABLED: u64 =
    1 << NMI | 1 << HARD_FAULT | 1 << SV_CALL | 1 << PEND_SV | 1 << SYS_TICK;

/// State of all exceptions.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Nvic {
    levels: u64,
    pending: u64,
    enabled: u64,
    active: u64,
    /// 0 to 3; those of NMI and HardFault are not used.
    priorities: [u8; EXCEPTIONS],
}

/// A pending exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) number: u32,
    pub(super) priority: i8,
}

impl Nvic {
    pub(super) fn new() -> Nvic {
        Nvic {
            levels: 0,
            pending: 0,
            enabled: ALWAYS_ENABLED,
            active: 0,
            priorities: [0; EXCEPTIONS],
        }
    }

    /// Back to the state after reset; lines that are high pend again.
    pub(super) fn reset(&mut self) {
        let levels = self.levels;
        *self = Nvic::new();
        self.levels = levels;
        self.pending = levels;
    }

    /// Takes the levels of the interrupt request lines. Returns whether one became pending.
    pub(super) fn set_lines(&mut self, lines: u32) -> bool {
        self.set_levels(u64::from(lines) << INTERRUPT_0, u64::from(u32::MAX) << INTERRUPT_0)
    }

    /// Takes the level of the NMI line. Returns whether it became pending.
    pub(super) fn set_nmi(&mut self, level: bool) -> bool {
        self.set_levels(u64::from(level) << NMI, 1 << NMI)
    }

    #[inline]
    fn set_levels(&mut self, levels: u64, of: u64) -> bool {
        let rising = levels & !self.levels;
        self.levels = self.levels & !of | levels;
        self.pend(rising)
    }

    /// Makes exceptions (bits) pending. Returns whether one of them was not.
    pub(super) fn pend(&mut self, exceptions: u64) -> bool {
        let new = exceptions & !self.pending;
        self.pending |= exceptions;
        new != 0
    }

    /// Clears pends; requests whose line is high stay, unless their exception is active.
    pub(super) fn unpend(&mut self, exceptions: u64) {
        self.pending &= !exceptions;
        self.pending |= exceptions & self.levels & !self.active;
    }

    pub(super) fn is_pending(&self, exception: u32) -> bool {
        self.pending >> exception & 1 != 0
    }

    /// Exceptions that are pending and enabled, as bits, including those that a rise of request
    /// lines to the levels `lines` would add.
    pub(super) fn requests(&self, lines: u32) -> u64 {
        let rising = (u64::from(lines) << INTERRUPT_0) & !self.levels;
        (self.pending | rising) & self.enabled
    }

    /// Pending interrupts by line.
    pub(super) fn pending_interrupts(&self) -> u32 {
        (self.pending >> INTERRUPT_0) as u32
    }

    /// Enabled interrupts by line.
    pub(super) fn enabled_interrupts(&self) -> u32 {
        (self.enabled >> INTERRUPT_0) as u32
    }

    pub(super) fn enable_interrupts(&mut self, lines: u32) {
        self.enabled |= u64::from(lines) << INTERRUPT_0;
    }

    pub(super) fn disable_interrupts(&mut self, lines: u32) {
        self.enabled &= !(u64::from(lines) << INTERRUPT_0);
    }

    /// Priority, 0 to 3, of an exception that has one.
    pub(super) fn priority(&self, exception: u32) -> u8 {
        self.priorities[exception as usize % EXCEPTIONS]
    }

    pub(super) fn set_priority(&mut self, exception: u32, priority: u8) {
        self.priorities[exception as usize % EXCEPTIONS] = priority & 3;
    }

    /// Priority, including fixed ones.
    pub(super) fn urgency(&self, exception: u32) -> i8 {
        match exception {
            NMI => NMI_PRIORITY,
            HARD_FAULT => HARD_FAULT_PRIORITY,
            _ => self.priority(exception) as i8,
        }
    }

    /// The next pending and enabled exception: the most urgent one, then the lowest number.
    pub(super) fn next(&self) -> Option<Pending> {
        bits(self.pending & self.enabled)
            .map(|number| Pending { number, priority: self.urgency(number) })
            .min_by_key(|pending| pending.priority)
    }

    /// Priority of the active exception, without PRIMASK.
    pub(super) fn active_priority(&self) -> i8 {
        bits(self.active).map(|number| self.urgency(number)).min().unwrap_or(THREAD_PRIORITY)
    }

    /// The exception is taken: from pending to active.
    pub(super) fn activate(&mut self, exception: u32) {
        self.pending &= !(1 << exception);
        self.active |= 1 << exception;
    }

    /// The exception is left; its line is sampled again.
    pub(super) fn deactivate(&mut self, exception: u32) {
        self.active &= !(1 << exception);
        self.pending |= self.levels & 1 << exception;
    }

    pub(super) fn is_active(&self, exception: u32) -> bool {
        self.active >> exception & 1 != 0
    }

    pub(super) fn active_count(&self) -> u32 {
        self.active.count_ones()
    }

    /// AIRCR.VECTCLRACTIVE.
    pub(super) fn clear_active(&mut self) {
        self.active = 0;
    }
}

/// Numbers of the bits that are set, lowest first.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let number = set.trailing_zeros();
            set &= set - 1;
            number
        })
    })
}
