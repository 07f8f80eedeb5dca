// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tiny programs for tests, assembled halfword by halfword: their accesses to registers are timed
//! from outside, by the pin that they toggle.

use crate::{Chip, Config, Level, Output, PinId, Stamped, Stop, Time};

/// The pin that [`Program::mark`] toggles.
pub(super) const MARK: PinId = PinId { port: 0, bit: 19 };

const IOBUS_DIRSET: u32 = 0x6000_0008;
const IOBUS_OUTTGL: u32 = 0x6000_001C;
const VECTORS: usize = 48;
const STACK: u32 = 0x2000_1000;
/// RAM where programs leave what they read.
pub(super) const RESULTS: u32 = 0x2000_0000;

/// Width of an access, as its opcode's base: immediate offset 0.
#[derive(Clone, Copy)]
pub(super) enum Size {
    Byte,
    Half,
    Word,
}

impl Size {
    fn store(self) -> u16 {
        match self {
            Size::Byte => 0x7000,
            Size::Half => 0x8000,
            Size::Word => 0x6000,
        }
    }

    fn load(self) -> u16 {
        self.store() + 0x0800
    }
}

/// A program under construction. r0 to r3 are scratch.
pub(super) struct Program {
    vectors: [u32; VECTORS],
    code: Vec<u16>,
}

impl Program {
    /// A program that first makes the mark's pin an output.
    pub fn new() -> Program {
        let mut program = Program { vectors: [0; VECTORS], code: Vec::new() };
        program.vectors[0] = STACK;
        program.vectors[1] = program.here() | 1;
        program.set(IOBUS_DIRSET, 1 << MARK.bit);
        program
    }

    fn here(&self) -> u32 {
        (VECTORS * 4 + self.code.len() * 2) as u32
    }

    fn put(&mut self, halfword: u16) -> &mut Program {
        self.code.push(halfword);
        self
    }

    /// Puts a constant into a register: a literal that the code jumps over.
    fn constant(&mut self, register: u16, value: u32) -> &mut Program {
        if self.here() % 4 != 0 {
            self.put(0xBF00);
        }
        self.put(0x4800 | register << 8).put(0xE001).put(value as u16).put((value >> 16) as u16)
    }

    /// Writes a value to an address.
    pub fn write(&mut self, size: Size, address: u32, value: u32) -> &mut Program {
        self.constant(0, address).constant(1, value).put(size.store() | 1)
    }

    /// Writes 8 bits.
    pub fn set8(&mut self, address: u32, value: u32) -> &mut Program {
        self.write(Size::Byte, address, value)
    }

    /// Writes 16 bits.
    pub fn set16(&mut self, address: u32, value: u32) -> &mut Program {
        self.write(Size::Half, address, value)
    }

    /// Writes 32 bits.
    pub fn set(&mut self, address: u32, value: u32) -> &mut Program {
        self.write(Size::Word, address, value)
    }

    /// Reads an address into word `result` of [`RESULTS`].
    pub fn read(&mut self, size: Size, address: u32, result: u32) -> &mut Program {
        self.constant(0, address).constant(2, RESULTS + result * 4);
        self.put(size.load() | 1).put(0x6011)
    }

    /// Polls until a bit of the word at `address` is set, or clear.
    pub fn wait(&mut self, size: Size, address: u32, mask: u32, set: bool) -> &mut Program {
        self.constant(0, address).constant(2, mask);
        // ldr r1, [r0]; tst r1, r2; beq or bne back
        self.put(size.load() | 1).put(0x4211);
        self.put(if set { 0xD0FC } else { 0xD1FC })
    }

    /// Toggles the pin.
    pub fn mark(&mut self) -> &mut Program {
        self.set(IOBUS_OUTTGL, 1 << MARK.bit)
    }

    /// WFI.
    pub fn sleep(&mut self) -> &mut Program {
        self.put(0xBF30)
    }

    /// This many instructions of one cycle.
    pub fn nops(&mut self, count: u32) -> &mut Program {
        (0..count).fold(self, |program, _| program.put(0xBF00))
    }

