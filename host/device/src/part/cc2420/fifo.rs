// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two FIFOs, which are in the RAM (data sheet of the CC2420, "FIFO access", "RF Data Buffering").

use super::ram::{self, FIFO, Ram};
use borsh::{BorshDeserialize, BorshSerialize};
use std::collections::VecDeque;

/// In the first byte of a frame's control field.
const SECURITY_ENABLED: u8 = 1 << 3;

/// The TXFIFO. It holds one frame, which is read from its beginning by each transmission.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct TxFifo {
    count: usize,
    /// The frame has been sent: the next byte begins another one.
    is_sent: bool,
    /// TX_UNDERFLOW.
    pub is_underflown: bool,
    /// The frame has been through the cipher.
    pub is_secured: bool,
}

impl TxFifo {
    /// A program writes. False if there is no room.
    pub fn write(&mut self, ram: &mut Ram, byte: u8) -> bool {
        if self.is_sent {
            *self = TxFifo::default();
        }
        self.is_secured = false;
        let has_room = self.count < FIFO;
        if has_room {
            ram.set(ram::TXFIFO + self.count, byte);
            self.count += 1;
        }
        has_room
    }

    /// Byte `index`, the length first, if it is there.
    pub fn get(&self, ram: &Ram, index: usize) -> Option<u8> {
        (index < self.count).then(|| ram.get(ram::TXFIFO + index))
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The cipher has written as far as this.
    pub fn extend(&mut self, count: usize) {
        self.count = self.count.max(count.min(FIFO));
    }

    pub fn sent(&mut self) {
        self.is_sent = true;
    }
}

/// A frame in the RXFIFO.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Stored {
    /// Where its length is, counted from the last flush.
    pub begin: usize,
    /// Bytes that it has when it is whole, with its length.
    pub total: usize,
    pub is_whole: bool,
    /// It has passed address recognition.
    is_accepted: bool,
    /// It has been through the cipher.
    pub is_secured: bool,
    /// The receiver was stopped before its end. What is there of it stays, before the next frame.
    is_abandoned: bool,
}

/// The RXFIFO. Bytes are counted from the last flush.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct RxFifo {
    read: usize,
    written: usize,
    frames: VecDeque<Stored>,
    /// Until it is flushed.
    pub has_overflown: bool,
    /// SECCTRL0.RXFIFO_PROTECTION.
    pub protects: bool,
}

impl RxFifo {
    pub fn empty(protects: bool) -> RxFifo {
        RxFifo { protects, ..RxFifo::default() }
    }

    /// A byte, of those that are counted.
    pub fn get(&self, ram: &Ram, at: usize) -> u8 {
        ram.get(ram::RXFIFO + at % FIFO)
    }

    pub fn set(&self, ram: &mut Ram, at: usize, byte: u8) {
        ram.set(ram::RXFIFO + at % FIFO, byte);
    }

    /// A frame begins with its length, of which seven bits count.
    pub fn begin(&mut self, length: u8, is_accepted: bool) {
        let rest = self.frames.back().filter(|frame| frame.is_abandoned).map(|frame| frame.begin);
        if rest.is_some() {
            self.frames.pop_back();
        }
        let begin = rest.unwrap_or(self.written);
        let total = self.written - begin + 1 + usize::from(length & 0x7F);
        let (is_whole, is_secured, is_abandoned) = (false, false, false);
        let frame = Stored { begin, total, is_whole, is_accepted, is_secured, is_abandoned };
        self.frames.push_back(frame);
    }

    /// The rest of the last frame is not received.
    pub fn abandon(&mut self) {
        if let Some(frame) = self.frames.back_mut().filter(|frame| !frame.is_whole) {
            (frame.is_abandoned, frame.is_accepted) = (true, true);
        }
    }

    /// A byte of the last frame. False if there is no room.
    pub fn push(&mut self, ram: &mut Ram, byte: u8) -> bool {
        self.has_overflown |= self.room(ram) == 0;
        if self.has_overflown {
            return false;
        }
        self.set(ram, self.written, byte);
        self.written += 1;
        true
    }

    /// A program writes: its bytes form frames, too.
    pub fn write(&mut self, ram: &mut Ram, byte: u8) -> bool {
        if self.frames.back().is_none_or(|frame| frame.is_whole || frame.is_abandoned) {
            self.begin(byte, true);
        }
        let has_room = self.push(ram, byte);
        if let Some(frame) = self.frames.back_mut() {
            frame.is_whole |= self.written - frame.begin >= frame.total;
        }
        has_room
    }

    /// The last frame has passed address recognition.
    pub fn accept(&mut self) {
        if let Some(frame) = self.frames.back_mut() {
            frame.is_accepted = true;
        }
    }

    /// The last frame has not: it is gone.
    pub fn reject(&mut self) {
        if let Some(frame) = self.frames.pop_back() {
            self.written = frame.begin;
            self.read = self.read.min(self.written);
        }
    }

    /// The last frame has been received.
    pub fn complete(&mut self) {
        if let Some(frame) = self.frames.back_mut() {
            frame.is_whole = true;
        }
        self.drop_read();
    }

    pub fn front(&self) -> Option<&Stored> {
        self.frames.front()
    }

    pub fn front_mut(&mut self) -> Option<&mut Stored> {
        self.frames.front_mut()
    }

    /// The next byte; what was there last if there is none.
    pub fn peek(&self, ram: &Ram) -> u8 {
        self.get(ram, self.read)
    }

    /// The next byte has been read.
    pub fn advance(&mut self) {
        if self.read < self.written {
            self.read += 1;
            self.drop_read();
        }
    }

    fn drop_read(&mut self) {
        let is_read = |frame: &&Stored| frame.is_whole && self.read >= frame.begin + frame.total;
        if self.frames.front().filter(is_read).is_some() {
            self.frames.pop_front();
        }
    }

    pub fn unread(&self) -> usize {
        self.written - self.read
    }

    /// Unread bytes of frames that have passed address recognition.
    pub fn accepted(&self) -> usize {
        let pending = self.frames.back().filter(|frame| !frame.is_accepted);
        let end = pending.map_or(self.written, |frame| frame.begin);
        end.saturating_sub(self.read)
    }

    /// Whether nothing has been read yet of the first frame, which is whole.
    pub fn is_frame_ready(&self) -> bool {
        self.frames.front().is_some_and(|frame| frame.is_whole && self.read == frame.begin)
    }

    /// How many bytes there is room for. A frame that the cipher still needs stays, if it is protected.
    pub fn room(&self, ram: &Ram) -> usize {
        let is_protected = |frame: &&Stored| {
            let control = frame.begin + 1;
            self.protects
                && !frame.is_secured
                && self.written > control
                && self.get(ram, control) & SECURITY_ENABLED != 0
        };
        let kept = self.frames.front().filter(is_protected);
        let oldest = kept.map_or(self.read, |frame| frame.begin.min(self.read));
        FIFO.saturating_sub(self.written - oldest)
    }
}
