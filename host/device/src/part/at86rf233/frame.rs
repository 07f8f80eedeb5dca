// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the radio understands of frames: their addresses, and whether they are for it (data sheet of the AT86RF233,
//! "Frame Filtering"; IEEE 802.15.4-2006, 7.5.6.2).

use super::registers::{CSMA_SEED_1, IEEE_ADDR_0, PAN_ID_0, Registers, SHORT_ADDR_0, XAH_CTRL_1};

/// Types of frames.
const BEACON: u8 = 0;
const ACKNOWLEDGMENT: u8 = 2;
const COMMAND: u8 = 3;
/// The first byte of a command that asks for data.
const DATA_REQUEST: u8 = 4;
const BROADCAST: u64 = 0xFFFF;

/// XAH_CTRL_1.
const AACK_PROM_MODE: u8 = 1 << 1;
pub(super) const AACK_ACK_TIME: u8 = 1 << 2;
const AACK_UPLD_RES_FT: u8 = 1 << 4;
const AACK_FLTR_RES_FT: u8 = 1 << 5;
/// CSMA_SEED_1.
const AACK_I_AM_COORD: u8 = 1 << 3;
const AACK_DIS_ACK: u8 = 1 << 4;
const AACK_SET_PD: u8 = 1 << 5;

/// An address in a frame: of 2 or 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Address {
    Short(u64),
    Extended(u64),
}

/// The beginning of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    kind: u8,
    is_secured: bool,
    is_pending: bool,
    wants_ack: bool,
    version: u8,
    pub sequence: u8,
    destination: Option<(u64, Address)>,
    source: Option<(u64, Address)>,
    /// Bytes up to the end of its addresses.
    pub length: usize,
}

/// Takes numbers from the beginning of bytes.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take(&mut self, count: usize) -> Option<u64> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn address(&mut self, mode: u8) -> Option<Address> {
        match mode {
            2 => self.take(2).map(Address::Short),
            _ => self.take(8).map(Address::Extended),
        }
    }
}

impl Header {
    /// The header of a frame, the length of which is not among `bytes`; none if it is cut short.
    pub fn of(bytes: &[u8]) -> Option<Header> {
        let mut rest = Bytes(bytes);
        let control = rest.take(2)? as u16;
        let sequence = rest.take(1)? as u8;
        let (to, from) = ((control >> 10 & 3) as u8, (control >> 14) as u8);
        let is_compressed = control & 1 << 6 != 0;
        let destination = match to {
            0 => None,
            mode => Some((rest.take(2)?, rest.address(mode)?)),
        };
        let source = match (from, destination) {
            (0, _) => None,
            (mode, Some((pan, _))) if is_compressed => Some((pan, rest.address(mode)?)),
            (mode, _) => Some((rest.take(2)?, rest.address(mode)?)),
        };
        Some(Header {
            kind: (control & 7) as u8,
            is_secured: control & 1 << 3 != 0,
            is_pending: control & 1 << 4 != 0,
            wants_ack: control & 1 << 5 != 0,
            version: (control >> 12 & 3) as u8,
            sequence,
            destination,
            source,
            length: bytes.len() - rest.0.len(),
        })
    }

    /// How many bytes must be there for all addresses to be known, from the first two.
    pub fn needed(control: [u8; 2]) -> usize {
        let control = u16::from_le_bytes(control);
        let address = |mode: u16| match mode {
            0 => 0,
            2 => 4,
            _ => 10,
        };
        3 + address(control >> 10 & 3) + address(control >> 14)
    }

    /// Whether the radio takes the frame for its own.
    pub fn is_for(&self, registers: &Registers) -> bool {
        let options = registers.get(XAH_CTRL_1);
        if options & AACK_PROM_MODE != 0 {
            return true;
        }
        let (pan, is_coordinator) =
            (registers.number(PAN_ID_0, 2), registers.get(CSMA_SEED_1) & AACK_I_AM_COORD != 0);
        match (self.kind, self.destination, self.source) {
            (ACKNOWLEDGMENT, ..) => false,
            (4.., ..) if options & AACK_UPLD_RES_FT == 0 => false,
            (4.., ..) if options & AACK_FLTR_RES_FT == 0 => true,
            (BEACON, _, Some((from, _))) => from == pan || pan == BROADCAST,
            (_, Some((to, address)), _) => {
                (to == pan || to == BROADCAST) && is_own(registers, address)
            }
            (_, None, Some((from, _))) => is_coordinator && from == pan,
            (_, None, None) => false,
        }
    }

    /// Whether an acknowledgment is sent for the frame, which is for this radio.
    pub fn is_acknowledged(&self, registers: &Registers) -> bool {
        let options = registers.get(CSMA_SEED_1);
        let is_broadcast =
            matches!(self.destination, Some((_, Address::Short(BROADCAST))) | Some((BROADCAST, _)));
        let known = options >> 6;
        self.wants_ack
            && options & AACK_DIS_ACK == 0
            && !is_broadcast
            && !matches!(self.kind, BEACON | ACKNOWLEDGMENT)
            && (self.version <= known || known == 3)
    }

    /// The acknowledgment for the frame, without its checksum. It can say that there is more, to who asks for that.
    pub fn acknowledgment(&self, registers: &Registers, payload: &[u8]) -> [u8; 3] {
        let asks =
            self.kind == COMMAND && (self.is_secured || payload.first() == Some(&DATA_REQUEST));
        let is_pending = asks && registers.get(CSMA_SEED_1) & AACK_SET_PD != 0;
        [ACKNOWLEDGMENT | u8::from(is_pending) << 4, 0, self.sequence]
    }

    /// Whether it is an acknowledgment with this sequence number; if so, whether it says that there is more.
    pub fn acknowledges(&self, sequence: u8) -> Option<bool> {
        let fits = self.kind == ACKNOWLEDGMENT && self.sequence == sequence;
        fits.then_some(self.is_pending)
    }

    /// Whether it wants to be acknowledged.
    pub fn wants_ack(&self) -> bool {
        self.wants_ack
    }
}

fn is_own(registers: &Registers, address: Address) -> bool {
    match address {
        Address::Short(address) => {
            address == BROADCAST || address == registers.number(SHORT_ADDR_0, 2)
        }
        Address::Extended(address) => address == registers.number(IEEE_ADDR_0, 8),
    }
}

/// Whether every frame is passed on, whatever its addresses.
pub(super) fn is_promiscuous(registers: &Registers) -> bool {
    registers.get(XAH_CTRL_1) & AACK_PROM_MODE != 0
}
