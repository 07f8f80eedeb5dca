//! Records of a run.

mod event;

pub use event::{Event, Kind};
