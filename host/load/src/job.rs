// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wanted of a mote, and what came of it.

use crate::container::Container;
use crate::request::Hello;
use lichen_chip::Time;
use std::fmt;

/// What is wanted of a mote.
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub enum Job {
    /// To install a program, and to start it.
    Load {
        /// Its container.
        container: Vec<u8>,
        /// Where it goes.
        whom: Whom,
    },
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

/// Whom a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub enum Whom {
    /// The mote at the line: 0, or a number that makes it another program than the one of its name.
    Instance(u8),
    /// All motes that it reaches over the air, and itself.
    All,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A program was installed, and runs; or it is passed on.
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
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Program {
    /// Its name, with its instance.
    pub name: String,
    /// What it is doing.
    pub state: State,
    /// Starts that were not confirmed, or crashed the mote.
    pub failures: u8,
    /// Its version.
    pub version: u16,
    /// Threads that have not ended.
    pub threads: u8,
    /// Bytes of flash.
    pub flash: u32,
    /// Bytes of RAM.
    pub ram: u32,
}

/// What a program is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub enum State {
    /// It is no program, but the image that they run in.
    Image,
    /// It runs.
    Running,
    /// It runs, and has not confirmed yet that it works.
    OnTrial,
    /// All its threads have ended.
    Ended,
    /// It was stopped.
    Stopped,
    /// It is kept until a newer version is confirmed.
    Old,
    /// It has failed.
    Dead,
    /// An assertion of one of its threads has failed.
    Asserted,
    /// One of its threads has faulted.
    Faulted,
    /// The stack of one of its threads has overflowed.
    Overflowed,
    /// It is not started at boot any more, since it has crashed the mote.
    Crashed,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            State::Image => "image",
            State::Running => "running",
            State::OnTrial => "on trial",
            State::Ended => "ended",
            State::Stopped => "stopped",
            State::Old => "old",
            State::Dead => "dead",
            State::Asserted => "assertion",
            State::Faulted => "fault",
            State::Overflowed => "overflow",
            State::Crashed => "crashed",
        })
    }
}

impl Job {
    /// What was done, in lines for people.
    pub fn done(&self, outcome: &Outcome) -> Vec<String> {
        match (self, outcome) {
            (job, Outcome::Loaded { name, version, bytes, took, repeated }) => {
                let done = match job {
                    Job::Load { whom: Whom::All, .. } => "is on its way to all",
                    _ => "is loaded",
                };
                let repeated = match repeated {
                    0 => String::new(),
                    1 => ", 1 frame repeated".to_string(),
                    count => format!(", {count} frames repeated"),
                };
                let ms = took.us() / 1000;
                vec![format!("{name} {version} {done}: {bytes} bytes in {ms} ms{repeated}")]
            }
            (_, Outcome::Listed { mote, programs }) => {
                let free = format!(
                    "free: {} bytes of flash, {} of RAM in one piece",
                    mote.flash, mote.ram
                );
                let rows: Vec<Program> = mote.image.iter().chain(programs).cloned().collect();
                table(&rows).into_iter().chain([free]).collect()
            }
            (Job::Start(name), _) => vec![format!("{name} is started")],
            (Job::Stop(name), _) => vec![format!("{name} is stopped")],
            (Job::Remove(name), _) => vec![format!("{name} is removed")],
            (Job::Floor(name), _) => {
                vec![format!("versions of {name} below this one are refused from now on")]
            }
            (Job::Load { .. } | Job::List, _) => Vec::new(),
        }
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Job::Load { container, whom } => match Container::read(container) {
                Ok(container) => {
                    let to_all = if *whom == Whom::All { " to all" } else { "" };
                    write!(f, "load {}{to_all}", container.name())
                }
                Err(_) => f.write_str("load"),
            },
            Job::List => f.write_str("ps"),
            Job::Start(name) => write!(f, "start {name}"),
            Job::Stop(name) => write!(f, "stop {name}"),
            Job::Remove(name) => write!(f, "remove {name}"),
            Job::Floor(name) => write!(f, "floor {name}"),
        }
    }
}

/// Programs as a table, a line each, with a head.
pub fn table(programs: &[Program]) -> Vec<String> {
    let head = "name                 state    version threads  flash    RAM".to_string();
    let line = |it: &Program| {
        let known = |number: String| if it.state == State::Image { String::new() } else { number };
        let (version, threads) = (known(it.version.to_string()), known(it.threads.to_string()));
        format!(
            "{:<20} {:<8} {version:>7} {threads:>7} {:>6} {:>6}",
            it.name, it.state, it.flash, it.ram
        )
    };
    std::iter::once(head).chain(programs.iter().map(line)).collect()
}
