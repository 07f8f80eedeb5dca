// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network as text that fits a terminal: two lines for all of it, then a place for each mote, in as many columns as there
//! is room for. Where there is little room, less is said of each.

use super::State;
use super::state::Mote;
use crate::mote::Names;
use lichen_chip::Time;
use lichen_terminal::screen::many;
use lichen_trace::air::{Counts, Fate, Tally};

/// Lines of a terminal that are left to what motes print.
const FOR_CONSOLES: usize = 5;
/// Lines without which there is no place for motes: a heading, a row, and how many more there are.
const LEAST: usize = 3;
/// Room between columns of motes.
const BETWEEN: usize = 2;
/// What happened is marked for so long.
const LATELY: Time = Time::from_ms(300);
/// Width of the marks, of a count, also where there is little room, and of a current.
const MARKS: usize = 3;
const COUNT: usize = 6;
const NARROW: usize = 5;
const CURRENT: usize = 10;

/// How much is said of a mote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// What it has sent, heard and lost, and what it draws.
    All,
    /// Without what it draws.
    Counts,
    /// What it has sent and lost.
    Few,
    /// Only whether it has just sent, heard or lost something.
    Marks,
}

/// A network at a moment.
pub struct Table<'a> {
    pub state: &'a State,
    pub tally: &'a Tally,
    pub names: &'a Names,
    pub now: Time,
    /// What has happened since this time is new.
    pub since: Time,
}

impl Table<'_> {
    /// The lines for a terminal of so many columns and rows, none of which is wider, or none if it is too small.
    pub fn lines(&self, (columns, rows): (usize, usize)) -> Vec<String> {
        let head = self.head();
        let room = rows.checked_sub(FOR_CONSOLES + head.len() + 1);
        let Some(room) = room.filter(|room| *room >= LEAST) else {
            return Vec::new();
        };
        let details = [Detail::All, Detail::Counts, Detail::Few, Detail::Marks];
        let fits = |detail: &Detail| self.height(*detail, columns) <= room;
        let detail = details.into_iter().find(fits).unwrap_or(Detail::Marks);
        let lines = head.into_iter().chain(self.motes(detail, columns, room));
        lines.map(|line| cut(&line, columns)).collect()
    }

    /// What is said of all of it.
    fn head(&self) -> Vec<String> {
        let whole = self.tally.whole();
        let acks = match whole.acknowledgments {
            0 => String::new(),
            count => format!(" ({})", many(count, "acknowledgment")),
        };
        let frames = many(whole.sent, "frame");
        let heard = whole.with(Fate::Whole);
        let reasons = whole.reasons().map(|(fate, count)| format!("{} {count}", fate.words()));
        let reasons: Vec<String> = reasons.collect();
        let why =
            if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", ")) };
        vec![
            format!(
                "{} s, {} a mote   {frames} sent{acks}, {heard} heard whole",
                self.now,
                self.mean()
            ),
            format!("lost {}{why}", whole.lost()),
        ]
    }

    /// What the average mote draws.
    fn mean(&self) -> String {
        let motes = &self.state.motes;
        let sum: u128 = motes.iter().map(|mote| self.state.mean(mote, self.now)).sum();
        current(sum / motes.len().max(1) as u128)
    }

    /// Width of a mote's place.
    fn width(&self, detail: Detail) -> usize {
        self.names.width()
            + 1
            + MARKS
            + match detail {
                Detail::All => 3 * COUNT + CURRENT,
                Detail::Counts => 3 * COUNT,
                Detail::Few => 2 * NARROW,
                Detail::Marks => 0,
            }
    }

    /// How many columns of motes there is room for.
    fn columns(&self, detail: Detail, columns: usize) -> usize {
        ((columns + BETWEEN) / (self.width(detail) + BETWEEN)).max(1)
    }

    /// Lines that the motes take, with their heading.
    fn height(&self, detail: Detail, columns: usize) -> usize {
        1 + self.state.motes.len().div_ceil(self.columns(detail, columns))
    }

    /// A heading, and the motes from above to below, then to the right; what there is no room for is counted.
    fn motes(&self, detail: Detail, columns: usize, room: usize) -> Vec<String> {
        let motes = self.state.motes.len();
        let fits = room >= self.height(detail, columns);
        let most = self.columns(detail, columns);
        // No more columns than are needed: a line for each mote is read most easily.
        let across = (1..most).find(|across| motes.div_ceil(*across) < room).unwrap_or(most);
        let down = if fits { motes.div_ceil(across) } else { room - 2 };
        let gap = " ".repeat(BETWEEN);
        let heading = vec![self.heading(detail); motes.div_ceil(down).min(across)].join(&gap);
        let mut lines = vec![heading];
        for row in 0..down {
            let places = (0..across).map(|column| column * down + row);
            let places = places.filter(|mote| *mote < motes).map(|mote| self.mote(mote, detail));
            lines.push(places.collect::<Vec<String>>().join(&gap));
        }
        if !fits {
            lines.push(format!("and {} more", many((motes - across * down) as u64, "mote")));
        }
        lines
    }

    fn heading(&self, detail: Detail) -> String {
        let counts = counts(detail, ["sent", "heard", "lost"]);
        let counts: String = counts.iter().map(|(word, width)| format!("{word:>width$}")).collect();
        let current = match detail {
            Detail::All => format!("{:>CURRENT$}", "draws"),
            _ => String::new(),
        };
        format!("{:>name$} {:MARKS$}{counts}{current}", "mote", "", name = self.names.width())
    }

    fn mote(&self, mote: usize, detail: Detail) -> String {
        let name = self.names.short(mote as u32);
        let seen = &self.state.motes[mote];
        let none = Counts::default();
        let counted = self.tally.motes().get(mote).unwrap_or(&none);
        let heard = counted.with(Fate::Whole) + counted.with(Fate::Filtered);
        let counts = counts(detail, [counted.sent, heard, counted.lost()]);
        let counts =
            counts.iter().map(|(count, width)| format!("{:>width$}", short(*count, *width)));
        let counts: String = counts.collect();
        let current = match detail {
            Detail::All => format!("{:>CURRENT$}", current(self.state.mean(seen, self.now))),
            _ => String::new(),
        };
        let (width, marks) = (self.names.width(), self.marks(seen));
        format!("{name:>width$} {marks}{counts}{current}")
    }

    /// Whether it has just sent, heard and lost something.
    fn marks(&self, mote: &Mote) -> String {
        let is_new = |time: &Time| *time >= self.since || *time + LATELY >= self.now;
        let mark =
            |time: Option<Time>, mark: char| if time.filter(is_new).is_some() { mark } else { ' ' };
        [mark(mote.sent, '>'), mark(mote.heard, '<'), mark(mote.lost, 'x')].iter().collect()
    }
}

