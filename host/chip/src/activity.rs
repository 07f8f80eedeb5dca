// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the components of a chip are doing, as far as it determines the current that they draw.

/// State of a component that draws nothing of its own.
pub const OFF: &str = "off";

/// What a component does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The component as the data sheet calls it, such as `OSC8M` or `SERCOM0`; `CPU` is the processor with
    /// its buses, memories and regulator.
    pub component: &'static str,
    /// Its state, such as `on` or `standby`; [`OFF`] if it draws nothing of its own.
    pub state: &'static str,
    /// Frequency of the clock that it works with, in Hz: the processor's, the output of an oscillator, the
    /// generic clock of a peripheral. 0 if that clock does not run.
    pub hz: u64,
    /// Frequency of a peripheral's bus clock in Hz, 0 if that is masked or stopped.
    pub bus_hz: u64,
}

/// A component and the states that it can report, apart from [`OFF`].
pub type ComponentStates = (&'static str, &'static [&'static str]);
