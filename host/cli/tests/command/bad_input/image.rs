// SPDX-License-Identifier: MIT OR Apache-2.0
//! Images that are none, do not fit, or go wrong at once.

use super::{Refuses, folder, text, write};
use crate::common::{Called, call};

/// An ELF file for ARM with one segment at `address` and an entry behind its vector table.
fn elf(machine: u16, address: u32, memory: &[u8]) -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 1, 1, 1];
    file.resize(16, 0);
    let half = |file: &mut Vec<u8>, value: u16| file.extend(value.to_le_bytes());
    let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
    half(&mut file, 2); // an executable
    half(&mut file, machine);
    word(&mut file, 1);
    word(&mut file, address + 9); // entry, in Thumb state
    word(&mut file, 52); // program headers begin
    word(&mut file, 0);
    word(&mut file, 0x0500_0000);
    half(&mut file, 52);
    half(&mut file, 32);
    half(&mut file, 1);
    half(&mut file, 40);
    half(&mut file, 0);
    half(&mut file, 0);
    let length = memory.len() as u32;
    for value in [1, 84, address, address, length, length, 5, 4] {
        word(&mut file, value);
    }
    file.extend(memory);
    file
}

const ARM: u16 = 40;

const AVR: u16 = 83;

/// A vector table (stack, reset) and the instructions behind it.
fn program(reset: u32, instructions: &[u16]) -> Vec<u8> {
    let mut memory = Vec::new();
    memory.extend(0x2000_1000u32.to_le_bytes());
    memory.extend(reset.to_le_bytes());
    instructions.iter().for_each(|instruction| memory.extend(instruction.to_le_bytes()));
    memory
}

/// Runs an image with this memory at address 0 for a second.
fn run_memory(memory: &[u8]) -> Called {
    let folder = folder();
    let image = write(folder.path(), "image.elf", elf(ARM, 0, memory));
    call(&["run", &text(&image), "--board", "samr21-xpro", "--for", "1s"])
}

#[test]
fn a_file_that_is_no_elf() {
    let folder = folder();
    let file = write(folder.path(), "notes.elf", "just words\n");
    call(&["run", &text(&file)]).refuses(2, &["notes.elf", "neither an ELF file", "linker"]);
}

#[test]
fn an_empty_file() {
    let folder = folder();
    let file = write(folder.path(), "empty.elf", "");
    call(&["run", &text(&file)]).refuses(2, &["empty.elf", "neither an ELF file"]);
}

#[test]
fn an_elf_of_another_machine() {
    let folder = folder();
    let file = write(folder.path(), "avr.elf", elf(AVR, 0, &program(9, &[0xe7fe])));
    call(&["run", &text(&file)]).refuses(
        2,
        &["avr.elf: made for AVR, but the ATSAMR21", "executes ARMv6-M", "choose a board"],
    );
}

#[test]
fn an_elf_of_the_host() {
    let file = env!("CARGO_BIN_EXE_lichen");
    call(&["run", file]).refuses(2, &["lichen", "known are executables for ARM and AVR"]);
}

#[test]
fn an_image_larger_than_the_flash() {
    let folder = folder();
    let memory = vec![0; 256 * 1024 + 4];
    let file = write(folder.path(), "large.elf", elf(ARM, 0, &memory));
    call(&["run", &text(&file)])
        .refuses(2, &["large.elf", "4 bytes too large", "flash", "smaller"]);
}

#[test]
fn an_image_that_takes_more_ram_than_there_is() {
    let folder = folder();
    let mut image = elf(ARM, 0, &program(9, &[0xe7fe]));
    // A second segment, which the file holds nothing of: 1 GiB of zeros in RAM.
    image[44..46].copy_from_slice(&2u16.to_le_bytes());
    let of_ram = [1, 84, 0x2000_0000, 0x2000_0000, 0, 1 << 30, 6, 4u32];
    image.splice(84..84, of_ram.iter().flat_map(|word| word.to_le_bytes()));
    image[56..60].copy_from_slice(&116u32.to_le_bytes());
    let file = write(folder.path(), "ram.elf", image);
    call(&["run", &text(&file), "--for", "1s"]).refuses(
        2,
        &["ram.elf", "0x20000000..0x60000000 is 1073709056 bytes too large for the RAM"],
    );
}

#[test]
fn an_image_that_is_not_there() {
    call(&["run", "nowhere/x.elf"]).refuses(2, &["nowhere/x.elf", "no such image", "help: "]);
}

#[test]
fn an_image_is_not_built_for_a_debugger() {
    let folder = folder();
    let image = write(folder.path(), "image.elf", elf(ARM, 0, &program(9, &[0xe7fe])));
    call(&["run", &text(&image), "--debug"]).refuses(2, &["image.elf: --debug does not apply"]);
}

#[test]
fn an_image_that_locks_up() {
    // An undefined instruction (UDF), and a HardFault handler that is one too.
    let mut memory = program(0x41, &[]);
    memory.resize(0x40, 0);
    memory[12..16].copy_from_slice(&0x41u32.to_le_bytes());
    memory.extend(0xde00u16.to_le_bytes());
    run_memory(&memory).refuses(1, &["lock", "0x000000", "help: "]);
}

#[test]
fn an_image_that_jumps_into_nothing() {
    // ldr r0, [pc]; bx r0; .word 0x60000001
    run_memory(&program(9, &[0x4800, 0x4700, 0x0001, 0x6000])).refuses(1, &["help: "]);
}

#[test]
fn an_image_without_a_vector_table() {
    run_memory(&[0xff; 64]).refuses(2, &["image.elf", "vector table", "0xffffffff"]);
}

#[test]
fn an_image_that_never_prints() {
    // b .
    run_memory(&program(9, &[0xe7fe])).refuses(1, &["printed nothing", "0x00000008", "help: "]);
}

#[test]
fn a_warning_ends_a_strict_run() {
    // ldr r0, [pc, #4]; ldr r1, [r0]; b .; .word SERCOM0, whose bus clock is off
    let memory = program(9, &[0x4801, 0x6801, 0xe7fe, 0, 0x0800, 0x4200]);
    let folder = folder();
    let image = write(folder.path(), "image.elf", elf(ARM, 0, &memory));
    let run = ["run", &text(&image), "--board", "samr21-xpro", "--for", "1s", "--strict"];
    call(&run).refuses(1, &["warning: ", "SERCOM0", "0x0000000a", "help: "]);
}
