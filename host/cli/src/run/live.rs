// SPDX-License-Identifier: MIT OR Apache-2.0
//! What comes through the standard input while a mote runs.
//!
//! A file or a pipe is read to its end before the run and delivered at a moment that the mote alone
//! decides, so that the run does not depend on when its bytes came. A pipe that stays open and silent must not hold up the
//! run: after a while the run begins, and what comes later is typed when it comes, as from a terminal.

use std::io::{IsTerminal, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

/// Silence after which a pipe that stays open is no longer waited for.
const PATIENCE: Duration = Duration::from_millis(400);

/// Whose input is the mote's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typist {
    /// A person's at a terminal, a file's or a pipe's.
    Anyone,
    /// A person's only.
    Terminal,
    /// Nobody's: the standard input is for another program.
    Nobody,
}

/// The standard input.
pub struct Keyboard {
    bytes: Option<Receiver<Vec<u8>>>,
    is_terminal: bool,
    has_typed: bool,
}

impl Keyboard {
    /// Listens to `typist`; to a terminal only, if there is a script: its run is to repeat.
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
        // The thread ends with its input or with the process: a read cannot be called off.
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

    /// What a file or a pipe holds; nothing of a terminal.
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

    /// What has come since the last call.
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
