// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checksum of frames (IEEE 802.15.4-2020, 7.2.11): the ITU-T's CRC of 16 bits, least significant bit first.

const POLYNOMIAL: u16 = 0x8408;

/// The checksum of these bytes; it is sent with its low byte first.
pub fn fcs(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum, byte| {
        (0..8).fold(sum ^ u16::from(*byte), |sum, _| {
            if sum & 1 != 0 { sum >> 1 ^ POLYNOMIAL } else { sum >> 1 }
        })
    })
}

/// Whether the last two bytes of a frame are its checksum.
pub fn is_intact(frame: &[u8]) -> bool {
    frame.split_last_chunk().is_some_and(|(bytes, sum)| u16::from_le_bytes(*sum) == fcs(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the standard: an acknowledgment whose checksum is sent as 0010 0111 1001 1110; and the check value of
    /// CRC-16/KERMIT in the catalogue of parametrised CRC algorithms.
    #[test]
    fn it_is_that_of_the_standard() {
        assert_eq!(fcs(b"123456789"), 0x2189);
        assert_eq!(fcs(&[0x02, 0x00, 0x6A]).reverse_bits(), 0b0010_0111_1001_1110);
        assert!(is_intact(&[0x02, 0x00, 0x6A, 0xE4, 0x79]));
        assert!(!is_intact(&[7]) && !is_intact(&[1, 2, 3]));
    }
}
