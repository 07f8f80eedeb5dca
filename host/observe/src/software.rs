// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interrupts that test programs leave to the host. It makes them pending at moments of its choice, to see
//! what the programs' handlers do there.

use lichen_image::Image;

/// Which interrupts a program leaves to the host, by number; a table of bytes, one for each level, the most
/// urgent first.
const TABLE: &str = "software_interrupts_of_levels";

/// Those of programs without a table: TCC0, TCC1 and TCC2 of the SAM R21
/// (`test/mote/frame/samr21/software_interrupt.h`).
const WITHOUT_TABLE: [u32; 3] = [31, 32, 33];

/// Numbers of the interrupts that the program of `image` leaves to the host, by level.
pub fn software_interrupts(image: &Image) -> Vec<u32> {
    let table = image.symbols().find(TABLE).and_then(|symbol| {
        image.initial_bytes_at(symbol.address, symbol.size as usize).filter(|it| !it.is_empty())
    });
    match table {
        Some(numbers) => numbers.iter().copied().map(u32::from).collect(),
        None => WITHOUT_TABLE.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Images that are built for tests of their own, by path from `host`.
    fn image(path: &str) -> Image {
        let file = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
        Image::load(file.as_ref()).expect("an image")
    }

    #[test]
    fn a_program_without_a_table_leaves_three_interrupts_of_a_samr21() {
        let image = image("observe/tests/data/kernel.elf");
        assert_eq!(software_interrupts(&image), WITHOUT_TABLE);
    }
}
