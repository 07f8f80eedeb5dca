// SPDX-License-Identifier: MIT OR Apache-2.0
//! Security: of the stand-alone buffer, and of the frames in both FIFOs (data sheet of the CC2420, "MAC Security Operations
//! (Encryption and Authentication)").
//!
//! The result is there when the time is over that it takes. A frame must be there as a whole before.

use super::chip::{Chip, Mismatch};
use super::cipher::{Cipher, Nonce, blocks};
use super::ram;
use super::registers::{
    Field, SEC_CBC_HEAD, SEC_M, SEC_MODE, SEC_RXKEYSEL, SEC_RXL, SEC_SAKEYSEL, SEC_TXKEYSEL,
    SEC_TXL,
};
use crate::Surroundings;
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// A block ("Timing": 14 us for the stand-alone buffer; 16 blocks of CCM take 222 us, 7 of CBC-MAC 99).
const BLOCK_TAKES: Time = Time::from_us(14);
/// Bytes of the checksum.
const FCS: usize = 2;

/// Modes of SECCTRL0.SEC_MODE.
const CBC_MAC: u16 = 1;
const CTR: u16 = 2;
const CCM: u16 = 3;

/// What the last byte of the tag becomes in a frame whose tag is right, or wrong.
const RIGHT: u8 = 0x00;
const WRONG: u8 = 0xFF;

#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Work {
    StandAlone,
    Encrypt,
    Decrypt,
}

/// What the cipher is busy with.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Job {
    pub work: Work,
    /// When it is done; [`Time::NEVER`] while the frame is not there as a whole.
    pub until: Time,
}

/// The bytes of a frame, the length first, and which parts are for the cipher.
struct Parts {
    bytes: Vec<u8>,
    mode: u16,
    /// Where the first byte is that is encrypted, or with CBC-MAC authenticated; the tag; and the checksum.
    first: usize,
    tag: usize,
    end: usize,
}

impl Chip {
    /// It begins, unless the cipher is busy.
    pub fn begin_job(&mut self, around: &mut Surroundings<'_>, work: Work) {
        let is_pointless = match work {
            Work::StandAlone => false,
            Work::Encrypt => self.tx.is_secured,
            Work::Decrypt => self.rx.front().is_none(),
        };
        if self.job.is_some() || is_pointless {
            return;
        }
        let until = match work {
            Work::StandAlone => around.now + BLOCK_TAKES,
            _ => Time::NEVER,
        };
        self.job = Some(Job { work, until });
        self.resume_job(around.now);
        if work == Work::Encrypt && self.job.as_ref().is_some_and(|job| job.until == Time::NEVER) {
            let text = "encrypts no frame before all of it is in the TXFIFO";
            self.mismatch(around, Mismatch::PartialSecurity, text);
        }
    }

    /// The frame may be there as a whole now.
    pub fn resume_job(&mut self, now: Time) {
        let Some(Job { work, until: Time::NEVER }) = self.job else { return };
        if let Some(parts) = self.parts(work) {
            self.job = Some(Job { work, until: now + BLOCK_TAKES * parts.blocks() });
        }
    }

    pub fn cancel_job(&mut self, work: Work) {
        self.job.take_if(|job| job.work == work);
    }

    pub fn job_ends(&mut self, around: &mut Surroundings<'_>) {
        let Some(job) = self.job.take() else { return };
        match job.work {
            Work::StandAlone => self.encrypt_buffer(),
            Work::Encrypt => self.encrypt(around),
            Work::Decrypt => self.decrypt(),
        }
    }

    fn cipher(&self, selects: Field) -> Cipher {
        let is_second = self.registers.is_set(selects);
        Cipher::new(self.ram.reversed(if is_second { ram::KEY1 } else { ram::KEY0 }))
    }

    fn nonce(&self, at: usize) -> Nonce {
        Nonce { block: self.ram.reversed(at), m: self.registers.field(SEC_M) as u8 }
    }

    fn encrypt_buffer(&mut self) {
        let block = self.cipher(SEC_SAKEYSEL).encrypt(self.ram.array(ram::SABUF));
        (0..).zip(block).for_each(|(at, byte)| self.ram.set(ram::SABUF + at, byte));
    }

