// SPDX-License-Identifier: MIT OR Apache-2.0
//! The air as a picture (SVG): above, a lane for each mote with what it sends and what reaches it over time; below, a map of
//! the motes, and how much of what each sends the others hear.

mod lanes;
mod legend;
mod map;
mod marks;
mod names;
mod table;
mod time;

use super::{Arrival, Counts, Fate, Link, Tally, Transmission};
use crate::drawing::words::width;
use crate::drawing::{LINE, page, paragraph, scale};
use crate::{Error, INTERFERENCE, Window};
use lanes::{AFTER_NAME, Lanes, NAME_SIZE, Shown};
use lichen_chip::Time;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use time::Strips;

/// Frames of a picture if nothing is said of its length, and the most that it has.
const USUAL: usize = 30;
const MOST: usize = 1_000;
/// Geometry in pixels: the width of what is drawn over time, the least room for names, the margin.
const PLOT: f64 = 790.0;
const NAMES: f64 = 40.0;
const MARGIN: f64 = 24.0;

/// Where the motes are, and what is between them, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// What runs.
    pub title: String,
    /// The motes, in the order of their numbers.
    pub motes: Vec<Placed>,
    /// The ends of walls.
    pub walls: Vec<[[f64; 2]; 2]>,
    /// Where interference comes from.
    pub sources: Vec<[f64; 2]>,
}

/// A mote on the map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    /// Its name.
    pub name: String,
    /// Where it is: at first, and wherever it moves.
    pub places: Vec<[f64; 2]>,
}

/// A picture of what was sent in a part of a run.
#[derive(Debug)]
pub struct Picture {
    path: PathBuf,
    window: Window,
    scene: Scene,
    frames: Vec<Transmission>,
    /// When the last of its frames ends.
    last: Time,
    /// Frames of its time that it does not have.
    left_out: u64,
}

impl Picture {
    /// A picture for the file at `path`, which is written at the end.
    pub fn new(path: &Path, window: Window, scene: Scene) -> Picture {
        let path = path.to_path_buf();
        Picture { path, window, scene, frames: Vec::new(), last: Time::ZERO, left_out: 0 }
    }

    /// Adds a transmission if it is of the time that is drawn. They come in the order in which they are complete.
    pub fn add(&mut self, sent: &Transmission) {
        let from = self.window.from.unwrap_or(Time::ZERO);
        let to = self.window.length.map_or(Time::NEVER, |length| from + length);
        if sent.end <= from || sent.begin >= to {
            return;
        }
        let most = if self.window.length.is_some() { MOST } else { USUAL };
        // What collides with the last one is in the picture, too.
        if self.frames.len() < most || sent.begin < self.last {
            if self.frames.len() < most {
                self.last = self.last.max(sent.end);
            }
            self.frames.push(sent.clone());
        } else {
            self.left_out += 1;
        }
    }

    /// Draws the run, which ended at `end`, with the counts of all of it.
    pub fn finish(mut self, end: Time, tally: &Tally) -> Result<(), Error> {
        let begin = self.window.from.unwrap_or(Time::ZERO);
        if end <= begin && begin > Time::ZERO {
            let option = "--air-from";
            return Err(Error::TooEarly { path: self.path, end, begin, option });
        }
        self.frames.sort_by_key(|sent| (sent.begin, sent.sender));
        let svg = self.svg(end, tally);
        std::fs::write(&self.path, svg).map_err(|source| {
            // Half a picture is none.
            if self.path.is_file() {
                let _ = std::fs::remove_file(&self.path);
            }
            Error::Write { path: self.path, source }
        })
    }

    fn svg(&self, end: Time, tally: &Tally) -> String {
        let mut svg = String::new();
        let names = self.scene.motes.iter().map(|mote| width(&mote.name, NAME_SIZE) + AFTER_NAME);
        let names = names.fold(NAMES, f64::max).ceil();
        let whole = names + PLOT + 2.0 * MARGIN;
        let mut top = MARGIN;
        text(&mut svg, &mut top, "b", whole, &self.scene.title);
        text(&mut svg, &mut top, "m", whole, &self.drawn(end));
        top += LINE / 2.0;
        let strips = Strips::new(&self.frames, PLOT);
        let mut shown = Shown::default();
        let left = MARGIN + names;
        let scene = &self.scene;
        let mut lanes = Lanes { svg: &mut svg, scene, strips: &strips, left, shown: &mut shown };
        top = lanes.draw(&self.frames, top);
        if !self.frames.is_empty() {
            top = legend::lanes(&mut svg, &shown, top - 6.0, (MARGIN, whole - MARGIN));
            let note = format!(
                "From one tick of time to the next it is {}; silence is left out at the zigzag lines.",
                scale::time(strips.tick())
            );
            text(&mut svg, &mut top, "m", whole, &note);
            top += LINE;
        }
        text(&mut svg, &mut top, "b", whole, "Who hears whom");
        text(&mut svg, &mut top, "m", whole, &reported(&tally.whole(), end));
        top += LINE / 2.0;
        top = self.links(&mut svg, tally, top);
        page(
            (whole, (top + MARGIN).ceil()),
            &format!("The air: {}", scene.title),
            marks::COLOURS,
            &svg,
        )
    }

