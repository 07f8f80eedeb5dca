// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether motes stayed within their limits.

use super::Shortfall;
use super::case::{Case, EventKind, Limit, Source};
use super::record::Record;
use crate::size::Sizes;
use crate::suite::Report;
use crate::{Place, nearest};
use lichen_chip::Time;
use lichen_energy::MoteReport;
use lichen_world::{Mote, MoteId, World};

/// Whether some limit is about what motes draw.
pub(super) fn is_about_current(case: &Case) -> bool {
    let limits = case.limits.iter().map(|limit| &limit.most);
    limits.into_iter().any(|most| most.mean_current_ua.is_some() || most.charge_uc.is_some())
}

/// What is beyond the limits that a test states.
pub(super) fn check(
    case: &Case,
    world: &World,
    record: &Record,
    accounts: &[MoteReport],
) -> Vec<Shortfall> {
    let mut beyond = Vec::new();
    for limit in &case.limits {
        for index in &limit.motes {
            let mote = world.mote(MoteId(*index as u32));
            let who = match case.scenario.motes.len() {
                1 => String::new(),
                _ => format!(" of {}", case.scenario.motes[*index].name),
            };
            let checked = Checked { limit, who: &who, beyond: &mut beyond };
            let resets = record.motes[*index].resets.len() as u64;
            checked.check(mote, resets, accounts.get(*index));
        }
    }
    beyond
}

/// One limit of one mote.
struct Checked<'a> {
    limit: &'a Limit,
    who: &'a str,
    beyond: &'a mut Vec<Shortfall>,
}

impl Checked<'_> {
    fn check(mut self, mote: &Mote, resets: u64, account: Option<&MoteReport>) {
        let most = &self.limit.most;
        let summary = mote.summary();
        let sizes = Sizes::of(mote.image());
        let awake = (1.0 - summary.share_asleep()) * 100.0;
        self.number("rom", sizes.rom(), most.rom, "bytes of flash");
        self.number("ram", sizes.ram(), most.ram, "bytes of RAM");
        self.number("wake_ups", summary.wake_ups(), most.wake_ups, "wake-ups");
        self.number("panics", summary.panics, most.panics, "panics");
        self.number("faults", summary.faults, most.faults, "faults");
        self.number("warnings", summary.warnings, most.warnings, "warnings");
        self.number("resets", resets, most.resets, "resets");
        self.decimal("awake_percent", awake, most.awake_percent, "percent of the time awake");
        if let Some(account) = account {
            let charge = account.charge();
            let mean = charge.mean(account.time()).na() as f64 / 1e3;
            self.decimal("mean_current_ua", mean, most.mean_current_ua, "uA on average");
            self.decimal("charge_uc", charge.pc() as f64 / 1e6, most.charge_uc, "uC");
        }
        self.stacks(mote);
    }

    fn stacks(&mut self, mote: &Mote) {
        let marks = mote.stacks();
        for (thread, most) in &self.limit.most.stack {
            let key = format!("stack.{thread}");
            match marks.iter().find(|mark| mark.name == *thread) {
                Some(mark) => {
                    let unit = format!("bytes of the stack of {thread}, which has {}", mark.bytes);
                    self.number(&key, mark.used, Some(*most), &unit);
                }
                None => {
                    let known: Vec<&str> = marks.iter().map(|mark| mark.name.as_str()).collect();
                    let meant = nearest(thread, known.iter().copied());
                    let meant =
                        meant.map(|it| format!("did you mean `{it}`? ")).unwrap_or_default();
                    let list = known.join(", ");
                    self.tell(
                        &key,
                        format!("there is no stack `{thread}`; {meant}there are: {list}"),
                    );
                }
            }
        }
    }

    fn number<N: PartialOrd + std::fmt::Display>(
        &mut self,
        key: &str,
        value: N,
        most: Option<N>,
        unit: &str,
    ) {
        if let Some(most) = most.filter(|most| value > *most) {
            let who = self.who;
            self.tell(key, format!("{key} is at most {most}; it was {value} {unit}{who}"));
        }
    }

    fn decimal(&mut self, key: &str, value: f64, most: Option<f64>, unit: &str) {
        // What is no number is within no limit.
        if let Some(most) = most.filter(|most| value > *most || most.is_nan()) {
            let who = self.who;
            self.tell(key, format!("{key} is at most {most}; it was {value:.3} {unit}{who}"));
        }
    }

    fn tell(&mut self, key: &str, message: String) {
        let place = self.limit.places.get(key).cloned();
        let place = place.unwrap_or_else(|| Place::file(""));
        self.beyond.push(Shortfall { place, message });
    }
}

/// What no test expects unless it says so: panics, faults, warnings, resets, and threads that wait for ever. The
/// first of them.
pub(super) fn unexpected(case: &Case, world: &World, record: &Record) -> Option<Report> {
    let motes = record.motes.iter().enumerate();
    motes.into_iter().find_map(|(index, done)| {
        let firsts = [EventKind::Panic, EventKind::Fault, EventKind::Warning]
            .into_iter()
            .filter(|kind| !is_allowed(case, index, *kind))
            .find_map(|kind| done.firsts.get(&kind).cloned());
        let reset = done.resets.first().filter(|_| !is_allowed(case, index, EventKind::Reset));
        let deadlock = world.mote(MoteId(index as u32)).summary().deadlock;
        let report =
            firsts.or_else(|| reset.map(|(time, cause)| reset_report(cause, *time))).or_else(
                || deadlock.map(|(since, what)| Report::saying(format!("{what}, since {since} s"))),
            )?;
        let message = match record.motes.len() {
            1 => report.message,
            _ => format!("{}: {}", case.scenario.motes[index].name, report.message),
        };
        Some(Report { message, ..report })
    })
}

fn reset_report(cause: &str, time: Time) -> Report {
    let remedy = "find what resets it, or expect the event \"reset\"".to_string();
    let message = format!("the mote was reset ({cause}), at {time} s");
    Report { remedy: Some(remedy), ..Report::saying(message) }
}

/// Whether the test expects events of this kind, or states a limit for them. A fault leads to a panic, and a
/// panic to a reset.
pub(super) fn is_allowed(case: &Case, mote: usize, kind: EventKind) -> bool {
    let causes: &[EventKind] = match kind {
        EventKind::Panic => &[EventKind::Panic, EventKind::Fault],
        EventKind::Reset => &[EventKind::Reset, EventKind::Panic, EventKind::Fault],
        EventKind::Fault => &[EventKind::Fault],
        EventKind::Warning => &[EventKind::Warning, EventKind::Panic, EventKind::Fault],
        _ => return true,
    };
    causes.iter().any(|cause| {
        let expected = case.expectations.iter().any(|expectation| {
            expectation.mote == mote
                && expectation.source == Source::Event(*cause)
                && expectation.count != Some((0, 0))
        });
        expected || case.limits.iter().any(|limit| is_limited(limit, mote, *cause))
    })
}

fn is_limited(limit: &Limit, mote: usize, kind: EventKind) -> bool {
    let most = match kind {
        EventKind::Panic => limit.most.panics,
        EventKind::Fault => limit.most.faults,
        EventKind::Warning => limit.most.warnings,
        EventKind::Reset => limit.most.resets,
        _ => None,
    };
    limit.motes.contains(&mote) && most.is_some_and(|most| most > 0)
}
