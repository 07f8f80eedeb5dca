// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes of a structure, of an object, or of the difference between two programs.

use super::{BenchError, OnWork, Reading, Rig};
use lichen_build::size::Sizes;
use lichen_image::Image;
use serde::Deserialize;

/// Bytes of something, read from the debug information or the symbol table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Name of the structure.
    pub structure: Option<String>,
    /// Name of the object, if it is no structure.
    pub symbol: Option<String>,
    /// Name of the enumeration's constant that says the size, if it is neither.
    pub constant: Option<String>,
    /// The enumeration; with `constant` only.
    pub enumeration: Option<String>,
    /// Two symbols; the size is what lies between them.
    pub between: Option<[String; 2]>,
    /// The memory that the whole image occupies, if it is none of these.
    pub memory: Option<Memory>,
    /// Program whose image is subtracted; with `memory` only.
    pub without: Option<String>,
    /// Functions and objects of the program that are subtracted; with `memory` only.
    #[serde(default)]
    pub less: Vec<String>,
}

/// A memory of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    /// Flash.
    Rom,
    /// RAM.
    Ram,
    /// RAM without stacks.
    Data,
}

impl Rig<'_> {
    /// Reads the size that `entry` asks for.
    pub(super) fn size(&self, entry: &Size, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        if let Some(memory) = entry.memory {
            let bytes = self.taken(entry, memory, &image, on_work)?;
            return self.reading(entry.title(), bytes, "bytes", difference(entry), features);
        }
        if let Some([from, to]) = &entry.between {
            let [begin, end] = [self.address(&image, from)?, self.address(&image, to)?];
            let detail = format!("{from} to {to}");
            let bytes = f64::from(end.saturating_sub(begin));
            return self.reading(entry.title(), bytes, "bytes", detail, features);
        }
        let (name, bytes) = match (&entry.structure, &entry.symbol, &entry.constant) {
            (Some(name), None, None) => {
                (name, image.structure(name).map(|structure| f64::from(structure.size)))
            }
            (None, Some(name), None) => {
                (name, image.symbols().find(name).map(|symbol| f64::from(symbol.size)))
            }
            (None, None, Some(name)) => {
                (name, constant(&image, entry.enumeration.as_deref(), name))
            }
            _ => {
                let message = "a [[size]] needs one of `structure`, `symbol`, `constant`, `between` and `memory`";
                return Err(self.wrong(message));
            }
        };
        let bytes = bytes.ok_or_else(|| self.missing(name, &entry.program))?;
        self.reading(entry.title(), bytes, "bytes", name.clone(), features)
    }

    /// Bytes of `memory` that the program occupies, without those of the other program and of the
    /// symbols that do not count.
    fn taken(
        &self,
        entry: &Size,
        memory: Memory,
        image: &Image,
        on_work: OnWork,
    ) -> Result<f64, BenchError> {
        let mut bytes = f64::from(in_memory(image, memory));
        if let Some(other) = &entry.without {
            let (other, _) = self.build(other, on_work)?;
            bytes -= f64::from(in_memory(&other, memory));
        }
        for name in &entry.less {
            let symbol = image.symbols().find(name);
            let symbol = symbol.ok_or_else(|| self.missing(name, &entry.program))?;
            bytes -= f64::from(symbol.size);
        }
        Ok(bytes)
    }

    fn missing(&self, name: &str, program: &str) -> BenchError {
        self.wrong(format!("`{name}` is not in the image of {program}"))
    }
}

fn in_memory(image: &Image, memory: Memory) -> u32 {
    let sizes = Sizes::of(image);
    match memory {
        Memory::Rom => sizes.rom(),
        Memory::Ram => sizes.ram(),
        Memory::Data => sizes.ram() - stacks(image),
    }
}

/// Bytes of the stacks of threads and of the kernel.
fn stacks(image: &Image) -> u32 {
    let find = |name| image.symbols().find(name).map_or(0, |symbol| symbol.address);
    let between = |from, to| find(to).saturating_sub(find(from));
    between("thread_stacks_begin", "thread_stacks_end")
        + between("kernel_stack_bottom", "kernel_stack_top")
}

fn difference(entry: &Size) -> String {
    let without = entry.without.as_ref().map(|other| format!(" without {other}"));
    let less = match entry.less.len() {
        0 => String::new(),
        n => format!(" and {n} functions of its own"),
    };
    format!("{}{}{less}", entry.program, without.unwrap_or_default())
}

/// Value of the constant `name` of `enumeration`.
fn constant(image: &Image, enumeration: Option<&str>, name: &str) -> Option<f64> {
    let enumeration = image.enumeration(enumeration?)?;
    let found = enumeration.values.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| *value as f64)
}
