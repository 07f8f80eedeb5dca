// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recordings of interference: when something was on the air, for how long, where in the spectrum, and how strong.

use crate::sheet::{Row, Sheet, TIME};
use lichen_chip::Time;
use lichen_world::Burst;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

/// The columns besides [`TIME`].
const DURATION: &str = "duration";
const DBM: &str = "dbm";
const MHZ: &str = "mhz";
const CHANNEL: &str = "channel";
/// All of them, for people.
const COLUMNS: &str = "the columns are `time`, `duration`, `dbm`, and `mhz` or `channel`";
/// Channels of IEEE 802.15.4 in the band of 2.4 GHz: the first, the last, the centre of the first, and their distance.
const FIRST: f64 = 11.0;
const LAST: f64 = 26.0;
const FIRST_MHZ: f64 = 2_405.0;
const APART_MHZ: f64 = 5.0;
/// What a radio's centre can be, in MHz, and powers, in dBm.
const MHZ_RANGE: std::ops::RangeInclusive<f64> = 100.0..=6_000.0;
const DBM_RANGE: std::ops::RangeInclusive<f64> = -150.0..=60.0;

/// More bursts at once, or in a second on average, are no devices, and a run with them would not end.
const MOST_AT_ONCE: usize = 1_000;
const MOST_PER_S: u128 = 1_000_000;

/// Why no run can follow these bursts, which begin anew after `repeat`, if it cannot.
pub(crate) fn too_many(bursts: &[Burst], repeat: Option<Time>) -> Option<String> {
    if let Some(repeat) = repeat {
        let per_s = Time::from_s(bursts.len() as u64).ps() / repeat.ps().max(1);
        if per_s > MOST_PER_S {
            return Some(format!(
                "{per_s} bursts a second are more than {MOST_PER_S}; give a longer time"
            ));
        }
        if let Some(long) = bursts.iter().find(|burst| burst.duration > repeat) {
            let (lasts, begins) = (long.duration, long.time);
            return Some(format!(
                "the burst at {begins} s lasts {lasts} s, and would begin anew before it ends; give a longer time"
            ));
        }
    }
    let mut ends = BinaryHeap::new();
    bursts.iter().find_map(|burst| {
        while ends.peek().is_some_and(|Reverse(end)| *end <= burst.time) {
            ends.pop();
        }
        ends.push(Reverse(burst.time + burst.duration));
        let what =
            || format!("at {} s there are more than {MOST_AT_ONCE} bursts at once", burst.time);
        (ends.len() > MOST_AT_ONCE).then(what)
    })
}

/// The bursts in the file at `path`.
pub(crate) fn read(path: &Path) -> Result<Vec<Burst>, String> {
    let sheet = Sheet::read(path, "keep fewer lines, and let them `repeat`")?;
    let known = [TIME, DURATION, DBM, MHZ, CHANNEL];
    let is_known = |name: &&String| known.contains(&name.as_str());
    // What is one name because something else separates names is said below.
    if let Some(name) =
        sheet.names().iter().find(|name| !is_known(name) && !name.contains([';', '\t']))
    {
        return Err(sheet.of_names(format!("there is a column `{name}`; {COLUMNS}")));
    }
    let column = |name: &str| match sheet.column(name) {
        Err(what) if !sheet.names().iter().any(|it| it == name) => {
            Err(format!("{what}; {COLUMNS}"))
        }
        found => found,
    };
    let (time_at, duration_at, dbm_at) = (column(TIME)?, column(DURATION)?, column(DBM)?);
    let has = |name: &str| sheet.names().iter().any(|it| it == name);
    let (where_at, is_channel) = match (has(MHZ), has(CHANNEL)) {
        (true, true) => {
            let what = "there are columns `mhz` and `channel`; leave one of them out".to_string();
            return Err(sheet.of_names(what));
        }
        (false, true) => (column(CHANNEL)?, true),
        _ => (column(MHZ)?, false),
    };
    let times = sheet.times(time_at)?;
    let bursts = sheet.rows.iter().zip(times).map(|(row, time)| {
        let duration = sheet.time(row, duration_at)?;
        if duration == Time::ZERO {
            return Err(
                sheet.wrong(row, "`duration` is 0: give the time that it lasts".to_string())
            );
        }
        let mhz =
            if is_channel { centre(&sheet, row, where_at)? } else { mhz(&sheet, row, where_at)? };
        let dbm = sheet.number(row, dbm_at)?;
        if !DBM_RANGE.contains(&dbm) {
            let (least, most) = (DBM_RANGE.start(), DBM_RANGE.end());
            return Err(sheet.wrong(row, format!("`dbm` is {dbm}: use {least} to {most}")));
        }
        let (khz, power) = ((mhz * 1_000.0).round() as u32, (dbm * 100.0).round() as i32);
        Ok(Burst { time, duration, khz, power })
    });
    bursts.collect()
}

/// The centre of a channel in MHz.
fn centre(sheet: &Sheet, row: &Row, at: usize) -> Result<f64, String> {
    let channel = sheet.number(row, at)?;
    match (FIRST..=LAST).contains(&channel) && channel.fract() == 0.0 {
        true => Ok(FIRST_MHZ + APART_MHZ * (channel - FIRST)),
        false => Err(sheet.wrong(
            row,
            format!("there is no channel {channel}; there are {FIRST} to {LAST}, and in other bands a column `mhz`"),
        )),
    }
}

fn mhz(sheet: &Sheet, row: &Row, at: usize) -> Result<f64, String> {
    let mhz = sheet.number(row, at)?;
    match MHZ_RANGE.contains(&mhz) {
        true => Ok(mhz),
        false => {
            let (least, most) = (MHZ_RANGE.start(), MHZ_RANGE.end());
            Err(sheet.wrong(row, format!("`mhz` is {mhz}: use {least} to {most}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn burst(us: u64, lasts: Time) -> Burst {
        Burst { time: Time::from_us(us), duration: lasts, khz: 2_437_000, power: -5_000 }
    }

    #[test]
    fn no_more_bursts_are_taken_than_a_run_can_follow() {
        let one = [burst(0, Time::from_s(1))];
        let too_many = |bursts: &[Burst], repeat: &str| {
            let repeat = (!repeat.is_empty()).then(|| repeat.parse().expect("a time"));
            super::too_many(bursts, repeat).unwrap_or_default()
        };
        assert!(too_many(&one, "1ns").starts_with("1000000000 bursts a second are more than"));
        assert!(too_many(&one, "999ms").contains("lasts 1.000000 s, and would begin anew"));
        assert_eq!(too_many(&one, "1s"), "");
        let short = [burst(0, Time::from_us(1))];
        assert_eq!(too_many(&short, "1us"), "");
        let many: Vec<Burst> = (0..2_000).map(|us| burst(us, Time::from_s(1))).collect();
        assert_eq!(too_many(&many, ""), "at 0.001000 s there are more than 1000 bursts at once");
        let apart: Vec<Burst> = (0..2_000).map(|us| burst(us, Time::from_us(2))).collect();
        assert_eq!(too_many(&apart, ""), "");
    }
}
