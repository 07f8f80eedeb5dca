// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every ARMv6-M instruction against the data files in `test/isa/armv6m`.

use crate::case::{self, Case};
use crate::encoding;
use lichen_isa::armv6m::{Core, FaultKind, Memory, NoDevices, Options, RAM_BASE};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Its folder.
const FOLDER: &str = "armv6m";

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

/// Executes the instruction and reports what is wrong with the outcome.
fn check(case: &Case) -> Result<(), String> {
    let mut memory = Memory::new(FLASH_BYTES, RAM_BYTES);
    memory.write(CODE, &case.bytes()).map_err(|error| error.to_string())?;
    for (address, word) in case.before.memory()? {
        memory.write(address, &word.to_le_bytes()).map_err(|error| error.to_string())?;
    }
    let mut core = prepare(case, &memory)?;
    let before = registers(&core);
    let mut ram = memory.ram().to_vec();

    core.step(&mut memory, &mut NoDevices);

    if let Some(fault) = &case.fault {
        if core.first_fault().is_none() {
            // A branch whose fault appears only at the next instruction.
            core.step(&mut memory, &mut NoDevices);
        }
        return check_fault(&core, fault);
    }
    if let Some(fault) = core.first_fault() {
        return Err(format!("fault {:?}", fault.kind));
    }
    check_registers(case, before, registers(&core))?;
    for (address, word) in case.after.memory()? {
        let at = (address - RAM_BASE) as usize;
        ram[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    if memory.ram() != ram {
        return Err("memory differs".to_string());
    }
    let cycles = Some(core.cycle().0);
    if cycles != case.cycles { Err(format!("takes {cycles:?} cycles")) } else { Ok(()) }
}

/// A core that is about to execute the instruction, its registers all different.
fn prepare(case: &Case, memory: &Memory) -> Result<Core, String> {
    let mut core = Core::new(Options::default());
    core.reset(memory);
    for register in 0..SP {
        core.set_register(register, 0x0101_0101 * (register as u32 + 0xA0));
    }
    core.set_register(MSP, MAIN_STACK);
    core.set_register(PSP, PROCESS_STACK);
    core.set_register(PC, CODE);
    for (name, value) in &case.before.registers {
        match name.as_str() {
            "event" => core.send_event(),
            _ => core.set_register(index(name)?, *value),
        }
    }
    core.set_register(XPSR, case.before.flag_bits(&FLAGS).unwrap_or(0));
    Ok(core)
}

fn check_fault(core: &Core, expected: &str) -> Result<(), String> {
    let found = core.first_fault().map(|fault| format!("{:?}", fault.kind));
    if found.as_deref() != Some(expected) {
        return Err(format!("fault {found:?}, not {expected}"));
    }
    Ok(())
}

/// Registers that the case does not name are unchanged; PC is after the instruction.
fn check_registers(
    case: &Case,
    before: [u32; REGISTERS],
    found: [u32; REGISTERS],
) -> Result<(), String> {
    let mut expected = before;
    let wide = case.code.first().is_some_and(|half| half >> 11 >= 0b11101);
    expected[PC] = before[PC] + if wide { 4 } else { 2 };
    expected[XPSR] = THUMB | case.after.flag_bits(&FLAGS).unwrap_or(before[XPSR] & !THUMB);
    for (name, value) in &case.after.registers {
        expected[index(name)?] = *value;
    }
    // `sp` is another name of the stack pointer in use.
    let in_use = if expected[CONTROL] & 2 != 0 { PSP } else { MSP };
    if case.after.registers.contains_key("sp") {
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

/// The fault that a single halfword takes, if it matches the encoding.
fn fault_of(halfword: u16) -> Option<FaultKind> {
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
fn encodings_divide_all_halfwords() {
    let encodings = encoding::all(FOLDER);
    for halfword in 0..=u16::MAX {
        let wide = halfword >> 11 == 0b11110;
        let matches = encodings.iter().filter(|encoding| encoding.begins_with(halfword)).count();
        assert!(wide || matches == 1, "0x{halfword:04x} has {matches} encodings");
    }
}

#[test]
fn exactly_the_undefined_halfwords_are_undefined() {
    let encodings = encoding::all(FOLDER);
    for halfword in (0..=u16::MAX).filter(|halfword| halfword >> 11 != 0b11110) {
        let undefined = encodings.iter().any(|encoding| {
            encoding.begins_with(halfword)
                && (encoding.name.starts_with("UNDEFINED") || encoding.name.starts_with("UDF"))
        });
        let fault = fault_of(halfword);
        assert_eq!(undefined, fault == Some(FaultKind::Undefined), "0x{halfword:04x}");
    }
}

/// If there is an assembler, checks that it translates the text to the same halfwords.
#[test]
fn code_is_what_the_assembler_says() {
    if Command::new("arm-none-eabi-as").arg("--version").output().is_err() {
        return;
    }
    let cases = case::cases(FOLDER);
    let mut source = String::from(".syntax unified\n.cpu cortex-m0plus\n.thumb\n.text\n");
    for (i, (_, case)) in cases.iter().enumerate() {
        // Each case in a section of its own, aligned as its address is.
        let text =
            case.assembly.replace("t:", &format!("t{i}:")).replace(" t;", &format!(" t{i};"));
        source += &format!(".section s{i},\"ax\"\n.align 2\n{}\n", text.replace(';', "\n"));
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (assembly, object) = (directory.join("cases.s"), directory.join("cases.o"));
    fs::write(&assembly, source).expect("writable");
    let status = Command::new("arm-none-eabi-as").arg("-o").args([&object, &assembly]).status();
    assert!(status.expect("the assembler runs").success());
    for (i, (file, case)) in cases.iter().enumerate() {
        let binary = directory.join("case.bin");
        let status = Command::new("arm-none-eabi-objcopy")
            .args(["-O", "binary", "-j", &format!("s{i}")])
            .args([&object, &binary])
            .status();
        assert!(status.expect("objcopy runs").success());
        let bytes = fs::read(&binary).expect("readable");
        assert!(bytes.starts_with(&case.bytes()), "{file}: {}: {bytes:02x?}", case.assembly);
    }
}