    /// The map, and the table beside it.
    fn links(&self, svg: &mut String, tally: &Tally, top: f64) -> f64 {
        let at = MARGIN + map::WIDTH + 20.0;
        let note = "% of the frames that reach a mote; rows send, columns hear";
        let _ = writeln!(
            svg,
            "<text class=\"m\" x=\"{at}\" y=\"{:.1}\" font-size=\"{NAME_SIZE}\">{note}</text>",
            top + 10.0
        );
        let table = table::draw(svg, &self.scene, tally, (at, top + LINE));
        let map = map::draw(svg, &self.scene, tally, (MARGIN, top));
        let edges = (MARGIN, MARGIN + 2.0 * map::WIDTH);
        legend::links(svg, table.max(map) + 8.0, edges, !self.scene.sources.is_empty())
    }

    /// What is drawn of the run.
    fn drawn(&self, end: Time) -> String {
        let mut tally = Tally::new(self.scene.motes.len());
        self.frames.iter().for_each(|sent| tally.add(sent));
        let from = self.window.from.unwrap_or(Time::ZERO);
        let to = self.window.length.map_or(end, |length| from + length).min(end);
        let (begin, span) = match (self.frames.first(), self.window.length) {
            (None, _) => {
                let (from, to) = (scale::moment(from), scale::moment(to));
                return format!("Nothing was sent from {from} to {to}.");
            }
            (Some(first), None) => (first.begin, self.last.max(first.end) - first.begin),
            (Some(_), Some(_)) => (from, to - from),
        };
        let whole = tally.whole();
        let more = match (self.left_out, self.window.length) {
            (0, _) => String::new(),
            (_, None) => " · later frames are left out (--air-for)".to_string(),
            (count, Some(_)) => format!(" · {count} more of this time are left out"),
        };
        let begin = scale::moment(Time::from_us(begin.us()));
        format!("{} from {begin} on: {}{more}", scale::time(span), sums(&whole))
    }
}

/// What is said of all of the run.
fn reported(whole: &Counts, end: Time) -> String {
    format!("All of the run, {}: {}", scale::time(end), sums(whole))
}

/// Counts in words.
fn sums(counts: &Counts) -> String {
    let frames = match counts.sent {
        1 => "1 frame sent".to_string(),
        count => format!("{count} frames sent"),
    };
    let acks = match counts.acknowledgments {
        0 => String::new(),
        1 => " (1 acknowledgment)".to_string(),
        count => format!(" ({count} acknowledgments)"),
    };
    let mut parts =
        vec![format!("{frames}{acks}"), format!("{} heard whole", counts.with(Fate::Whole))];
    let others = [Fate::Filtered, Fate::TooWeak].map(|fate| (fate, counts.with(fate)));
    let others = others.into_iter().filter(|(_, count)| *count > 0);
    parts.extend(others.map(|(fate, count)| format!("{count} {}", fate.words())));
    let reasons: Vec<String> =
        counts.reasons().map(|(fate, count)| format!("{} {count}", fate.words())).collect();
    parts.push(match reasons.is_empty() {
        true => "none lost".to_string(),
        false => format!("{} lost: {}", counts.lost(), reasons.join(", ")),
    });
    parts.join(" · ")
}

fn text(svg: &mut String, top: &mut f64, class: &str, whole: f64, text: &str) {
    paragraph(svg, top, class, (MARGIN, whole - 2.0 * MARGIN), text);
}

impl Scene {
    /// The name of a mote, or of what else sends.
    fn name(&self, mote: u32) -> String {
        match self.motes.get(mote as usize) {
            Some(placed) => placed.name.clone(),
            None if mote >= INTERFERENCE => "interference".to_string(),
            None => mote.to_string(),
        }
    }

    /// The same in a sentence.
    fn long(&self, mote: u32) -> String {
        let name = self.name(mote);
        if name.parse::<u32>().is_ok() { format!("mote {name}") } else { name }
    }

    fn list(&self, motes: &[u32]) -> String {
        motes.iter().map(|mote| self.long(*mote)).collect::<Vec<_>>().join(", ")
    }

    /// What was sent, in words.
    fn of_sent(&self, sent: &Transmission) -> String {
        let Transmission { sender, frame, arrivals, .. } = sent;
        let what = if frame.is_acknowledgment() { "an acknowledgment" } else { "a frame" };
        let number =
            frame.sequence().map(|number| format!(", number {number}")).unwrap_or_default();
        let mut text = format!(
            "{} sends {what} of {} bytes{number}, at {:.6} s",
            self.long(*sender),
            frame.bytes.len(),
            sent.begin.as_s()
        );
        for fate in Fate::ALL {
            let with = arrivals.iter().filter(|arrival| arrival.fate == fate);
            let motes: Vec<u32> = with.map(|arrival| arrival.mote).collect();
            if !motes.is_empty() {
                text += &format!("; {}: {}", fate.words(), self.list(&motes));
            }
        }
        text
    }

    /// What became of it at a mote, in words.
    fn of_arrival(&self, sent: &Transmission, arrival: &Arrival) -> String {
        let Arrival { mote, dbm, fate, with, .. } = arrival;
        let with = match with.is_empty() {
            true => String::new(),
            false => format!(" with {}", self.list(with)),
        };
        let (mote, sender) = (self.long(*mote), self.long(sent.sender));
        format!("at {mote}: {}{with}, from {sender}, {dbm:.1} dBm", fate.words())
    }

    /// The share of a link, in words.
    fn of_link(&self, (from, to): (u32, u32), link: Link) -> String {
        let (from, to) = (self.long(from), self.long(to));
        format!("{to} hears {} of {} frames of {from}", link.heard, link.reached)
    }
}

#[cfg(test)]
mod tests;
