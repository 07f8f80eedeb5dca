// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers in the stream: LEB128, and zigzag for those with a sign.

/// The most bytes of a number.
pub(crate) const NUMBER_BYTES: usize = 3;

/// Why a number cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The bytes end within it.
    Cut,
    /// It has more than three bytes.
    Long,
}

/// The number at the beginning of `bytes`, and how many bytes it has.
pub(crate) fn read(bytes: &[u8]) -> Result<(u32, usize), Broken> {
    let mut number = 0;
    for index in 0..NUMBER_BYTES {
        let byte = *bytes.get(index).ok_or(Broken::Cut)?;
        number |= u32::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Ok((number, index + 1));
        }
    }
    Err(Broken::Long)
}

/// The sign back: 0, 1, 2, 3 are 0, -1, 1, -2.
pub(crate) fn signed(number: u32) -> i64 {
    let half = i64::from(number >> 1);
    if number & 1 == 1 { -half - 1 } else { half }
}

/// Appends a number.
pub(crate) fn put(mut number: u32, into: &mut Vec<u8>) {
    while number > 0x7f {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Appends a number with a sign.
pub(crate) fn put_signed(number: i64, into: &mut Vec<u8>) {
    let magnitude = number.unsigned_abs() as u32;
    put(if number < 0 { 2 * magnitude - 1 } else { 2 * magnitude }, into);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, -1, 63, -64, 64, -65, 8191, -8192, 8192, -8193, 500_000, -500_000] {
            let mut bytes = Vec::new();
            put_signed(number, &mut bytes);
            let expected = match number {
                -64..=63 => 1,
                -8192..=8191 => 2,
                _ => 3,
            };
            assert_eq!(bytes.len(), expected, "{number}");
            let (read, length) = read(&bytes).expect("a number");
            assert_eq!((signed(read), length), (number, expected));
        }
        assert_eq!([0, 1, 2, 3].map(signed), [0, -1, 1, -2], "as the specification has it");
    }

    #[test]
    fn broken_numbers_are_noticed() {
        assert_eq!(read(&[]), Err(Broken::Cut));
        assert_eq!(read(&[0x80, 0x80]), Err(Broken::Cut));
        assert_eq!(read(&[0x80, 0x80, 0x80, 0]), Err(Broken::Long));
    }
}