    /// The frame that the work is on, if it is there as a whole. What the tag replaces need not be.
    fn parts(&self, work: Work) -> Option<Parts> {
        let mode = self.registers.field(SEC_MODE);
        let encrypts = work == Work::Encrypt;
        let (bytes, plain) = if encrypts { self.sent_frame()? } else { self.received_frame()? };
        let size = match mode {
            CBC_MAC | CCM => usize::from(2 * self.registers.field(SEC_M) + 2),
            _ => 0,
        };
        let end = bytes.len().saturating_sub(FCS).max(1);
        let tag = end.saturating_sub(size).max(1);
        let skips = if encrypts { SEC_TXL } else { SEC_RXL };
        let first = (1 + usize::from(self.registers.field(skips))).min(tag);
        (plain >= tag).then_some(Parts { bytes, mode, first, tag, end })
    }

    /// The frame in the TXFIFO, and how many bytes of it are there.
    fn sent_frame(&self) -> Option<(Vec<u8>, usize)> {
        let length = self.tx.get(&self.ram, 0)? & 0x7F;
        let bytes = (0..=usize::from(length)).map(|at| self.ram.get(ram::TXFIFO + at));
        Some((bytes.collect(), self.tx.count()))
    }

    /// The first frame in the RXFIFO.
    fn received_frame(&self) -> Option<(Vec<u8>, usize)> {
        let frame = self.rx.front().filter(|frame| frame.is_whole)?;
        let range = frame.begin..frame.begin + frame.total;
        let bytes: Vec<u8> = range.map(|at| self.rx.get(&self.ram, at)).collect();
        let count = bytes.len();
        Some((bytes, count))
    }

    fn encrypt(&mut self, around: &mut Surroundings<'_>) {
        let Some(mut parts) = self.parts(Work::Encrypt) else { return };
        let cipher = self.cipher(SEC_TXKEYSEL);
        let tag = self.tag(&cipher, ram::TXNONCE, &parts);
        if parts.mode != CBC_MAC {
            cipher.ctr(self.nonce(ram::TXNONCE), &mut parts.bytes[parts.first..parts.tag]);
        }
        let place = parts.bytes[parts.tag..parts.end].iter_mut();
        place.zip(tag).for_each(|(place, byte)| *place = byte);
        let written = parts.bytes[..parts.end].iter().enumerate();
        written.for_each(|(at, byte)| self.ram.set(ram::TXFIFO + at, *byte));
        self.tx.extend(parts.end);
        self.tx.is_secured = true;
        self.amend(around);
    }

    fn decrypt(&mut self) {
        let Some(mut parts) = self.parts(Work::Decrypt) else { return };
        let cipher = self.cipher(SEC_RXKEYSEL);
        if parts.mode != CBC_MAC {
            cipher.ctr(self.nonce(ram::RXNONCE), &mut parts.bytes[parts.first..parts.tag]);
        }
        let tag = self.tag(&cipher, ram::RXNONCE, &parts);
        let is_right = parts.bytes[parts.tag..parts.end].iter().zip(tag).all(|(a, b)| *a == b);
        if parts.tag < parts.end {
            parts.bytes[parts.end - 1] = if is_right { RIGHT } else { WRONG };
        }
        let Some(begin) = self.rx.front().map(|frame| frame.begin) else { return };
        for (at, byte) in parts.bytes.iter().enumerate() {
            self.rx.set(&mut self.ram, begin + at, *byte);
        }
        if let Some(frame) = self.rx.front_mut() {
            frame.is_secured = true;
        }
    }

    /// The tag of what is plain text now.
    fn tag(&self, cipher: &Cipher, nonce: usize, parts: &Parts) -> [u8; 16] {
        let plain = &parts.bytes[parts.first..parts.tag];
        match parts.mode {
            CBC_MAC => cipher.authenticate(plain, self.registers.is_set(SEC_CBC_HEAD)),
            _ => cipher.ccm_tag(self.nonce(nonce), &parts.bytes[1..parts.first], plain),
        }
    }
}

impl Parts {
    /// How many blocks go through the cipher.
    fn blocks(&self) -> u64 {
        let text = self.tag - self.first;
        match self.mode {
            CBC_MAC => blocks(1 + text),
            CTR => blocks(text),
            CCM => {
                let header = self.first - 1;
                let header = if header == 0 { 0 } else { blocks(header + 2) };
                1 + header + 2 * blocks(text) + 1
            }
            _ => 0,
        }
    }
}
