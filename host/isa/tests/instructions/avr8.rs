// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every AVR instruction against the data files in `test/isa/avr8`.
//!
//! Memory is that of the data space, in bytes: SRAM, and I/O registers, which are plain here. What an
//! instruction asks of the bus is a register of its own: `asleep`, `watchdog`, `undefined` (how often),
//! `programmed` and `programmed_at` (what SPM hands over).

use crate::case::{self, Case};
use crate::encoding;
use lichen_isa::avr8::{Bus, Core, DATA_BASE, Memory, PC, RAMPZ, SP, SRAM_START, SREG};
use lichen_isa::{Cycle, Origin, Reply};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Its folder.
const FOLDER: &str = "avr8";
/// The instruction's address.
const CODE: u32 = 0x100;
const FLASH_BYTES: u32 = 128 * 1024;
const DATA_END: u16 = 0x1100;
const STACK: u32 = 0x0800;
/// Distance of the cases where they are assembled together.
const DISTANCE: usize = 8;

const FLAGS: [(char, u32); 8] =
    [('I', 128), ('T', 64), ('H', 32), ('S', 16), ('V', 8), ('N', 4), ('Z', 2), ('C', 1)];

/// Plain I/O registers, and what else the instruction asks for.
struct Registers {
    bytes: Vec<u8>,
    asked: BTreeMap<String, u32>,
}

impl Registers {
    fn ask(&mut self, what: &str, value: u32) {
        self.asked.insert(what.to_string(), value);
    }
}

impl Bus for Registers {
    fn read(&mut self, _: &mut Memory, _: Origin, address: u16) -> Reply {
        Reply { value: self.bytes[usize::from(address)].into(), stall: 0 }
    }

    fn write(&mut self, _: &mut Memory, _: Origin, address: u16, value: u8) -> Reply {
        self.bytes[usize::from(address)] = value;
        Reply { value: 0, stall: 0 }
    }

    fn lines(&self) -> u64 {
        0
    }

    fn acknowledge(&mut self, _: &mut Memory, _: Origin, _: u32) {}

    fn load_program(&mut self, memory: &mut Memory, _: Origin, address: u32) -> u8 {
        memory.flash_byte(address)
    }

    fn store_program(&mut self, _: &mut Memory, _: Origin, address: u32, value: u16) -> Reply {
        self.ask("programmed_at", address);
        self.ask("programmed", value.into());
        Reply { value: 0, stall: 0 }
    }

    fn watchdog_reset(&mut self, _: Origin) {
        self.ask("watchdog", 1);
    }

    fn sleep(&mut self, _: Origin) -> bool {
        true
    }

    fn undefined(&mut self, _: Origin, _: u16) {
        let before = self.asked.get("undefined").copied().unwrap_or(0);
        self.ask("undefined", before + 1);
    }

    fn horizon(&self) -> Cycle {
        Cycle::NEVER
    }
}

/// Number of a register by name.
fn number(name: &str) -> Option<usize> {
    match name {
        "sp" => Some(SP),
        "pc" => Some(PC),
        "rampz" => Some(RAMPZ),
        _ => name.strip_prefix('r')?.parse().ok().filter(|number| *number < 32),
    }
}

/// Data memory from 0 on; that of r0 to r31 is zero.
fn data(memory: &Memory, bus: &Registers) -> Vec<u8> {
    [&bus.bytes, memory.sram()].concat()
}

fn registers(core: &Core) -> [u32; 36] {
    std::array::from_fn(|number| core.register(number))
}

/// Executes the instruction and reports what is wrong with the outcome.
fn check(case: &Case) -> Result<(), String> {
    let mut memory = Memory::new(FLASH_BYTES, DATA_END);
    memory.write(CODE, &case.bytes()).map_err(|error| error.to_string())?;
    let mut bus = Registers { bytes: vec![0; SRAM_START.into()], asked: BTreeMap::new() };
    for (address, byte) in case.before.memory()? {
        match bus.bytes.get_mut(address as usize) {
            Some(register) => *register = byte as u8,
            None => memory
                .write(DATA_BASE + address, &[byte as u8])
                .map_err(|error| error.to_string())?,
        }
    }
    let mut core = prepare(case)?;
    let mut expected = data(&memory, &bus);
    let before = registers(&core);

    core.step(&mut memory, &mut bus);

    if core.is_asleep() {
        bus.ask("asleep", 1);
    }
    check_registers(case, before, registers(&core), bus.asked.clone())?;
    for (address, byte) in case.after.memory()? {
        expected[address as usize] = byte as u8;
    }
    if data(&memory, &bus) != expected {
        return Err("memory differs".to_string());
    }
    let cycles = Some(core.cycle().0);
    if cycles != case.cycles { Err(format!("takes {cycles:?} cycles")) } else { Ok(()) }
}

