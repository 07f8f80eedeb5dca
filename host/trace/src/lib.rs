// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of a run: events, and the files that hold them.

pub mod air;
pub mod drawing;
mod event;
mod json;
mod lost;
mod pcap;
mod perfetto;
pub mod run;
mod shown;
mod vcd;
mod wave;

pub use event::{Event, Frame, INTERFERENCE, Kind, Meets, On, Place, Processor, Registers};
pub use json::JsonLines;
pub use lost::Lost;
pub use pcap::{Interface, Pcap, centre_khz};
pub use perfetto::Perfetto;
pub use shown::shown;
pub use vcd::{Signals, Vcd};
pub use wave::{Drawn, Wave, Window};

use lichen_chip::Time;
use std::path::PathBuf;

/// Takes the events of a run in the order in which they happen.
pub trait Sink: Send {
    /// Takes one event. An error ends the run.
    fn event(&mut self, event: &Event) -> Result<(), Error>;
}

/// Why a record cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be created.
    #[error("cannot create {}: {source}; does the folder exist, and may you write there?", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The run ended before what is to be drawn.
    #[error(
        "{}: the run ends at {end} s, and the picture begins at {begin} s; run for longer (--for), or draw an \
         earlier time ({option})",
        path.display()
    )]
    TooEarly {
        /// The file.
        path: PathBuf,
        /// End of the run.
        end: Time,
        /// Begin of the picture.
        begin: Time,
        /// The option that says so.
        option: &'static str,
    },
    /// The file can no longer be written.
    #[error("cannot write {}: {source}; is the disk full?", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
