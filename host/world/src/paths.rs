// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks that a run is the same however it is executed.
//!
//! The same mote is run three times side by side: straight from event to event, by single steps as
//! under an observer, and in pieces that end at arbitrary points. Events, and the states after
//! them, must be equal. Polling loops are skipped on the straight path, never when stepping.

use crate::firmware::Firmware;
use crate::mote::Mote;
use crate::{Error, Script, Setup, world};
use lichen_board::Board;
use lichen_chip::{Chip, Time};
use lichen_image::Image;
use lichen_observe::{Observer, Step};
use lichen_trace::Event;
use std::fmt;
use std::sync::{Arc, Mutex};

/// Pieces of the cut path are at most two to the power of this many units of time long: 27 us.
const LONGEST_PIECE: u32 = 28;

/// How a run is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// From event to event.
    Straight,
    /// Step by step.
    Stepped,
    /// In pieces that end at arbitrary points.
    Cut,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Path::Straight => "straight",
            Path::Stepped => "stepped",
            Path::Cut => "cut",
        })
    }
}

/// The extent of a comparison of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Moments at which something happened and states were compared.
    pub moments: u64,
    /// Instructions that each path executed.
    pub instructions: u64,
    /// The first difference from the straight path, after which there is nothing to compare.
    pub difference: Option<Difference>,
}

/// A path that differs from the straight one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path.
    pub path: Path,
    /// Time on the straight path.
    pub time: Time,
    /// The difference.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {} s the {} path differs: {}", self.time, self.path, self.what)
    }
}

/// Runs `image` on `board` along every path, with the input `script`, until `until` or until
/// something has happened at `most` moments.
pub fn compare_paths(
    board: &Board,
    image: &Arc<Image>,
    script: &Script,
    until: Time,
    most: u64,
) -> Result<Comparison, Error> {
    let runner = |path| Runner::new(path, board, image, script);
    let mut straight = runner(Path::Straight)?;
    let mut others = [runner(Path::Stepped)?, runner(Path::Cut)?];
    let mut moments = 0;
    let mut difference = None;
    while difference.is_none() && moments < most && straight.mote.now() < until {
        let expected = straight.next(until);
        let differences = others.iter_mut().map(|other| other.difference(&expected, until));
        difference = differences.reduce(Option::or).flatten();
        moments += 1;
    }
    Ok(Comparison { moments, instructions: straight.mote.chip().instructions(), difference })
}

/// The state that must be equal at a moment.
struct Moment {
    time: Time,
    cycle: u64,
    instructions: u64,
    events: Vec<Event>,
    hash: u64,
}

/// A mote on one path.
struct Runner {
    path: Path,
    mote: Mote,
    script: Script,
    /// Actions of the script that are done.
    done: usize,
    /// State of the generator of piece lengths.
    random: u64,
}

impl Runner {
    fn new(
        path: Path,
        board: &Board,
        image: &Arc<Image>,
        script: &Script,
    ) -> Result<Runner, Error> {
        let config = world::config(board, 0, 0);
        let firmware = Arc::new(Firmware::new(Arc::new(board.clone()), Arc::clone(image))?);
        let mut mote = Mote::new(0, firmware, Setup::default(), &config)?;
        if path == Path::Stepped {
            mote.observe(Arc::new(Mutex::new(Unseen)));
        }
        script.actions().iter().try_for_each(|(_, action)| mote.check(action))?;
        mote.power_on(&mut Vec::new());
        Ok(Runner { path, mote, script: script.clone(), done: 0, random: 0x5EED })
    }

    /// Runs until something has happened, or to `until`.
    fn next(&mut self, until: Time) -> Moment {
        let mut events = Vec::new();
        while events.is_empty() && self.mote.now() < until {
            let action = self.script.actions().get(self.done).cloned();
            match action {
                Some((time, action)) if time <= self.mote.now() => {
                    self.done += 1;
                    self.mote.act(&action, &mut events);
                }
                action => {
                    let next = action.map_or(Time::NEVER, |(time, _)| time);
                    let piece = self.piece();
                    self.mote.advance(until.min(next).min(piece), &mut events);
                }
            }
        }
        let chip = self.mote.chip();
        Moment {
            time: chip.now(),
            cycle: chip.cycle().0,
            instructions: chip.instructions(),
            events,
            hash: self.mote.state_hash(),
        }
    }

    /// The end of the next piece.
    fn piece(&mut self) -> Time {
        if self.path != Path::Cut {
            return Time::NEVER;
        }
        // Marsaglia's xorshift. Short pieces are as frequent as long ones.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let longest = 1 << (self.random % u64::from(LONGEST_PIECE));
        self.mote.now() + Time::from_units(1 + (self.random >> 8) % longest)
    }

    /// Runs as far as the straight path has come, to `until` at most.
    fn difference(&mut self, straight: &Moment, until: Time) -> Option<Difference> {
        let own = self.next(until);
        let what = if own.events != straight.events {
            format!("{:?} instead of {:?}", own.events, straight.events)
        } else if (own.time, own.cycle) != (straight.time, straight.cycle) {
            format!("cycle {} at {} s instead of {}", own.cycle, own.time, straight.cycle)
        } else if own.instructions != straight.instructions {
            format!("{} instructions instead of {}", own.instructions, straight.instructions)
        } else if own.hash != straight.hash {
            format!("the state after cycle {}", own.cycle)
        } else {
            return None;
        };
        Some(Difference { path: self.path, time: straight.time, what })
    }
}

/// Observes nothing: only the stepping matters.
struct Unseen;

impl Observer for Unseen {
    fn step(&mut self, _: &Step, _: &dyn Chip) {}
}