/// Of what is sent, heard and lost, what is said in this detail, and how wide it is.
fn counts<T: Copy>(detail: Detail, [sent, heard, lost]: [T; 3]) -> Vec<(T, usize)> {
    match detail {
        Detail::All | Detail::Counts => [sent, heard, lost].map(|it| (it, COUNT)).to_vec(),
        Detail::Few => [sent, lost].map(|it| (it, NARROW)).to_vec(),
        Detail::Marks => Vec::new(),
    }
}

/// A count that leaves a blank in a column of this width.
fn short(count: u64, width: usize) -> String {
    let forms =
        [count.to_string(), format!("{}k", count / 1_000), format!("{}M", count / 1_000_000)];
    let fits = forms.iter().find(|form| form.len() < width);
    fits.unwrap_or(&forms[2]).clone()
}

/// A current in femtoamperes.
fn current(fa: u128) -> String {
    let na = fa / 1_000_000;
    match na {
        0..1_000 => format!("{na} nA"),
        1_000..1_000_000 => format!("{}.{:01} uA", na / 1_000, na / 100 % 10),
        _ => format!("{}.{:02} mA", na / 1_000_000, na / 10_000 % 100),
    }
}

/// A line that is no wider than this.
fn cut(line: &str, columns: usize) -> String {
    match line.chars().count() > columns {
        true => line.chars().take(columns.saturating_sub(3)).chain("...".chars()).collect(),
        false => line.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_trace::air::{Arrival, Transmission};
    use lichen_trace::{Event, Frame, Kind};

    fn sent(sender: u32, ms: u64, bytes: &[u8], fates: &[(u32, Fate)]) -> Transmission {
        let (begin, end) = (Time::from_ms(ms), Time::from_ms(ms + 1));
        let bytes = bytes.to_vec();
        let frame = Frame { start: begin, khz: 2_405_000, bps: 250_000, dbm: 0.0, bytes };
        let arrivals = fates.iter().map(|(mote, fate)| Arrival {
            mote: *mote,
            dbm: -60.0,
            fate: *fate,
            with: Vec::new(),
            bursts: Vec::new(),
        });
        Transmission { sender, begin, end, frame, arrivals: arrivals.collect() }
    }

    /// A network of so many motes, in which some have sent something.
    fn network(motes: usize) -> (State, Tally) {
        let (mut state, mut tally) = (State::new(motes, Time::ZERO), Tally::new(motes));
        for sent in [
            sent(0, 1_000, &[1, 0, 7], &[(1, Fate::Whole), (2, Fate::Collision)]),
            sent(1, 4_900, &[2, 0, 7], &[(0, Fate::Filtered), (2, Fate::Faded)]),
        ] {
            state.transmission(&sent);
            tally.add(&sent);
        }
        let kind = Kind::Current { component: "CPU".into(), fa: None, whole_fa: 6_412_000_000_000 };
        state.event(&Event { time: Time::ZERO, cycle: 0, mote: 1, kind });
        (state, tally)
    }

    fn lines(motes: usize, size: (usize, usize)) -> Vec<String> {
        let (state, tally) = network(motes);
        let names = &Names::default();
        let (now, since) = (Time::from_s(5), Time::from_ms(4_950));
        Table { state: &state, tally: &tally, names, now, since }.lines(size)
    }

    #[test]
    fn a_small_network_has_a_line_for_each_mote() {
        let expected = [
            "5.000000 s, 2.13 mA a mote   2 frames sent (1 acknowledgment), 1 heard whole",
            "lost 2: collision 1, faded 1",
            "mote      sent heard  lost     draws",
            "   0  <      1     1     0      0 nA",
            "   1 >       1     1     0   6.41 mA",
            "   2   x     0     0     2      0 nA",
        ];
        assert_eq!(lines(3, (80, 24)), expected);
    }

    #[test]
    fn many_motes_are_in_columns_and_less_is_said_of_each() {
        let all = "mote      sent heard  lost     draws";
        let counts = "mote      sent heard  lost";
        let few = "mote     sent lost";
        for (motes, size, expected, columns) in [
            (4, (80, 24), all, 1),
            (30, (80, 24), all, 2),
            (40, (56, 30), counts, 2),
            (50, (80, 24), few, 4),
            (50, (80, 50), all, 2),
            (50, (60, 24), "mote    ", 4),
            (200, (80, 30), "mote    ", 8),
        ] {
            let lines = lines(motes, size);
            let heading = vec![expected; columns].join("  ");
            assert_eq!(lines[2], heading, "{motes} in {size:?}: {lines:#?}");
        }
    }

    #[test]
    fn it_always_fits_and_nobody_is_forgotten() {
        for motes in [1, 2, 7, 50, 64, 200, 1_000] {
            for columns in [20, 40, 80, 133, 250] {
                for rows in [1, 9, 10, 12, 24, 50, 100] {
                    let lines = lines(motes, (columns, rows));
                    let context = format!("{motes} motes in {columns} x {rows}: {lines:#?}");
                    assert!(lines.is_empty() || lines.len() + FOR_CONSOLES < rows, "{context}");
                    assert!(lines.iter().all(|line| line.chars().count() <= columns), "{context}");
                    let shown = shown(&lines);
                    assert!(lines.is_empty() || shown == motes, "{shown} of {context}");
                }
            }
        }
        assert!(lines(50, (80, 10)).is_empty() && !lines(50, (80, 11)).is_empty());
    }

    /// How many motes have a place, or are counted.
    fn shown(lines: &[String]) -> usize {
        let (more, listed) = match lines.last().and_then(|line| line.strip_prefix("and ")) {
            Some(more) => (more.split(' ').next(), &lines[..lines.len() - 1]),
            None => (None, lines),
        };
        let more: usize = more.and_then(|more| more.parse().ok()).unwrap_or(0);
        let Some(heading) = listed.get(2) else { return more };
        // Where the names end.
        let ends = heading.match_indices("mote").map(|(at, _)| at + 4);
        let ends: Vec<usize> = ends.collect();
        let names = listed.iter().skip(3).flat_map(|line| {
            ends.iter().filter(|end| line.get(**end - 1..**end).is_some_and(|digit| digit != " "))
        });
        more + names.count()
    }

    #[test]
    fn numbers_stay_in_their_columns() {
        let wide = [7, 99_999, 123_456, 123_456_789].map(|count| short(count, COUNT));
        assert_eq!(wide, ["7", "99999", "123k", "123M"]);
        assert_eq!([9_999, 10_000].map(|count| short(count, NARROW)), ["9999", "10k"]);
        let texts = [0, 999_000_000, 2_840_000_000, 6_412_000_000_000].map(current);
        assert_eq!(texts, ["0 nA", "999 nA", "2.8 uA", "6.41 mA"]);
        assert_eq!(cut("a long line", 8), "a lon...");
    }
}
