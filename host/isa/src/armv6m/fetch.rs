// SPDX-License-Identifier: MIT OR Apache-2.0
//! The path from flash: what the core has fetched, the lines that the flash controller holds, and
//! what a read of the cells costs.
//!
//! The flash controller holds eight lines of 64 bits, direct mapped, which instructions and literals
//! share. A read of a held line costs nothing; any other read takes the line in and costs the wait
//! states. Without the cache every read costs them. None of that time overlaps with execution.
//!
//! The core fetches words. While it executes the second half of a word, the next word arrives, even
//! if the instruction then branches elsewhere. So a taken branch may pay for a line that is not
//! executed, and code that a literal evicts from the controller continues from the word that the
//! core already has.
//!
//! A branch in the second half of a word fetches its target behind the word that arrives in vain. If
//! it leads to the second half of another word, the core has one instruction only, and must fetch the
//! next word at once. If the instruction behind accesses memory, fetch and access then contend for
//! the bus, which takes a cycle.
//!
//! A [`Window`] covers the instructions that need no read: those whose words, and the next one
//! where it is fetched with them, are known to be in the core or in held lines. It changes where an
//! instruction outside is fetched, or where an access may have evicted a line, and so only there
//! costs time on the host. Where flash has no wait states it covers all of flash.
//!
//! The data sheet gives the lines, their mapping and what a read mode does with a miss. What the
//! core fetches ahead was chosen among some hundred organizations by loops and switches that others
//! measured on boards; `doc/design/simulator.md` says which.

use super::decode::{accesses_memory, is_wide};
use super::memory::{REGION_BYTES, region_start};
use crate::Cycle;

/// The timing of flash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlashTiming {
    /// Cycles that a read of the cells takes beyond the first (NVMCTRL CTRLB.RWS, and one more
    /// where READMODE is LOW_POWER).
    pub wait_states: u32,
    /// Whether every read goes to the cells (CTRLB.CACHEDIS), or takes as long as if it did
    /// (READMODE DETERMINISTIC).
    pub uncached: bool,
}

/// Lines that the flash controller holds.
const LINES: usize = 8;
/// Bytes of a line.
const LINE_BYTES: u32 = 8;
/// In place of a line's address: no address is its own line's with this.
const NO_LINE: u32 = u32::MAX;

/// Bytes that the core fetches at a time.
const WORD_BYTES: u32 = 4;
/// An address with this bit is in the second half of its word.
const SECOND_HALF: u32 = 2;

/// Instructions that the core can execute without a read of flash: those that begin at the
/// `bytes` from `start`. The halfword behind them is in the core too, but executing it takes the
/// next word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Window {
    start: u32,
    bytes: u32,
}

impl Window {
    /// Nothing has been fetched.
    pub(super) const NONE: Window = Window { start: !1, bytes: 0 };

    /// All of the region of an address: memory without wait states.
    pub(super) fn region(address: u32) -> Window {
        Window { start: region_start(address), bytes: REGION_BYTES }
    }

    /// Only the word of the instruction at `pc` is in the core.
    #[inline(always)]
    pub(super) fn word_of(pc: u32) -> Window {
        Window { start: pc, bytes: (pc & SECOND_HALF) ^ SECOND_HALF }
    }

    /// Whether the instruction at `pc` needs no read.
    #[inline(always)]
    pub(super) fn covers(self, pc: u32) -> bool {
        pc.wrapping_sub(self.start) < self.bytes
    }

    /// Whether the core has the word of the instruction at `pc`.
    fn has_word_of(self, pc: u32) -> bool {
        pc.wrapping_sub(self.start) < self.bytes + SECOND_HALF
    }
}

/// What the core has fetched, and the lines that the flash controller holds.
pub(super) type State = (Window, [u32; LINES]);

/// What the core has fetched, the lines that the flash controller holds, and until when flash is
/// busy.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Lines {
    wait_states: u32,
    uncached: bool,
    /// Addresses of the lines held, each at the place that its number selects.
    held: [u32; LINES],
    /// What was fetched when the core last left the fast path, which keeps its own.
    pub(super) window: Window,
    busy_until: Cycle,
    /// Cycles for which reads have waited because flash was busy. Nothing depends on it.
    #[borsh(skip)]
    stalled: u64,
}

