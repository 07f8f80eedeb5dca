// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which signals of blocks are on which pins (data sheet, "Alternate Port Functions").

use super::map::Block;
use crate::PinId;
use borsh::{BorshDeserialize, BorshSerialize};

/// A signal of a block that has a pin.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize,
)]
pub(crate) enum Signal {
    Ss,
    Sck,
    Mosi,
    Miso,
    Oc0,
    Oc1a,
    Oc1b,
    Oc1c,
    Oc2,
    Scl,
    Sda,
    Rxd1,
    Txd1,
    Icp1,
    Xck1,
    T1,
    T2,
    Rxd0,
    Txd0,
    Xck0,
    Oc3a,
    Oc3b,
    Oc3c,
    T3,
    Icp3,
    /// INT0 to INT7.
    Int(u8),
    /// AIN0 and AIN1.
    Ain(u8),
    /// ADC0 to ADC7.
    Adc(u8),
    /// The same as negative inputs of the comparator.
    Multiplexed(u8),
    /// TCK, TMS, TDO, TDI.
    Jtag(u8),
    /// TOSC2 and TOSC1.
    Tosc(u8),
}

/// A signal on a pin.
pub(super) struct Alternate {
    pub signal: Signal,
    pub pin: PinId,
    /// The block that takes what arrives there, if one does.
    pub receiver: Option<Block>,
}

const fn on(port: u8, bit: u8, signal: Signal) -> Alternate {
    Alternate { signal, pin: PinId { port, bit }, receiver: None }
}

const fn to(port: u8, bit: u8, signal: Signal, receiver: Block) -> Alternate {
    Alternate { signal, pin: PinId { port, bit }, receiver: Some(receiver) }
}

const B: u8 = 1;
const D: u8 = 3;
const E: u8 = 4;
const F: u8 = 5;
const G: u8 = 6;

/// All signals, in the order of their ports.
pub(super) static ALTERNATES: &[Alternate] = &[
    to(B, 0, Signal::Ss, Block::Spi),
    on(B, 1, Signal::Sck),
    to(B, 2, Signal::Mosi, Block::Spi),
    to(B, 3, Signal::Miso, Block::Spi),
    on(B, 4, Signal::Oc0),
    on(B, 5, Signal::Oc1a),
    on(B, 6, Signal::Oc1b),
    on(B, 7, Signal::Oc2),
    on(B, 7, Signal::Oc1c),
    on(D, 0, Signal::Scl),
    to(D, 0, Signal::Int(0), Block::Exint),
    to(D, 1, Signal::Sda, Block::Twi),
    to(D, 1, Signal::Int(1), Block::Exint),
    to(D, 2, Signal::Rxd1, Block::Usart1),
    to(D, 2, Signal::Int(2), Block::Exint),
    on(D, 3, Signal::Txd1),
    to(D, 3, Signal::Int(3), Block::Exint),
    to(D, 4, Signal::Icp1, Block::Timer1),
    on(D, 5, Signal::Xck1),
    to(D, 6, Signal::T1, Block::Timer1),
    to(D, 7, Signal::T2, Block::Timer2),
    to(E, 0, Signal::Rxd0, Block::Usart0),
    on(E, 1, Signal::Txd0),
    on(E, 2, Signal::Xck0),
    to(E, 2, Signal::Ain(0), Block::Ac),
    on(E, 3, Signal::Oc3a),
    to(E, 3, Signal::Ain(1), Block::Ac),
    on(E, 4, Signal::Oc3b),
    to(E, 4, Signal::Int(4), Block::Exint),
    on(E, 5, Signal::Oc3c),
    to(E, 5, Signal::Int(5), Block::Exint),
    to(E, 6, Signal::T3, Block::Timer3),
    to(E, 6, Signal::Int(6), Block::Exint),
    to(E, 7, Signal::Icp3, Block::Timer3),
    to(E, 7, Signal::Int(7), Block::Exint),
    on(F, 4, Signal::Jtag(0)),
    on(F, 5, Signal::Jtag(1)),
    on(F, 6, Signal::Jtag(2)),
    on(F, 7, Signal::Jtag(3)),
    to(F, 0, Signal::Adc(0), Block::Adc),
    to(F, 0, Signal::Multiplexed(0), Block::Ac),
    to(F, 1, Signal::Adc(1), Block::Adc),
    to(F, 1, Signal::Multiplexed(1), Block::Ac),
    to(F, 2, Signal::Adc(2), Block::Adc),
    to(F, 2, Signal::Multiplexed(2), Block::Ac),
    to(F, 3, Signal::Adc(3), Block::Adc),
    to(F, 3, Signal::Multiplexed(3), Block::Ac),
    to(F, 4, Signal::Adc(4), Block::Adc),
    to(F, 4, Signal::Multiplexed(4), Block::Ac),
    to(F, 5, Signal::Adc(5), Block::Adc),
    to(F, 5, Signal::Multiplexed(5), Block::Ac),
    to(F, 6, Signal::Adc(6), Block::Adc),
    to(F, 6, Signal::Multiplexed(6), Block::Ac),
    to(F, 7, Signal::Adc(7), Block::Adc),
    to(F, 7, Signal::Multiplexed(7), Block::Ac),
    on(G, 3, Signal::Tosc(2)),
    on(G, 4, Signal::Tosc(1)),
];

/// Where the signals of each port begin in [`ALTERNATES`], and where the last one's end.
static STARTS: [usize; PINS.len() + 1] = starts();

const fn starts() -> [usize; PINS.len() + 1] {
    let mut starts = [0; PINS.len() + 1];
    let mut port = 0;
    let mut row = 0;
    while port < starts.len() {
        while row < ALTERNATES.len() && (ALTERNATES[row].pin.port as usize) < port {
            row += 1;
        }
        starts[port] = row;
        port += 1;
    }
    starts
}

/// The signals on a pin.
pub(super) fn signals(pin: PinId) -> impl Iterator<Item = &'static Alternate> {
    let port = usize::from(pin.port);
    let signals = &ALTERNATES[STARTS[port]..STARTS[port + 1]];
    signals.iter().filter(move |alternate| alternate.pin == pin)
}

/// The pin of a signal.
pub(super) fn pin_of(signal: Signal) -> PinId {
    let alternate = ALTERNATES.iter().find(|alternate| alternate.signal == signal);
    alternate.map_or(PinId { port: u8::MAX, bit: u8::MAX }, |alternate| alternate.pin)
}

/// Pins of each port: A to F have eight, G has five.
pub(super) const PINS: [u8; 7] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signals_of_each_pin_are_found() {
        for alternate in ALTERNATES {
            assert!(signals(alternate.pin).any(|other| other.signal == alternate.signal));
        }
        let all = (0..7).flat_map(|port| (0..8).map(move |bit| PinId { port, bit }));
        assert_eq!(all.flat_map(signals).count(), ALTERNATES.len());
    }
}
