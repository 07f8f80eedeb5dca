// SPDX-License-Identifier: MIT OR Apache-2.0
//! When the devices of a mote are due. They say it after each call of theirs, and are not asked again before the next one.

use lichen_chip::Time;
use lichen_device::Device;

/// A time for each device, and the earliest of them.
pub(super) struct Dues {
    times: Vec<Time>,
    first: Time,
}

impl Dues {
    /// What these devices say.
    pub fn of(devices: &[Box<dyn Device>]) -> Dues {
        let times: Vec<Time> = devices.iter().map(|device| device.due()).collect();
        Dues { first: earliest(&times), times }
    }

    /// The earliest time.
    pub fn first(&self) -> Time {
        self.first
    }

    /// When device `index` is due.
    pub fn at(&self, index: usize) -> Time {
        self.times[index]
    }

    /// Device `index`, which may be the next new one, is due at another time.
    pub fn set(&mut self, index: usize, time: Time) {
        self.times.resize(self.times.len().max(index + 1), Time::NEVER);
        let before = std::mem::replace(&mut self.times[index], time);
        if time <= self.first {
            self.first = time;
        } else if before == self.first {
            self.first = earliest(&self.times);
        }
    }

    /// Whether this is what the devices say.
    pub fn are_those_of(&self, devices: &[Box<dyn Device>]) -> bool {
        let said = Dues::of(devices);
        (said.first, &said.times) == (self.first, &self.times)
    }
}

fn earliest(times: &[Time]) -> Time {
    times.iter().copied().fold(Time::NEVER, Time::min)
}
