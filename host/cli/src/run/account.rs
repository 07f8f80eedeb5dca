// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `--energy` prints after the summary of a run.

use super::energy::Accounts;
use super::summary::entry;
use crate::energy::{life, percent, share_of, width};
use crate::mote::Names;
use lichen_chip::{OFF, Time};
use lichen_energy::{Charge, Current, Doing, Entry, Held, MoteReport, Period, Supply};
use lichen_terminal::screen::{Screen, out};

/// All motes together, and what shares are taken of.
struct Whole {
    report: MoteReport,
    charge: Charge,
    motes: u64,
}

/// Prints the account; nothing if there is none.
pub fn print(screen: &Screen, names: &Names, accounts: &Accounts) {
    let reports = &accounts.reports;
    if reports.is_empty() {
        return;
    }
    let report = MoteReport::sum(reports);
    let charge = report.charge();
    let whole = Whole { report, charge, motes: reports.len() as u64 };
    out!("");
    let volts = supplies(reports);
    let title = match whole.motes {
        1 => format!("energy at {volts}"),
        motes => format!("energy at {volts}, of {motes} motes together"),
    };
    let since = match whole.report.begin {
        Time::ZERO => String::new(),
        begin => format!(", from {begin} s on"),
    };
    out!("{}", screen.bold(&format!("{title}{since}")));
    let energy = energy(reports.iter().map(|report| report.charge().nj(report.supply_mv)).sum());
    entry("charge", &format!("{charge} in {} s, {energy}", whole.report.time()));
    let mean = whole.mean(charge);
    entry("mean current", &mean_of(reports, &mean.to_string(), names));
    batteries(accounts, mean, names);
    components(screen, &whole);
    owners(screen, &whole);
    periods(screen, &whole);
    held(screen, &whole);
    uncertain(&whole);
}

impl Whole {
    /// A charge as a part of the mean current of the average mote.
    fn mean(&self, charge: Charge) -> Current {
        Charge(charge.0 / u128::from(self.motes.max(1))).mean(self.report.time())
    }
}

/// The voltage of all motes, or the least and the greatest.
fn supplies(reports: &[MoteReport]) -> String {
    let mv = || reports.iter().map(|report| report.supply_mv);
    match (mv().min(), mv().max()) {
        (Some(least), Some(most)) if least != most => {
            format!("{} to {}", volts(least), volts(most))
        }
        (least, _) => volts(least.unwrap_or_default()),
    }
}

fn heading(screen: &Screen, text: &str) {
    out!("");
    out!("  {}", screen.bold(text));
}

/// How long the cells last: one line for each kind of supply.
fn batteries(accounts: &Accounts, mean: Current, names: &Names) {
    let mut reported: Vec<&Option<Supply>> = Vec::new();
    let is_mixed = accounts.supplies.iter().any(|other| Some(other) != accounts.supplies.first());
    for of in &accounts.supplies {
        if reported.contains(&of) {
            continue;
        }
        reported.push(of);
        let whose =
            if is_mixed { format!("{}: ", owners_of(of, accounts, names)) } else { String::new() };
        let Some(supply) = of else {
            entry("battery", &format!("{whose}the board has none; --cell NAME computes with one"));
            continue;
        };
        let motes = accounts.reports.iter().zip(&accounts.supplies).zip(0_u32..);
        let lives = motes.filter(|((_, other), _)| *other == of);
        let lives = lives.map(|((report, _), mote)| (supply.cell.life_h(report.mean()), mote));
        let all: Vec<(Option<u64>, u32)> = lives.collect();
        let shortest = all.iter().min_by_key(|(hours, _)| hours.unwrap_or(u64::MAX));
        let longest = all.iter().rev().max_by_key(|(hours, _)| hours.unwrap_or(u64::MAX));
        let text = match (shortest, longest) {
            (Some((least, first)), Some((most, last))) if least != most => {
                let (first, last) = (names.long(*first), names.long(*last));
                format!("{} ({first}) to {} ({last})", life(*least), life(*most))
            }
            (Some((hours, _)), _) => life(*hours),
            _ => life(supply.cell.life_h(mean)),
        };
        let least = shortest.and_then(|(hours, _)| *hours);
        entry(&supply.to_string(), &format!("{whose}{text}: {}", conditions(supply, least)));
    }
}