/// A core that is about to execute the instruction, its registers all different.
fn prepare(case: &Case) -> Result<Core, String> {
    let mut core = Core::new();
    for register in 0..32 {
        core.set_register(register, register as u32 + 0xA0);
    }
    core.set_register(SP, STACK);
    core.set_register(PC, CODE);
    for (name, value) in &case.before.registers {
        core.set_register(number(name).ok_or(format!("no register `{name}`"))?, *value);
    }
    core.set_register(SREG, case.before.flag_bits(&FLAGS).unwrap_or(0));
    Ok(core)
}

/// Registers that the case does not name are unchanged; PC is after the instruction.
fn check_registers(
    case: &Case,
    before: [u32; 36],
    found: [u32; 36],
    asked: BTreeMap<String, u32>,
) -> Result<(), String> {
    let mut expected = before;
    let long = encoding::all(FOLDER).iter().any(|it| it.matches(&case.code) && it.words() == 2);
    expected[PC] += if long { 4 } else { 2 };
    expected[SREG] = case.after.flag_bits(&FLAGS).unwrap_or(before[SREG]);
    let mut expected_of_bus = BTreeMap::new();
    for (name, value) in &case.after.registers {
        match number(name) {
            Some(number) => expected[number] = *value,
            None => _ = expected_of_bus.insert(name.clone(), *value),
        }
    }
    if let Some(register) = (0..36).find(|number| found[*number] != expected[*number]) {
        let (found, expected) = (found[register], expected[register]);
        return Err(format!("register {register} is 0x{found:x}, not 0x{expected:x}"));
    }
    if asked != expected_of_bus {
        return Err(format!("asks the bus for {asked:?}, not for {expected_of_bus:?}"));
    }
    Ok(())
}

#[test]
fn instructions_do_what_the_cases_say() {
    case::check_all(FOLDER, 250, check);
}

#[test]
fn every_encoding_has_a_case() {
    let cases = case::cases(FOLDER);
    for encoding in encoding::all(FOLDER) {
        let covered = cases.iter().any(|(_, case)| encoding.matches(&case.code));
        assert!(covered, "no case for {}", encoding.name);
    }
}

#[test]
fn no_word_has_two_encodings() {
    let encodings = encoding::all(FOLDER);
    for word in 0..=u16::MAX {
        let matches = encodings.iter().filter(|encoding| encoding.begins_with(word)).count();
        assert!(matches <= 1, "0x{word:04x} has {matches} encodings");
    }
}

/// Whether the instruction loads or stores a register of the pointer that it changes.
fn is_its_own_pointer(encoding: &str, word: u16) -> bool {
    let letters = [("X", 26), ("Y", 28), ("Z", 30)];
    let pointer = letters.into_iter().find(|(letter, _)| encoding.contains(letter));
    let changes = encoding.ends_with('+') || encoding.contains('-');
    changes && pointer.is_some_and(|(_, pointer)| word >> 4 & 30 == pointer)
}

#[test]
fn exactly_the_undefined_words_are_reported() {
    let encodings = encoding::all(FOLDER);
    let mut memory = Memory::new(FLASH_BYTES, DATA_END);
    for word in 0..=u16::MAX {
        memory.write(CODE, &word.to_le_bytes()).expect("in flash");
        let mut bus = Registers { bytes: vec![0; 1 << 16], asked: BTreeMap::new() };
        let mut core = Core::new();
        core.set_register(PC, CODE);
        core.step(&mut memory, &mut bus);
        let encoding = encodings.iter().find(|encoding| encoding.begins_with(word));
        let undefined = encoding.is_none_or(|it| is_its_own_pointer(&it.name, word));
        assert_eq!(bus.asked.contains_key("undefined"), undefined, "0x{word:04x}");
    }
}

/// If there is an assembler, checks that it translates the text to the same words.
#[test]
fn code_is_what_the_assembler_says() {
    if Command::new("avr-as").arg("--version").output().is_err() {
        return;
    }
    let cases = case::cases(FOLDER);
    let mut source = String::from(".text\n");
    for (i, (_, case)) in cases.iter().enumerate() {
        source += &format!(".org {}\n{}\n", i * DISTANCE, case.assembly.replace(';', "\n"));
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [assembly, object, linked, binary] =
        ["avr8.s", "avr8.o", "avr8.elf", "avr8.bin"].map(|name| directory.join(name));
    fs::write(&assembly, source).expect("writable");
    let run = |program: &str, arguments: &[&str], files: [&Path; 2]| {
        let status = Command::new(program).args(arguments).args(files).status();
        assert!(status.expect("the tool runs").success(), "{program}");
    };
    run("avr-as", &["-mmcu=atmega128", "-o"], [&object, &assembly]);
    // Relative branches lead out of the code.
    run("avr-ld", &["-m", "avr51", "-Ttext=0x1000", "-e", "0", "-o"], [&linked, &object]);
    run("avr-objcopy", &["-O", "binary", "-j", ".text"], [&linked, &binary]);
    let bytes = fs::read(&binary).expect("readable");
    for (i, (file, case)) in cases.iter().enumerate() {
        let there = &bytes[i * DISTANCE..][..case.bytes().len()];
        assert_eq!(there, case.bytes(), "{file}: {}", case.assembly);
    }
}
