// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--energy`: the account of what the motes have drawn, after the summary of a run.

use super::summary::entry;
use crate::failure::Failure;
use crate::mote::Names;
use crate::place::Here;
use crate::screen::{Screen, out};
use lichen_chip::Time;
use lichen_energy::{Account, Charge, Entry, MoteReport, Tables};
use lichen_world::World;
use std::sync::Arc;

/// Where the tables of currents are, in the tree.
const TABLES: &str = "data/current";
/// What two AA cells hold in series, in milliampere hours.
const AA_MAH: u64 = 2_000;

/// Begins an account of the motes of `world` at its present time.
pub fn begin(here: &Here, world: &mut World) -> Result<Account, Failure> {
    let mut account = Account::new(Tables::load(&here.tree.path(TABLES))?);
    for (_, mote) in world.motes() {
        let image = Arc::clone(mote.image());
        account.add(mote.board(), &image, mote.chip(), mote.running_thread());
    }
    world.tell_activity();
    Ok(account)
}

/// Prints the account; nothing if there is none.
pub fn print(screen: &Screen, names: &Names, reports: &[MoteReport]) {
    let Some(first) = reports.first() else { return };
    let whole = MoteReport::sum(reports);
    let charge = whole.charge();
    let motes = reports.len() as u64;
    out!("");
    let volts = format!("{}.{:01} V", first.supply_mv / 1_000, first.supply_mv / 100 % 10);
    let title = match motes {
        1 => format!("energy at {volts}"),
        _ => format!("energy at {volts}, of {motes} motes together"),
    };
    out!("{}", screen.bold(&title));
    let time = first.time();
    entry("charge", &format!("{charge} in {time} s, {}", energy(charge, first.supply_mv)));
    let mean = charge.mean(Time(time.0.saturating_mul(motes)));
    entry("mean current", &mean_of(reports, &mean.to_string(), names));
    let life = match mean.days(AA_MAH) {
        None => "for ever".to_string(),
        Some(days) if days < 1_000 => format!("{days} days"),
        Some(days) => format!("{}.{} years", days * 10 / 3_652, days * 100 / 3_652 % 10),
    };
    entry("two AA cells", &format!("2,000 mAh would last {life}, without self-discharge"));
    out!("");
    let head = "component        state           time in s        clock         charge       %";
    out!("  {}", screen.bold(head));
    let drawing = whole.entries.iter().filter(|line| line.charge > Charge(0));
    drawing.for_each(|line| component(line, charge));
    out!("");
    out!("  {}", screen.bold(&format!("{:<50} {:>14} {:>7}", "for whom", "charge", "%")));
    for share in &whole.owners {
        out!(
            "  {:<50} {:>14} {}",
            share.owner,
            share.charge.to_string(),
            percent(share.charge, charge)
        );
    }
    out!("");
    if whole.estimated() > Charge(0) {
        let share = percent(whole.estimated(), charge).trim().to_string();
        entry("estimated", &format!("{share} % (marked *): data/current says why"));
    }
    for unknown in &whole.unknown {
        let (component, state) = (&unknown.component, unknown.state);
        let text = format!("{component}, {state} for {} s: {}", unknown.time, unknown.why);
        entry("not counted", &text);
    }
    let (known, others): (Vec<_>, Vec<_>) =
        whole.left_out.iter().partition(|part| part.after_reset.is_some());
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

fn component(line: &Entry, whole: Charge) {
    let clock = match line.mean_hz {
        0 => String::new(),
        hz @ 0..1_000_000 => format!("{}.{:03} kHz", hz / 1_000, hz % 1_000),
        hz => format!("{}.{:03} MHz", hz / 1_000_000, hz / 1_000 % 1_000),
    };
    out!(
        "  {:<16} {:<12} {:>12} {:>12} {:>14} {}{}",
        line.component,
        line.state,
        line.time.to_string(),
        clock,
        line.charge.to_string(),
        percent(line.charge, whole),
        if line.estimate { " *" } else { "" },
    );
}

/// A share in percent with two decimals.
fn percent(part: Charge, whole: Charge) -> String {
    let hundredths = (part.0 * 10_000 + whole.0 / 2).checked_div(whole.0).unwrap_or(0);
    format!("{:>4}.{:02}", hundredths / 100, hundredths % 100)
}

fn energy(charge: Charge, mv: u32) -> String {
    let nj = charge.nj(mv);
    match nj {
        0..1_000_000 => format!("{}.{:03} uJ", nj / 1_000, nj % 1_000),
        _ => {
            let uj = (nj + 500) / 1_000;
            format!("{}.{:03} mJ", uj / 1_000, uj % 1_000)
        }
    }
}
