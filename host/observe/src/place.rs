// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses as places in the source.

use crate::callers;
use lichen_image::{Image, Location, source_name};

/// An address with what the image says about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// Address of the instruction.
    pub pc: u32,
    /// Function around it and offset, such as `main+0x12`; where the instruction is of a function of another file that has
    /// become part of that one, `led_toggle in main+0x12`.
    pub symbol: Option<String>,
    /// Source file.
    pub file: Option<String>,
    /// Line in it, from 1.
    pub line: Option<u32>,
}

/// What `image` says about the instruction at `pc`. File and line are those of the innermost
/// inlined function, where the source of the instruction is. There is none at 0, the place that is not
/// known; debug information has dropped functions there.
pub fn place(image: &Image, pc: u32) -> Place {
    if pc == 0 {
        return Place::default();
    }
    at(image, pc, &image.locations(pc))
}

/// The instruction at `pc`, which is at the first of these locations, inlined at the others.
pub(crate) fn at(image: &Image, pc: u32, locations: &[Location]) -> Place {
    let location = locations.first().cloned().unwrap_or_default();
    // A file's own functions stand for what is inlined of it there.
    let of_file = locations.iter().take_while(|it| it.file == location.file);
    let function = of_file.last().and_then(|it| it.function.as_deref());
    let symbol = image.symbols().place(pc).map(|around| match function {
        Some(function) if function != source_name(around.name) => format!("{function} in {around}"),
        _ => around.to_string(),
    });
    Place { pc, symbol, file: location.file, line: location.line }
}

/// The same, but the line of the program, where the instruction is one of a function of the system that was inlined
/// there.
pub fn place_in_program(image: &Image, pc: u32) -> Place {
    callers::of_program(image, pc).unwrap_or_else(|| place(image, pc))
}

/// A file's path without what precedes the tree of Lichen, if it lies in one.
pub fn from_the_tree(file: &str) -> &str {
    let at = ["/os/", "/app/"].iter().find_map(|folder| file.rfind(folder));
    let file = at.map_or(file, |at| &file[at + 1..]);
    file.strip_prefix("./").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_tree() {
        assert_eq!(from_the_tree("/home/me/lichen/os/chip/samr21/tc.c"), "os/chip/samr21/tc.c");
        assert_eq!(from_the_tree("./main.c"), "main.c");
        assert_eq!(from_the_tree("os/chip/samr21/tc.c"), "os/chip/samr21/tc.c");
        assert_eq!(
            from_the_tree("/RIOT/cpu/sam0_common/periph/uart.c"),
            "/RIOT/cpu/sam0_common/periph/uart.c"
        );
    }
}
