// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transmitter of a USART: a buffer in front of a shift register.

use crate::Time;
use crate::clock::Clock;

/// What the shift register is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Shift {
    Idle,
    /// A character waits for the edge on which it starts.
    Starting(Time),
    /// Characters follow each other without a gap: `bits` since `origin`, the last ends at `end`.
    Running {
        origin: Time,
        bits: u64,
        end: Time,
    },
    /// The clock is stopped; this much time remains.
    Held(Time),
}

/// The transmitter. It determines when to send, not the form of characters.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Transmitter {
    on: bool,
    buffer: Option<u16>,
    shift: Shift,
}

impl Transmitter {
    /// A transmitter that is off.
    pub fn new() -> Transmitter {
        Transmitter { on: false, buffer: None, shift: Shift::Idle }
    }

    /// Whether it accepts characters.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Whether the buffer is empty.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_none()
    }

    /// Whether something is being sent or waits to be.
    pub fn is_busy(&self) -> bool {
        self.shift != Shift::Idle || self.buffer.is_some()
    }

    /// Whether a character is on the wire.
    pub fn is_shifting(&self) -> bool {
        matches!(self.shift, Shift::Running { .. } | Shift::Held(_))
    }

    /// Switches on; returns whether it was off.
    pub fn switch_on(&mut self) -> bool {
        !std::mem::replace(&mut self.on, true)
    }

    /// Switches off as soon as everything is sent; returns whether that is now.
    pub fn switch_off(&mut self) -> bool {
        self.switch_off_when_idle(false)
    }

    /// Switches off now if that is wanted and everything is sent.
    pub fn switch_off_when_idle(&mut self, wanted_on: bool) -> bool {
        let off = self.on && !wanted_on && !self.is_busy();
        if off {
            self.on = false;
        }
        off
    }

    /// Takes a character; false if the transmitter is off.
    pub fn load(&mut self, value: u16) -> bool {
        if self.on {
            self.buffer = Some(value);
        }
        self.on
    }

    /// Starts a loaded character at `at` if the shift register is idle.
    pub fn begin(&mut self, at: Time) {
        if self.shift == Shift::Idle && self.buffer.is_some() {
            self.shift = Shift::Starting(at);
        }
    }

    /// When it next does something.
    pub fn due(&self) -> Time {
        match self.shift {
            Shift::Idle | Shift::Held(_) => Time::NEVER,
            Shift::Starting(at) => at,
            Shift::Running { end, .. } => end,
        }
    }

    /// Does what is due: ends a character, and returns the one to send now unless it is `held`.
    pub fn fire(&mut self, now: Time, held: bool) -> Option<u16> {
        let next = if held { None } else { self.buffer.take() };
        match (self.shift, next) {
            (_, None) => self.shift = Shift::Idle,
            (Shift::Starting(_), Some(_)) => {
                self.shift = Shift::Running { origin: now, bits: 0, end: now };
            }
            _ => {}
        }
        next
    }

    /// Begins to shift the character that [`Transmitter::fire`] gave.
    pub fn shift(&mut self, bits: u64, bit: &Clock) {
        if let Shift::Running { origin, bits: sent, .. } = self.shift {
            let bits = sent + bits;
            self.shift = Shift::Running { origin, bits, end: origin + bit.span(bits) };
        }
    }

    /// The clock stopped (`runs` is false), started or changed.
    pub fn clocks_changed(&mut self, now: Time, runs: bool) {
        self.shift = match (self.shift, runs) {
            (Shift::Starting(_), _) => Shift::Idle,
            (Shift::Running { end, .. }, false) => Shift::Held(end - now),
            (Shift::Running { end, .. }, true) => Shift::Running { origin: end, bits: 0, end },
            (Shift::Held(left), true) => {
                let end = now + left;
                Shift::Running { origin: end, bits: 0, end }
            }
            (same, _) => same,
        };
    }
}
