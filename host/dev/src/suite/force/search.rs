// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looks for tests that notice a mutant that few interrupts in few cells do not.

use super::mutants::{All, Key};
use super::witness::Witness;
use super::{Context, Listener, Machine, Report};

/// Lots of each kind of histories that are used.
const LOTS: u64 = 2;
/// Programs that execute more are not used.
const LONGEST: u64 = 200_000_000;

/// Looks for a test of another group that notices each of `all` that is not yet noticed, shortest first.
pub(super) fn among_all(
    context: &Context<'_>,
    machine: &Machine,
    all: &mut All,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let alive = |all: &All| -> Vec<Key> {
        let alive = all.iter().filter(|(_, one)| one.survived().is_some());
        alive.map(|(key, _)| key.clone()).collect()
    };
    if alive(all).is_empty() {
        return Ok(());
    }
    let programs = context.tree().programs("test/mote").map_err(|error| Report::of(&error))?;
    let programs = programs.iter().map(|name| format!("mote/{}/{name}", machine.board));
    // A test that this kernel fails says nothing about another one; its own group reports it.
    let programs = programs.filter_map(|name| Witness::of(context, &name, listener).ok());
    let mut programs: Vec<Witness> = programs.filter(|it| it.instructions <= LONGEST).collect();
    programs.sort_by_key(|witness| witness.instructions);
    for witness in programs {
        run(context, &witness, &alive(all), all, listener)?;
    }
    for lot in 0..LOTS {
        for kind in lichen_history::KINDS {
            let name = format!("model/{}{}#{lot}", machine.prefix, kind.full_name());
            // A program that is not compared on this board is no witness.
            if let Ok(witness) = Witness::of(context, &name, listener) {
                run(context, &witness, &alive(all), all, listener)?;
            }
        }
    }
    Ok(())
}

/// Records which of `keys` a test notices.
fn run(
    context: &Context<'_>,
    witness: &Witness,
    keys: &[Key],
    all: &mut All,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let keys: Vec<Key> = keys.iter().filter(|key| witness.reaches(key)).cloned().collect();
    let (name, count) = (&witness.name, keys.len());
    let mut told = |done| {
        listener.working(context.group, &format!("{name}: {done} of {count} mutants"));
    };
    let noticed = witness.notices(context, &keys, &mut told)?;
    for (key, _) in keys.iter().zip(noticed).filter(|(_, noticed)| *noticed) {
        if let Some(one) = all.get_mut(key) {
            one.words.noticed_by = Some(name.clone());
        }
    }
    Ok(())
}
