// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether motes stayed within their limits.

use super::Shortfall;
use super::case::{Case, Limit};
use super::record::{Done, Record};
use lichen_build::size::Sizes;
use lichen_energy::MoteReport;
use lichen_project::{Place, nearest};
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
            checked.check(mote, &record.motes[*index], accounts.get(*index));
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
    fn check(mut self, mote: &Mote, done: &Done, account: Option<&MoteReport>) {
        let most = &self.limit.most;
        let summary = mote.summary();
        let sizes = Sizes::of(mote.image());
        let awake = (1.0 - summary.share_asleep()) * 100.0;
        self.number("rom", sizes.rom(), most.rom, "bytes of flash");
        self.number("ram", sizes.ram(), most.ram, "bytes of RAM");
        self.number("wake_ups", summary.wake_ups(), most.wake_ups, "wake-ups");
        self.number("panics", summary.panics, most.panics, "panics");
        self.number("faults", summary.faults, most.faults, "faults");
        let warnings = summary.warnings + done.warnings_at_end;
        self.number("warnings", warnings, most.warnings, "warnings");
        self.number("resets", done.resets, most.resets, "resets");
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
