// SPDX-License-Identifier: MIT OR Apache-2.0
//! The laws (`doc/design/link.md`).
//!
//! 1. `0` from a send means that the receiver's link has the message, or has counted why not. Nothing comes that was not sent.
//! 2. Of each sender whose frames have numbers, a message comes once at most, and messages come in the order in which they were
//!    begun, whatever is lost or restarted. Repetitions are known by the times that the radio tells: one whose clock has stood
//!    still tells wrong ones, until its driver has compared them.
//! 3. Each send ends, and what ends in vain is counted.

use super::{Act, Line, Ms, Plan, Said};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Each send has ended after so long, though others are before it and none is acknowledged.
const PATIENCE: Ms = 5_000;
/// What came may not be printed yet when a mote restarts.
const UNPRINTED: Ms = 2_000;
/// A warning may come so long after its cause.
const TEARING: Ms = 500;
/// Errors of `lichen/error.h`.
const IO: u8 = 7;
const CHANNEL: u8 = 10;
const NO_ACK: u8 = 11;
/// Reasons by which a frame is lost that its receiver's radio has acknowledged: the rest of the way.
const AFTER_ACKNOWLEDGMENT: [&str; 6] = [
    "link: receiver full",
    "radio: no packet",
    "radio: not taken",
    "radio: overflowed",
    "radio: corrupted",
    "radio: restarts",
];

/// A promise that was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// When that shows.
    pub at: Ms,
    /// The mote.
    pub mote: usize,
    /// What it is.
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mote {} at {} ms: {}", self.mote, self.at, self.what)
    }
}

/// A send that was asked for.
struct Sent {
    at: Ms,
    from: usize,
    to: Option<usize>,
}

/// Everything that the laws speak of.
struct History<'a> {
    plan: &'a Plan,
    lines: &'a [Line],
    sent: BTreeMap<u16, Sent>,
    /// Of each mote, when it was started anew, or its radio failed.
    upset: Vec<Vec<Ms>>,
    /// Of each mote, when it was started last.
    started: Vec<Ms>,
}

/// The first promise that was not kept.
/// has_numbers  whether frames have sequence numbers
pub fn broken(plan: &Plan, lines: &[Line], has_numbers: bool) -> Option<Broken> {
    let history = History::of(plan, lines);
    let mut found = history.nonsense();
    found.extend(history.received_twice(has_numbers));
    found.extend(history.unordered(has_numbers));
    found.extend(history.unended());
    found.extend(history.untrue());
    found.extend(history.uncounted());
    found.into_iter().min_by_key(|broken| broken.at)
}

