// SPDX-License-Identifier: MIT OR Apache-2.0
mod asynchronous;
mod eight;
mod pins;
mod sixteen;

use super::{Sixteen, Timer0, Timer2};
use crate::atmega128::bench::Bench;
use crate::atmega128::peripheral::{Drive, Effect, Peripheral};
use crate::atmega128::pins::Signal;

/// Writes a register of 16 bits, whose low byte is at `low`, as the data sheet says.
fn write16<P: Peripheral>(bench: &mut Bench<P>, low: u8, value: u16) {
    let [high, low_byte] = value.to_be_bytes();
    bench.write(low + 1, high);
    bench.write(low, low_byte);
}

fn read16<P: Peripheral>(bench: &mut Bench<P>, low: u8) -> u16 {
    let low_byte = bench.read(low);
    u16::from_be_bytes([bench.read(low + 1), low_byte])
}

/// The levels that a waveform output has taken, with their cycles.
fn waveform<P>(bench: &mut Bench<P>, wanted: Signal) -> Vec<(u64, bool)> {
    let clocks = bench.clocks.clone();
    let effects = bench.effects.drain(..);
    effects
        .filter_map(|(time, effect)| match effect {
            Effect::Override(signal, Drive { value: Some(high), .. }) if signal == wanted => {
                Some((clocks.cycle_until(time), high))
            }
            _ => None,
        })
        .collect()
}
