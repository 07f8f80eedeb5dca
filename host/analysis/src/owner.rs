// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whose code is in an image.

use crate::Text;
use lichen_image::Location;

/// Whose a file is that an image was compiled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The system's port to the architecture: assembly, and the C beside it.
    Port,
    /// The system's headers, of which programs have functions inlined.
    Header,
    /// What else is the system's.
    System,
    /// The libraries that come with the compiler, which have lines on some machines.
    Library,
    /// The program's, or that of a system that is not Lichen.
    Program,
}

impl Owner {
    /// Whose the file with this path is. The build writes paths of the system's files from the top of its tree.
    pub fn of(file: &str) -> Owner {
        if file.starts_with("os/arch/") {
            Owner::Port
        } else if file.starts_with("os/include/") {
            Owner::Header
        } else if file.starts_with("os/") {
            Owner::System
        } else if ["/libgcc/", "/newlib/"].iter().any(|part| file.contains(part)) {
            Owner::Library
        } else {
            Owner::Program
        }
    }

    /// That of the file of a place in the source; `None` if the file is not known.
    pub fn at(location: &Location) -> Option<Owner> {
        location.file.as_deref().map(Owner::of)
    }

    /// Whether it is a part of the system.
    pub fn is_system(self) -> bool {
        matches!(self, Owner::Port | Owner::Header | Owner::System)
    }
}

impl Text<'_> {
    /// Whose the function around `address` is: not what was inlined there. `None` if debug information does not say,
    /// as of much assembly.
    pub fn owner(&self, address: u32) -> Option<Owner> {
        Owner::at(self.image.locations(address).last()?)
    }

    /// Whether the function around `address` is certainly the system's.
    pub fn is_of_system(&self, address: u32) -> bool {
        self.owner(address).is_some_and(Owner::is_system)
    }

    /// Whether the code at `address` is of the port, inlined or not.
    pub fn is_of_port(&self, address: u32) -> bool {
        self.image.locations(address).iter().any(|it| Owner::at(it) == Some(Owner::Port))
    }

    /// Functions of the system that the instruction at `address` belongs to: the one around it, and
    /// those that were inlined there. A program may have functions of the same names.
    pub fn functions_of_system(&self, address: u32) -> Vec<String> {
        let locations = self.image.locations(address);
        let is_systems = |it: &Location| Owner::at(it).is_some_and(Owner::is_system);
        let around = locations.last().is_some_and(is_systems).then(|| self.name(address));
        let inlined = locations.into_iter().filter(is_systems).filter_map(|it| it.function);
        around.into_iter().chain(inlined).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_folders() {
        assert_eq!(Owner::of("os/arch/avr8/switch.S"), Owner::Port);
        assert_eq!(Owner::of("os/include/lichen/event.h"), Owner::Header);
        assert_eq!(Owner::of("os/net/link.c"), Owner::System);
        assert_eq!(Owner::of("/build/gcc/libgcc/udivsi3.c"), Owner::Library);
        for own in ["main.c", "/home/me/os/main.c", "app/os/main.c"] {
            assert_eq!(Owner::of(own), Owner::Program, "{own}");
            assert!(!Owner::of(own).is_system());
        }
    }
}
