// SPDX-License-Identifier: MIT OR Apache-2.0
//! One instruction, with the state before and after it.

use lichen_isa::armv6m::{Core, FaultKind, Memory, NoDevices, Options, RAM_BASE};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The instruction's address unless the case says otherwise.
const CODE: u32 = 0x100;
const FLASH_BYTES: usize = 4096;
const RAM_BYTES: usize = 4096;
const MAIN_STACK: u32 = RAM_BASE + 0x800;
const PROCESS_STACK: u32 = RAM_BASE + 0x600;

// Register numbers of `Core::register`.
const SP: usize = 13;
const PC: usize = 15;
const XPSR: usize = 16;
const MSP: usize = 17;
const PSP: usize = 18;
const CONTROL: usize = 20;
const REGISTERS: usize = 21;

const FLAGS: [(char, u32); 4] = [('N', 1 << 31), ('Z', 1 << 30), ('C', 1 << 29), ('V', 1 << 28)];
const THUMB: u32 = 1 << 24;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub assembly: String,
    pub code: Vec<u16>,
    #[serde(default)]
    pub before: State,
    #[serde(default)]
    after: State,
    /// How long it takes; absent if it faults.
    cycles: Option<u64>,
    /// The fault that it takes, with nothing changed.
    fault: Option<String>,
}

/// What differs from the start, or from the state before. Flags are named when set.
#[derive(Debug, Default, Deserialize)]
pub struct State {
    flags: Option<String>,
    #[serde(default)]
    memory: BTreeMap<String, u32>,
    #[serde(flatten)]
    registers: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

pub fn parse(text: &str) -> Result<Vec<Case>, String> {
    toml::from_str::<File>(text).map(|file| file.case).map_err(|error| error.to_string())
}

impl State {
    fn flag_bits(&self) -> Option<u32> {
        let letters = self.flags.as_ref()?;
        Some(FLAGS.iter().filter(|(letter, _)| letters.contains(*letter)).map(|(_, bit)| bit).sum())
    }

    fn memory(&self) -> Result<Vec<(u32, u32)>, String> {
        let address = |text: &str| {
            u32::from_str_radix(text.trim_start_matches("0x"), 16).map_err(|_| text.to_string())
        };
        self.memory.iter().map(|(at, word)| Ok((address(at)?, *word))).collect()
    }
}

/// Number of a register by name, and whether it is `sp`, the stack pointer in use.
fn index(name: &str) -> Result<usize, String> {
    let named = ["sp", "lr", "pc", "xpsr", "msp", "psp", "primask", "control"];
    if let Some(position) = named.iter().position(|other| *other == name) {
        return Ok(SP + position);
    }
    name.strip_prefix('r')
        .and_then(|number| number.parse().ok())
        .filter(|number| *number < SP)
        .ok_or(format!("no register `{name}`"))
}

impl Case {
    /// Executes the instruction and reports what is wrong with the outcome.
    pub fn check(&self) -> Result<(), String> {
        let mut memory = Memory::new(FLASH_BYTES, RAM_BYTES);
        let code: Vec<u8> = self.code.iter().flat_map(|half| half.to_le_bytes()).collect();
        memory.write(CODE, &code).map_err(|error| error.to_string())?;
        for (address, word) in self.before.memory()? {
            memory.write(address, &word.to_le_bytes()).map_err(|error| error.to_string())?;
        }
        let mut core = self.prepare(&memory)?;
        let before = registers(&core);
        let mut ram = memory.ram().to_vec();

        core.step(&mut memory, &mut NoDevices);

        if let Some(fault) = &self.fault {
            if core.first_fault().is_none() {
                // A branch whose fault appears only at the next instruction.
                core.step(&mut memory, &mut NoDevices);
            }
            return self.check_fault(&core, fault);
        }
        if let Some(fault) = core.first_fault() {
            return Err(format!("fault {:?}", fault.kind));
        }
        self.check_registers(before, registers(&core))?;
        for (address, word) in self.after.memory()? {
            let at = (address - RAM_BASE) as usize;
            ram[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        if memory.ram() != ram {
            return Err("memory differs".to_string());
        }
        let cycles = Some(core.cycle().0);
        if cycles != self.cycles { Err(format!("takes {cycles:?} cycles")) } else { Ok(()) }
    }

    /// A core that is about to execute the instruction, its registers all different.
    fn prepare(&self, memory: &Memory) -> Result<Core, String> {
        let mut core = Core::new(Options::default());
        core.reset(memory);
        for register in 0..SP {
            core.set_register(register, 0x0101_0101 * (register as u32 + 0xA0));
        }
        core.set_register(MSP, MAIN_STACK);
        core.set_register(PSP, PROCESS_STACK);
        core.set_register(PC, CODE);
        for (name, value) in &self.before.registers {
            match name.as_str() {
                "event" => core.send_event(),
                _ => core.set_register(index(name)?, *value),
            }
        }
        core.set_register(XPSR, self.before.flag_bits().unwrap_or(0));
        Ok(core)
    }

    fn check_fault(&self, core: &Core, expected: &str) -> Result<(), String> {
        let found = core.first_fault().map(|fault| format!("{:?}", fault.kind));
        if found.as_deref() != Some(expected) {
            return Err(format!("fault {found:?}, not {expected}"));
        }
        Ok(())
    }

    /// Registers that the case does not name are unchanged; PC is after the instruction.
    fn check_registers(
        &self,
        before: [u32; REGISTERS],
        found: [u32; REGISTERS],
    ) -> Result<(), String> {
        let mut expected = before;
        let wide = self.code.first().is_some_and(|half| half >> 11 >= 0b11101);
        expected[PC] = before[PC] + if wide { 4 } else { 2 };
        expected[XPSR] = THUMB | self.after.flag_bits().unwrap_or(before[XPSR] & !THUMB);
        for (name, value) in &self.after.registers {
            expected[index(name)?] = *value;
        }
        // `sp` is another name of the stack pointer in use.
        let in_use = if expected[CONTROL] & 2 != 0 { PSP } else { MSP };
        if self.after.registers.contains_key("sp") {
            expected[in_use] = expected[SP];
        }
        expected[SP] = expected[in_use];
        for register in 0..REGISTERS {
            if found[register] != expected[register] {
                return Err(format!(
                    "register {register} is 0x{:08x}, not 0x{:08x}",
                    found[register], expected[register]
                ));
            }
        }
        Ok(())
    }
}

/// The fault that a single halfword takes, if it matches the encoding.
pub fn fault_of(halfword: u16) -> Option<FaultKind> {
    let mut memory = Memory::new(FLASH_BYTES, RAM_BYTES);
    memory.write(CODE, &halfword.to_le_bytes()).ok()?;
    let mut core = Core::new(Options::default());
    core.set_register(MSP, MAIN_STACK);
    core.set_register(PC, CODE);
    core.step(&mut memory, &mut NoDevices);
    core.first_fault().map(|fault| fault.kind)
}

fn registers(core: &Core) -> [u32; REGISTERS] {
    std::array::from_fn(|index| core.register(index))
}
