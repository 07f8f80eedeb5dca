// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a mote prints, as people read it.

use std::fmt::Write;

/// The characters of `bytes`, which are UTF-8 as far as they can be; what has no shape of its own, such as a control
/// character, is `\xNN`.
pub fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    let escape = |text: &mut String, bytes: &[u8]| {
        for byte in bytes {
            let _ = write!(text, "\\x{byte:02x}");
        }
    };
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() && character != '\t' {
                escape(&mut text, character.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                text.push(character);
            }
        }
        escape(&mut text, chunk.invalid());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_shown_as_it_is_and_other_bytes_by_number() {
        assert_eq!(shown("21 °C\tin".as_bytes()), "21 °C\tin");
        assert_eq!(shown(b"a\x1b[0m\xff\xc2"), "a\\x1b[0m\\xff\\xc2");
        assert_eq!(shown(b""), "");
    }
}
