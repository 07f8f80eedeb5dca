// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tiny programs for tests, assembled word by word: their accesses to registers are timed from
//! outside, by the pin that they toggle.

use crate::atmega128::fuses::FACTORY;
use crate::atmega128::map::{DDRA, PORTA};
use crate::{Chip, Config, Fuses, Level, Output, PinId, Stamped, Stop, Time, Warning};

/// The pin that [`Program::mark`] toggles.
pub(super) const MARK: PinId = PinId { port: 0, bit: 0 };
/// SRAM where programs leave what they read, as a data address.
const RESULTS: u16 = 0x100;
/// The linear address of the data space.
const DATA: u32 = 0x80_0000;
/// Words of the vector table.
const VECTORS: usize = 70;
const STACK: u16 = 0x10FF;
pub(super) const SPH: u8 = 0x5E;
pub(super) const SPL: u8 = 0x5D;

/// A crystal of 4 MHz that starts at once after its 16 K cycles; native mode.
pub(super) const CRYSTAL: Fuses = Fuses { low: 0xDF, high: 0xD9, extended: 0xFF, lock: 0xFF };
pub(super) const HZ: u32 = 4_000_000;
/// The internal oscillator of 1 MHz, at once; native mode.
pub(super) const INTERNAL: Fuses = Fuses { low: 0xC1, extended: 0xFF, ..FACTORY };

/// A program under construction. r16 to r19 are scratch; r20 is the level of the mark.
pub(super) struct Program {
    code: Vec<u16>,
}

/// Where code was, to jump there.
#[derive(Clone, Copy)]
pub(super) struct Label(usize);

impl Program {
    /// A program that first sets its stack pointer and makes the mark's pin an output.
    pub fn new() -> Program {
        Program::at(VECTORS)
    }

    /// The same, but its code begins at another word.
    pub fn at(start: usize) -> Program {
        let mut program = Program { code: vec![0; start.max(VECTORS)] };
        program.code[0] = 0x940C;
        program.code[1] = start as u16;
        let [high, low] = STACK.to_be_bytes();
        program.set(SPH, high).set(SPL, low).set(DDRA, 1 << MARK.bit).load(20, 0);
        program
    }

    fn put(&mut self, word: u16) -> &mut Program {
        self.code.push(word);
        self
    }

    /// PUSH.
    pub fn push(&mut self, register: u16) -> &mut Program {
        self.put(0x920F | register << 4)
    }

    /// RCALL of the next instruction.
    pub fn call_next(&mut self) -> &mut Program {
        self.put(0xD000)
    }

    /// The place of the next instruction.
    pub fn here(&self) -> Label {
        Label(self.code.len())
    }

    /// The byte address of the next instruction.
    pub fn address(&self) -> u32 {
        self.code.len() as u32 * 2
    }

    /// LDI.
    pub fn load(&mut self, register: u16, value: u8) -> &mut Program {
        let value = u16::from(value);
        self.put(0xE000 | (value & 0xF0) << 4 | (register - 16) << 4 | value & 0xF)
    }

    /// STS, which takes two cycles and stores with the end of the second.
    pub fn store(&mut self, register: u16, address: u16) -> &mut Program {
        self.put(0x9200 | register << 4).put(address)
    }

    /// LDS.
    pub fn fetch(&mut self, register: u16, address: u16) -> &mut Program {
        self.put(0x9000 | register << 4).put(address)
    }

    /// OUT, at a data address.
    pub fn out(&mut self, address: u8, register: u16) -> &mut Program {
        let io = u16::from(address - 0x20);
        self.put(0xB800 | (io & 0x30) << 5 | register << 4 | io & 0xF)
    }

    /// IN, at a data address.
    pub fn fetch_io(&mut self, register: u16, address: u8) -> &mut Program {
        let io = u16::from(address - 0x20);
        self.put(0xB000 | (io & 0x30) << 5 | register << 4 | io & 0xF)
    }

    /// Writes a value to a register.
    pub fn set(&mut self, address: u8, value: u8) -> &mut Program {
        self.load(16, value).store(16, address.into())
    }

    /// Reads a register into byte `result` of what the program leaves.
    pub fn read(&mut self, address: u8, result: u16) -> &mut Program {
        self.fetch(16, address.into()).store(16, RESULTS + result)
    }

    /// Polls until some bit of `mask` is set in a register, or none is.
    pub fn wait(&mut self, address: u8, mask: u8, set: bool) -> &mut Program {
        let start = self.here();
        // ANDI r16, mask; BRNE or BREQ back.
        let mask = u16::from(mask);
        self.fetch(16, address.into()).put(0x7000 | (mask & 0xF0) << 4 | mask & 0xF);
        self.branch(if set { 0xF001 } else { 0xF401 }, start)
    }

    fn branch(&mut self, opcode: u16, to: Label) -> &mut Program {
        let offset = (to.0 as i32 - self.code.len() as i32 - 1) as u16 & 0x7F;
        self.put(opcode | offset << 3)
    }

