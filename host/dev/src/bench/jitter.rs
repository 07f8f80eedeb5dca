// SPDX-License-Identifier: MIT OR Apache-2.0
//! How evenly a periodic task changes a pin.

use super::motes::{seconds, visit};
use super::{BenchError, OnWork, Reading, Rig};
use lichen_chip::Time;
use lichen_trace::{Error, Event, Kind, Sink};
use serde::Deserialize;
use std::sync::Arc;

/// How evenly a periodic task changes the board's first LED.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jitter {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// What other motes run, all in reach of each other.
    #[serde(default)]
    pub with: Vec<String>,
    /// Symbol that must be reached meanwhile, and whose number of times is printed.
    pub each: Option<String>,
    /// The intervals that the changes should have, in microseconds.
    pub period_us: f64,
    /// Intervals that are counted.
    pub intervals: usize,
    /// Simulated seconds before them.
    #[serde(default = "super::plan::default_latency_seconds")]
    pub begin: f64,
}

/// When a pin of the first mote changes.
struct Edges<'a> {
    pin: &'a str,
    times: Vec<Time>,
}

impl Sink for Edges<'_> {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        match &event.kind {
            Kind::Gpio { name, .. } if event.mote == 0 && **name == *self.pin => {
                self.times.push(event.time);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Rig<'_> {
    /// The worst deviation of the intervals between changes of the board's first LED from their period.
    pub(super) fn jitter(&self, entry: &Jitter, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let others = self.others(&entry.with, on_work)?;
        let each = entry.each.iter().map(|symbol| self.address(&image, symbol));
        let each = each.collect::<Result<Vec<u32>, BenchError>>()?;
        let (mut world, mote) = others.world(Arc::new(image))?;
        let led = self.board.leds.first().ok_or_else(|| self.wrong("the board has no LED"))?;
        let mut edges = Edges { pin: &led.name, times: Vec::new() };
        let begin = seconds(entry.begin);
        let end = begin + seconds(entry.period_us * (entry.intervals + 2) as f64 / 1e6);
        let mut meanwhile = 0;
        visit(&mut world, mote, &each, end, &mut edges, &mut |_, time| {
            meanwhile += u32::from(time >= begin);
        })?;
        edges.times.retain(|time| *time >= begin);
        let Some(times) = edges.times.get(..=entry.intervals) else {
            let (pin, count) = (edges.pin, edges.times.len());
            return Err(self.wrong(format!("{pin} has changed {count} times only by {end} s")));
        };
        if let (Some(symbol), 0) = (&entry.each, meanwhile) {
            return Err(self.wrong(format!("`{symbol}` was not reached")));
        }
        let intervals = times.windows(2).map(|pair| (pair[1] - pair[0]).as_s() * 1e6);
        let intervals: Vec<f64> = intervals.collect();
        let least = intervals.iter().copied().fold(f64::MAX, f64::min);
        let most = intervals.iter().copied().fold(0.0, f64::max);
        let worst = (most - entry.period_us).max(entry.period_us - least);
        let beside = entry.each.as_ref().map(|symbol| format!(", {symbol} {meanwhile} times"));
        let detail = format!(
            "{} intervals of {least:.3} to {most:.3} us{}",
            intervals.len(),
            beside.unwrap_or_default()
        );
        self.reading(entry.title(), worst, "us", detail, features)
    }
}
