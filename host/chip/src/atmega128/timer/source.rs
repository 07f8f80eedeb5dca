// SPDX-License-Identifier: MIT OR Apache-2.0
//! What clocks a counter: a prescaler behind the I/O clock or the timer oscillator, or a pin (data sheet,
//! "Timer/Counter Prescalers").
//!
//! Everything is counted in edges of the clock in front of the prescaler, so that nothing changes when that
//! clock stands or becomes another.

/// The clock of a counter, after the prescaler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) enum Clocking {
    /// It stands.
    Stopped,
    /// Every so many edges of the clock in front of the prescaler.
    Divided(u64),
    /// Edges of the Tn pin, falling or rising.
    Pin { rising: bool },
}

/// A prescaler, and what it lets through.
#[derive(Clone, Copy, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Source {
    pub clocking: Clocking,
    /// Edge at which the prescaler was zero.
    zero: u64,
    /// It is held at zero (SFIOR.TSM).
    held: bool,
    /// Clocks that have come from the pin.
    pin_clocks: u64,
}

impl Source {
    pub fn new() -> Source {
        Source { clocking: Clocking::Stopped, zero: 0, held: false, pin_clocks: 0 }
    }

    /// Clocks so far, at an edge of the clock in front of the prescaler.
    pub fn clocks(&self, edge: u64) -> u64 {
        match self.clocking {
            Clocking::Stopped => 0,
            Clocking::Divided(1) => edge,
            Clocking::Divided(_) if self.held => 0,
            Clocking::Divided(divider) => edge.saturating_sub(self.zero) / divider,
            Clocking::Pin { .. } => self.pin_clocks,
        }
    }

    /// The edge with which a number of clocks is complete; `None` if it is not known to come.
    pub fn edge(&self, clocks: u64) -> Option<u64> {
        match self.clocking {
            Clocking::Divided(1) => Some(clocks),
            Clocking::Divided(divider) if !self.held => Some(self.zero + clocks * divider),
            _ => None,
        }
    }

    /// Whether the counter's clock comes from a pin.
    pub fn is_pin(&self) -> bool {
        matches!(self.clocking, Clocking::Pin { .. })
    }

    /// Whether the counter has a clock.
    pub fn counts(&self) -> bool {
        self.clocking != Clocking::Stopped
    }

    /// Sets the prescaler back to zero, and holds it there or not.
    pub fn reset_prescaler(&mut self, edge: u64, hold: bool) {
        self.zero = edge;
        self.held = hold;
    }

    /// Lets a held prescaler run.
    pub fn release(&mut self, edge: u64) {
        if std::mem::take(&mut self.held) {
            self.zero = edge;
        }
    }

    /// An edge of the pin has arrived; it is one of those that clock.
    pub fn clock_from_pin(&mut self) {
        self.pin_clocks += 1;
    }

    /// The clock in front of the prescaler is another one, whose present edge this is.
    pub fn change_clock(&mut self, edge: u64) {
        self.zero = edge;
    }
}
