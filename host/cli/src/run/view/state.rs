// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of a network at a moment: who sent, heard or lost something lately, and what each mote draws.

use lichen_chip::Time;
use lichen_trace::air::Transmission;
use lichen_trace::{Event, Kind};

/// A mote.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mote {
    /// When it sent, heard and lost a frame last, if it did.
    pub sent: Option<Time>,
    pub heard: Option<Time>,
    pub lost: Option<Time>,
    /// What it draws, in femtoamperes, and since when.
    draws: u128,
    since: Time,
    /// What it has drawn before that: femtoamperes times picoseconds.
    drawn: u128,
}

/// A network.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub motes: Vec<Mote>,
    begin: Time,
}

impl State {
    /// So many motes, from a time on.
    pub fn new(motes: usize, begin: Time) -> State {
        let mote = Mote { since: begin, ..Mote::default() };
        State { motes: vec![mote; motes], begin }
    }

    /// A transmission is complete.
    pub fn transmission(&mut self, sent: &Transmission) {
        if let Some(mote) = self.motes.get_mut(sent.sender as usize) {
            mote.sent = Some(sent.end);
        }
        for arrival in &sent.arrivals {
            let Some(mote) = self.motes.get_mut(arrival.mote as usize) else { continue };
            if arrival.fate.is_heard() {
                mote.heard = Some(sent.end);
            } else if arrival.fate.is_lost() {
                mote.lost = Some(sent.end);
            }
        }
    }

    /// Takes the change of a current.
    pub fn event(&mut self, event: &Event) {
        let Kind::Current { whole_fa, .. } = event.kind else { return };
        if let Some(mote) = self.motes.get_mut(event.mote as usize) {
            mote.drawn = mote.charge(event.time);
            (mote.draws, mote.since) = (whole_fa, event.time);
        }
    }

    /// The mean current of a mote up to `now`, in femtoamperes.
    pub fn mean(&self, mote: &Mote, now: Time) -> u128 {
        let time = now.max(self.begin + Time::UNIT) - self.begin;
        mote.charge(now) / time.ps()
    }
}

impl Mote {
    fn charge(&self, now: Time) -> u128 {
        self.drawn + self.draws * (now.max(self.since) - self.since).ps()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currents_are_means_over_time() {
        let mut state = State::new(2, Time::from_us(100));
        let current = |us, mote, whole_fa| Event {
            time: Time::from_us(us),
            cycle: 0,
            mote,
            kind: Kind::Current { component: "CPU".into(), fa: None, whole_fa },
        };
        state.event(&current(100, 0, 40));
        state.event(&current(150, 0, 0));
        state.event(&current(100, 1, 7));
        let means = |us| [0, 1].map(|mote| state.mean(&state.motes[mote], Time::from_us(us)));
        assert_eq!(means(150), [40, 7]);
        assert_eq!(means(200), [20, 7]);
        let state = State::new(1, Time::ZERO);
        assert_eq!(state.mean(&state.motes[0], Time::ZERO), 0, "nothing has been drawn yet");
    }
}
