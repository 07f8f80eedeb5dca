// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of `test/oracle/armv6m.py`: registers, flags, memory and exceptions that QEMU's Cortex-M0
//! ends with.

use crate::runs;
use lichen_isa::Width;
use lichen_isa::armv6m::{Core, FaultKind, Memory, NoDevices, Options, RAM_BASE, Stop};
use serde::Deserialize;

/// Number of registers in `before` and `after`.
const REGISTERS: usize = 20;
/// Their names, and their numbers in [`Core::register`].
const NAMED: [(&str, usize); REGISTERS] = [
    ("r0", 0),
    ("r1", 1),
    ("r2", 2),
    ("r3", 3),
    ("r4", 4),
    ("r5", 5),
    ("r6", 6),
    ("r7", 7),
    ("r8", 8),
    ("r9", 9),
    ("r10", 10),
    ("r11", 11),
    ("r12", 12),
    ("lr", 14),
    ("pc", PC),
    ("apsr", XPSR),
    ("msp", 17),
    ("psp", 18),
    ("primask", PRIMASK),
    ("control", 20),
];
const PC: usize = 15;
const XPSR: usize = 16;
const PRIMASK: usize = 19;
const FLAGS: u32 = 0xF000_0000;
const SV_CALL: u32 = 11;

/// The initial content of flash and RAM for all programs.
#[derive(Deserialize)]
pub struct Memories {
    #[serde(deserialize_with = "runs::hexadecimal")]
    flash: Vec<u8>,
    #[serde(deserialize_with = "runs::hexadecimal")]
    ram: Vec<u8>,
}

/// A program, and the oracle's result.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    address: u32,
    code: Vec<u16>,
    before: [u32; REGISTERS],
    after: [u32; REGISTERS],
    /// Address and value of the words of RAM that change.
    ram: Vec<(u32, u32)>,
    /// Instructions executed before the end or the exception.
    instructions: u32,
    exception: Exception,
}

/// The reason why a program stops early.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
enum Exception {
    #[serde(rename = "none")]
    Nothing,
    #[serde(rename = "undefined")]
    Undefined,
    #[serde(rename = "breakpoint")]
    Breakpoint,
    #[serde(rename = "supervisor call")]
    SupervisorCall,
    #[serde(rename = "load")]
    Load,
    #[serde(rename = "store")]
    Store,
    #[serde(rename = "fetch")]
    Fetch,
}

impl runs::Program for Program {
    type Memories = Memories;

    const FOLDER: &str = "armv6m";
    const DISASSEMBLER: &[&str] =
        &["arm-none-eabi-objdump", "-D", "-b", "binary", "-m", "arm", "-M", "force-thumb"];

    fn code(&self) -> (u32, &[u16]) {
        (self.address, &self.code)
    }

    fn before(&self) -> String {
        let registers = NAMED.iter().zip(self.before);
        let texts = registers.map(|((name, _), value)| format!("{name}=0x{value:x}"));
        texts.collect::<Vec<_>>().join(" ")
    }

    fn check(&self, memories: &Memories, see: &mut impl FnMut(&[u16])) -> Result<(), String> {
        let mut memory = Memory::new(memories.flash.len(), memories.ram.len());
        let code: Vec<u8> = self.code.iter().flat_map(|half| half.to_le_bytes()).collect();
        let contents = [(0, &memories.flash), (RAM_BASE, &memories.ram), (self.address, &code)];
        for (address, bytes) in contents {
            memory.write(address, bytes).map_err(|error| error.to_string())?;
        }
        let mut core = Core::new(Options::default());
        core.reset(&memory);
        for ((_, register), value) in NAMED.iter().zip(self.before).rev() {
            core.set_register(*register, value);
        }
        let mut ram = memory.ram().to_vec();
        for done in 0..self.instructions {
            see(&next(&core, &memory));
            let stop = core.step(&mut memory, &mut NoDevices);
            if stop != Stop::Reached || core.active_exception() != 0 {
                return Err(format!("stops after {done} instructions: {}", state(&core, stop)));
            }
        }
        self.compare_registers(&core)?;
        for (address, word) in &self.ram {
            let at = (address - RAM_BASE) as usize;
            ram[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        if let Some(at) = memory.ram().iter().zip(&ram).position(|(here, there)| here != there) {
            let (here, there) = (memory.ram()[at], ram[at]);
            let address = RAM_BASE + at as u32;
            return Err(format!("0x{address:08x} has 0x{here:02x}, not 0x{there:02x}"));
        }
        match self.exception {
            Exception::Nothing => Ok(()),
            expected => {
                see(&next(&core, &memory));
                compare_exception(&mut core, &mut memory, expected)
            }
        }
    }
}

impl Program {
    fn compare_registers(&self, core: &Core) -> Result<(), String> {
        let differences: Vec<String> = NAMED
            .iter()
            .zip(self.after)
            .filter_map(|((name, register), expected)| {
                let mask = if *register == XPSR { FLAGS } else { u32::MAX };
                let found = core.register(*register) & mask;
                (found != expected)
                    .then(|| format!("{name} is 0x{found:08x}, not 0x{expected:08x}"))
            })
            .collect();
        if differences.is_empty() { Ok(()) } else { Err(differences.join(", ")) }
    }
}

/// Makes the next steps and checks whether it is the exception that ended the program.
fn compare_exception(
    core: &mut Core,
    memory: &mut Memory,
    expected: Exception,
) -> Result<(), String> {
    let primask = core.register(PRIMASK) != 0;
    let mut stop = core.step(memory, &mut NoDevices);
    if core.active_exception() == 0 {
        // SVC is an instruction that ends before its exception is entered.
        stop = core.step(memory, &mut NoDevices);
    }
    let kind = core.first_fault().map(|fault| fault.kind);
    let as_expected = match expected {
        Exception::Nothing => core.active_exception() == 0,
        Exception::Undefined => kind == Some(FaultKind::Undefined),
        Exception::Breakpoint => kind == Some(FaultKind::Breakpoint),
        Exception::SupervisorCall if primask => kind == Some(FaultKind::SupervisorCall),
        Exception::SupervisorCall => kind.is_none() && core.active_exception() == SV_CALL,
        Exception::Load | Exception::Store => kind == Some(FaultKind::Bus),
        Exception::Fetch => kind == Some(FaultKind::Fetch),
    };
    if as_expected { Ok(()) } else { Err(format!("{expected:?}, but {}", state(core, stop))) }
}

/// Code of the next instruction; none where there is no memory.
fn next(core: &Core, memory: &Memory) -> Vec<u16> {
    let pc = core.register(PC);
    let half = |at| memory.read(at, Width::Half).map(|half| half as u16);
    [pc, pc.wrapping_add(2)].into_iter().map_while(half).collect()
}

fn state(core: &Core, stop: Stop) -> String {
    let pc = core.register(PC);
    let exception = core.active_exception();
    format!("{stop:?}, pc 0x{pc:x}, exception {exception}, fault {:?}", core.first_fault())
}
