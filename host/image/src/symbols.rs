// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of addresses and addresses of names.

use std::collections::HashMap;
use std::fmt;

/// A function or an object with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name as the linker knows it.
    pub name: String,
    /// Address, without the Thumb bit.
    pub address: u32,
    /// Size in bytes; 0 if the image does not say.
    pub size: u32,
    /// Whether it is code.
    pub function: bool,
    /// Whether other object files could refer to it, and it gives way to no other of its name.
    pub global: bool,
}

impl Symbol {
    /// Whether the function `name` of the source begins here. What the compiler has taken out of a function, such as
    /// `sum.part.0`, is called in its midst.
    pub(crate) fn is_entry_of(&self, name: &str) -> bool {
        let inner = [".part.", ".cold"].iter().any(|inner| self.name.contains(inner));
        source_name(&self.name) == name && !inner
    }
}

/// The function in the source that the compiler has made `name` of, such as `sum.isra.0` or `state.lto_priv.1`.
pub fn source_name(name: &str) -> &str {
    name.split('.').next().filter(|source| !source.is_empty()).unwrap_or(name)
}

/// A place in the code, written as `main+0x12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// Function around the address.
    pub name: &'a str,
    /// Bytes from its start.
    pub offset: u32,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = source_name(self.name);
        match self.offset {
            0 => f.write_str(name),
            offset => write!(f, "{name}+0x{offset:x}"),
        }
    }
}

/// The symbol table of an image.
#[derive(Debug, Default)]
pub struct Symbols {
    /// By address; at equal addresses, sized and global ones come last, where the search finds
    /// them.
    functions: Vec<Symbol>,
    objects: Vec<Symbol>,
    /// Name to index, functions first, then objects.
    names: HashMap<String, usize>,
}

impl Symbols {
    /// Sorts what an image contains.
    pub(crate) fn new(all: Vec<Symbol>) -> Symbols {
        let (mut functions, mut objects): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|symbol| symbol.function);
        for list in [&mut functions, &mut objects] {
            list.sort_by(|a, b| {
                (a.address, a.size > 0, a.global, &b.name).cmp(&(
                    b.address,
                    b.size > 0,
                    b.global,
                    &a.name,
                ))
            });
        }
        let mut names = HashMap::new();
        for (index, symbol) in functions.iter().chain(&objects).enumerate() {
            let known: Option<&usize> = names.get(&symbol.name);
            if known.is_none() || symbol.global {
                names.insert(symbol.name.clone(), index);
            }
        }
        Symbols { functions, objects, names }
    }

    /// The symbol called `name`; a global one before a local one.
    pub fn find(&self, name: &str) -> Option<&Symbol> {
        let index = *self.names.get(name)?;
        self.functions.get(index).or_else(|| self.objects.get(index - self.functions.len()))
    }

    /// The function around `address`. A function without a size (assembly) reaches to the next; inside a
    /// function with a size, names without one are its labels.
    pub fn place(&self, address: u32) -> Option<Place<'_>> {
        let address = address & !1;
        let behind = self.functions.partition_point(|symbol| symbol.address <= address);
        let before = &self.functions[..behind];
        let offset = |symbol: &Symbol| address - symbol.address;
        let sized = before.iter().rev().find(|symbol| symbol.size > 0);
        let around = sized.filter(|symbol| offset(symbol) < symbol.size);
        let symbol = around.or_else(|| before.last().filter(|symbol| symbol.size == 0))?;
        Some(Place { name: &symbol.name, offset: offset(symbol) })
    }

    /// All functions, by address.
    pub fn functions(&self) -> &[Symbol] {
        &self.functions
    }

    /// All objects, by address.
    pub fn objects(&self) -> &[Symbol] {
        &self.objects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, address: u32, size: u32, function: bool, global: bool) -> Symbol {
        Symbol { name: name.into(), address, size, function, global }
    }

    fn table() -> Symbols {
        Symbols::new(vec![
            symbol("main", 0x100, 0x20, true, true),
            symbol("again", 0x110, 0, true, false),
            symbol("helper", 0x120, 0, true, false),
            symbol("weak_alias", 0x200, 4, true, false),
            symbol("handler", 0x200, 4, true, true),
            symbol("counter", 0x2000_0000, 4, false, true),
            symbol("helper", 0x300, 2, true, true),
        ])
    }

    #[test]
    fn what_the_compiler_makes_of_a_function_has_its_name() {
        let names =
            ["sum.isra.0", "wait.part.1.constprop.0", "kernel_run.lto_priv.3", "main", ".L3"];
        assert_eq!(names.map(source_name), ["sum", "wait", "kernel_run", "main", ".L3"]);
        assert_eq!(Place { name: "sum.isra.0", offset: 2 }.to_string(), "sum+0x2");
    }

    #[test]
    fn parts_of_a_function_are_no_entries() {
        let begins = |name: &str| symbol(name, 0x100, 4, true, true).is_entry_of("sum");
        assert!(begins("sum") && begins("sum.isra.0") && begins("sum.constprop.0"));
        assert!(!begins("sum.part.0") && !begins("sum.cold") && !begins("summit"));
    }

    #[test]
    fn places_are_inside_their_function() {
        let table = table();
        assert_eq!(table.place(0x112).map(|p| p.to_string()).as_deref(), Some("main+0x12"));
        assert_eq!(table.place(0x110).map(|p| p.name), Some("main"), "not its label");
        assert_eq!(table.place(0x101).map(|p| p.to_string()).as_deref(), Some("main"));
        assert_eq!(table.place(0x1fe).map(|p| p.name), Some("helper"), "no size: up to the next");
        assert_eq!(table.place(0x204), None, "behind a function with a size");
        assert_eq!(table.place(0x50), None, "before the first");
    }

    #[test]
    fn global_names_come_first() {
        let table = table();
        assert_eq!(table.place(0x200).map(|p| p.name), Some("handler"));
        assert_eq!(table.find("helper").map(|s| s.address), Some(0x300));
        assert_eq!(table.find("counter").map(|s| s.size), Some(4));
        assert!(table.find("nothing").is_none());
    }
}
