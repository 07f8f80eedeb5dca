// SPDX-License-Identifier: MIT OR Apache-2.0
//! The linker's map of a program: what was placed where, and which object file it came from.

/// One piece that the linker placed: a section of an object file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Section of the image that it belongs to.
    pub output: &'a str,
    /// Its own section.
    pub section: &'a str,
    /// Where it is.
    pub address: u32,
    /// Its length.
    pub bytes: u32,
    /// The object file, `ARCHIVE(MEMBER)` for one of an archive.
    pub object: &'a str,
}

/// A member of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its source file, without its folder.
    pub source: &'a str,
    /// Whether the archive is the system's own, and not a library of the compiler.
    pub own: bool,
}

impl<'a> Piece<'a> {
    /// The archive member that it is a section of.
    pub fn member(&self) -> Option<Member<'a>> {
        let (archive, member) = self.object.strip_suffix(')')?.split_once(".a(")?;
        let source = member.strip_suffix(".obj").or_else(|| member.strip_suffix(".o"))?;
        Some(Member { source, own: archive.ends_with("liblichen") })
    }
}

/// Why a member of an archive is in the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Included<'a> {
    /// The member, `ARCHIVE(MEMBER)`.
    pub member: &'a str,
    /// The object that asked for it; empty if that was the linker.
    pub by: &'a str,
    /// The name that was asked for.
    pub symbol: &'a str,
}

/// The members that were included according to `map`: `liblichen.a(f.c.obj) main.c.obj (f)`, the rest on a line of its own
/// if the member is long.
pub fn included(map: &str) -> impl Iterator<Item = Included<'_>> {
    let mut lines = map.split("\n\n").nth(1).unwrap_or_default().lines();
    std::iter::from_fn(move || {
        let line = lines.next()?;
        let (member, needs) = match line.split_once(" (") {
            Some(_) => line.split_once(char::is_whitespace)?,
            None => (line, lines.next()?),
        };
        let (by, symbol) = needs.trim().rsplit_once('(')?;
        Some(Included { member, by: by.trim_end(), symbol: symbol.strip_suffix(')')? })
    })
}

/// The pieces placed according to `map`: ` .text.f 0x00000314 0x70 liblichen.a(f.c.obj)`, the name
/// on a line of its own if it is long.
pub fn pieces(map: &str) -> impl Iterator<Item = Piece<'_>> {
    let placed = map.split_once("Linker script and memory map").map_or("", |(_, placed)| placed);
    let mut output = "";
    let mut pending = None;
    placed.lines().filter_map(move |line| {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        if line.starts_with('.') {
            output = first;
            return None;
        }
        let (section, address) = if first.starts_with('.') {
            match words.next() {
                Some(address) => (first, address),
                None => {
                    pending = Some(first);
                    return None;
                }
            }
        } else {
            (pending.take()?, first)
        };
        let (address, bytes) = (number(address)?, number(words.next()?)?);
        let object = words.next()?;
        (bytes > 0).then_some(Piece { output, section, address, bytes, object })
    })
}

fn number(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "Discarded input sections\n\n .text 0x0 0x4 liblichen.a(gone.c.obj)\n\n\
        Linker script and memory map\n\n.text           0x00000100      0x200\n \
        .text          0x00000100       0x10 liblichen.a(switch.S.obj)\n \
        .text.timer_arm_after\n                0x00000110       0x1c liblichen.a(timer.c.obj)\n \
                       0x00000110                timer_arm_after\n \
        .text.empty    0x0000012c        0x0 liblichen.a(timer.c.obj)\n \
        .text.main     0x0000012c        0x8 CMakeFiles/full.dir/full.c.obj\n \
        .text          0x00000134       0x5c /usr/lib/v6-m/libgcc.a(_muldi3.o)\n\
        .debug_line     0x00000000      0x300\n \
        .debug_line    0x00000000       0x20 liblichen.a(timer.c.obj)\n";

    #[test]
    fn reads_why_members_are_included() {
        let map = "Archive member included to satisfy reference by file (symbol)\n\n\
            /l/liblichen.a(start.c.obj)\n                              (reset_handler)\n\
            liblichen.a(a.c.obj) CMakeFiles/a.dir/main.c.obj (a)\n\nDiscarded input sections\n";
        let start =
            Included { member: "/l/liblichen.a(start.c.obj)", by: "", symbol: "reset_handler" };
        let by = "CMakeFiles/a.dir/main.c.obj";
        let a = Included { member: "liblichen.a(a.c.obj)", by, symbol: "a" };
        assert_eq!(included(map).collect::<Vec<_>>(), [start, a]);
        assert_eq!(included("").count(), 0);
    }

    #[test]
    fn reads_what_the_linker_placed_of_archives() {
        let placed = pieces(MAP).filter_map(|p| {
            let Member { source, own } = p.member()?;
            Some((p.output, p.section, p.bytes, source, own))
        });
        let expected = [
            (".text", ".text", 0x10, "switch.S", true),
            (".text", ".text.timer_arm_after", 0x1c, "timer.c", true),
            (".text", ".text", 0x5c, "_muldi3", false),
            (".debug_line", ".debug_line", 0x20, "timer.c", true),
        ];
        assert_eq!(placed.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn reads_what_the_linker_placed_of_the_program() {
        let of_program: Vec<_> = pieces(MAP).filter(|piece| piece.member().is_none()).collect();
        let [main] = &of_program[..] else { panic!("{of_program:?}") };
        assert_eq!((main.section, main.address, main.bytes), (".text.main", 0x12c, 8));
        assert_eq!(main.object, "CMakeFiles/full.dir/full.c.obj");
    }
}
