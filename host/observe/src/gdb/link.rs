// SPDX-License-Identifier: MIT OR Apache-2.0
//! The connection to a debugger.

use gdbstub::conn::{Connection, ConnectionExt};
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a silent connection checks whether it is to be given up.
const PATIENCE: Duration = Duration::from_millis(50);

/// Why a connection has ended.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// The other end closed it, or the network did.
    #[error("the connection is lost: {0}")]
    Lost(io::Error),
    /// This end gives it up.
    #[error("the connection was given up")]
    Interrupted,
}

/// A connection to a debugger that can be given up while it is silent.
#[derive(Debug)]
pub struct Link {
    stream: TcpStream,
    interrupted: Arc<AtomicBool>,
}

impl Link {
    /// Communicates over `stream` until `interrupted` becomes true.
    pub fn new(stream: TcpStream, interrupted: Arc<AtomicBool>) -> io::Result<Link> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        Ok(Link { stream, interrupted })
    }

    fn given_up(&self) -> Result<(), Broken> {
        match self.interrupted.load(Ordering::Relaxed) {
            true => Err(Broken::Interrupted),
            false => Ok(()),
        }
    }
}

fn closed() -> Broken {
    Broken::Lost(ErrorKind::UnexpectedEof.into())
}

fn is_empty(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Connection for Link {
    type Error = Broken;

    fn write(&mut self, byte: u8) -> Result<(), Broken> {
        self.write_all(&[byte])
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        self.stream.set_nonblocking(false).map_err(Broken::Lost)?;
        (&self.stream).write_all(bytes).map_err(Broken::Lost)
    }

    fn flush(&mut self) -> Result<(), Broken> {
        (&self.stream).flush().map_err(Broken::Lost)
    }
}

impl ConnectionExt for Link {
    fn read(&mut self) -> Result<u8, Broken> {
        self.stream.set_nonblocking(false).map_err(Broken::Lost)?;
        self.stream.set_read_timeout(Some(PATIENCE)).map_err(Broken::Lost)?;
        let mut byte = [0];
        loop {
            self.given_up()?;
            match (&self.stream).read(&mut byte) {
                Ok(0) => return Err(closed()),
                Ok(_) => return Ok(byte[0]),
                Err(error) if is_empty(&error) => {}
                Err(error) => return Err(Broken::Lost(error)),
            }
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, Broken> {
        self.given_up()?;
        self.stream.set_nonblocking(true).map_err(Broken::Lost)?;
        let mut byte = [0];
        match self.stream.peek(&mut byte) {
            Ok(0) => Err(closed()),
            Ok(_) => Ok(Some(byte[0])),
            Err(error) if is_empty(&error) => Ok(None),
            Err(error) => Err(Broken::Lost(error)),
        }
    }
}
