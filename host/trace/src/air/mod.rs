// SPDX-License-Identifier: MIT OR Apache-2.0
//! The air between motes: what was sent, who heard it, what was lost and why; as a log, as counts, and as a picture.

mod fate;
mod frame;
mod log;
mod picture;
mod record;
mod tally;

pub use fate::Fate;
pub use log::{Arrival, Log, Transmission};
pub use picture::{Picture, Placed, Scene};
pub use record::{Counted, Record};
pub use tally::{Counts, Link, Tally};

#[cfg(test)]
mod tests;
