// SPDX-License-Identifier: MIT OR Apache-2.0
//! However an image is damaged, reading it succeeds or is refused; it never panics and always ends.

use lichen_image::{Image, Region, Target};

const TINY: &[u8] = include_bytes!("data/tiny.elf");

const MEMORIES: [Region; 2] = [
    Region { name: "flash", start: 0, size: 256 * 1024 },
    Region { name: "RAM", start: 0x2000_0000, size: 32 * 1024 },
];

/// Queries everything in an image; returns whether it was accepted.
fn use_all(bytes: Vec<u8>) -> bool {
    let Ok(image) = Image::parse("damaged.elf", bytes) else { return false };
    let (part, architecture, variants, signature) = ("PART", "ARMv6-M", &[][..], &[][..]);
    let memories = &MEMORIES;
    let target = Target { part, architecture, machine: 40, variants, signature, memories };
    let fits = image.check_fits(&target);
    for address in (0..0x60).step_by(2) {
        image.symbols().place(address);
        image.locations(address);
        image.bytes_at(address, 8);
    }
    for name in ["shape", "record_t", "point"] {
        image.structure(name);
    }
    image.enumeration("colour");
    image.variables("point");
    fits.is_ok()
}

/// Numbers that look random and are the same in every run (xorshift64).
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[test]
fn every_truncation_is_survived() {
    let accepted = (0..TINY.len()).filter(|length| use_all(TINY[..*length].to_vec())).count();
    assert_eq!(accepted, 0, "the section headers are the last thing in the file");
}

#[test]
fn bit_flips_are_survived() {
    let mut noise = Noise(0x11C8E4);
    let mut refused = 0;
    for round in 0..3_000 {
        let mut bytes = TINY.to_vec();
        for _ in 0..1 + round % 4 {
            let bit = noise.below(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        refused += usize::from(!use_all(bytes));
    }
    assert!(refused > 0, "some flips hit the headers");
}

#[test]
fn wild_header_words_are_survived() {
    let interesting = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, TINY.len() as u32];
    let headers = (16..0x100).chain(TINY.len() - 0x300..TINY.len() - 3);
    for at in headers.step_by(2) {
        for word in interesting {
            let mut bytes = TINY.to_vec();
            bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
            use_all(bytes);
        }
    }
}
