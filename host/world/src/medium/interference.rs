// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is on the air and comes from no mote: recorded bursts of other devices.

use super::geometry::Position;
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;
use lichen_device::air::{Modulation, Transmission};
use std::sync::Arc;

/// A burst of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// When it begins, from the beginning of the recording on.
    pub time: Time,
    /// How long it lasts; longer than 0.
    pub duration: Time,
    /// Centre of its channel, in kHz.
    pub khz: u32,
    /// Its power in hundredths of a dBm: at every antenna, or at its own one if it has a place.
    pub power: i32,
}

/// A recording of bursts, in the order of their times.
#[derive(Clone, Debug, PartialEq)]
pub struct Interference {
    /// The bursts.
    pub bursts: Arc<[Burst]>,
    /// When the recording begins.
    pub from: Time,
    /// It begins anew after so long, if it does: no burst of it begins later.
    pub repeat: Option<Time>,
    /// Where it comes from; everywhere, if it has no place.
    pub position: Option<Position>,
}

/// How far a recording has been followed: bursts of all its repetitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Followed(u64);

impl Interference {
    /// The next burst, with the time at which it begins; none if there are no more.
    fn next(&self, followed: Followed) -> Option<(Time, &Burst)> {
        let count = self.bursts.len() as u64;
        let (round, index) = (followed.0.checked_div(count)?, followed.0 % count);
        let round = match self.repeat {
            _ if round == 0 => Time::ZERO,
            Some(repeat) => repeat * round,
            None => return None,
        };
        let burst = &self.bursts[index as usize];
        Some((self.from + round + burst.time, burst))
    }

    /// When the next burst begins.
    pub(super) fn due(&self, followed: Followed) -> Time {
        self.next(followed).map_or(Time::NEVER, |(time, _)| time)
    }

    /// The next burst, as it is on the air.
    pub(super) fn take(&self, followed: &mut Followed) -> Option<Transmission> {
        let (begin, burst) = self.next(*followed)?;
        let number = followed.0 as u32;
        followed.0 += 1;
        Some(Transmission {
            number,
            begin,
            end: begin + burst.duration,
            frequency_khz: burst.khz,
            power: burst.power,
            modulation: Modulation::Noise,
            bytes: [].into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(repeat: Option<Time>) -> Interference {
        let burst = |ms| Burst {
            time: Time::from_ms(ms),
            duration: Time::from_us(300),
            khz: 2_437_000,
            power: -5_000,
        };
        let bursts = [burst(1), burst(4)].into();
        Interference { bursts, from: Time::from_ms(100), repeat, position: None }
    }

    fn times(it: &Interference, count: usize) -> Vec<u64> {
        let mut followed = Followed::default();
        let taken = (0..count).map_while(|_| it.take(&mut followed));
        taken.map(|sent| sent.begin.us() / 1_000).collect()
    }

    #[test]
    fn a_recording_is_followed_once_or_again_and_again() {
        assert_eq!(times(&recording(None), 9), [101, 104]);
        let again = recording(Some(Time::from_ms(10)));
        assert_eq!(times(&again, 5), [101, 104, 111, 114, 121]);
        let empty = Interference { bursts: [].into(), ..again };
        assert_eq!((times(&empty, 3).len(), empty.due(Followed::default())), (0, Time::NEVER));
    }
}
