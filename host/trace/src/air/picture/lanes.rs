// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lanes of a picture of the air: what each mote sends, and beneath it what reaches the others.

use super::Scene;
use super::marks::{self, BAR, Bar};
use super::time::{BREAK, Piece, Strips};
use crate::air::{Arrival, Fate, Transmission};
use crate::drawing::scale;
use crate::drawing::words::{escaped, width};
use lichen_chip::Time;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Geometry in pixels: a row of a lane, the room between lanes, for the axis, and between strips.
const ROW: f64 = 14.0;
const BETWEEN: f64 = 5.0;
const AXIS: f64 = 20.0;
const STRIPS: f64 = 16.0;
/// Signals that overlap are in rows of their own, of which a lane has so many at most.
const MOST_ROWS: usize = 4;
/// Sizes of the fonts of names and in bars, and the room between names and lanes.
pub const NAME_SIZE: f64 = 11.0;
const BAR_SIZE: f64 = 8.5;
pub const AFTER_NAME: f64 = 8.0;

/// What is in a picture, for its legend.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    pub fates: BTreeSet<Fate>,
    pub has_data: bool,
    pub has_acknowledgments: bool,
}

/// The lanes under way.
pub struct Lanes<'a> {
    pub svg: &'a mut String,
    pub scene: &'a Scene,
    pub strips: &'a Strips,
    /// Where time begins.
    pub left: f64,
    pub shown: &'a mut Shown,
}

/// Something in a lane.
struct Item<'a> {
    sent: &'a Transmission,
    /// What arrives; nothing if it is sent here.
    arrival: Option<&'a Arrival>,
    /// Its row from the top; none if it is too weak, and only drawn at the edge of the lane.
    row: Option<usize>,
}

impl Lanes<'_> {
    /// Draws the strips of these frames below `top`; returns where they end.
    pub fn draw(&mut self, frames: &[Transmission], mut top: f64) -> f64 {
        for strip in 0..self.strips.count() {
            let pieces: Vec<Piece> = self.strips.of(strip).copied().collect();
            top = self.strip(frames, &pieces, top) + STRIPS;
        }
        top
    }

    fn strip(&mut self, frames: &[Transmission], pieces: &[Piece], top: f64) -> f64 {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return top };
        let span = (first.from, last.to);
        let lanes = motes(frames, span).into_iter();
        let lanes: Vec<_> = lanes.map(|mote| (mote, items(frames, mote, span))).collect();
        let bottom = top + lanes.iter().map(|(_, items)| height(items)).sum::<f64>();
        pieces.iter().for_each(|piece| self.axis(piece, top, bottom));
        let end = self.left + self.strips.end(last);
        let mut y = top;
        for (mote, items) in &lanes {
            let next = y + height(items);
            self.name(*mote, (y, next), end);
            for piece in pieces {
                self.band(items, piece, (y, next));
                items.iter().for_each(|item| self.item(item, piece, (y, next)));
            }
            y = next;
        }
        bottom + AXIS
    }

    fn name(&mut self, mote: u32, (top, bottom): (f64, f64), end: f64) {
        let (left, name) = (self.left, escaped(&self.scene.name(mote)));
        let _ = writeln!(
            self.svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"{NAME_SIZE}\">{name}</text>\
             <path class=\"grid\" d=\"M{left:.1} {:.1}H{end:.1}\"/>",
            left - AFTER_NAME,
            (top + bottom - BETWEEN) / 2.0 + 4.0,
            bottom - BETWEEN / 2.0,
        );
    }

    /// The time below a piece, and where silence is left out before it.
    fn axis(&mut self, piece: &Piece, top: f64, bottom: f64) {
        let (from, to) = (self.left + piece.x, self.left + self.strips.end(piece));
        let mut d = format!("M{from:.1} {bottom:.1}H{to:.1}M{from:.1} {bottom:.1}v6");
        let tick = self.strips.tick();
        let first = piece.from.units().div_ceil(tick.units());
        let last = piece.to.units() / tick.units();
        for index in first..=last {
            let x = self.left + self.strips.x(piece, Time::from_units(index * tick.units()));
            let _ = write!(d, "M{x:.1} {bottom:.1}v3");
        }
        let _ = writeln!(
            self.svg,
            "<path class=\"tick\" fill=\"none\" d=\"{d}\"/>\
             <text class=\"m\" x=\"{from:.1}\" y=\"{:.1}\" font-size=\"{NAME_SIZE}\">{}</text>",
            bottom + 17.0,
            seconds(piece.from)
        );
        if piece.is_after_break && piece.x > 0.0 {
            let x = from - BREAK / 2.0;
            let steps = ((bottom - top) / 8.0) as u32;
            let start = format!("M{x:.1} {top:.1}");
            let zigzag = (0..steps).fold(start, |d, _| d + "l3 4l-3 4");
            let _ = writeln!(self.svg, "<path class=\"grid\" fill=\"none\" d=\"{zigzag}\"/>");
        }
    }

    /// Marks where signals that collide overlap.
    fn band(&mut self, items: &[Item<'_>], piece: &Piece, edges: (f64, f64)) {
        for (item, arrival) in items.iter().filter_map(|item| Some((item, item.arrival?))) {
            let others = items.iter().filter(|other| arrival.with.contains(&other.sent.sender));
            let others = others.map(|other| (other.sent.begin, other.sent.end));
            for (begin, end) in others.chain(arrival.bursts.iter().copied()) {
                let from = item.sent.begin.max(begin).max(piece.from);
                let to = item.sent.end.min(end).min(piece.to);
                if from < to {
                    self.overlap(piece, (from, to), edges);
                }
            }
        }
    }

    fn overlap(&mut self, piece: &Piece, (from, to): (Time, Time), (top, bottom): (f64, f64)) {
        let [x, end] = [from, to].map(|time| self.left + self.strips.x(piece, time));
        let (width, height) = (end - x, bottom - top - BETWEEN);
        let _ = writeln!(
            self.svg,
            "<path class=\"band\" d=\"M{x:.1} {:.1}h{width:.1}v{height:.1}h-{width:.1}z\"/>",
            top - 1.0
        );
    }

    fn item(&mut self, item: &Item<'_>, piece: &Piece, (top, bottom): (f64, f64)) {
        let Item { sent, arrival, row } = item;
        if sent.end <= piece.from || sent.begin >= piece.to {
            return;
        }
        let x = |time: Time| self.left + self.strips.x(piece, time);
        let y = match row {
            Some(row) => top + *row as f64 * ROW,
            None => bottom - BETWEEN / 2.0 - BAR / 2.0 - 2.0,
        };
        let bar = Bar::new(x(sent.begin), x(sent.end), y);
        let start = x(sent.frame.start);
        self.svg.push_str("<g>");
        let title = match arrival {
            None => self.scene.of_sent(sent),
            Some(arrival) => self.scene.of_arrival(sent, arrival),
        };
        let _ = write!(self.svg, "<title>{}</title>", escaped(&title));
        match arrival {
            None => {
                let is_ack = sent.frame.is_acknowledgment();
                marks::sent(self.svg, bar, start, is_ack);
                self.shown.has_acknowledgments |= is_ack;
                self.shown.has_data |= !is_ack;
                // Not into the point of an acknowledgment.
                let whole = Bar { width: bar.width - if is_ack { 4.0 } else { 0.0 }, ..bar };
                self.label(whole, start, &label(sent));
            }
            Some(arrival) => {
                marks::arrival(self.svg, bar, arrival.fate);
                self.shown.fates.insert(arrival.fate);
                if matches!(arrival.fate, Fate::Whole) {
                    self.label(bar, bar.x, &self.scene.name(sent.sender));
                }
            }
        }
        self.svg.push_str("</g>\n");
    }

    /// Writes into a bar from `from` on, if there is room.
    fn label(&mut self, bar: Bar, from: f64, text: &str) {
        if width(text, BAR_SIZE) + 2.0 > bar.x + bar.width - from {
            return;
        }
        let (x, y) = ((from + bar.x + bar.width) / 2.0, bar.y + BAR - 2.5);
        let _ = write!(
            self.svg,
            "<text class=\"on\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-size=\"{BAR_SIZE}\">{}</text>",
            escaped(text)
        );
    }
}