impl Lines {
    pub(super) fn new() -> Lines {
        let FlashTiming { wait_states, uncached } = FlashTiming::default();
        Lines {
            wait_states,
            uncached,
            held: [NO_LINE; LINES],
            window: Window::NONE,
            busy_until: Cycle(0),
            stalled: 0,
        }
    }

    pub(super) fn set_timing(&mut self, timing: FlashTiming) {
        self.wait_states = timing.wait_states;
        self.uncached = timing.uncached;
        self.invalidate();
    }

    pub(super) fn invalidate(&mut self) {
        self.held = [NO_LINE; LINES];
        self.window = Window::NONE;
    }

    /// The core goes on elsewhere: what it has fetched is of no use.
    pub(super) fn forget_fetched(&mut self) {
        self.window = Window::NONE;
    }

    pub(super) fn set_busy_until(&mut self, cycle: Cycle) {
        self.busy_until = cycle;
        self.invalidate();
    }

    /// Whether flash is busy at `cycle`, so that a read may wait.
    pub(super) fn is_busy(&self, cycle: Cycle) -> bool {
        cycle < self.busy_until
    }

    /// What decides how long the code that follows will wait.
    pub(super) fn state(&self) -> State {
        (self.window, self.held)
    }

    /// Cycles for which reads have waited because flash was busy, so far.
    pub(super) fn stalled(&self) -> u64 {
        self.stalled
    }

    /// Fetches the instruction in flash at `pc`, which `window` does not cover, at `cycle`; returns
    /// the cycle at which it is available, and sets `window` so that it covers it.
    #[inline(always)]
    pub(super) fn fetch(&mut self, window: &mut Window, pc: u32, cycle: u64) -> u64 {
        if self.wait_states == 0 && !self.is_busy(Cycle(cycle)) {
            *window = Window::region(pc);
            return cycle;
        }
        if self.uncached {
            return self.fetch_words(window, pc, cycle);
        }
        let line = pc & !(LINE_BYTES - 1);
        let last = line + LINE_BYTES - SECOND_HALF;
        if pc != last {
            *window = Window { start: line, bytes: LINE_BYTES - SECOND_HALF };
            return self.read(line, cycle);
        }
        let ready = if window.has_word_of(pc) { cycle } else { self.read(line, cycle) };
        *window = Window { start: last, bytes: LINE_BYTES };
        self.read(last + SECOND_HALF, ready)
    }

    /// The same where no lines are held: by words.
    fn fetch_words(&mut self, window: &mut Window, pc: u32, cycle: u64) -> u64 {
        let mut cycle = cycle;
        if !window.has_word_of(pc) {
            cycle = self.read(pc, cycle);
        }
        *window = Window::word_of(pc);
        if pc & SECOND_HALF != 0 {
            cycle = self.read(pc + SECOND_HALF, cycle);
            *window = Window { start: pc, bytes: WORD_BYTES };
        }
        cycle
    }

    /// Cycles that a branch at `pc` to `target` in `flash` takes beyond its own: one from a second half
    /// of a word to another, if the instruction behind accesses memory.
    #[inline(always)]
    pub(super) fn contention(&self, flash: &[u8], pc: u32, target: u32) -> u64 {
        let contends = pc & target & SECOND_HALF != 0
            && self.wait_states != 0
            && access_follows(flash, target);
        u64::from(contends)
    }

    /// Reads flash at `cycle`; returns the cycle at which its content is available.
    #[inline(always)]
    pub(super) fn read(&mut self, address: u32, cycle: u64) -> u64 {
        let line = address & !(LINE_BYTES - 1);
        let place = (line / LINE_BYTES) as usize % LINES;
        if self.held[place] == line {
            return cycle;
        }
        if !self.uncached {
            self.held[place] = line;
        }
        let free = cycle.max(self.busy_until.0);
        self.stalled += free - cycle;
        free + u64::from(self.wait_states)
    }
}

/// Whether the instruction behind the one at `target` loads or stores. The one at `target` is in the
/// second half of a word; if it has 32 bits, the other half of it follows.
#[inline(never)]
fn access_follows(flash: &[u8], target: u32) -> bool {
    let Some(&[a, b, c, d]) = flash.get(target as usize..).and_then(|code| code.first_chunk())
    else {
        return false;
    };
    !is_wide(u16::from_le_bytes([a, b])) && accesses_memory(u16::from_le_bytes([c, d]))
}
