// SPDX-License-Identifier: MIT OR Apache-2.0
//! How equals share the processor: in any period in which they get ten slices together, each gets
//! its share to within one slice, however a more urgent thread interrupts them.

use crate::{Error, Mote, MoteFailure};
use lichen_chip::Time;
use lichen_model::{Actor, Call, Seen};

/// A slice.
const SLICE_US: u64 = 5_000;
/// The period to which the law applies.
const WINDOW_US: u64 = 10 * SLICE_US;
/// For how long they compute.
const RUN: Time = Time::from_ms(1_500);
/// The urgent thread, and the equals.
const URGENT: Actor = Actor::Thread(0);
const EQUALS: [usize; 2] = [1, 2];

/// An urgent thread that computes for a while, sleeps for a while, and so on, above equals that compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// How long it sleeps each time.
    pub sleep_us: u64,
    /// How long it computes each time.
    pub compute_us: u32,
}

/// Whether the law holds; if not, the reason in words.
pub fn share(mote: &mut Mote<'_>, sharing: Sharing) -> Result<Result<(), String>, Error> {
    let mut seen = Ok(mote.begin()?);
    let end = mote.now() + RUN;
    let mut samples: Vec<[u64; 2]> = Vec::new();
    let mut sleeps = false;
    while mote.now() < end {
        match seen {
            Ok(Seen::Asks(URGENT, ..)) => {
                // A processor of 8 bits may be in the middle of a count, whose lower bytes are 0 already.
                let [one, other] = samples.last().copied().unwrap_or_default();
                samples.push([progress(mote, 0)?.max(one), progress(mote, 1)?.max(other)]);
                sleeps = !sleeps;
                mote.tell(URGENT, urgent_call(sleeps, sharing))?;
            }
            Ok(Seen::Asks(actor, ..)) => mote.tell(actor, Call::Compute(10_000_000))?,
            Ok(Seen::Idle) => {}
            Err(failure) => return Ok(Err(failed(&failure))),
        }
        seen = match mote.observe(Time::from_ms(50)) {
            // No actor asked: the equals compute.
            Err(MoteFailure::Endless(_)) => Ok(Seen::Idle),
            other => other,
        };
    }
    Ok(judge(&samples))
}

fn urgent_call(sleeps: bool, sharing: Sharing) -> Call {
    if sleeps { Call::SleepUs(sharing.sleep_us) } else { Call::Compute(sharing.compute_us) }
}

fn failed(failure: &MoteFailure) -> String {
    failure.to_string()
}

fn progress(mote: &Mote<'_>, equal: usize) -> Result<u64, Error> {
    mote.progress_us(Actor::Thread(EQUALS[equal]))
}

/// Examines every period from one sample to the first that is a window later.
fn judge(samples: &[[u64; 2]]) -> Result<(), String> {
    for (index, from) in samples.iter().enumerate() {
        let got = |to: &[u64; 2]| [to[0] - from[0], to[1] - from[1]];
        let Some([one, other]) =
            samples[index..].iter().map(got).find(|[one, other]| one + other >= WINDOW_US)
        else {
            return if index > 0 { Ok(()) } else { Err("the equals hardly computed".to_string()) };
        };
        // Each may be a slice off its share, so they may differ by two.
        if one.abs_diff(other) > 2 * SLICE_US {
            return Err(format!(
                "of two equals one computed for {one} us, the other for {other} us"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_judged_over_any_ten_slices() {
        let fair: Vec<[u64; 2]> = (0..40).map(|n| [n * 5_000, n * 5_000]).collect();
        assert_eq!(judge(&fair), Ok(()));
        let unfair: Vec<[u64; 2]> = (0..40).map(|n| [n * 5_000, n * 500]).collect();
        assert!(judge(&unfair).is_err());
    }
}
