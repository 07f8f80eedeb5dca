// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many frames come through, beside as many as the air has room for.

use super::motes::{seconds, visit};
use super::plan::Throughput;
use super::{BenchError, Nobody, OnWork, Reading, Rig};
use lichen_chip::Time;
use std::sync::Arc;

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
