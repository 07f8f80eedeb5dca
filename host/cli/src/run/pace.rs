// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast simulated time passes: how long to wait, as a pure function of both times.

use super::options::{Pace, Simulation};
use lichen_chip::Time;
use std::time::Duration;

/// A mote that has fallen behind the host's clock by more than this does not catch up: after the
/// laptop has slept or the process was stopped, it continues from there instead of rushing through
/// the missed time.
const FORGIVEN: Duration = Duration::from_secs(1);

/// Limits simulated time to the pace of the host's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pacer {
    /// How far the zero of simulated time lies behind that of the host's time.
    lost: Duration,
}

impl Pacer {
    /// The pacer that `options` ask for, unless the run is to be as fast as possible; `watched` is
    /// true for a run on a terminal without an end.
    pub fn wanted(options: &Simulation, watched: bool) -> Option<Pacer> {
        let real = match options.pace {
            _ if options.realtime => true,
            Some(pace) => pace == Pace::Real,
            None => watched,
        };
        real.then(Pacer::real)
    }

    /// The pace of the host's clock.
    pub fn real() -> Pacer {
        Pacer { lost: Duration::ZERO }
    }

    /// How long to wait when the mote has reached `simulated`, `elapsed` after its start.
    pub fn wait(&mut self, simulated: Time, elapsed: Duration) -> Duration {
        let due = Duration::from_nanos(simulated.ns()) + self.lost;
        let late = elapsed.saturating_sub(due);
        if late > FORGIVEN {
            self.lost += late;
        }
        due.saturating_sub(elapsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Verb};
    use clap::Parser;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn wanted(arguments: &[&str], watched: bool) -> bool {
        let cli = Cli::try_parse_from(["lichen", "run", "echo"].iter().chain(arguments));
        let Verb::Run(options) = cli.expect("a call").verb else { panic!("another verb") };
        Pacer::wanted(&options.simulation, watched).is_some()
    }

    #[test]
    fn the_pace_is_real_where_it_is_asked_for_or_watched() {
        assert!(wanted(&[], true) && !wanted(&[], false));
        assert!(wanted(&["--realtime"], false) && wanted(&["--pace", "real"], false));
        assert!(!wanted(&["--pace", "max"], true));
        let both = ["lichen", "run", "echo", "--realtime", "--pace", "max"];
        assert!(Cli::try_parse_from(both).is_err(), "they contradict each other");
    }

    #[test]
    fn a_mote_ahead_waits_and_a_late_one_catches_up() {
        let mut pacer = Pacer { lost: Duration::ZERO };
        assert_eq!(pacer.wait(Time::from_ms(10), MS(2)), MS(8));
        assert_eq!(pacer.wait(Time::from_ms(20), MS(520)), Duration::ZERO, "half a second late");
        assert_eq!(pacer.wait(Time::from_ms(600), MS(530)), MS(70), "and in time again");
    }

    #[test]
    fn a_long_standstill_is_forgiven() {
        let mut pacer = Pacer { lost: Duration::ZERO };
        assert_eq!(pacer.wait(Time::from_ms(10), MS(60_010)), Duration::ZERO);
        assert_eq!(pacer.wait(Time::from_ms(30), MS(60_015)), MS(15), "from there at real pace");
    }
}
