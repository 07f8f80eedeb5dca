// SPDX-License-Identifier: MIT OR Apache-2.0
//! What makes a chip differ from others of its kind: its serial number, and the deviations of its
//! oscillators.

use lichen_chip::{Drift, mix};

/// Accuracy at 25 degrees and 3.3 V, in parts per million either way (SAM R21 data sheet, "Electrical
/// Characteristics", oscillators; crystals as commonly sold).
const OSC8M_PPM: i32 = 7_500;
const OSC32K_PPM: i32 = 20_000;
const OSCULP32K_PPM: i32 = 45_000;
const DFLL48M_PPM: i32 = 20_000;
const XOSC32K_PPM: i32 = 20;
const XOSC_PPM: i32 = 20;

/// Distinguish keys of serial numbers and of noise from those of oscillators.
const SERIAL: u64 = 1 << 32;
const NOISE: u64 = 2 << 32;

/// The oscillators of mote `number` in a world with this seed; seed 0 is the nominal world.
///
/// Every number is drawn independently, keyed by seed, mote and oscillator, so that it does not
/// depend on how many motes there are or in which order they are made.
pub(crate) fn drift(seed: u64, number: u32) -> Drift {
    if seed == 0 {
        return Drift::default();
    }
    let draw = |oscillator: u64, limit: i32| {
        let key = mix(mix(mix(seed) ^ number as u64) ^ oscillator);
        (key % (2 * limit as u64 + 1)) as i32 - limit
    };
    Drift {
        fast_rc_ppm: draw(0, OSC8M_PPM),
        watch_rc_ppm: draw(1, OSC32K_PPM),
        low_power_rc_ppm: draw(2, OSCULP32K_PPM),
        open_loop_ppm: draw(3, DFLL48M_PPM),
        watch_crystal_ppm: draw(4, XOSC32K_PPM),
        main_crystal_ppm: draw(5, XOSC_PPM),
        radio_crystal_ppm: draw(6, XOSC_PPM),
    }
}

/// The key of the noise of mote `number` in a world with this seed.
pub(crate) fn noise(seed: u64, number: u32) -> u64 {
    mix(mix(seed) ^ NOISE ^ u64::from(number))
}

/// The serial number of mote `number` in a world with this seed. No two motes of a world have the same.
pub(crate) fn serial_number(seed: u64, number: u32) -> [u32; 4] {
    let low = mix(mix(seed) ^ SERIAL ^ u64::from(number));
    let high = mix(low);
    [high as u32, (high >> 32) as u32, low as u32, (low >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_are_unique_and_repeat() {
        let all: Vec<_> = (0..10_000).map(|mote| serial_number(5, mote)).collect();
        assert_eq!(all[7], serial_number(5, 7));
        assert_ne!(all[7], serial_number(6, 7));
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn motes_differ_and_repeat_and_stay_within_limits() {
        assert_eq!(drift(0, 3), Drift::default());
        assert_ne!(drift(1, 0), drift(1, 1));
        assert_ne!(drift(1, 0), drift(2, 0));
        assert_eq!(drift(7, 5), drift(7, 5));
        let all: Vec<i32> = (0..1_000).map(|mote| drift(9, mote).fast_rc_ppm).collect();
        assert!(all.iter().all(|ppm| ppm.abs() <= OSC8M_PPM));
        assert!(all.iter().any(|ppm| *ppm > OSC8M_PPM * 9 / 10));
        assert!(all.iter().any(|ppm| *ppm < -OSC8M_PPM * 9 / 10));
    }
}
