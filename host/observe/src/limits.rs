// SPDX-License-Identifier: MIT OR Apache-2.0
//! How deep drivers allow the processor to sleep: the bytes that `POWER_LIMIT` declares, which the linker puts side
//! by side, each with the deepest mode that its driver can bear plus one.

use crate::from_the_tree;
use lichen_chip::Chip;
use lichen_image::Image;
use std::fmt;

/// Where the linker puts them.
const BEGIN: &str = "power_limits_begin";
const END: &str = "power_limits_end";
/// An image with more of them is not one of this kernel.
const MOST: u32 = 256;

/// A limit that a driver has declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Its name in the source.
    pub name: String,
    /// The driver's source file, if the image says so.
    pub file: Option<String>,
    /// Place among the others.
    place: usize,
}

/// With its file, where that is known: the names of two drivers' limits may be the same.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{} ({file})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// The limits of an image; none in images of others.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    begin: u32,
    bytes: usize,
    limits: Vec<Limit>,
}

impl Limits {
    /// Those that `image` declares.
    pub fn find(image: &Image) -> Limits {
        let address = |name| image.symbols().find(name).map(|symbol| symbol.address);
        let (Some(begin), Some(end)) = (address(BEGIN), address(END)) else {
            return Limits::default();
        };
        let bytes = end.saturating_sub(begin);
        if bytes == 0 || bytes > MOST {
            return Limits::default();
        }
        let declared = image.variables_in(begin..end);
        let file = |address| {
            let variable = declared.iter().find(|variable| variable.address == Some(address))?;
            Some(from_the_tree(variable.file.as_deref()?).to_string())
        };
        let objects = image.symbols().objects().iter();
        let limits = objects
            .filter(|object| object.size > 0 && (begin..end).contains(&object.address))
            .map(|object| Limit {
                name: object.name.clone(),
                file: file(object.address),
                place: (object.address - begin) as usize,
            });
        Limits { begin, bytes: bytes as usize, limits: limits.collect() }
    }

    /// The limits that allow the processor of `chip` no deeper mode than each other, and less than all others: those
    /// that the kernel obeys.
    pub fn in_force(&self, chip: &dyn Chip) -> Vec<&Limit> {
        let mut values = vec![0; self.bytes];
        if self.bytes == 0 || chip.peek(self.begin, &mut values).is_err() {
            return Vec::new();
        }
        let Some(least) = values.iter().copied().filter(|value| *value > 0).min() else {
            return Vec::new();
        };
        self.limits.iter().filter(|limit| values[limit.place] == least).collect()
    }
}
