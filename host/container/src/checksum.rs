// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checksums of containers and of groups of calls.

/// CRC-32 of IEEE 802.3.
pub fn crc32(bytes: &[u8]) -> u32 {
    !crc32_add(!0, bytes)
}

/// Continues a CRC-32 over more bytes, without the inversions at its beginning and its end.
pub fn crc32_add(crc: u32, bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    bytes.iter().fold(crc, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

/// CRC-16/CCITT-FALSE.
pub fn crc16(bytes: &[u8]) -> u16 {
    let step = |crc: u16| if crc & 0x8000 != 0 { crc << 1 ^ 0x1021 } else { crc << 1 };
    bytes
        .iter()
        .fold(0xffff, |crc, byte| (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| step(crc)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check values of the catalogue of CRC algorithms.
    #[test]
    fn they_are_those_of_the_catalogue() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc16(b"123456789"), 0x29b1);
    }
}