/// The motes with such a supply: the first one's name, and how many others there are.
fn owners_of(supply: &Option<Supply>, accounts: &Accounts, names: &Names) -> String {
    let motes = accounts.supplies.iter().zip(0_u32..);
    let mut motes = motes.filter(|(other, _)| *other == supply).map(|(_, mote)| mote);
    let first = motes.next().map(|mote| names.long(mote).to_string()).unwrap_or_default();
    match motes.count() {
        0 => first,
        others => format!("{first} and {others} more"),
    }
}

/// What the life of cells is computed with, and what it neglects.
fn conditions(supply: &Supply, hours: Option<u64>) -> String {
    let cell = &supply.cell;
    let whole = cell.cut_off_mv * supply.count;
    let lost = cell.self_discharge_ppm;
    let mut text = format!(
        "{} mAh to {}, self-discharge {}.{} % a year",
        cell.capacity_mah,
        volts(whole),
        lost / 10_000,
        lost / 1_000 % 10
    );
    if let Some(least) = supply.least_mv.filter(|least| *least > whole) {
        text += &format!("; the board needs {}, so less", volts(least));
    }
    if hours.is_none_or(|hours| cell.outlives(hours)) {
        text += &format!("; the shelf life is {} years", cell.shelf_life_years);
    }
    text
}

fn volts(mv: u32) -> String {
    format!("{}.{:01} V", mv / 1_000, mv / 100 % 10)
}

fn components(screen: &Screen, whole: &Whole) {
    let shown = || whole.report.entries.iter().filter(|line| line.state != OFF);
    let widths = [
        width(shown().map(|line| line.component.as_str()), 16),
        width(shown().map(|line| line.state), 12),
    ];
    let [first, second] = widths;
    let head = format!(
        "{:<first$} {:<second$} {:>12} {:>12} {:>14} {:>12} {:>11}",
        "component", "state", "time in s", "clock", "charge", "current", "% of charge"
    );
    heading(screen, &head);
    shown().for_each(|line| component(line, widths, whole));
}

fn component(line: &Entry, [first, second]: [usize; 2], whole: &Whole) {
    let clock = match line.mean_hz {
        0 => String::new(),
        hz @ 0..1_000_000 => format!("{}.{:03} kHz", hz / 1_000, hz % 1_000),
        hz => format!("{}.{:03} MHz", hz / 1_000_000, hz / 1_000 % 1_000),
    };
    out!(
        "  {:<first$} {:<second$} {:>12} {:>12} {}{}",
        line.component,
        line.state,
        line.time.to_string(),
        clock,
        amounts(line.charge, whole),
        if line.estimate { " *" } else { "" },
    );
}

/// A charge, its part of the mean current, and its share.
fn amounts(charge: Charge, whole: &Whole) -> String {
    let mean = whole.mean(charge).to_string();
    format!("{:>14} {mean:>12} {}", charge.to_string(), percent(charge, whole.charge))
}

/// The least width of the first column of the tables below.
const FIRST: usize = 43;

fn owners(screen: &Screen, whole: &Whole) {
    let first = width(whole.report.owners.iter().map(|share| share.owner.as_str()), FIRST);
    let head = format!(
        "{:<first$} {:>12} {:>14} {:>12} {:>11}",
        "for whom", "active in s", "charge", "current", "% of charge"
    );
    heading(screen, &head);
    for share in &whole.report.owners {
        let active = match share.active {
            Time::ZERO => String::new(),
            active => active.to_string(),
        };
        out!("  {:<first$} {active:>12} {}", share.owner, amounts(share.charge, whole));
    }
}

