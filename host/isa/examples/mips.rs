// SPDX-License-Identifier: MIT OR Apache-2.0
//! Throughput of a bare core: `cargo run --release --example mips -- armv6m|avr8 IMAGE.bin [CYCLES]`.
//!
//! Runs a binary image that starts at address 0 of flash, without devices, and prints how many
//! instructions per second the host executed. ARMv6-M has one wait state.

use lichen_isa::{Cycle, armv6m, avr8};
use std::error::Error;
use std::time::Instant;

/// A bus that has to be served every millisecond at 48 MHz, as with a busy mote.
const SERVED_EVERY: u64 = 48_000;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[allow(clippy::print_stdout)]
fn main() -> Result<()> {
    const USAGE: &str = "which image? mips armv6m|avr8 IMAGE.bin [CYCLES]";
    let mut arguments = std::env::args().skip(1);
    let architecture = arguments.next().ok_or(USAGE)?;
    let path = arguments.next().ok_or(USAGE)?;
    let cycles: u64 = arguments.next().map_or(Ok(1_000_000_000), |text| text.parse())?;
    let image = std::fs::read(&path)?;

    let begin = Instant::now();
    let (instructions, cycles) = match architecture.as_str() {
        "armv6m" => run_armv6m(&image, Cycle(cycles))?,
        "avr8" => run_avr8(&image, Cycle(cycles))?,
        _ => return Err(USAGE.into()),
    };
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{path}: {:.0} MIPS ({instructions} instructions, {} cycles, {seconds:.2} s)",
        instructions as f64 / seconds / 1e6,
        cycles.0,
    );
    Ok(())
}

/// Returns the instructions executed and the cycles that passed.
fn run_armv6m(image: &[u8], end: Cycle) -> Result<(u64, Cycle)> {
    use armv6m::{Core, FlashTiming, Memory, NoDevices, Options, Stop};
    let mut memory = Memory::new(256 * 1024, 32 * 1024);
    memory.write(0, image)?;
    memory.set_flash_timing(FlashTiming { wait_states: 1, uncached: false });
    let mut core = Core::new(Options::default());
    core.reset(&memory);
    while core.cycle() < end {
        let stop = core.run(&mut memory, &mut NoDevices, core.cycle() + SERVED_EVERY);
        if stop != Stop::Reached {
            return Err(format!("{stop:?}: {:?}", core.last_fault()).into());
        }
    }
    Ok((core.instructions(), core.cycle()))
}

fn run_avr8(image: &[u8], end: Cycle) -> Result<(u64, Cycle)> {
    use avr8::{Core, Memory, NoDevices, Stop};
    let mut memory = Memory::new(128 * 1024, 0x1100);
    memory.write(0, image)?;
    let mut core = Core::new();
    core.reset(0);
    while core.cycle() < end {
        let stop = core.run(&mut memory, &mut NoDevices, core.cycle() + SERVED_EVERY);
        if stop != Stop::Reached {
            return Err(format!("{stop:?} at 0x{:x}", core.pc()).into());
        }
    }
    Ok((core.instructions(), core.cycle()))
}
