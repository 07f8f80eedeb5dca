// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interprets the firmware from outside, through its own symbols: nothing is compiled into it, and
//! observing does not change what it does.

mod arch;
pub mod branches;
mod callers;
mod created;
mod division;
pub mod gdb;
mod kernel;
pub mod latency;
mod leap;
mod limits;
mod losses;
mod overflow;
mod panic;
mod place;
pub mod profile;
mod programs;
mod record;
mod reported;
mod rtt;
mod software;
mod status;
mod step;
mod tasks;
mod waits;

pub use branches::Branches;
pub use division::Division;
pub use kernel::{CoopStack, Kernel, StackMark, Thread, Unreadable, loaded_threads};
pub use latency::Latency;
pub use leap::Leap;
pub use limits::{Limit, Limits};
pub use losses::Losses;
pub use overflow::{Call, Overflow};
pub use panic::{Crash, Panic};
pub use place::{Place, from_the_tree, place, place_in_program};
pub use profile::Profile;
pub use programs::{Code, Installed, Programs};
pub use record::{Bytes, Record, pointer};
pub use reported::Reported;
pub use rtt::Rtt;
pub use software::software_interrupts;
pub use status::{Registers, ThreadState, ThreadStatus};
pub use step::{Observer, Step, run_observed, step_observed};
pub use tasks::Task;
pub use waits::{Blocked, Deadlock, Wait, Waiting};
