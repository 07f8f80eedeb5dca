// SPDX-License-Identifier: MIT OR Apache-2.0
//! The timers.

mod counter;
mod eight;
mod first;
mod flags;
mod sampled;
mod second;
mod sixteen;
mod source;
#[cfg(test)]
mod tests;
mod unit;

pub(super) use first::Timer0;
pub(super) use second::Timer2;
pub(super) use sixteen::Sixteen;
