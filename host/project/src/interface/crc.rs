// SPDX-License-Identifier: MIT OR Apache-2.0
//! CRC-16/CCITT-FALSE.

/// Polynomial 0x1021, most significant bit first, initially 0xffff.
pub(super) fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::crc16;

    #[test]
    fn the_check_value_is_that_of_the_catalogue() {
        assert_eq!((crc16(b"123456789"), crc16(b"")), (0x29b1, 0xffff));
    }
}
