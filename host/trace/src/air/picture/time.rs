// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time of a picture of the air: motes send for a millisecond and are silent for hundreds, so silence is left out.
//!
//! What is left are pieces of time, all to the same scale, one after the other in strips like the lines of a text.

use crate::air::Transmission;
use lichen_chip::Time;

/// Width of a frame of middling length, in pixels.
const FRAME: f64 = 64.0;
/// Silence of up to such a width is kept; so much of it is kept at the ends of a piece; what is left out leaves so much
/// room.
const KEPT: f64 = 48.0;
const PAD: f64 = 5.0;
pub const BREAK: f64 = 34.0;
/// Least distance of ticks.
const TICK: f64 = 10.0;

/// A piece of time without a break.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    pub from: Time,
    pub to: Time,
    /// The strip that it is in, and where it begins there.
    pub strip: usize,
    pub x: f64,
    /// Whether silence is left out before it.
    pub is_after_break: bool,
}

/// Where each moment is.
#[derive(Clone, Debug, Default)]
pub struct Strips {
    pub pieces: Vec<Piece>,
    /// Pixels of a second.
    scale: f64,
}

impl Strips {
    /// Strips of this width for some transmissions, which are in the order of their beginnings.
    pub fn new(frames: &[Transmission], width: f64) -> Strips {
        let scale = FRAME / middling(frames).as_s();
        let time = |pixels: f64| Time::from_ns((pixels / scale * 1e9) as u64);
        let mut strips = Strips { pieces: Vec::new(), scale };
        let mut x = 0.0;
        for (from, to) in busy(frames, time(KEPT)) {
            let from = from - time(PAD).min(from);
            strips.add((from, to + time(PAD)), &mut x, width);
        }
        strips
    }

    /// Adds a period behind what there is, in the next strip if there is no room in this.
    fn add(&mut self, (mut from, to): (Time, Time), x: &mut f64, width: f64) {
        let mut strip = self.pieces.last().map_or(0, |piece| piece.strip);
        let is_after_break = !self.pieces.is_empty();
        if is_after_break {
            *x += BREAK;
        }
        if *x > 0.0 && *x + self.length(from, to) > width {
            (strip, *x) = (strip + 1, 0.0);
        }
        let mut piece = Piece { from, to, strip, x: *x, is_after_break };
        let whole = Time::from_ns((width / self.scale * 1e9) as u64).max(Time::UNIT);
        while from + whole < to {
            self.pieces.push(Piece { from, to: from + whole, ..piece });
            (from, strip) = (from + whole, strip + 1);
            piece = Piece { from, to, strip, x: 0.0, is_after_break: false };
        }
        self.pieces.push(piece);
        *x = piece.x + self.length(from, to);
    }

    fn length(&self, from: Time, to: Time) -> f64 {
        (to - from).as_s() * self.scale
    }

    /// How many strips there are.
    pub fn count(&self) -> usize {
        self.pieces.last().map_or(0, |piece| piece.strip + 1)
    }

    /// The pieces of a strip.
    pub fn of(&self, strip: usize) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(move |piece| piece.strip == strip)
    }

    /// Where a piece ends in its strip.
    pub fn end(&self, piece: &Piece) -> f64 {
        piece.x + self.length(piece.from, piece.to)
    }

    /// Where a moment is in the strip of a piece, which it is in.
    pub fn x(&self, piece: &Piece, time: Time) -> f64 {
        piece.x + self.length(piece.from, time.clamp(piece.from, piece.to))
    }

    /// The time between two ticks: 1, 2 or 5 times a power of ten.
    pub fn tick(&self) -> Time {
        let mut tick = Time::from_us(1);
        let steps = [2, 5, 10].into_iter().cycle();
        for (step, before) in steps.zip([1, 2, 5].into_iter().cycle()) {
            if tick.as_s() * self.scale >= TICK {
                break;
            }
            tick = tick / before * step;
        }
        tick
    }
}

/// The length of the frame in the middle, by length, acknowledgments left out if there are others.
fn middling(frames: &[Transmission]) -> Time {
    let lengths = |all: bool| {
        let frames = frames.iter().filter(|sent| all || !sent.frame.is_acknowledgment());
        let mut lengths: Vec<Time> = frames.map(|sent| sent.end - sent.begin).collect();
        lengths.sort_unstable();
        lengths
    };
    let mut found = lengths(false);
    if found.is_empty() {
        found = lengths(true);
    }
    let middle = found.get(found.len() / 2).copied().unwrap_or(Time::from_ms(1));
    middle.max(Time::from_us(1))
}

/// The periods in which something is on the air, joined where the silence between them is no longer than this.
fn busy(frames: &[Transmission], silence: Time) -> Vec<(Time, Time)> {
    let mut periods: Vec<(Time, Time)> = Vec::new();
    for Transmission { begin, end, .. } in frames {
        match periods.last_mut() {
            Some((_, last)) if *begin <= *last + silence => *last = (*last).max(*end),
            _ => periods.push((*begin, *end)),
        }
    }
    periods
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;

    fn sent(begin: u64, end: u64) -> Transmission {
        let begin = Time::from_us(begin);
        let frame = Frame { start: begin, khz: 0, bps: 0, dbm: 0.0, bytes: vec![] };
        Transmission { sender: 0, begin, end: Time::from_us(end), frame, arrivals: vec![] }
    }

    #[test]
    fn silence_is_left_out_and_long_lines_are_wrapped() {
        let frames = [
            sent(1_000, 2_000),
            sent(2_500, 3_500),
            sent(100_000, 101_000),
            sent(200_000, 201_000),
            sent(300_000, 301_000),
        ];
        let strips = Strips::new(&frames, 350.0);
        let places: Vec<_> =
            strips.pieces.iter().map(|it| (it.strip, it.x.round(), it.is_after_break)).collect();
        // 2.5 frames and both pads are 170 wide, one frame is 74.
        assert_eq!(places, [(0, 0.0, false), (0, 204.0, true), (1, 0.0, true), (1, 108.0, true)]);
        assert_eq!(strips.count(), 2);
        let first = &strips.pieces[0];
        let length = strips.x(first, Time::from_us(2_000)) - strips.x(first, Time::from_us(1_000));
        assert!((length - FRAME).abs() < 0.01, "{length}");
        assert_eq!(strips.tick(), Time::from_us(200));
    }

    #[test]
    fn a_long_period_fills_several_strips() {
        let frames: Vec<Transmission> =
            (0..20).map(|n| sent(n * 1_100 + 50, n * 1_100 + 1_050)).collect();
        let strips = Strips::new(&frames, 500.0);
        assert_eq!(strips.count(), 3, "20 frames of 70 pixels");
        let mut pieces = strips.pieces.iter();
        let mut last = pieces.next().expect("a piece");
        for piece in pieces {
            assert_eq!((piece.from, piece.x), (last.to, 0.0), "nothing is left out");
            last = piece;
        }
        assert!(strips.pieces.iter().all(|piece| strips.end(piece) <= 500.01));
    }

    #[test]
    fn without_frames_there_are_no_strips() {
        let strips = Strips::new(&[], 500.0);
        assert_eq!(strips.count(), 0);
    }
}
