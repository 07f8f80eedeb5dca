// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often a symbol is taken for another one, by the ratio of its power to that of noise and interference.

/// Of O-QPSK with 16 orthogonal sequences (IEEE 802.15.4-2006, annex E.4.1.8; there for bits, 8 of 15 of which are wrong
/// in a wrong symbol).
pub fn oqpsk_symbol(ratio: f64) -> f64 {
    /// 16 over k, with alternating sign, for k = 2 to 16.
    const TERMS: [f64; 15] = [
        120., -560., 1820., -4368., 8008., -11440., 12870., -11440., 8008., -4368., 1820., -560.,
        120., -16., 1.,
    ];
    let term = |(index, factor): (usize, &f64)| {
        let k = index as f64 + 2.0;
        factor * libm::exp(20.0 * ratio * (1.0 / k - 1.0))
    };
    let sum: f64 = TERMS.iter().enumerate().map(term).sum();
    (sum / 16.0).clamp(0.0, 15.0 / 16.0)
}

/// Of binary frequency shift keying, received without knowledge of the phase.
pub fn fsk_bit(ratio: f64) -> f64 {
    0.5 * libm::exp(-ratio / 2.0)
}

/// The ratio to noise that a receiver of O-QPSK needs for what its data sheet calls its sensitivity: one frame of 20 bytes
/// in a hundred is lost,
/// with its SFD and its length.
pub const OQPSK_SENSITIVE: f64 = 1.029_2;
/// The ratio that a receiver of frequency shift keying needs for one wrong bit in a thousand.
pub const FSK_SENSITIVE: f64 = 12.429;

/// The ratio at which `error` falls to `rate`.
#[cfg(test)]
fn ratio_for(error: fn(f64) -> f64, rate: f64) -> f64 {
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..60 {
        let middle = libm::sqrt(low * high);
        if error(middle) > rate {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bit error rates of the annex's figure E.2, read at 0 dB: about 1e-4, and half of all bits without a signal.
    #[test]
    fn the_curve_is_that_of_the_standard() {
        let bits = |db: f64| oqpsk_symbol(libm::exp10(db / 10.0)) * 8.0 / 15.0;
        assert!((oqpsk_symbol(0.0) * 8.0 / 15.0 - 0.5).abs() < 1e-9);
        assert!((1e-4..4e-4).contains(&bits(0.0)), "{}", bits(0.0));
        assert!((1e-9..1e-6).contains(&bits(2.0)), "{}", bits(2.0));
        assert!((0.02..0.1).contains(&bits(-4.0)), "{}", bits(-4.0));
    }

    #[test]
    fn a_ratio_is_found() {
        let symbols = 2.0 * 22.0;
        let rate = 1.0 - libm::exp(libm::log(0.99) / symbols);
        let ratio = ratio_for(oqpsk_symbol, rate);
        assert!((ratio - OQPSK_SENSITIVE).abs() < 1e-3, "{ratio}");
        assert!((ratio_for(fsk_bit, 1e-3) - FSK_SENSITIVE).abs() < 1e-2);
    }
}
