// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wake-ups of a mote that has nothing to do, and whether it still responds afterwards.

use super::{BenchError, OnWork, Reading, Rig};
use crate::bare::{power_up, run_to_breakpoint};
use lichen_chip::Time;
use lichen_image::Image;
use lichen_trace::{Error, Event, Kind, Sink};
use lichen_world::{Action, World};
use serde::Deserialize;
use std::sync::Arc;

/// Wake-ups of the processor from one symbol to another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wakeups {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Symbol at which counting begins.
    pub from: String,
    /// Symbol at which it ends; the wake-up that leads there is not counted.
    pub to: String,
    /// Simulated seconds that must lie between the two, to one tick of 1/32768 s.
    pub seconds: f64,
    /// A line that is typed afterwards and must be echoed.
    pub answer: String,
}

/// One tick of the 32,768 Hz clock that timers count, rounded up.
const TICK: Time = Time::from_ns(30_518);
/// Simulated time in which the console must have answered.
const ANSWER: Time = Time::from_s(1);
/// A mote starts within this time.
const START: Time = Time::from_s(1);

/// Records when the processor woke, and what it printed.
#[derive(Default)]
struct Log {
    wakes: Vec<Time>,
    said: String,
}

impl Sink for Log {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        match &event.kind {
            Kind::Wake { .. } => self.wakes.push(event.time),
            Kind::Uart { dir: "out", data, .. } => self.said.push(*data as char),
            _ => {}
        }
        Ok(())
    }
}

impl Rig<'_> {
    /// Counts the wake-ups between the two symbols; the timer between them must have been on time,
    /// and the console must answer.
    pub(super) fn wakeups(&self, entry: &Wakeups, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let length = Time::from_us((entry.seconds * 1e6) as u64);
        let (begun, ended) = self.times(entry, &image, length)?;
        let took = ended - begun;
        if took + ARMING < length || took > length + TICK + LATENCY {
            let message = format!("{} s became {took} s", entry.seconds);
            return Err(self.wrong(message));
        }
        let mut world = World::new();
        let mote = world.add(self.board.clone(), Arc::new(image))?;
        let mut log = Log::default();
        world.run(ended, &mut log)?;
        // The wake-up that leads to `to` is the timer's own.
        let during = log.wakes.iter().filter(|time| **time > begun && **time <= ended).count();
        let wakes = during.saturating_sub(1);
        log.said.clear();
        world.act(mote, Action::Type(format!("{}\n", entry.answer).into_bytes()))?;
        world.run(ended + ANSWER, &mut log)?;
        if !log.said.contains(&entry.answer) {
            return Err(self.wrong(format!("typed `{}`, it said `{}`", entry.answer, log.said)));
        }
        let detail = format!("{took} s from {} to {}, then an answer", entry.from, entry.to);
        self.reading(entry.title(), wakes as f64, "wake-ups", detail, features)
    }

    /// The times at which the symbols are reached.
    fn times(
        &self,
        entry: &Wakeups,
        image: &Image,
        length: Time,
    ) -> Result<(Time, Time), BenchError> {
        let mut chip = power_up(&self.board, image).map_err(|what| self.wrong(what))?;
        let mut reach = |symbol: &str, within: Time| -> Result<Time, BenchError> {
            let address = self.address(image, symbol)?;
            chip.core_mut().set_breakpoint(address, true);
            let end = chip.now() + within;
            run_to_breakpoint(chip.as_mut(), end)
                .ok_or_else(|| self.wrong(format!("`{symbol}` was not reached by {end} s")))?;
            chip.core_mut().set_breakpoint(address, false);
            Ok(chip.now())
        };
        let begun = reach(&entry.from, START)?;
        let ended = reach(&entry.to, length + START)?;
        Ok((begun, ended))
    }
}

/// A timer counts from its deadline's origin, which is this long before the call that arms it
/// returns: start-up and two synchronizations of clock domains.
const ARMING: Time = Time::from_ms(30);
/// Time from the alarm to the timer's handler: wake-up from standby and the kernel's path.
const LATENCY: Time = Time::from_us(500);
