// SPDX-License-Identifier: MIT OR Apache-2.0
//! SEGGER's Real Time Transfer: ring buffers in RAM that a debug probe empties and fills while the
//! firmware runs. Boards without a serial port use it as their console.
//!
//! Layout of the control block, as SEGGER documents it: 16 bytes of identification, the numbers of
//! up and of down buffers, then the buffers' descriptors.

use crate::record::word;
use lichen_chip::Chip;
use lichen_image::Image;

const IDENTIFICATION: &[u8] = b"SEGGER RTT";
const UP_COUNT: u32 = 16;
const DOWN_COUNT: u32 = 20;
const DESCRIPTORS: u32 = 24;
const DESCRIPTOR_SIZE: u32 = 24;
const POINTER_SIZE: u32 = 4;
/// Within a descriptor: name, buffer, size, write offset, read offset, flags.
const BUFFER: u32 = 4;
const SIZE: u32 = 8;
const WRITE_OFFSET: u32 = 12;
const READ_OFFSET: u32 = 16;

/// Counts beyond this come from memory that is not a control block.
const MOST_BUFFERS: u32 = 16;

/// The probe's end of an image's buffers number 0.
#[derive(Clone, Copy, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Rtt {
    /// Address, once it is known.
    control_block: Option<u32>,
}

/// A ring as it is in memory.
struct Ring {
    descriptor: u32,
    buffer: u32,
    size: u32,
    write: u32,
    read: u32,
}

impl Rtt {
    /// The image's buffers: at the symbol `_SEGGER_RTT` or, if the identification is part of the
    /// image, where it will be found in RAM.
    pub fn find(image: &Image) -> Option<Rtt> {
        // The layout below is that of processors with pointers of a word, and so are all probes for it.
        let architecture = lichen_isa::architecture(image.machine().number())?;
        if architecture.pointers.data_bytes != POINTER_SIZE {
            return None;
        }
        if let Some(symbol) = image.symbols().find("_SEGGER_RTT") {
            return Some(Rtt { control_block: Some(symbol.address) });
        }
        let identified =
            |bytes: &[u8]| bytes.windows(IDENTIFICATION.len()).any(|id| id == IDENTIFICATION);
        let named = image.segments().iter().any(|segment| identified(&segment.bytes));
        named.then_some(Rtt { control_block: None })
    }

    /// Address of the control block, if the firmware has set it up.
    fn control_block(&mut self, chip: &dyn Chip) -> Option<u32> {
        let address = self.control_block.or_else(|| search(chip))?;
        let mut id = [0; IDENTIFICATION.len()];
        chip.peek(address, &mut id).ok()?;
        if id != IDENTIFICATION {
            return None;
        }
        self.control_block = Some(address);
        Some(address)
    }

    /// Takes what the firmware has written since the last call.
    pub fn take(&mut self, chip: &mut dyn Chip) -> Vec<u8> {
        let mut taken = Vec::new();
        let Some(mut ring) = self.ring(chip, 0) else { return taken };
        while ring.read != ring.write {
            let mut byte = [0];
            if chip.peek(ring.buffer.wrapping_add(ring.read), &mut byte).is_err() {
                break;
            }
            taken.push(byte[0]);
            ring.read = (ring.read + 1) % ring.size;
        }
        if !taken.is_empty() {
            put_word(chip, ring.descriptor + READ_OFFSET, ring.read);
        }
        taken
    }

    /// Gives `bytes` to the firmware; returns how many fit.
    pub fn give(&mut self, chip: &mut dyn Chip, bytes: &[u8]) -> usize {
        let Some(control_block) = self.control_block(chip) else { return 0 };
        let Some(up) = word(chip, control_block + UP_COUNT) else { return 0 };
        let Some(mut ring) = self.ring(chip, up) else { return 0 };
        let mut given = 0;
        for byte in bytes {
            let next = (ring.write + 1) % ring.size;
            if next == ring.read
                || chip.program(ring.buffer.wrapping_add(ring.write), &[*byte]).is_err()
            {
                break;
            }
            ring.write = next;
            given += 1;
        }
        if given > 0 {
            put_word(chip, ring.descriptor + WRITE_OFFSET, ring.write);
        }
        given
    }

    /// The ring with this index among up and down buffers, if it is sane.
    fn ring(&mut self, chip: &dyn Chip, index: u32) -> Option<Ring> {
        let control_block = self.control_block(chip)?;
        let up = word(chip, control_block + UP_COUNT)?;
        let down = word(chip, control_block + DOWN_COUNT)?;
        if up > MOST_BUFFERS || down > MOST_BUFFERS || index >= up + down {
            return None;
        }
        let descriptor = control_block + DESCRIPTORS + index * DESCRIPTOR_SIZE;
        let ring = Ring {
            descriptor,
            buffer: word(chip, descriptor + BUFFER)?,
            size: word(chip, descriptor + SIZE)?,
            write: word(chip, descriptor + WRITE_OFFSET)?,
            read: word(chip, descriptor + READ_OFFSET)?,
        };
        (ring.write < ring.size && ring.read < ring.size).then_some(ring)
    }
}

/// The identification in RAM, at a word's address, as probes search for it.
fn search(chip: &dyn Chip) -> Option<u32> {
    let ram = chip.memories().iter().find(|memory| memory.name == "RAM")?;
    let mut bytes = vec![0; ram.size as usize];
    chip.peek(ram.start, &mut bytes).ok()?;
    let offset = (0..bytes.len()).step_by(4).find(|at| bytes[*at..].starts_with(IDENTIFICATION))?;
    Some(ram.start + offset as u32)
}

/// Offsets lie in the control block, whose memory was read just before.
fn put_word(chip: &mut dyn Chip, address: u32, value: u32) {
    let written = chip.program(address, &value.to_le_bytes());
    debug_assert!(written.is_ok(), "0x{address:08x} could be read");
}
