// SPDX-License-Identifier: MIT OR Apache-2.0
//! The standard input while a mote runs.
//!
//! A file or a pipe is read to its end before the run, and delivered at a moment that depends only
//! on the mote, so the run does not depend on when the bytes arrived. A pipe that stays open and
//! silent must not delay the run: after a while the run begins, and later bytes are typed when they
//! arrive, as from a terminal.

use std::io::{IsTerminal, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

/// Silence after which the run no longer waits for an open pipe.
const PATIENCE: Duration = Duration::from_millis(400);

/// Where the mote's input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typist {
    /// A terminal, a file or a pipe.
    Anyone,
    /// A terminal only.
    Terminal,
    /// Nowhere: the standard input belongs to another program.
    Nobody,
}

/// The standard input.
pub struct Keyboard {
    bytes: Option<Receiver<Vec<u8>>>,
    is_terminal: bool,
    has_typed: bool,
}

impl Keyboard {
    /// Reads from `typist`; with a script, from a terminal only, so that the run can be repeated.
    pub fn of(typist: Typist, has_script: bool) -> Keyboard {
        let is_terminal = std::io::stdin().is_terminal();
        match typist {
            Typist::Anyone if is_terminal || !has_script => Keyboard::listening(is_terminal),
            Typist::Terminal if is_terminal => Keyboard::listening(true),
            _ => Keyboard { bytes: None, is_terminal: false, has_typed: false },
        }
    }

    fn listening(is_terminal: bool) -> Keyboard {
        let (sender, receiver) = channel();
        // The thread ends with its input or with the process: a read cannot be cancelled.
        std::thread::spawn(move || {
            let mut input = std::io::stdin().lock();
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = input.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Keyboard { bytes: Some(receiver), is_terminal, has_typed: false }
    }

    /// Whether more may come.
    pub fn is_open(&self) -> bool {
        self.bytes.is_some()
    }

    /// Whether something came while the mote ran.
    pub fn has_typed(&self) -> bool {
        self.has_typed
    }

    /// The content of a file or a pipe; empty for a terminal.
    pub fn before_start(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        if self.is_terminal {
            return all;
        }
        while let Some(bytes) = &self.bytes {
            match bytes.recv_timeout(PATIENCE) {
                Ok(more) => all.extend(more),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => self.bytes = None,
            }
        }
        all
    }

    /// The input since the last call.
    pub fn typed(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some(bytes) = &self.bytes {
            match bytes.try_recv() {
                Ok(more) => all.extend(more),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.bytes = None,
            }
        }
        self.has_typed |= !all.is_empty();
        all
    }
}