    /// This many instructions of two cycles: jumps to the next one.
    pub fn jumps(&mut self, count: u32) -> &mut Program {
        (0..count).fold(self, |program, _| program.put(0xE7FF))
    }

    /// CPSID i.
    pub fn mask_interrupts(&mut self) -> &mut Program {
        self.put(0xB672)
    }

    /// Loops for ever.
    pub fn stay(&mut self) -> &mut Program {
        self.put(0xE7FE)
    }

    /// Returns from an exception.
    pub fn leave(&mut self) -> &mut Program {
        self.put(0x4770)
    }

    /// The following code handles this exception.
    pub fn handler(&mut self, exception: usize) -> &mut Program {
        self.vectors[exception] = self.here() | 1;
        self
    }

    /// The image: vector table and code.
    pub fn image(&self) -> Vec<u8> {
        let vectors = self.vectors.iter().flat_map(|vector| vector.to_le_bytes());
        vectors.chain(self.code.iter().flat_map(|halfword| halfword.to_le_bytes())).collect()
    }
}

/// A chip that has been powered on with a program.
pub(super) struct Rig {
    pub chip: Box<dyn Chip>,
    pub seen: Vec<Stamped<Output>>,
}

impl Rig {
    /// A SAMR21G18A on a board with a watch crystal.
    pub fn new(program: &Program) -> Rig {
        let config = Config { xosc32k_hz: Some(32_768), ..Config::default() };
        Rig::with(program, &config)
    }

    /// A SAMR21G18A on another board.
    pub fn with(program: &Program, config: &Config) -> Rig {
        let mut chip = crate::by_part("ATSAMR21G18A", config).expect("known part");
        chip.program(0, &program.image()).expect("fits");
        chip.power_on();
        Rig { chip, seen: Vec::new() }
    }

    /// As [`Rig::new`], but the code is executed at `address` in RAM, a multiple of 4.
    pub fn in_ram(program: &Program, address: u32) -> Rig {
        let mut image = program.image();
        image[4..8].copy_from_slice(&(address | 1).to_le_bytes());
        let mut chip = crate::by_part("ATSAMR21G18A", &Config::default()).expect("known part");
        chip.program(0, &image).expect("fits");
        chip.program(address, &image[4 * VECTORS..]).expect("fits");
        chip.power_on();
        Rig { chip, seen: Vec::new() }
    }

    /// Runs until `until`, however often the chip stops to report.
    pub fn run(&mut self, until: Time) -> &mut Rig {
        loop {
            let stop = self.chip.run(until);
            self.chip.take_outputs(&mut self.seen);
            if stop != Stop::Output {
                return self;
            }
        }
    }

    /// When the program made its marks.
    pub fn marks(&self) -> Vec<Time> {
        let is_mark = |output: &&Stamped<Output>| matches!(output.what, Output::Pin { pin, level: Level::High | Level::Low } if pin == MARK);
        // The first is the pin becoming an output.
        self.seen.iter().filter(is_mark).skip(1).map(|output| output.time).collect()
    }

    /// The processor's cycles in which the program made its marks.
    pub fn mark_cycles(&self) -> Vec<u64> {
        let cycle = |time| {
            let at = |seen: &&Stamped<Output>| seen.time == time;
            self.seen.iter().find(at).map(|seen| seen.cycle.0)
        };
        self.marks().into_iter().filter_map(cycle).collect()
    }

    /// Times of the outputs that a test looks for.
    pub fn when(&self, wanted: impl Fn(&Output) -> bool) -> Vec<Time> {
        self.seen.iter().filter(|seen| wanted(&seen.what)).map(|seen| seen.time).collect()
    }

    /// What the program read.
    pub fn result(&self, index: u32) -> u32 {
        let mut bytes = [0; 4];
        self.chip.peek(RESULTS + index * 4, &mut bytes).expect("in RAM");
        u32::from_le_bytes(bytes)
    }

    /// Why the chip was reset, in order.
    pub fn resets(&self) -> Vec<&'static str> {
        let cause = |seen: &Stamped<Output>| match seen.what {
            Output::Reset { cause } => Some(cause),
            _ => None,
        };
        self.seen.iter().filter_map(cause).collect()
    }
}
