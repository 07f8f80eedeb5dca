// SPDX-License-Identifier: MIT OR Apache-2.0
//! Power, on two scales.

/// Power in milliwatts of `centidbm` hundredths of a dBm.
pub fn milliwatts(centidbm: i32) -> f64 {
    libm::exp10(f64::from(centidbm) / 1_000.0)
}

/// Power in hundredths of a dBm.
pub fn centidbm(milliwatts: f64) -> i32 {
    libm::round(libm::log10(milliwatts) * 1_000.0) as i32
}