impl<'a> History<'a> {
    fn of(plan: &'a Plan, lines: &'a [Line]) -> History<'a> {
        let mut sent = BTreeMap::new();
        let mut upset = vec![Vec::new(); plan.motes];
        let mut started = vec![0; plan.motes];
        for step in &plan.steps {
            match step.act {
                Act::Send { to, number, count, .. } => {
                    let of_one = |number| (number, Sent { at: step.at, from: step.mote, to });
                    sent.extend((number..number + count).map(of_one));
                }
                Act::Reset | Act::Power(_) => {
                    upset[step.mote].push(step.at);
                    started[step.mote] = step.at;
                }
                Act::Radio(_) => upset[step.mote].push(step.at),
                Act::Count => {}
            }
        }
        History { plan, lines, sent, upset, started }
    }

    fn got(&self) -> impl Iterator<Item = (&Line, usize, u16)> {
        self.lines.iter().filter_map(|line| match line.said {
            Said::Got { from, number } => Some((line, from, number)),
            _ => None,
        })
    }

    fn ended(&self) -> impl Iterator<Item = (&Line, u16, u8)> {
        self.lines.iter().filter_map(|line| match line.said {
            Said::Ended { number, error } => Some((line, number, error)),
            _ => None,
        })
    }

    /// Whether something has happened to a mote in a time.
    fn is_upset(&self, mote: usize, from: Ms, until: Ms) -> bool {
        self.upset[mote].iter().any(|at| (from..=until).contains(at))
    }

    /// Whether it is of the moment in which a radio was taken away or given back, in the middle of an access, or a line was
    /// being typed as the mote was reset.
    fn is_torn(&self, line: &Line, text: &str) -> bool {
        let from = line.at.saturating_sub(TEARING);
        !text.starts_with("panic") && self.is_upset(line.mote, from, line.at)
    }

    /// Law 1: what comes was sent by that mote, to this one.
    fn nonsense(&self) -> Vec<Broken> {
        let mut found = Vec::new();
        let mut say = |line: &Line, what: String| {
            found.push(Broken { at: line.at, mote: line.mote, what });
        };
        for line in self.lines {
            match &line.said {
                Said::Spoilt => say(line, "a message was spoilt".to_string()),
                Said::Other(text) if self.is_torn(line, text) => {}
                Said::Other(text) => say(line, format!("it says `{text}`")),
                _ => {}
            }
        }
        for (line, from, number) in self.got() {
            let is_true = self.sent.get(&number).is_some_and(|sent| {
                sent.from == from && sent.at <= line.at && sent.to.is_none_or(|to| to == line.mote)
            });
            if !is_true {
                say(line, format!("it got {number} of mote {from}, which was not sent to it"));
            }
        }
        found
    }

    /// Law 2, whatever restarts.
    fn received_twice(&self, has_numbers: bool) -> Vec<Broken> {
        let mut seen = BTreeSet::new();
        let twice = self.got().filter(|(line, _, number)| {
            let to_all = self.sent.get(number).is_some_and(|sent| sent.to.is_none());
            !seen.insert((line.mote, *number)) && (has_numbers || to_all)
        });
        twice
            .map(|(line, from, number)| Broken {
                at: line.at,
                mote: line.mote,
                what: format!("it got {number} of mote {from} again"),
            })
            .collect()
    }

    /// Law 2: numbers of a sender rise.
    fn unordered(&self, has_numbers: bool) -> Vec<Broken> {
        let mut last: BTreeMap<(usize, usize), u16> = BTreeMap::new();
        let mut found = Vec::new();
        for (line, from, number) in self.got() {
            let before = last.insert((line.mote, from), number).unwrap_or(0);
            if before > number || (has_numbers && before == number) {
                let what = format!("it got {number} of mote {from} after {before}");
                found.push(Broken { at: line.at, mote: line.mote, what });
            }
        }
        found
    }

    /// Law 3. A send of a mote that restarts is forgotten.
    fn unended(&self) -> Vec<Broken> {
        let mut told: BTreeSet<u16> = self.ended().map(|(_, number, _)| number).collect();
        told.extend(self.lines.iter().filter_map(|line| match line.said {
            Said::Refused(number) => Some(number),
            _ => None,
        }));
        let open = self.sent.iter().filter(|(number, sent)| {
            let restarts = self.started[sent.from] > 0 && {
                let steps = self.plan.steps.iter().filter(|step| step.mote == sent.from);
                steps
                    .filter(|step| matches!(step.act, Act::Reset | Act::Power(_)))
                    .any(|step| step.at + UNPRINTED >= sent.at && step.at <= sent.at + PATIENCE)
            };
            !told.contains(number) && !restarts
        });
        open.map(|(number, sent)| Broken {
            at: sent.at + PATIENCE,
            mote: sent.from,
            what: format!("the send of {number}, of {} ms, has not ended", sent.at),
        })
        .collect()
    }

    fn lost(&self, mote: usize, reason: &str) -> u32 {
        let lines = self.lines.iter().filter(|line| line.mote == mote);
        let counts = lines.filter_map(|line| match &line.said {
            Said::Lost { count, reason: told } if told == reason => Some(*count),
            _ => None,
        });
        counts.sum()
    }

    /// Law 1: what was acknowledged is there, or was counted.
    fn untrue(&self) -> Vec<Broken> {
        let mut found = Vec::new();
        let got: BTreeSet<(usize, u16)> =
            self.got().map(|(line, _, number)| (line.mote, number)).collect();
        let mut excuses: Vec<u32> = (0..self.plan.motes)
            .map(|mote| AFTER_ACKNOWLEDGMENT.iter().map(|reason| self.lost(mote, reason)).sum())
            .collect();
        for (line, number, error) in self.ended().filter(|(_, _, error)| *error == 0) {
            let Some(sent) = self.sent.get(&number) else { continue };
            let Some(to) = sent.to else { continue };
            if got.contains(&(to, number)) || self.is_upset(to, sent.at, line.at + UNPRINTED) {
                continue;
            }
            if excuses[to] > 0 {
                excuses[to] -= 1;
                continue;
            }
            let what = format!("{number} ended with {error}, but mote {to} has not got it");
            found.push(Broken { at: line.at, mote: line.mote, what });
        }
        found
    }

    /// Law 3: since its last start, a mote has counted as many as it has told.
    fn uncounted(&self) -> Vec<Broken> {
        let reasons = [
            (IO, "link: radio failed"),
            (CHANNEL, "link: channel never clear"),
            (NO_ACK, "link: not acknowledged"),
        ];
        let mut found = Vec::new();
        for mote in 0..self.plan.motes {
            for (error, reason) in reasons {
                let told = self.ended().filter(|(line, _, told)| {
                    line.mote == mote && *told == error && line.at > self.started[mote]
                });
                let (told, counted) = (told.count() as u32, self.lost(mote, reason));
                if told != counted {
                    let what = format!(
                        "{told} sends ended with {error}, and {counted} are counted: {reason}"
                    );
                    found.push(Broken { at: self.plan.end, mote, what });
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::Step;
    use super::*;

    /// Mote 0 sends 1 and then 2 to mote 1, and 3 to all; `act` happens to mote 1 between.
    fn plan(act: Option<Act>) -> Plan {
        let send = |at, number, to| Step {
            at,
            mote: 0,
            act: Act::Send { to, number, count: 1, bytes: 5 },
        };
        let mut steps =
            vec![send(1_000, 1, Some(1)), send(5_000, 2, Some(1)), send(9_000, 3, None)];
        steps.extend(act.map(|act| Step { at: 1_100, mote: 1, act }));
        Plan { seed: 0, motes: 3, ways: Vec::new(), steps, end: 20_000 }
    }

    fn got(at: Ms, mote: usize, number: u16) -> Line {
        Line { at, mote, said: Said::Got { from: 0, number } }
    }

    fn ended(at: Ms, number: u16, error: u8) -> Line {
        Line { at, mote: 0, said: Said::Ended { number, error } }
    }

    fn lost(mote: usize, count: u32, reason: &str) -> Line {
        Line { at: 19_000, mote, said: Said::Lost { count, reason: reason.to_string() } }
    }

    /// All is well.
    fn lines() -> Vec<Line> {
        vec![
            got(1_010, 1, 1),
            ended(1_020, 1, 0),
            got(5_010, 1, 2),
            ended(5_020, 2, 0),
            got(9_010, 1, 3),
            got(9_010, 2, 3),
            ended(9_020, 3, 0),
        ]
    }

    fn what(plan: &Plan, lines: &[Line]) -> String {
        broken(plan, lines, true).map(|broken| broken.what).unwrap_or_default()
    }

    #[test]
    fn a_history_in_which_all_is_well_breaks_nothing() {
        assert_eq!(what(&plan(None), &lines()), "");
    }

    #[test]
    fn what_was_acknowledged_must_be_there_or_be_counted() {
        let mut lines = lines();
        lines.remove(2);
        assert_eq!(what(&plan(None), &lines), "2 ended with 0, but mote 1 has not got it");
        lines.push(lost(2, 1, "link: receiver full"));
        assert_eq!(what(&plan(None), &lines), "2 ended with 0, but mote 1 has not got it");
        lines.push(lost(1, 1, "link: receiver full"));
        assert_eq!(what(&plan(None), &lines), "");
        lines.remove(0);
        assert_eq!(what(&plan(None), &lines), "2 ended with 0, but mote 1 has not got it");
    }

    #[test]
    fn a_mote_that_restarts_may_not_have_told_what_came() {
        let mut lines = lines();
        lines.remove(0);
        assert_eq!(what(&plan(None), &lines), "1 ended with 0, but mote 1 has not got it");
        for act in [Act::Reset, Act::Power(true), Act::Radio(false)] {
            assert_eq!(what(&plan(Some(act)), &lines), "");
        }
    }

    #[test]
    fn a_message_comes_once_even_if_its_receiver_restarts() {
        let mut lines = lines();
        lines.push(got(9_500, 1, 3));
        assert_eq!(what(&plan(None), &lines), "it got 3 of mote 0 again");
        lines.pop();
        lines.insert(1, got(1_500, 1, 1));
        assert_eq!(what(&plan(Some(Act::Reset)), &lines), "it got 1 of mote 0 again");
        assert_eq!(broken(&plan(None), &lines, false), None, "its frames have no numbers");
    }

    #[test]
    fn messages_come_in_order() {
        let mut lines = lines();
        lines.swap(0, 2);
        (lines[0].at, lines[2].at) = (5_030, 5_040);
        assert_eq!(what(&plan(None), &lines), "it got 1 of mote 0 after 2");
    }

    #[test]
    fn what_comes_was_sent() {
        let mut lines = lines();
        lines.push(got(9_500, 2, 2));
        assert_eq!(what(&plan(None), &lines), "it got 2 of mote 0, which was not sent to it");
        lines.pop();
        lines[0].at = 900;
        assert_eq!(what(&plan(None), &lines), "it got 1 of mote 0, which was not sent to it");
        lines[0] = Line { at: 1_010, mote: 1, said: Said::Spoilt };
        assert_eq!(what(&plan(None), &lines), "a message was spoilt");
    }

    #[test]
    fn each_send_ends() {
        let mut lines = lines();
        lines.remove(3);
        let unended = "the send of 2, of 5000 ms, has not ended";
        assert_eq!(what(&plan(None), &lines), unended);
        lines.push(Line { at: 5_000, mote: 0, said: Said::Refused(2) });
        assert_eq!(what(&plan(None), &lines), "");
    }

    #[test]
    fn what_ends_in_vain_is_counted() {
        let mut lines = lines();
        lines.remove(2);
        lines[2] = ended(5_020, 2, NO_ACK);
        let uncounted = "1 sends ended with 11, and 0 are counted: link: not acknowledged";
        assert_eq!(what(&plan(None), &lines), uncounted);
        lines.push(lost(0, 1, "link: not acknowledged"));
        assert_eq!(what(&plan(None), &lines), "");
    }

    #[test]
    fn a_panic_is_no_line_of_the_program() {
        let mut lines = lines();
        lines.push(Line { at: 9_500, mote: 1, said: Said::Other("panic in act".to_string()) });
        assert_eq!(what(&plan(None), &lines), "it says `panic in act`");
    }
}
