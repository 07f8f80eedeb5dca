// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as a picture (SVG): the current over time, and under it the states that explain it.
//!
//! Each mote has a curve, and a lane for its processor, each thread and interrupt, each oscillator, peripheral, part
//! and pin that changes. A lane of a component with several states has a colour for each. Everything is recorded in [`Steps`], so memory does not
//! grow with the length of a run: a short run is drawn exactly, and of a long one each column shows the least
//! and the greatest current, however short.

mod boxes;
mod curve;
mod draw;
mod legend;
mod panel;
mod row;
mod steps;

use crate::{Error, Event, On, Sink};
use lichen_chip::Time;
use panel::Panel;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is drawn of a run: all of it, if nothing is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Begin, in the time of the world.
    pub from: Option<Time>,
    /// Length.
    pub length: Option<Time>,
}

/// A mote that is drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Its number.
    pub mote: u32,
    /// Part number of its chip.
    pub chip: &'static str,
    /// What it is called.
    pub title: String,
    /// The thread that runs before its first event.
    pub thread: Option<String>,
    /// When its LEDs and buttons are on.
    pub on: BTreeMap<String, On>,
}

/// Draws the events of motes, with their currents. [`Wave::finish`] writes the picture.
#[derive(Debug)]
pub struct Wave {
    path: PathBuf,
    window: Window,
    panels: Vec<Panel>,
}

impl Wave {
    /// A picture for the file at `path`, which is written at the end: nothing is left of one that fails.
    pub fn new(path: &Path, window: Window) -> Wave {
        Wave { path: path.to_path_buf(), window, panels: Vec::new() }
    }

    /// Also draws this mote, whose run begins at `now`.
    pub fn add(&mut self, drawn: Drawn, now: Time) {
        let begin = self.window.from.unwrap_or(now).max(now);
        let end = self.window.length.map_or(Time::NEVER, |length| begin + length);
        self.panels.push(Panel::new(drawn, (begin, end)));
    }

    /// Draws the run, which ended at `end`.
    pub fn finish(mut self, end: Time) -> Result<(), Error> {
        self.panels.iter_mut().for_each(|panel| panel.end(end));
        let begin = self.panels.first().map_or(Time::ZERO, |panel| panel.begin);
        if end <= begin && end > Time::ZERO {
            let option = "--wave-from";
            return Err(Error::TooEarly { path: self.path, end, begin, option });
        }
        std::fs::write(&self.path, draw::svg(&self.panels)).map_err(|source| {
            // Half a picture is none.
            if self.path.is_file() {
                let _ = std::fs::remove_file(&self.path);
            }
            Error::Write { path: self.path, source }
        })
    }
}

impl Sink for Wave {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if let Some(panel) = self.panels.iter_mut().find(|panel| panel.mote == event.mote) {
            panel.event(event.time, &event.kind);
        }
        Ok(())
    }
}
