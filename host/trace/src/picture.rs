// SPDX-License-Identifier: MIT OR Apache-2.0
//! A short run as a picture (SVG): what was high, asleep or running when, one lane each.

use crate::{Error, Event, Kind, Sink};
use lichen_chip::Time;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Most blocks in a picture: more could not be distinguished, and memory must not grow with the
/// run.
const MOST_BLOCKS: usize = 100_000;

/// Geometry, in pixels: the names, the lanes, one lane, and the margins above and below.
const NAMES: f64 = 150.0;
const LANES: f64 = 800.0;
const LANE: usize = 22;
const BLOCK: usize = 14;
const MARGIN: usize = 12;
const AXIS: usize = 30;
/// The smallest visible width.
const THINNEST: f64 = 0.7;
/// Parts into which the axis is divided.
const TICKS: u64 = 5;

/// What a lane shows; lanes are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Pin,
    Serial,
    Sleep,
    Interrupt,
    Thread,
}

impl Group {
    fn colour(self) -> &'static str {
        match self {
            Group::Pin => "#c98a00",
            Group::Serial => "#7a5195",
            Group::Sleep => "#9aa5b1",
            Group::Interrupt => "#c0392b",
            Group::Thread => "#2e7d4f",
        }
    }
}

/// A period during which something was active; without an end it still is.
type Block = (Time, Option<Time>);

/// What a lane is of: the mote's number, and what it shows.
type Lane = (u32, Group, String);

/// Collects the events of motes. [`Picture::finish`] draws them.
#[derive(Debug)]
pub struct Picture {
    path: PathBuf,
    /// Names of the motes; none if they have only numbers.
    names: Vec<String>,
    lanes: BTreeMap<Lane, Vec<Block>>,
    blocks: usize,
}

impl Picture {
    /// A picture for the file at `path`, which is created at once, so that a wrong path is reported
    /// before the run. `names` are those of the motes, or none: then they have numbers.
    pub fn create(path: &Path, names: &[String]) -> Result<Picture, Error> {
        std::fs::File::create(path)
            .map_err(|source| Error::Create { path: path.to_path_buf(), source })?;
        let (path, names) = (path.to_path_buf(), names.to_vec());
        Ok(Picture { path, names, lanes: BTreeMap::new(), blocks: 0 })
    }

    /// Draws the run, which ended at `end`.
    pub fn finish(self, end: Time) -> Result<(), Error> {
        std::fs::write(&self.path, self.svg(end))
            .map_err(|source| Error::Write { path: self.path, source })
    }

    fn begin(&mut self, mote: u32, group: Group, name: &str, time: Time) {
        let blocks = self.lanes.entry((mote, group, name.to_string())).or_default();
        if blocks.last().is_none_or(|(_, end)| end.is_some()) {
            blocks.push((time, None));
            self.blocks += 1;
        }
    }

    fn end(&mut self, mote: u32, group: Group, name: &str, time: Time) {
        let blocks = self.lanes.entry((mote, group, name.to_string())).or_default();
        if let Some((_, end @ None)) = blocks.last_mut() {
            *end = Some(time);
        }
    }

    /// Only `name` of `group` is active now.
    fn switch(&mut self, mote: u32, group: Group, name: Option<&str>, time: Time) {
        let of_group = self.lanes.iter_mut().filter(|(lane, _)| (lane.0, lane.1) == (mote, group));
        for (_, blocks) in of_group {
            if let Some((_, end @ None)) = blocks.last_mut() {
                *end = Some(time);
            }
        }
        if let Some(name) = name {
            self.begin(mote, group, name, time);
        }
    }

    fn svg(&self, end: Time) -> String {
        let height = MARGIN + self.lanes.len() * LANE + AXIS;
        let width = NAMES + LANES + 2.0 * MARGIN as f64;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        let several = self.lanes.keys().any(|(mote, ..)| *mote > 0);
        for (row, ((mote, group, name), blocks)) in self.lanes.iter().enumerate() {
            let top = MARGIN + row * LANE;
            let name = match self.names.get(*mote as usize) {
                _ if !several => name.clone(),
                Some(of_mote) => format!("{of_mote} {name}"),
                None => format!("{mote} {name}"),
            };
            lane(&mut svg, top, &name, group.colour(), &merged(blocks, end));
        }
        axis(&mut svg, MARGIN + self.lanes.len() * LANE, end);
        svg.push_str("</svg>\n");
        svg
    }
}

impl Sink for Picture {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        let Event { time, mote, .. } = *event;
        match &event.kind {
            Kind::Gpio { name, level, .. } | Kind::Pin { name, level } => match level {
                Some(1) => self.begin(mote, Group::Pin, name, time),
                _ => self.end(mote, Group::Pin, name, time),
            },
            Kind::Uart { port, dir, .. } => {
                let name = format!("{port} {dir}");
                self.begin(mote, Group::Serial, &name, time);
                self.end(mote, Group::Serial, &name, time);
            }
            Kind::Sleep { mode } => self.switch(mote, Group::Sleep, Some(mode), time),
            Kind::Wake { .. } => self.switch(mote, Group::Sleep, None, time),
            Kind::Exception { name } => self.switch(mote, Group::Interrupt, *name, time),
            Kind::Thread { name } => self.switch(mote, Group::Thread, Some(name), time),
            Kind::Reset { .. } | Kind::Power { on: true } => {
                for group in [Group::Sleep, Group::Interrupt, Group::Thread] {
                    self.switch(mote, group, None, time);
                }
            }
            Kind::Power { on: false } => {
                self.switch(mote, Group::Interrupt, None, time);
                self.switch(mote, Group::Thread, None, time);
                self.switch(mote, Group::Sleep, Some("off"), time);
            }
            Kind::Panic { .. }
            | Kind::Fault { .. }
            | Kind::Warning { .. }
            | Kind::Condition { .. } => {}
            Kind::Activity { .. } => {}
        }
        if self.blocks > MOST_BLOCKS {
            return Err(Error::TooMuch { path: self.path.clone(), most: MOST_BLOCKS });
        }
        Ok(())
    }
}