/// The frames of a span.
fn within(
    frames: &[Transmission],
    (from, to): (Time, Time),
) -> impl Iterator<Item = &Transmission> {
    frames.iter().filter(move |sent| sent.begin < to && sent.end > from)
}

/// The motes that send something in a span, or that something reaches which is not too weak.
fn motes(frames: &[Transmission], span: (Time, Time)) -> Vec<u32> {
    let mut motes = BTreeSet::new();
    for sent in within(frames, span) {
        motes.insert(sent.sender);
        let arrivals = sent.arrivals.iter().filter(|arrival| arrival.fate != Fate::TooWeak);
        motes.extend(arrivals.map(|arrival| arrival.mote));
    }
    motes.into_iter().collect()
}

/// What is in the lane of a mote in a span: what overlaps is in different rows.
fn items(frames: &[Transmission], mote: u32, span: (Time, Time)) -> Vec<Item<'_>> {
    let mut ends: Vec<Time> = Vec::new();
    let mut items = Vec::new();
    for sent in within(frames, span) {
        let arrival = sent.arrivals.iter().find(|it| it.mote == mote && sent.sender != mote);
        match arrival {
            None if sent.sender != mote => continue,
            Some(Arrival { fate: Fate::TooWeak, .. }) => {
                items.push(Item { sent, arrival, row: None });
                continue;
            }
            _ => {}
        }
        let free = ends.iter().position(|end| *end <= sent.begin);
        let row = free.unwrap_or(ends.len()).min(MOST_ROWS - 1);
        ends.resize(ends.len().max(row + 1), Time::ZERO);
        ends[row] = ends[row].max(sent.end);
        items.push(Item { sent, arrival, row: Some(row) });
    }
    items
}

fn height(items: &[Item<'_>]) -> f64 {
    let rows = items.iter().filter_map(|item| item.row).max().map_or(1, |row| row + 1);
    rows as f64 * ROW + BETWEEN
}

/// What is written into the bar of a frame: its number and its length.
fn label(sent: &Transmission) -> String {
    let bytes = sent.frame.bytes.len();
    match (sent.frame.is_acknowledgment(), sent.frame.sequence()) {
        (true, _) => "ack".to_string(),
        (false, Some(number)) => format!("#{number} {bytes} B"),
        (false, None) => format!("{bytes} B"),
    }
}

/// A moment below the axis.
fn seconds(time: Time) -> String {
    match time < Time::from_s(60) {
        true => format!("{:.4} s", time.as_s()),
        false => scale::moment(Time::from_us(time.us())),
    }
}
