// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wanted of a mote, and what came of it.

use crate::request::Hello;
use lichen_chip::Time;
use std::fmt;

/// What is wanted of a mote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Job {
    /// To install the program of this container, and to start it.
    Load(Vec<u8>),
    /// To list its programs.
    List,
    /// To start a program.
    Start(String),
    /// To stop one.
    Stop(String),
    /// To remove one.
    Remove(String),
    /// Never to take an older version of one.
    Floor(String),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A program was installed, and runs.
    Loaded {
        /// Its name.
        name: String,
        /// Its version.
        version: u16,
        /// Bytes of its container.
        bytes: usize,
        /// From the first request to the last answer.
        took: Time,
        /// Frames that were sent again.
        repeated: u32,
    },
    /// The programs of the mote.
    Listed {
        /// What it is.
        mote: Hello,
        /// Its programs.
        programs: Vec<Program>,
    },
    /// It was done.
    Done,
}

/// A program on a mote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// What it is doing.
    pub state: State,
    /// Its version.
    pub version: u16,
    /// Threads that have not ended.
    pub threads: u8,
    /// Bytes of flash.
    pub flash: u32,
    /// Bytes of RAM.
    pub ram: u16,
}

/// What a program is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// There is none.
    Free,
    /// It is arriving.
    Writing,
    /// It is complete.
    Verified,
    /// It runs.
    Running,
    /// It is stopped, or has ended.
    Stopped,
    /// It is being removed, or has failed.
    Dead,
}

impl State {
    pub(crate) fn of(number: u8) -> Option<State> {
        use State::{Dead, Free, Running, Stopped, Verified, Writing};
        [Free, Writing, Verified, Running, Stopped, Dead].get(usize::from(number)).copied()
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            State::Free => "free",
            State::Writing => "arriving",
            State::Verified => "verified",
            State::Running => "running",
            State::Stopped => "stopped",
            State::Dead => "dead",
        })
    }
}

/// Programs as a table, a line each, with a head.
pub fn table(programs: &[Program]) -> Vec<String> {
    let head = "name             state    version threads  flash    RAM".to_string();
    let line = |it: &Program| {
        format!(
            "{:<16} {:<8} {:>7} {:>7} {:>6} {:>6}",
            it.name, it.state, it.version, it.threads, it.flash, it.ram
        )
    };
    std::iter::once(head).chain(programs.iter().map(line)).collect()
}
