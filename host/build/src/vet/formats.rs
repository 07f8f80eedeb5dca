// SPDX-License-Identifier: MIT OR Apache-2.0
//! Formats of print: what it does not know would be printed as it is, and every argument after it
//! would be taken for another. The compiler has compared the arguments with the format, but it knows
//! all conversions of C.
//!
//! A format has a name of its own in the image (`PRINT_FORMAT` in `lichen/print.h`, and `syslog`).

use super::place;
use lichen_image::{Image, Symbol};
use lichen_project::{Explain, Place};

/// How the names of formats begin.
const NAMES: [&str; 2] = ["print_format_", "syslog_format_"];

/// A conversion that print does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("print has no `{conversion}', which this format uses: \"{format}\"")]
pub struct FormatError {
    /// As written: `%5.2f`.
    pub conversion: String,
    /// The whole format.
    pub format: String,
    /// Where the format is.
    pub place: Option<Place>,
}

impl Explain for FormatError {
    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn remedy(&self) -> Option<String> {
        Some(remedy(&self.conversion).to_string())
    }
}

/// Refuses formats with conversions that print does not have.
pub(super) fn vet(image: &Image) -> Result<(), FormatError> {
    let is_format = |object: &&Symbol| NAMES.iter().any(|name| object.name.starts_with(name));
    for object in image.symbols().objects().iter().filter(is_format) {
        let Some(bytes) = image.bytes_at(object.address, object.size as usize) else { continue };
        let format = String::from_utf8_lossy(bytes);
        let format = format.trim_end_matches('\0');
        if let Some(conversion) = unknown(format) {
            let declared = image.variables_in(object.address..object.address + 1);
            let known = declared
                .iter()
                .find_map(|variable| Some(Place::line(variable.file.as_deref()?, variable.line?)));
            return Err(FormatError {
                conversion: conversion.to_string(),
                format: format.escape_default().to_string(),
                place: known.or_else(|| place(image, object.address)),
            });
        }
    }
    Ok(())
}

/// The first conversion in `format` that is not one of `%[-0][*|width][l|ll]` and a letter.
fn unknown(format: &str) -> Option<&str> {
    let mut rest = format;
    while let Some(begin) = rest.find('%') {
        let text = &rest[begin..];
        let flags = text[1..].trim_start_matches(['-', '0']);
        let width = flags.strip_prefix('*').unwrap_or(flags);
        let length = width.trim_start_matches(|c: char| c.is_ascii_digit());
        let letter =
            length.strip_prefix("ll").or_else(|| length.strip_prefix('l')).unwrap_or(length);
        let is_long = letter.len() < length.len();
        let is_known = match letter.chars().next() {
            Some('d' | 'i' | 'u' | 'x') => true,
            Some('s' | 'c' | '%') => !is_long,
            _ => false,
        };
        if !is_known {
            return Some(written(text));
        }
        rest = &letter[1..];
    }
    None
}

/// A conversion of C up to its letter: flags, width, precision, length.
fn written(text: &str) -> &str {
    let rest = text[1..].trim_start_matches(|c: char| "-+ #0123456789.*hlLqjzt".contains(c));
    let letter = rest.chars().next().map_or(0, char::len_utf8);
    &text[..text.len() - rest.len() + letter]
}

/// What to write in place of a conversion.
fn remedy(conversion: &str) -> &'static str {
    let letter = conversion.chars().last().unwrap_or('%');
    match letter {
        'e' | 'f' | 'g' | 'a' | 'E' | 'F' | 'G' | 'A' => {
            "there is no floating point in formats: print a number in two parts, such as hundredths by \
             print(\"%d.%02d\", n / 100, n % 100)"
        }
        'p' => "print an address as a number: 0x%lx, with (unsigned long)(uintptr_t)pointer",
        'X' => "write %x: its digits are lower case",
        'o' => "write %x or %u",
        _ if conversion.contains('.') => "there is no precision, only a width: %5d, %05u, %-8s",
        _ if conversion.contains(['z', 'j', 't', 'h']) => {
            "cast the argument: (unsigned) for %u, (unsigned long) for %lu"
        }
        _ => "lichen/print.h lists what there is; a percent sign is %%",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_print_has_is_known() {
        for format in [
            "",
            "plain",
            "%d %i %u %x %s %c %%",
            "%5d|%-5u|%08lx|%-10s|%*d",
            "%lld %llu %lx",
            "100%%",
        ] {
            assert_eq!(unknown(format), None, "{format}");
        }
    }

    #[test]
    fn what_it_does_not_have_is_reported_as_written() {
        for (format, conversion) in [
            ("a %f b", "%f"),
            ("%d %5.2f", "%5.2f"),
            ("%p", "%p"),
            ("%zu of %d", "%zu"),
            ("%X", "%X"),
            ("%.3s", "%.3s"),
            ("%+d", "%+d"),
            ("%ls", "%ls"),
            ("50%", "%"),
            ("%% %", "%"),
            ("%é", "%é"),
        ] {
            assert_eq!(unknown(format), Some(conversion), "{format}");
        }
    }

    #[test]
    fn each_has_a_remedy_of_its_own() {
        assert!(remedy("%5.2f").contains("hundredths"));
        assert!(remedy("%.3s").contains("precision"));
        assert!(remedy("%zu").contains("cast"));
        assert!(remedy("%X").contains("lower case"));
        assert!(remedy("%").contains("%%"));
    }
}
