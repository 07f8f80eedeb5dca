// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board's radio: which wires each part has beside its data.

use super::interface::{Interface, Stated};
use super::{Pin, Wire};
use lichen_device::part::RadioPart;
use serde::Deserialize;

/// A radio: data on SPI, and wires of its own, with names as in its data sheet.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Radio {
    /// Part number.
    pub part: String,
    /// Instance of a SAM's serial interface.
    sercom: Option<u8>,
    /// Peripheral function of its pins.
    function: Option<char>,
    /// Instance of an AVR's SPI.
    spi: Option<u8>,
    /// Data to the radio.
    pub mosi: Wire,
    /// Clock of the data.
    pub sck: Wire,
    /// Data from the radio.
    pub miso: Wire,
    /// Chip select, active low.
    pub select: Option<Pin>,
    /// Interrupt request from the radio, active high.
    pub irq: Option<Pin>,
    /// Reset, active low.
    pub reset: Option<Pin>,
    /// AT86RF233, SLP_TR: sleep, and start of transmission.
    pub sleep: Option<Pin>,
    /// AT86RF233, CLKM: a clock made from its crystal, if that is connected.
    pub clkm: Option<Pin>,
    /// CC2420, VREG_EN: its voltage regulator, active high.
    pub regulator: Option<Pin>,
    /// CC2420, FIFO: bytes have been received.
    pub fifo: Option<Pin>,
    /// CC2420, FIFOP: a frame, or more bytes than a threshold, have been received.
    pub fifop: Option<Pin>,
    /// CC2420, CCA: the channel is clear.
    pub cca: Option<Pin>,
    /// CC2420, SFD: a frame is being sent or received.
    pub sfd: Option<Pin>,
    /// CC1000, PALE: address latch of its registers, active low.
    pub pale: Option<Pin>,
    /// CC1000, DCLK: where the clock of its data leads beside the SPI.
    pub dclk: Option<Pin>,
    /// CC1000, PCLK: clock of its registers.
    pub pclk: Option<Pin>,
    /// CC1000, PDATA: data to and from its registers.
    pub pdata: Option<Pin>,
    /// CC1000, CHP_OUT: the synthesizer is locked.
    pub chp_out: Option<Pin>,
    /// CC1000, RSSI: signal strength, as a voltage.
    pub rssi: Option<Pin>,
}

/// A wire between the chip and the radio, apart from its data.
pub(super) struct Control {
    pub(super) name: &'static str,
    pub(super) pin: Option<Pin>,
    /// Whether it leads to the radio.
    pub(super) output: bool,
}

impl Radio {
    pub(super) fn stated(&self) -> Stated {
        let Radio { sercom, function, spi, .. } = *self;
        Stated { sercom, function, own: spi.map(Interface::Spi), bit_banged: false }
    }

    /// All wires that a radio can have, apart from its data.
    pub(super) fn controls(&self) -> [Control; 16] {
        let to = |name, pin| Control { name, pin, output: true };
        let from = |name, pin| Control { name, pin, output: false };
        [
            to("select", self.select),
            from("irq", self.irq),
            to("reset", self.reset),
            to("sleep", self.sleep),
            from("clkm", self.clkm),
            to("regulator", self.regulator),
            from("fifo", self.fifo),
            from("fifop", self.fifop),
            from("cca", self.cca),
            from("sfd", self.sfd),
            to("pale", self.pale),
            to("pclk", self.pclk),
            to("pdata", self.pdata),
            from("chp_out", self.chp_out),
            from("rssi", self.rssi),
            from("dclk", self.dclk),
        ]
    }

    /// Whether its frames are those of IEEE 802.15.4, as far as is known.
    pub fn is_802_15_4(&self) -> bool {
        RadioPart::find(&self.part).is_none_or(|part| part.is_802_15_4)
    }

    /// A wire that the part has and the file lacks, or the other way round, in words.
    pub(super) fn misfit(&self) -> Option<String> {
        let RadioPart { number, wires, optional, .. } = RadioPart::find(&self.part)?;
        self.controls().iter().find_map(|Control { name, pin, .. }| {
            match (wires.contains(name), pin) {
                (true, None) => Some(format!("the radio {number} needs a `{name}`")),
                (false, Some(_)) if !optional.contains(name) => {
                    Some(format!("the radio {number} has no `{name}`"))
                }
                _ => None,
            }
        })
    }
}
