// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers of literals, in LEB128.

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

/// Appends a number.
pub(crate) fn put(mut number: u32, into: &mut Vec<u8>) {
    while number > 0x7f {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for (number, expected) in
            [(0, 1), (1, 1), (0x7f, 1), (0x80, 2), (0x3fff, 2), (0x4000, 3), (0x7ffe, 3)]
        {
            let mut bytes = Vec::new();
            put(number, &mut bytes);
            assert_eq!(bytes.len(), expected, "{number}");
            assert_eq!(read(&bytes), Ok((number, expected)));
        }
    }

    #[test]
    fn broken_numbers_are_noticed() {
        assert_eq!(read(&[]), Err(Broken::Cut));
        assert_eq!(read(&[0x80, 0x80]), Err(Broken::Cut));
        assert_eq!(read(&[0x80, 0x80, 0x80, 0]), Err(Broken::Long));
    }
}
