// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is typed and pressed on a mote, and when: given to a run, and recorded by it.

use crate::Error;
use lichen_board::Board;
use lichen_chip::Time;
use lichen_device::part::Bus;
use lichen_device::part::Condition;
use lichen_load::{Job, Whom};
use std::fmt;

/// An action of the user on a mote.
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub enum Action {
    /// Types characters at the console.
    Type(Vec<u8>),
    /// Presses a button.
    Press(String),
    /// Lets go of a button.
    Release(String),
    /// Pulls the reset pin and releases it.
    Reset,
    /// Lets a part of the board fail, or work again.
    Part {
        /// Name of the part on the board.
        name: String,
        /// Its condition from then on.
        condition: Condition,
    },
    /// Takes the supply away, or brings it back.
    Power {
        /// Whether the mote is powered from then on.
        on: bool,
    },
    /// Lets the host at the other end of the console's line do something with the mote's programs. It types frames, and a
    /// recording has these.
    Host(Job),
}

/// Actions in the order of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Script {
    actions: Vec<(Time, Action)>,
}

impl Action {
    /// Checks that `board` has what the action needs.
    pub fn check(&self, board: &Board) -> Result<(), Error> {
        let board_name = board.name.clone();
        match self {
            Action::Press(name) | Action::Release(name) => {
                let known: Vec<String> =
                    board.buttons.iter().map(|button| button.name.clone()).collect();
                match known.contains(name) {
                    true => Ok(()),
                    false => Err(Error::NoButton { board: board_name, name: name.clone(), known }),
                }
            }
            Action::Part { name, condition } => match board.bus_of(name) {
                None => {
                    let known = board.simulated_parts().collect();
                    Err(Error::NoPart { board: board_name, name: name.clone(), known })
                }
                Some(bus) if *condition == Condition::Stretching && bus != Bus::I2c => {
                    Err(Error::NoClock { name: name.clone(), bus: bus.name() })
                }
                Some(_) => Ok(()),
            },
            Action::Type(_) | Action::Reset | Action::Power { .. } | Action::Host(_) => Ok(()),
        }
    }
}

impl Script {
    /// Actions and their times.
    pub fn actions(&self) -> &[(Time, Action)] {
        &self.actions
    }

    /// The script with these actions in addition; of actions at one time, the script's own come last.
    pub fn merged(&self, mut actions: Vec<(Time, Action)>) -> Script {
        actions.extend(self.actions.iter().cloned());
        actions.sort_by_key(|(time, _)| *time);
        Script { actions }
    }

    /// Adds an action that is not before the others.
    pub fn append(&mut self, time: Time, action: Action) -> Result<(), String> {
        if let Some((last, _)) = self.actions.last().filter(|(last, _)| *last > time) {
            return Err(format!(
                "{time} s is before {last} s of the line above; sort the lines by time"
            ));
        }
        self.actions.push((time, action));
        Ok(())
    }
}

/// As a file that replays the script.
impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (time, action) in &self.actions {
            write!(f, "{}.{:012} ", time.ps() / PS_PER_S, time.ps() % PS_PER_S)?;
            match action {
                Action::Type(bytes) => writeln!(f, "\"{}\"", bytes.escape_ascii()),
                Action::Press(name) => writeln!(f, "!press {name}"),
                Action::Release(name) => writeln!(f, "!release {name}"),
                Action::Reset => writeln!(f, "!reset"),
                Action::Part { name, condition } => writeln!(f, "!part {name} {condition}"),
                Action::Power { on } => writeln!(f, "!power {}", if *on { "on" } else { "off" }),
                Action::Host(Job::Load { whom: Whom::All, .. }) => writeln!(f, "!load FILE to-all"),
                Action::Host(Job::Load { .. }) => writeln!(f, "!load FILE"),
                Action::Host(job) => writeln!(f, "!{job}"),
            }?;
        }
        Ok(())
    }
}

const PS_PER_S: u128 = 1_000_000_000_000;
