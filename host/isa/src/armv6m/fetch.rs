// SPDX-License-Identifier: MIT OR Apache-2.0
//! The path from flash: wait states, and the lines that the flash controller holds.
//!
//! Flash is read in lines of 64 bits. A read of a held line costs nothing; any other read costs the
//! wait states, whether it is for an instruction or a literal, and none of that time overlaps with
//! execution.
//!
//! The number of lines that the flash controller holds is fitted. Context switches of RIOT take
//! 1.25 times as many cycles at 48 MHz, with one wait state, as at 4 MHz with none (Hamilton paper,
//! table 4). Current RIOT's take 1.25 to 1.26 times as many with one line that literals share, 1.22
//! with one that they bypass, 1.20 with the eight lines of the data sheet, 1.36 with none.

use crate::Cycle;

/// The timing of flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashTiming {
    /// Cycles that a read of a line that is not held takes beyond the first
    /// (NVMCTRL CTRLB.RWS).
    pub wait_states: u32,
    /// Lines of 64 bits that are held, direct mapped: a power of two up to [`MAX_LINES`], or 0
    /// if each word of 32 bits is read anew (NVMCTRL CTRLB.CACHEDIS).
    pub lines: u32,
}

/// Most lines that can be held.
pub const MAX_LINES: u32 = 8;

impl Default for FlashTiming {
    fn default() -> FlashTiming {
        FlashTiming { wait_states: 0, lines: 1 }
    }
}

/// Bytes of a line.
const LINE_BYTES: u32 = 8;
/// Bytes that are read at a time where no line is held.
const WORD_BYTES: u32 = 4;

/// In place of a line's address: a value in whose line no instruction lies.
pub(super) const NO_LINE: u32 = !(2 * LINE_BYTES - 1);

/// Addresses of the lines that are held.
pub(super) type Held = [u32; MAX_LINES as usize];

/// The lines held, and until when flash is busy.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Lines {
    wait_states: u32,
    /// The unit of a read.
    bytes: u32,
    /// Mask of a line's number, which gives its place in `held`.
    mask: u32,
    /// Addresses of lines.
    held: Held,
    busy_until: Cycle,
    /// Cycles for which reads have waited because flash was busy. Nothing depends on it.
    #[serde(skip)]
    stalled: u64,
}

impl Lines {
    pub(super) fn new() -> Lines {
        let mut lines = Lines {
            wait_states: 0,
            bytes: LINE_BYTES,
            mask: 0,
            held: [NO_LINE; MAX_LINES as usize],
            busy_until: Cycle(0),
            stalled: 0,
        };
        lines.set_timing(FlashTiming::default());
        lines
    }

    pub(super) fn set_timing(&mut self, timing: FlashTiming) {
        let lines = timing.lines.min(MAX_LINES);
        self.wait_states = timing.wait_states;
        self.bytes = if lines == 0 { WORD_BYTES } else { LINE_BYTES };
        self.mask = lines.max(1).next_power_of_two() - 1;
        self.invalidate();
    }

    pub(super) fn invalidate(&mut self) {
        self.held = [NO_LINE; MAX_LINES as usize];
    }

    pub(super) fn set_busy_until(&mut self, cycle: Cycle) {
        self.busy_until = cycle;
        self.invalidate();
    }

    /// Whether flash is busy at `cycle`, so that a read may wait.
    pub(super) fn is_busy(&self, cycle: Cycle) -> bool {
        cycle < self.busy_until
    }

    /// The lines held.
    pub(super) fn held(&self) -> Held {
        self.held
    }

    /// Cycles for which reads have waited because flash was busy, so far.
    pub(super) fn stalled(&self) -> u64 {
        self.stalled
    }

    /// Address of the line of an address.
    #[inline(always)]
    pub(super) fn of(&self, address: u32) -> u32 {
        address & !(self.bytes - 1)
    }

    /// Whether `address` lies in the line at `line`.
    #[inline(always)]
    pub(super) fn within(&self, line: u32, address: u32) -> bool {
        address.wrapping_sub(line) < self.bytes
    }

    /// Reads a line at `cycle`; returns the cycle at which it is available.
    #[inline(always)]
    pub(super) fn read(&mut self, line: u32, cycle: u64) -> u64 {
        let held = &mut self.held[((line / LINE_BYTES) & self.mask) as usize % MAX_LINES as usize];
        if *held == line {
            return cycle;
        }
        *held = line;
        let free = cycle.max(self.busy_until.0);
        self.stalled += free - cycle;
        free + u64::from(self.wait_states)
    }
}