/// A line of a table of what happened so often, and how long it took.
struct Row {
    name: String,
    count: u64,
    time: Time,
    charge: Charge,
}

fn periods(screen: &Screen, whole: &Whole) {
    let row = |period: &Period| Row {
        name: match (period.doing, &period.handler) {
            (Doing::Awake, Some(handler)) => format!("{} ({handler})", period.name),
            (Doing::Awake, None) => period.name.clone(),
            (Doing::Asleep, _) => format!("asleep, {}", period.name),
            (Doing::Off, _) => "without power".to_string(),
        },
        count: period.count,
        time: period.time,
        charge: period.charge,
    };
    let rows: Vec<Row> = whole.report.periods.iter().map(row).collect();
    table(screen, ["awake, by what woke it; asleep", "charge"], &rows, whole);
}

fn held(screen: &Screen, whole: &Whole) {
    let row = |held: &Held| Row {
        name: format!("{}: {}", held.limits, held.mode),
        count: held.count,
        time: held.time,
        charge: held.cost,
    };
    let rows: Vec<Row> = whole.report.held.iter().map(row).collect();
    table(screen, ["what forbade the deepest mode", "cost"], &rows, whole);
}

/// A table of rows, whose first column and whose charge have these names; nothing without rows.
fn table(screen: &Screen, [name, charge]: [&str; 2], rows: &[Row], whole: &Whole) {
    if rows.is_empty() {
        return;
    }
    let first = width(rows.iter().map(|row| row.name.as_str()), FIRST);
    let head = format!(
        "{name:<first$} {:>7} {:>12} {charge:>14} {:>12} {:>11}",
        "times", "time in s", "current", "% of charge"
    );
    heading(screen, &head);
    for Row { name, count, time, charge } in rows {
        let (time, amounts) = (time.to_string(), amounts(*charge, whole));
        out!("  {name:<first$} {count:>7} {time:>12} {amounts}");
    }
}

/// What the sums do not know for certain, or do not contain.
fn uncertain(whole: &Whole) {
    out!("");
    let estimated = whole.report.estimated();
    if estimated > Charge(0) {
        let share = share_of(estimated, whole.charge);
        entry("estimated", &format!("{share} % (marked *): data/current says why"));
    }
    for unknown in &whole.report.unknown {
        let (component, state) = (&unknown.component, unknown.state);
        let text = format!("{component}, {state} for {} s: {}", unknown.time, unknown.why);
        entry("not counted", &text);
    }
    let (known, others): (Vec<_>, Vec<_>) =
        whole.report.left_out.iter().partition(|part| part.after_reset.is_some());
    for part in known {
        let current = part.after_reset.unwrap_or_default();
        let text =
            format!("{}: not simulated; left as after a reset, it draws {current}", part.part);
        entry("not counted", &text);
    }
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|part| part.part.as_str()).collect();
        entry("not counted", &format!("{}: not simulated", names.join(", ")));
    }
}

/// The mean current of one mote, or that of the average one and how far the others differ.
fn mean_of(reports: &[MoteReport], average: &str, names: &Names) -> String {
    let means = || reports.iter().enumerate().map(|(mote, report)| (report.mean(), mote));
    match (means().min(), means().max_by_key(|(mean, mote)| (*mean, usize::MAX - mote))) {
        (Some((least, first)), Some((most, last))) if least < most => {
            let name = |mote: usize| names.long(mote as u32);
            format!("{average}: {least} ({}) to {most} ({})", name(first), name(last))
        }
        (_, _) if reports.len() > 1 => format!("{average}, the same for each"),
        _ => average.to_string(),
    }
}

fn energy(nj: u64) -> String {
    match nj {
        0..1_000_000 => format!("{}.{:03} uJ", nj / 1_000, nj % 1_000),
        _ => {
            let uj = (nj + 500) / 1_000;
            format!("{}.{:03} mJ", uj / 1_000, uj % 1_000)
        }
    }
}
