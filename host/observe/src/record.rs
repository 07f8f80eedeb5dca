// SPDX-License-Identifier: MIT OR Apache-2.0
//! Structures of the firmware, read from memory by the names of their members.
//!
//! Addresses are linear: what a pointer holds becomes one by the debug information and the architecture.

use lichen_chip::Chip;
use lichen_image::{Image, Pointee, Structure};
use lichen_isa::Architecture;

/// Where bytes come from: a running chip, or the image before it runs.
pub trait Bytes {
    /// The architecture, which knows what pointers hold.
    fn architecture(&self) -> Option<&'static Architecture>;

    /// Fills `into` with the bytes at `address`, if they are there.
    fn fill(&self, address: u32, into: &mut [u8]) -> Option<()>;
}

impl Bytes for dyn Chip + '_ {
    fn architecture(&self) -> Option<&'static Architecture> {
        Some(self.core().architecture())
    }

    fn fill(&self, address: u32, into: &mut [u8]) -> Option<()> {
        self.peek(address, into).ok()
    }
}

impl Bytes for Image {
    fn architecture(&self) -> Option<&'static Architecture> {
        lichen_isa::architecture(self.machine().number())
    }

    fn fill(&self, address: u32, into: &mut [u8]) -> Option<()> {
        into.copy_from_slice(self.initial_bytes_at(address, into.len())?);
        Some(())
    }
}

/// One object of a structure type in memory.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a, B: ?Sized> {
    /// The memory.
    pub bytes: &'a B,
    /// The structure.
    pub layout: &'a Structure,
    /// Where the object is.
    pub address: u32,
}

impl<B: Bytes + ?Sized> Record<'_, B> {
    /// Value of a member of 1, 2 or 4 bytes.
    pub fn get(&self, member: &str) -> Option<u32> {
        self.element(member, 0, 1)
    }

    /// What a member that is a pointer points to, as a linear address; 0 for a pointer to nothing.
    pub fn address(&self, member: &str) -> Option<u32> {
        let pointer = self.get(member)?;
        let architecture = self.bytes.architecture()?;
        Some(match self.layout.member(member)?.points_to {
            _ if pointer == 0 => 0,
            Some(Pointee::Code) => architecture.code_address(pointer),
            Some(Pointee::Flash(base)) => base + pointer,
            Some(Pointee::Data) | None => architecture.data_address(pointer),
        })
    }

    /// The text that a member points to, at most `most` bytes of it. Where flash has addresses of its own,
    /// the kernel places text beyond the end of RAM, so that its address tells where it is.
    pub fn text(&self, member: &str, most: u32) -> Option<String> {
        let pointer = self.get(member)?;
        let data = self.bytes.architecture()?.data_address(pointer);
        text(self.bytes, data, most).or_else(|| text(self.bytes, pointer, most))
    }

    /// Value of element `index` of a member that is an array of `count`, each of 1, 2 or 4 bytes.
    pub fn element(&self, member: &str, index: u32, count: u32) -> Option<u32> {
        let member = self.layout.member(member).filter(|_| index < count)?;
        let size = member.size.checked_div(count).filter(|size| matches!(size, 1 | 2 | 4))?;
        let at = self.address.checked_add(member.offset)?.checked_add(index.checked_mul(size)?)?;
        number(self.bytes, at, size)
    }

    /// Value of a member of 8 bytes.
    pub fn get_64(&self, member: &str) -> Option<u64> {
        let member = self.layout.member(member).filter(|member| member.size == 8)?;
        let mut value = [0; 8];
        self.bytes.fill(self.address.checked_add(member.offset)?, &mut value)?;
        Some(u64::from_le_bytes(value))
    }
}

/// Text at `address` up to its zero byte, at most `most` bytes.
pub(crate) fn text(bytes: &(impl Bytes + ?Sized), address: u32, most: u32) -> Option<String> {
    let mut text = Vec::new();
    for offset in 0..most {
        let mut byte = [0];
        bytes.fill(address.checked_add(offset)?, &mut byte)?;
        if byte[0] == 0 {
            break;
        }
        text.push(byte[0]);
    }
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// What the pointer to data at `address` points to, as a linear address; 0 for a pointer to nothing.
pub fn pointer(bytes: &(impl Bytes + ?Sized), address: u32) -> Option<u32> {
    let architecture = bytes.architecture()?;
    let mut pointer = [0; 4];
    let size = (architecture.pointers.data_bytes as usize).min(pointer.len());
    bytes.fill(address, &mut pointer[..size])?;
    let pointer = architecture.byte_order.number(&pointer[..size]);
    Some(if pointer == 0 { 0 } else { architecture.data_address(pointer) })
}

/// The byte at `address`.
pub(crate) fn byte(bytes: &(impl Bytes + ?Sized), address: u32) -> Option<u8> {
    let mut byte = [0];
    bytes.fill(address, &mut byte)?;
    Some(byte[0])
}

/// The little-endian number of `size` bytes, at most 4, at `address`.
pub(crate) fn number(bytes: &(impl Bytes + ?Sized), address: u32, size: u32) -> Option<u32> {
    let mut value = [0; 4];
    bytes.fill(address, value.get_mut(..size as usize)?)?;
    Some(u32::from_le_bytes(value))
}

/// The little-endian word at `address`.
pub(crate) fn word(bytes: &(impl Bytes + ?Sized), address: u32) -> Option<u32> {
    number(bytes, address, 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_image::Member;
    use lichen_isa::avr8;

    /// Memory from address 0 on, of an AVR.
    struct Memory(Vec<u8>);

    impl Bytes for Memory {
        fn architecture(&self) -> Option<&'static Architecture> {
            Some(&avr8::ARCHITECTURE)
        }

        fn fill(&self, address: u32, into: &mut [u8]) -> Option<()> {
            let from = self.0.get(address as usize..)?;
            into.copy_from_slice(from.get(..into.len())?);
            Some(())
        }
    }

    fn layout() -> Structure {
        let member = |name: &str, offset, size| {
            let name = name.to_string();
            Member { name, offset, size, structure: None, points_to: None }
        };
        let members = vec![member("flag", 0, 1), member("handlers", 1, 6), member("odd", 7, 3)];
        Structure { size: 10, members }
    }

    #[test]
    fn members_and_elements_have_the_sizes_of_the_layout() {
        let (bytes, layout) = (Memory((0..20).collect()), layout());
        let record = Record { bytes: &bytes, layout: &layout, address: 2 };
        assert_eq!(record.get("flag"), Some(2));
        let handlers = [0, 1, 2, 3].map(|index| record.element("handlers", index, 3));
        assert_eq!(handlers, [Some(0x0403), Some(0x0605), Some(0x0807), None]);
    }

    #[test]
    fn what_is_not_there_or_no_number_is_none() {
        let (bytes, layout) = (Memory((0..20).collect()), layout());
        let record = Record { bytes: &bytes, layout: &layout, address: 2 };
        assert_eq!(
            [record.get("odd"), record.get("none"), record.element("flag", 0, 0)],
            [None; 3]
        );
        for address in [15, u32::MAX] {
            assert_eq!(Record { address, ..record }.element("handlers", 2, 3), None);
        }
    }
}
