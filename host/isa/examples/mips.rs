// SPDX-License-Identifier: MIT OR Apache-2.0
//! Throughput of the bare core: `cargo run --release --example mips -- IMAGE.bin [CYCLES]`.
//!
//! Runs a binary image that starts at address 0 of flash with one wait state, without devices, and
//! prints how many instructions per second the host executed.

use lichen_isa::Cycle;
use lichen_isa::armv6m::{Core, FlashTiming, Memory, NoDevices, Options, Stop};
use std::error::Error;
use std::time::Instant;

const FLASH_BYTES: usize = 256 * 1024;
const RAM_BYTES: usize = 32 * 1024;

/// A bus that has to be served every millisecond at 48 MHz, as with a busy mote.
const SERVED_EVERY: u64 = 48_000;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which image? mips IMAGE.bin [CYCLES]")?;
    let cycles: u64 = arguments.next().map_or(Ok(1_000_000_000), |text| text.parse())?;

    let mut memory = Memory::new(FLASH_BYTES, RAM_BYTES);
    memory.write(0, &std::fs::read(&path)?)?;
    memory.set_flash_timing(FlashTiming { wait_states: 1, uncached: false });
    let mut core = Core::new(Options::default());
    core.reset(&memory);

    let begin = Instant::now();
    while core.cycle() < Cycle(cycles) {
        let stop = core.run(&mut memory, &mut NoDevices, core.cycle() + SERVED_EVERY);
        if stop != Stop::Reached {
            return Err(format!("{stop:?}: {:?}", core.last_fault()).into());
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let instructions = core.instructions();
    println!(
        "{path}: {:.0} MIPS ({instructions} instructions, {} cycles, {seconds:.2} s)",
        instructions as f64 / seconds / 1e6,
        core.cycle().0,
    );
    Ok(())
}
