// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares a core with an independent one: `cargo run --release --example oracle -- ARCHITECTURE FILE`.
//!
//! ARCHITECTURE is `armv6m` or `avr8`, FILE the output of `test/oracle/ARCHITECTURE.py`: random
//! programs, and the states that the other core ends with. Fails if a program ends differently here, or
//! if an encoding is neither executed nor excluded by name.

mod armv6m;
mod avr8;
// Shared with the tests of single instructions, which also query what a halfword may begin.
#[allow(dead_code)]
#[path = "../../tests/instructions/encoding.rs"]
mod encoding;
mod runs;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    const USAGE: &str = "which file? oracle armv6m|avr8 FILE";
    let mut arguments = std::env::args().skip(1);
    let architecture = arguments.next().ok_or(USAGE)?;
    let file = arguments.next().ok_or(USAGE)?;
    let agrees = match architecture.as_str() {
        "armv6m" => runs::compare::<armv6m::Program>(Path::new(&file))?,
        "avr8" => runs::compare::<avr8::Program>(Path::new(&file))?,
        _ => return Err(USAGE.into()),
    };
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
