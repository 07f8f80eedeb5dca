// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of `test/oracle/avr8.py`: registers, data memory and cycles that simavr's ATmega128 ends
//! with. I/O registers are plain memory there and here.

use crate::runs;
use lichen_isa::avr8::{Bus, Core, DATA_BASE, Memory, PC, RAMPZ, SP, SRAM_START, SREG, Stop};
use lichen_isa::{Cycle, Origin, Reply};
use serde::Deserialize;

const FLASH_BYTES: u32 = 128 * 1024;
const DATA_END: u16 = 0x1100;
/// What has no data address of its own among the I/O registers: SREG, the stack pointer, RAMPZ.
const OF_CORE: [usize; 4] = [0x5B, 0x5D, 0x5E, 0x5F];

/// The initial contents of flash and of the data space for all programs.
#[derive(Deserialize)]
pub struct Memories {
    #[serde(deserialize_with = "runs::hexadecimal")]
    flash: Vec<u8>,
    #[serde(deserialize_with = "runs::hexadecimal")]
    data: Vec<u8>,
}

/// A program, and the oracle's result. A state is r0 to r31, SREG, SPL, SPH and RAMPZ.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    address: u32,
    code: Vec<u16>,
    before: Vec<u8>,
    after: Vec<u8>,
    pc: u32,
    cycles: u64,
    instructions: u64,
    /// Address and value of the bytes of the data space that change.
    data: Vec<(usize, u8)>,
}

/// I/O registers that are plain memory, without interrupts.
struct Registers {
    bytes: Vec<u8>,
    undefined: Option<u16>,
}

impl Bus for Registers {
    fn read(&mut self, _: &mut Memory, _: Origin, address: u16) -> Reply {
        let value = self.bytes.get(usize::from(address)).copied().unwrap_or(0);
        Reply { value: value.into(), stall: 0 }
    }

    fn write(&mut self, _: &mut Memory, _: Origin, address: u16, value: u8) -> Reply {
        if let Some(byte) = self.bytes.get_mut(usize::from(address)) {
            *byte = value;
        }
        Reply { value: 0, stall: 0 }
    }

    fn lines(&self) -> u64 {
        0
    }

    fn acknowledge(&mut self, _: &mut Memory, _: Origin, _: u32) {}

    fn load_program(&mut self, memory: &mut Memory, _: Origin, address: u32) -> u8 {
        memory.flash_byte(address)
    }

    fn store_program(&mut self, _: &mut Memory, _: Origin, _: u32, _: u16) -> Reply {
        Reply { value: 0, stall: 0 }
    }

    fn watchdog_reset(&mut self, _: Origin) {}

    fn sleep(&mut self, _: Origin) -> bool {
        false
    }

    fn undefined(&mut self, _: Origin, opcode: u16) {
        self.undefined.get_or_insert(opcode);
    }

    fn horizon(&self) -> Cycle {
        Cycle::NEVER
    }
}

impl runs::Program for Program {
    type Memories = Memories;

    const FOLDER: &str = "avr8";
    const DISASSEMBLER: &[&str] = &["avr-objdump", "-D", "-b", "binary", "-m", "avr:51"];

    fn code(&self) -> (u32, &[u16]) {
        (self.address, &self.code)
    }

    fn before(&self) -> String {
        named(&self.before)
    }

    fn check(&self, memories: &Memories, see: &mut impl FnMut(&[u16])) -> Result<(), String> {
        let mut memory = Memory::new(FLASH_BYTES, DATA_END);
        let code: Vec<u8> = self.code.iter().flat_map(|half| half.to_le_bytes()).collect();
        let sram = memories.data.get(SRAM_START.into()..).ok_or("the data space is too small")?;
        let start = DATA_BASE + u32::from(SRAM_START);
        for (address, bytes) in [(0, &memories.flash[..]), (self.address, &code), (start, sram)] {
            memory.write(address, bytes).map_err(|error| error.to_string())?;
        }
        let mut bus =
            Registers { bytes: memories.data[..SRAM_START.into()].to_vec(), undefined: None };
        let mut core = self.core();
        for done in 0..self.instructions {
            see(&next(&core, &memory));
            let stop = core.step(&mut memory, &mut bus);
            if stop != Stop::Reached || bus.undefined.is_some() {
                let what = format!("{stop:?} at 0x{:x}, undefined {:x?}", core.pc(), bus.undefined);
                return Err(format!("stops after {done} instructions: {what}"));
            }
        }
        let found = state(&core);
        if found != self.after {
            return Err(format!("ends with {}, not with {}", named(&found), named(&self.after)));
        }
        if (core.pc(), core.cycle().0) != (self.pc, self.cycles) {
            let (pc, cycles) = (core.pc(), core.cycle().0);
            return Err(format!(
                "ends at 0x{pc:x} after {cycles} cycles, not at 0x{:x} after {}",
                self.pc, self.cycles
            ));
        }
        let mut expected = memories.data.clone();
        for (address, value) in &self.data {
            expected[*address] = *value;
        }
        let here = [&bus.bytes, memory.sram()].concat();
        let differs = |at: &usize| here[*at] != expected[*at];
        match (32..expected.len()).filter(|at| !OF_CORE.contains(at)).find(differs) {
            Some(at) => Err(format!("0x{at:x} has 0x{:x}, not 0x{:x}", here[at], expected[at])),
            None => Ok(()),
        }
    }
}

impl Program {
    /// A core about to execute the program.
    fn core(&self) -> Core {
        let mut core = Core::new();
        for (number, value) in self.before.iter().take(SP).enumerate() {
            core.set_register(number, (*value).into());
        }
        let byte = |at: usize| u32::from(self.before.get(at).copied().unwrap_or(0));
        core.set_register(SP, byte(33) | byte(34) << 8);
        core.set_register(RAMPZ, byte(35));
        core.set_register(PC, self.address);
        core
    }
}

/// The core's state as the oracle writes it.
fn state(core: &Core) -> Vec<u8> {
    let mut state: Vec<u8> = (0..=SREG).map(|number| core.register(number) as u8).collect();
    state.extend([core.register(SP) as u8, (core.register(SP) >> 8) as u8]);
    state.push(core.register(RAMPZ) as u8);
    state
}

/// A state with the names of the registers.
fn named(state: &[u8]) -> String {
    let texts = state.iter().enumerate().map(|(at, byte)| match at {
        0..=31 => format!("r{at}=0x{byte:02x}"),
        _ => format!("{}=0x{byte:02x}", ["sreg", "spl", "sph", "rampz"][at % 4]),
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// Code of the next instruction.
fn next(core: &Core, memory: &Memory) -> [u16; 2] {
    let byte = |at| memory.flash_byte(core.pc().wrapping_add(at));
    [[0, 1], [2, 3]].map(|word| u16::from_le_bytes(word.map(byte)))
}
