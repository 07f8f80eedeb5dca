// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a mote does between two long sleeps: it may sleep shortly meanwhile.

use super::motes::{seconds, visit};
use super::{BenchError, OnWork, Reading, Rig};
use lichen_chip::Time;
use lichen_trace::{Error, Event, Kind, Sink};
use serde::Deserialize;
use std::sync::Arc;

/// What a program does between two long sleeps.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bursts {
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
    /// Symbol that is reached in each burst that counts.
    pub each: String,
    /// A burst begins with the wake-up from a sleep of so many simulated seconds.
    pub pause: f64,
    /// It ends with the first sleep in this mode after the symbol.
    pub sleep: String,
    /// What the hardware takes from the cause of the wake-up to the processor's first cycle, which
    /// the simulator counts as sleep, microseconds.
    #[serde(default)]
    pub wake_us: f64,
    /// Simulated seconds of the run.
    pub seconds: f64,
}

/// When the first mote falls asleep, and in which mode; none when it wakes.
#[derive(Default)]
struct Log(Vec<(Time, Option<&'static str>)>);

impl Sink for Log {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        match event.kind {
            Kind::Wake { .. } if event.mote == 0 => self.0.push((event.time, None)),
            Kind::Sleep { mode } if event.mote == 0 => self.0.push((event.time, Some(mode))),
            _ => {}
        }
        Ok(())
    }
}

/// What the mote does around a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Burst {
    begin: Time,
    end: Time,
    awake: Time,
}

impl Log {
    /// From the last wake-up before `moment` that has ended a sleep of at least `pause`, to the first sleep in `mode` after
    /// it. None if one of the two is missing.
    fn burst(&self, moment: Time, pause: Time, mode: &str) -> Option<Burst> {
        let after = self.0.partition_point(|(time, _)| *time <= moment);
        let wakes = |at: &usize| {
            let [(slept, Some(_)), (woke, None)] = self.0[at - 1..=*at] else { return false };
            woke - slept >= pause
        };
        let first = (1..after).rev().find(wakes)?;
        let last = (after..self.0.len()).find(|at| self.0[*at].1 == Some(mode))?;
        let mut awake = Time::ZERO;
        for pair in self.0[first..=last].windows(2) {
            if let [(woke, None), (slept, Some(_))] = *pair {
                awake += slept - woke;
            }
        }
        Some(Burst { begin: self.0[first].0, end: self.0[last].0, awake })
    }
}

impl Rig<'_> {
    /// The mean length of the bursts in which a symbol is reached.
    pub(super) fn bursts(&self, entry: &Bursts, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let others = self.others(&entry.with, on_work)?;
        let each = self.address(&image, &entry.each)?;
        let (mut world, mote) = others.world(Arc::new(image))?;
        let (mut log, mut moments) = (Log::default(), Vec::new());
        let end = seconds(entry.seconds);
        visit(&mut world, mote, &[each], end, &mut log, &mut |_, time| moments.push(time))?;
        let pause = seconds(entry.pause);
        let bursts = moments.iter().filter_map(|at| log.burst(*at, pause, &entry.sleep));
        let bursts: Vec<Burst> = bursts.collect();
        if bursts.is_empty() {
            let (each, pause, mode) = (&entry.each, entry.pause, &entry.sleep);
            let message =
                format!("`{each}` is never between a sleep of {pause} s and one in {mode}");
            return Err(self.wrong(message));
        }
        let length = |burst: &Burst| ms(burst.end - burst.begin) + entry.wake_us / 1e3;
        let lengths: Vec<f64> = bursts.iter().map(length).collect();
        let count = bursts.len() as f64;
        let detail = format!(
            "{count} times {:.1} to {:.1} ms, in the mean {:.1} ms of it awake",
            lengths.iter().copied().fold(f64::MAX, f64::min),
            lengths.iter().copied().fold(0.0, f64::max),
            bursts.iter().map(|burst| ms(burst.awake)).sum::<f64>() / count
        );
        let mean = lengths.iter().sum::<f64>() / count;
        self.reading(entry.title(), mean, "ms", detail, features)
    }
}

fn ms(time: Time) -> f64 {
    time.as_s() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_begins_after_a_long_sleep_and_ends_with_a_deep_one() {
        let at = |ms: u64, mode| (Time::from_ms(ms), mode);
        let log = Log(vec![
            at(1, Some("standby")),
            at(1000, None),
            at(1003, Some("standby")),
            at(1010, None),
            at(1012, Some("idle0")),
            at(1013, None),
            at(1014, Some("standby")),
            at(1020, None),
        ]);
        let find = |ms, pause| log.burst(Time::from_ms(ms), Time::from_ms(pause), "standby");
        let burst = |begin, end, awake| Burst {
            begin: Time::from_ms(begin),
            end: Time::from_ms(end),
            awake: Time::from_ms(awake),
        };
        assert_eq!(find(1011, 500), Some(burst(1000, 1014, 6)));
        assert_eq!(find(1011, 5), Some(burst(1010, 1014, 3)));
        assert_eq!(find(1002, 500), Some(burst(1000, 1003, 3)));
        assert_eq!(find(1020, 500), None);
        assert_eq!(find(500, 500), None);
    }
}
