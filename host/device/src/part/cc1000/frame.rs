// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the frame begins in what a radio of bits has sent.
//!
//! The radio knows no frames. For observers a frame is what lies between the beginning and the end of a carrier, from the
//! end of its preamble on: alternating bits, which software sends so that receivers settle, and the synchronization word
//! of TinyOS if that follows.

/// Bytes at the beginning that may be something else: what was in the mote's shift register.
const LEADING: usize = 4;
/// Synchronization words that are recognized.
const SYNCHRONIZATION: [[u8; 2]; 2] = [[0x33, 0xCC], [0xCC, 0x33]];

fn is_alternating(byte: u8) -> bool {
    byte == 0xAA || byte == 0x55
}

/// Index of the first byte of the frame, and their number if there is only a preamble.
pub(super) fn start(bytes: &[u8]) -> usize {
    let pairs = bytes.windows(2).take(LEADING + 1);
    let preamble = pairs.enumerate().find(|(_, it)| is_alternating(it[0]) && it[0] == it[1]);
    let Some((preamble, _)) = preamble else { return 0 };
    let run = bytes[preamble..].iter().take_while(|byte| is_alternating(**byte)).count();
    let start = preamble + run;
    let is_word = SYNCHRONIZATION.iter().any(|word| bytes[start..].starts_with(word));
    if is_word { start + 2 } else { start }
}

#[cfg(test)]
mod tests {
    use super::start;

    #[test]
    fn a_frame_begins_after_its_preamble() {
        for (bytes, expected) in [
            (&[0xAA, 0xAA, 0xAA, 0x33, 0xCC, 1, 2][..], 5),
            (&[0x00, 0xAA, 0xAA, 0x33, 0xCC, 1, 2], 5),
            (&[0x55, 0x55, 0x7E, 1], 2),
            (&[0xAA, 0xAA], 2),
            (&[1, 2, 3], 0),
            (&[1, 2, 3, 4, 5, 6, 0xAA, 0xAA, 7], 0),
            (&[0xAA], 0),
            (&[], 0),
        ] {
            assert_eq!(start(bytes), expected, "{bytes:02x?}");
        }
    }
}
