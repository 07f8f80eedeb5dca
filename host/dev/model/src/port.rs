// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs between the machines that the kernel runs on.

use crate::Tick;

/// Microseconds divided by 64, as `Port::ticks` are.
const US: u128 = 15_625;

/// A machine, as far as the specification depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// Ticks a second, divided by 64.
    ticks: u16,
    /// The number of ticks by which a deadline may be late (`TIME_LATE_TICKS` of `lichen/time.h`).
    pub late: Tick,
    /// By how much an alarm's interrupt may be late, us, while no handler of another one keeps the
    /// processor: `ALARM_LATE_US`, and what the kernel does with interrupts off or held.
    pub alarm_late_us: u64,
    /// The fewest ticks between two readings around a slice of 5 ms.
    pub slice: Tick,
    /// The drivers' level: the least urgent one of interrupts.
    pub driver: usize,
    /// Whether an alarm that comes while posts are pending may be served before them.
    pub alarms_overtake: bool,
}

impl Port {
    /// 32,768 ticks a second, three levels above the kernel's.
    pub const SAM_R21: Port = Port {
        ticks: 512,
        late: 40,
        alarm_late_us: 60,
        slice: 163,
        driver: 2,
        alarms_overtake: false,
    };
    /// 1,024 ticks a second, two levels. The kernel level serves the clock whenever it is entered.
    pub const ATMEGA128: Port =
        Port { ticks: 16, late: 4, alarm_late_us: 200, slice: 4, driver: 1, alarms_overtake: true };

    /// Ticks a second.
    pub fn tick_hz(self) -> u64 {
        64 * u64::from(self.ticks)
    }

    /// The first tick at or after a moment in microseconds.
    pub fn tick_of_us(self, us: u64) -> Tick {
        (u128::from(us) * u128::from(self.ticks)).div_ceil(US) as Tick
    }

    /// The moment of a tick in microseconds, rounded down.
    pub fn us_of_tick(self, tick: Tick) -> u64 {
        (u128::from(tick) * US / u128::from(self.ticks)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_lies_between_two_ticks() {
        for port in [Port::SAM_R21, Port::ATMEGA128] {
            for us in [0, 1, 976, 977, 15_625, 1_000_000] {
                let tick = port.tick_of_us(us);
                assert!(port.us_of_tick(tick) >= us, "{us}");
                assert!(tick == 0 || port.us_of_tick(tick - 1) < us, "{us}");
            }
        }
        assert_eq!(Port::ATMEGA128.tick_of_us(1_000_000), Port::ATMEGA128.tick_hz());
    }
}