/// Blocks as left edge and width; touching ones are merged.
fn merged(blocks: &[Block], end: Time) -> Vec<(f64, f64)> {
    let scale = LANES / end.0.max(1) as f64;
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for (from, to) in blocks {
        let left = from.0 as f64 * scale;
        let right = (to.unwrap_or(end).0 as f64 * scale).max(left + THINNEST);
        match merged.last_mut() {
            Some((before, width)) if left - (*before + *width) < THINNEST / 2.0 => {
                *width = right - *before;
            }
            _ => merged.push((left, right - left)),
        }
    }
    merged
}

fn lane(svg: &mut String, top: usize, name: &str, colour: &str, blocks: &[(f64, f64)]) {
    let (middle, base) = (top + BLOCK - 3, top + BLOCK);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>\n\
         <path d=\"M{NAMES} {base}h{LANES}\" stroke=\"#d5dae0\"/>",
        NAMES - 8.0,
        escaped(name)
    );
    let _ = write!(svg, "<path fill=\"{colour}\" d=\"");
    for (left, width) in blocks {
        let _ = write!(svg, "M{:.1} {top}h{width:.1}v{BLOCK}h-{width:.1}z", NAMES + left);
    }
    svg.push_str("\"/>\n");
}

fn axis(svg: &mut String, top: usize, end: Time) {
    for tick in 0..=TICKS {
        let x = NAMES + LANES * tick as f64 / TICKS as f64;
        let milliseconds = end.as_s() * 1_000.0 * tick as f64 / TICKS as f64;
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {top}v5\" stroke=\"#555555\"/>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555555\">{milliseconds} ms</text>",
            top + 18
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        Picture { path: PathBuf::new(), names: Vec::new(), lanes: BTreeMap::new(), blocks: 0 }
    }

    fn tell(picture: &mut Picture, ms: u64, kind: Kind) -> Result<(), Error> {
        picture.event(&Event { time: Time::from_ms(ms), cycle: 0, mote: 0, kind })
    }

    #[test]
    fn one_thread_runs_at_a_time() {
        let mut picture = picture();
        for (ms, name) in [(1, "red"), (4, "green"), (6, "red")] {
            tell(&mut picture, ms, Kind::Thread { name: name.into() }).expect("room");
        }
        let of = |name: &str| &picture.lanes[&(0, Group::Thread, name.to_string())];
        let ms = Time::from_ms;
        assert_eq!(*of("red"), [(ms(1), Some(ms(4))), (ms(6), None)]);
        assert_eq!(*of("green"), [(ms(4), Some(ms(6)))]);
    }

    #[test]
    fn blocks_are_to_scale_and_thin_ones_seen() {
        let ms = Time::from_ms;
        let blocks = [(ms(0), Some(ms(5))), (ms(8), Some(ms(8))), (ms(9), None)];
        let expected = [(0.0, LANES / 2.0), (LANES * 0.8, THINNEST), (LANES * 0.9, LANES * 0.1)];
        for ((left, width), (x, w)) in merged(&blocks, ms(10)).iter().zip(expected) {
            assert!((left - x).abs() < 1e-6 && (width - w).abs() < 1e-6, "{left} {width}");
        }
        let dense: Vec<Block> =
            (0..10_000u64).map(|us| (Time::from_us(us), Some(Time::from_us(us)))).collect();
        assert_eq!(merged(&dense, ms(10)).len(), 1, "what touches is one");
    }

    #[test]
    fn lanes_of_several_motes_have_their_numbers_or_names() {
        let mut picture = picture();
        for mote in [1, 0] {
            let kind = Kind::Sleep { mode: "standby" };
            let event = Event { time: Time::from_ms(1), cycle: 0, mote, kind };
            picture.event(&event).expect("room");
        }
        let svg = picture.svg(Time::from_ms(10));
        assert!(svg.find(">0 standby<") < svg.find(">1 standby<"), "{svg}");
        assert!(svg.contains(">0 standby<"), "{svg}");
        picture.names = ["office", "garden"].map(String::from).into();
        let svg = picture.svg(Time::from_ms(10));
        assert!(svg.find(">office standby<") < svg.find(">garden standby<"), "{svg}");
    }

    #[test]
    fn a_pin_that_stays_high_lasts_to_the_end() {
        let mut picture = picture();
        let kind =
            Kind::Gpio { pin: "PA19".parse().expect("a pin"), name: "a<b".into(), level: Some(1) };
        tell(&mut picture, 5, kind).expect("room");
        let svg = picture.svg(Time::from_ms(10));
        assert!(svg.contains("M550.0 12h400.0v14h-400.0z"), "{svg}");
        assert!(svg.contains("a&lt;b") && svg.contains(">10 ms<"), "{svg}");
    }

    #[test]
    fn too_many_blocks_are_refused() {
        let mut picture = picture();
        let uart = || Kind::Uart { port: "console".into(), dir: "out", data: 0 };
        let error = (0..=MOST_BLOCKS as u64).find_map(|ms| tell(&mut picture, ms, uart()).err());
        assert!(error.expect("too many").to_string().contains("--vcd"));
    }
}