    /// Toggles the pin.
    pub fn mark(&mut self) -> &mut Program {
        // LDI r17, 1; EOR r20, r17; STS PORTA, r20
        self.load(17, 1 << MARK.bit).put(0x2741).store(20, PORTA.into())
    }

    /// SEI, or CLI.
    pub fn interrupts(&mut self, on: bool) -> &mut Program {
        self.put(if on { 0x9478 } else { 0x94F8 })
    }

    /// SLEEP.
    pub fn sleep(&mut self) -> &mut Program {
        self.put(0x9588)
    }

    /// WDR.
    pub fn watchdog_reset(&mut self) -> &mut Program {
        self.put(0x95A8)
    }

    /// This many instructions of one cycle.
    pub fn nops(&mut self, count: usize) -> &mut Program {
        self.code.extend(std::iter::repeat_n(0, count));
        self
    }

    /// RJMP.
    pub fn jump(&mut self, to: Label) -> &mut Program {
        let offset = to.0 as i32 - self.code.len() as i32 - 1;
        self.put(0xC000 | offset as u16 & 0xFFF)
    }

    /// A loop without end.
    pub fn stay(&mut self) -> &mut Program {
        let here = self.here();
        self.jump(here)
    }

    /// Puts an address of flash into Z, and its bit 16 into RAMPZ.
    pub fn point(&mut self, address: u32) -> &mut Program {
        let [_, rampz, high, low] = address.to_be_bytes();
        self.load(30, low).load(31, high).set(0x5B, rampz)
    }

    /// MOVW r0, r16 with a word in r17:r16; then SPM after SPMCSR was written.
    pub fn spm(&mut self, command: u8, value: u16) -> &mut Program {
        let [high, low] = value.to_be_bytes();
        self.load(16, low).load(17, high).put(0x0108).load(18, command);
        self.store(18, 0x68).put(0x95E8)
    }

    /// ELPM r16, Z into byte `result` of what the program leaves.
    pub fn elpm(&mut self, result: u16) -> &mut Program {
        self.put(0x9106).store(16, RESULTS + result)
    }

    /// The code that follows handles the interrupt with this vector number. Ends with [`Program::done`].
    pub fn handler(&mut self, vector: u32) -> &mut Program {
        let (start, at) = (self.code.len() as u16, vector as usize * 2);
        self.code[at] = 0x940C;
        self.code[at + 1] = start;
        self
    }

    /// RETI.
    pub fn done(&mut self) -> &mut Program {
        self.put(0x9518)
    }

    fn image(&self) -> Vec<u8> {
        self.code.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// A chip that runs a program, and everything that it has reported.
pub(super) struct Rig {
    pub chip: Box<dyn Chip>,
    pub seen: Vec<Stamped<Output>>,
}

impl Rig {
    /// On a crystal of 4 MHz, with a watch crystal.
    pub fn new(program: &Program) -> Rig {
        Rig::with_fuses(program, CRYSTAL)
    }

    /// The same with other fuses.
    pub fn with_fuses(program: &Program, fuses: Fuses) -> Rig {
        let config = Config {
            xosc_hz: Some(HZ),
            xosc32k_hz: Some(32_768),
            fuses: Some(fuses),
            ..Config::default()
        };
        let mut chip = crate::by_part("ATmega128", &config).expect("known part");
        chip.program(0, &program.image()).expect("fits");
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
        self.mark_outputs().map(|output| output.time).collect()
    }

    /// The processor's cycles in which the program made its marks.
    pub fn mark_cycles(&self) -> Vec<u64> {
        self.mark_outputs().map(|output| output.cycle.0).collect()
    }

    fn mark_outputs(&self) -> impl Iterator<Item = &Stamped<Output>> {
        let is_mark = |output: &&Stamped<Output>| matches!(output.what, Output::Pin { pin, level: Level::High | Level::Low } if pin == MARK);
        // The first is the pin becoming an output.
        self.seen.iter().filter(is_mark).skip(1)
    }

    /// Times of the outputs that a test looks for.
    pub fn when(&self, wanted: impl Fn(&Output) -> bool) -> Vec<Time> {
        self.seen.iter().filter(|seen| wanted(&seen.what)).map(|seen| seen.time).collect()
    }

    /// What the program read.
    pub fn result(&self, index: u32) -> u8 {
        let mut byte = [0];
        let address = DATA + u32::from(RESULTS) + index;
        self.chip.peek(address, &mut byte).expect("in SRAM");
        byte[0]
    }

    /// Why the chip was reset, in order.
    pub fn resets(&self) -> Vec<&'static str> {
        let cause = |seen: &Stamped<Output>| match seen.what {
            Output::Reset { cause } => Some(cause),
            _ => None,
        };
        self.seen.iter().filter_map(cause).collect()
    }

    /// What the chip has complained about.
    pub fn warnings(&self) -> Vec<&Warning> {
        self.seen
            .iter()
            .filter_map(|seen| match &seen.what {
                Output::Warning(warning) => Some(warning),
                _ => None,
            })
            .collect()
    }
}
