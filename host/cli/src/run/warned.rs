// SPDX-License-Identifier: MIT OR Apache-2.0
//! The warnings of a run, for its summary: each text once, since the lines of the run may have scrolled away.

use lichen_chip::Time;
use lichen_terminal::screen::many;

/// More texts are only counted.
const MOST_LISTED: usize = 10;

/// Warnings, in the order in which they came first.
#[derive(Debug, Default)]
pub struct Warned {
    listed: Vec<Listed>,
    /// How many came.
    count: u64,
}

#[derive(Debug)]
struct Listed {
    mote: u32,
    time: Time,
    text: String,
    times: u64,
}

impl Warned {
    /// A mote has warned.
    pub fn add(&mut self, mote: u32, time: Time, text: String) {
        self.count += 1;
        if let Some(listed) = self.listed.iter_mut().find(|listed| listed.text == text) {
            listed.times += 1;
        } else if self.listed.len() < MOST_LISTED {
            self.listed.push(Listed { mote, time, text, times: 1 });
        }
    }

    /// How many came.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Each text as a record has it, and how many others came.
    pub fn records(&self) -> (Vec<lichen_trace::run::Warned>, u64) {
        let records = self.listed.iter().map(|it| lichen_trace::run::Warned {
            mote: Some(it.mote),
            first: Some(it.time),
            what: it.text.clone(),
            times: it.times,
        });
        (records.collect(), self.count - self.told())
    }

    /// How many came of the texts that are listed.
    fn told(&self) -> u64 {
        self.listed.iter().map(|listed| listed.times).sum()
    }

    /// A line for each text; `who` says which mote was the first.
    pub fn lines(&self, who: impl Fn(u32) -> String) -> Vec<String> {
        let told = self.told();
        let lines = self.listed.iter().map(|Listed { mote, time, text, times }| {
            let again = if *times > 1 { format!(" ({times} times)") } else { String::new() };
            format!("{:>13} {}{text}{again}", time.to_string(), who(*mote))
        });
        let more = (told < self.count)
            .then(|| format!("{:>13} {}", "", many(self.count - told, "other warning")));
        lines.chain(more).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_listed_once_with_its_first_time_and_its_number() {
        let mut warned = Warned::default();
        for (mote, ms, text) in [(0, 5, "late"), (1, 6, "early"), (2, 7, "late")] {
            warned.add(mote, Time::from_ms(ms), text.to_string());
        }
        let lines = warned.lines(|mote| format!("mote {mote}: "));
        assert_eq!(lines, ["     0.005000 mote 0: late (2 times)", "     0.006000 mote 1: early"]);
        (0..20).for_each(|n| warned.add(0, Time::from_ms(8), format!("number {n}")));
        let lines = warned.lines(|_| String::new());
        assert_eq!(lines.len(), MOST_LISTED + 1);
        assert_eq!(lines.last().map(|line| line.trim()), Some("12 other warnings"));
        assert_eq!(warned.count(), 23);
    }
}
