// SPDX-License-Identifier: MIT OR Apache-2.0
//! Power is cut at every operation on flash while a program is installed, upgraded, removed or on trial, each time in a copy
//! of the mote: afterwards there is the old program or the new one, whole.
//!
//! A page of flash is erased in 4 or 6 ms and written in 4.1 or 2.5 ms, so each of these is cut more than once.

use super::mote::{Mote, Request, Seen};
use lichen_chip::Time;

const PROGRAM: &str = "app/blink";
/// Between two cuts.
const STEP: Time = Time::from_us(900);
const STEP_LONG: Time = Time::from_us(90);
/// From power to the first turn, with what is written on the way.
const START: Time = Time::from_ms(90);
/// Starts that fail until the old version comes back (`lichen/loader.h`).
const FAILURES: usize = 3;

pub fn play(mote: &mut Mote, is_long: bool) -> Result<String, String> {
    let step = if is_long { STEP_LONG } else { STEP };
    let first = mote.container(PROGRAM, |about| about.version = 1)?;
    let second = mote.container(PROGRAM, |about| about.version = 2)?;
    let on_trial = mote.container(PROGRAM, |about| (about.version, about.confirm_s) = (3, 60))?;
    let (none, one) =
        (Seen { rows: 0, version: None }, |version| Seen { rows: 1, version: Some(version) });
    let kept = Seen { rows: 2, version: Some(3) };
    let mut cuts = 0;
    cuts += turn(mote, step, "installation", Request::install(&first), none, one(1))?;
    cuts += turn(mote, step, "upgrade", Request::install(&second), one(1), one(2))?;
    cuts += turn(mote, step, "upgrade on trial", Request::install(&on_trial), one(2), kept)?;
    let moment = mote.chip.snapshot();
    cuts += trial(mote, step, kept)?;
    mote.chip.restore(&moment).map_err(|error| error.to_string())?;
    let removal = Request { container: &on_trial, removes: true };
    cuts += turn(mote, step, "removal", removal, kept, none)?;
    Ok(format!("{cuts} cuts"))
}

/// A turn, cut everywhere. Returns the number of cuts.
fn turn(
    mote: &mut Mote,
    step: Time,
    what: &str,
    request: Request<'_>,
    old: Seen,
    new: Seen,
) -> Result<u32, String> {
    let (mut cuts, mut is_new) = (0, false);
    mote.ask(&request)?;
    let before = mote.chip.snapshot();
    mote.begin_turn();
    loop {
        let is_over = mote.run_on(step);
        let moment = mote.chip.snapshot();
        let seen = mote.cut().map_err(|error| format!("{what}, cut {cuts}: {error}"))?;
        cuts += 1;
        if seen != new && (is_new || seen != old) {
            return Err(format!("{what}, cut {cuts}: {seen:?}, after {old:?} and before {new:?}"));
        }
        is_new = seen == new;
        if seen == old {
            again(mote, &request, new)
                .map_err(|error| format!("{what}, again after cut {cuts}: {error}"))?;
        }
        mote.chip.restore(&moment).map_err(|error| error.to_string())?;
        if is_over {
            break;
        }
    }
    if !is_new {
        return Err(format!("{what}: its end is not there after a cut"));
    }
    mote.chip.restore(&before).map_err(|error| error.to_string())?;
    match mote.turn()? {
        0 => Ok(cuts),
        error => Err(format!("{what}: error {error}")),
    }
}

/// What was cut short is done again.
fn again(mote: &mut Mote, request: &Request<'_>, new: Seen) -> Result<(), String> {
    mote.ask(request)?;
    match mote.turn()? {
        0 => {}
        error => return Err(format!("error {error}")),
    }
    let seen = mote.cut()?;
    if seen == new { Ok(()) } else { Err(format!("{seen:?} instead of {new:?}")) }
}

/// Starts of a version that does not confirm itself, each cut everywhere: the old one comes back.
fn trial(mote: &mut Mote, step: Time, kept: Seen) -> Result<u32, String> {
    let mut cuts = 0;
    let mut at = Time::ZERO;
    while at < START {
        let moment = mote.chip.snapshot();
        let mut seen = kept;
        for start in 0..=FAILURES {
            let failed = |error| format!("start {start}, cut after {at}: {error}");
            mote.cut_short();
            mote.run_on(at);
            seen = mote.cut().map_err(failed)?;
            if seen.version.is_none() {
                return Err(failed("no version runs".to_string()));
            }
            cuts += 1;
        }
        if seen.version != Some(2) {
            return Err(format!("cut after {at}: {seen:?}, and version 2 has not come back"));
        }
        mote.chip.restore(&moment).map_err(|error| error.to_string())?;
        at += step * 4;
    }
    Ok(cuts)
}
