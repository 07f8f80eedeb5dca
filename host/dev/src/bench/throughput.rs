// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many frames come through, beside as many as the air has room for.

use super::motes::{seconds, visit};
use super::{BenchError, Nobody, OnWork, Reading, Rig};
use lichen_chip::Time;
use serde::Deserialize;
use std::sync::Arc;

/// Frames that come through, beside as many as the air has room for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throughput {
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
    /// Symbol that is reached once for each frame.
    pub each: String,
    /// Bytes of payload of each.
    pub bytes: u32,
    /// Microseconds that each takes of the air at least, with all that belongs to it.
    pub air_us: f64,
    /// Simulated seconds, after one in which the motes start.
    pub seconds: f64,
}

/// Simulated time before measuring, in which motes start.
const START: Time = Time::from_s(1);

impl Rig<'_> {
    /// The share of the time between the first and the last frame that the frames need on the air.
    pub(super) fn throughput(
        &self,
        entry: &Throughput,
        on_work: OnWork,
    ) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let others = self.others(&entry.with, on_work)?;
        let each = self.address(&image, &entry.each)?;
        let (mut world, mote) = others.world(Arc::new(image))?;
        let mut times = Vec::new();
        let end = START + seconds(entry.seconds);
        visit(&mut world, mote, &[each], end, &mut Nobody, &mut |_, time| times.push(time))?;
        times.retain(|time| *time >= START);
        let (Some(first), Some(last)) = (times.first(), times.last().filter(|_| times.len() > 1))
        else {
            let (each, seconds) = (&entry.each, entry.seconds);
            return Err(self.wrong(format!("`{each}` was not reached twice in {seconds} s")));
        };
        let frames = (times.len() - 1) as f64;
        let period_us = (*last - *first).as_s() * 1e6 / frames;
        let share = entry.air_us / period_us * 100.0;
        let bits = f64::from(entry.bytes) * 8.0;
        let detail = format!(
            "{frames} frames with {} bytes of payload, one in {period_us:.0} us, of which the air has {} us: \
             {:.1} kbit/s of {:.1}",
            entry.bytes,
            entry.air_us,
            bits / period_us * 1e3,
            bits / entry.air_us * 1e3
        );
        self.reading(entry.title(), share, "percent", detail, features)
    }
}
