// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the bytes of a mote come from: a serial port, or a file or a pipe that has them.

use lichen_project::Place;
use lichen_terminal::failure::Failure;
use rustix::fs::{Mode, OFlags};
use rustix::termios::isatty;
use serialport::SerialPort;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a read of a serial port waits.
const PATIENCE: Duration = Duration::from_millis(100);

/// A source of bytes.
pub enum Port {
    /// A serial port, which a mote is at.
    Serial(Box<dyn SerialPort>),
    /// What a mote has sent.
    Recorded(Box<dyn Read>),
}

/// What a read came to.
pub enum Reading {
    /// So many bytes.
    Bytes(usize),
    /// None yet.
    Nothing,
    /// There will be no more.
    End,
}

impl Port {
    /// Opens it; `-` is the standard input.
    pub fn open(path: &Path, baud: u32) -> Result<Port, Failure> {
        if is_standard(path) {
            return Ok(Port::Recorded(Box::new(std::io::stdin())));
        }
        let kind = std::fs::metadata(path).map_err(|error| cannot_open(path, &error))?.file_type();
        if kind.is_char_device() {
            return serial(path, baud);
        }
        let file = File::open(path).map_err(|error| cannot_open(path, &error))?;
        Ok(Port::Recorded(Box::new(file)))
    }

    /// Reads what there is.
    pub fn read(&mut self, bytes: &mut [u8]) -> Result<Reading, Failure> {
        let read = match self {
            Port::Serial(port) => port.read(bytes),
            Port::Recorded(file) => file.read(bytes),
        };
        match read {
            Ok(0) => Ok(Reading::End),
            Ok(count) => Ok(Reading::Bytes(count)),
            Err(error) if error.kind() == ErrorKind::TimedOut => Ok(Reading::Nothing),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(Reading::Nothing),
            // A pseudo terminal whose other end is closed.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reading::End),
            Err(error) => Err(Failure::failed(format!("the port has failed: {error}"))
                .remedy("is the mote still plugged in?")),
        }
    }

    /// Sends a line to the mote.
    pub fn tell(&mut self, line: &str) -> Result<(), Failure> {
        match self {
            Port::Serial(_) => self.write(format!("{line}\n").as_bytes()),
            Port::Recorded(_) => {
                Err(Failure::wrong("only a mote at a serial port has a channel to be chosen")
                    .remedy("leave out --channel"))
            }
        }
    }

    /// Sends bytes to the mote; nobody reads them where there is only what a mote has sent.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Port::Serial(port) = self else { return Ok(()) };
        port.write_all(bytes)
            .map_err(|error| Failure::failed(format!("cannot write to the port: {error}")))
    }

    /// Whether what it says is happening now.
    pub fn is_live(&self) -> bool {
        matches!(self, Port::Serial(_))
    }
}

/// Whether a path stands for the standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The serial port that is meant if none is named: the only one of this machine.
pub fn only_port() -> Result<PathBuf, Failure> {
    match &serialport::available_ports().unwrap_or_default()[..] {
        [port] => Ok(PathBuf::from(&port.port_name)),
        _ => Err(Failure::wrong("which serial port is the mote at?")
            .remedy(format!("name it: --port PORT; {}", known_ports()))),
    }
}

fn serial(path: &Path, baud: u32) -> Result<Port, Failure> {
    let port = serialport::new(path.to_string_lossy(), baud).timeout(PATIENCE).open();
    port.map(Port::Serial).map_err(|error| {
        if is_other_device(path) {
            return Failure::wrong("this is no serial port")
                .at(Place::file(path))
                .remedy(known_ports());
        }
        Failure::wrong(format!("cannot open the serial port: {}", error.description))
            .at(Place::file(path))
            .remedy("is another program using it? may you (group dialout)?")
    })
}

/// Whether a device can be opened, and is no serial port.
fn is_other_device(path: &Path) -> bool {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
    rustix::fs::open(path, flags, Mode::empty()).is_ok_and(|device| !isatty(device))
}

fn cannot_open(path: &Path, error: &std::io::Error) -> Failure {
    Failure::wrong(format!("cannot open it: {error}")).at(Place::file(path)).remedy(known_ports())
}

/// The serial ports of this machine.
fn known_ports() -> String {
    let ports = serialport::available_ports().unwrap_or_default();
    let names: Vec<String> = ports.into_iter().map(|port| port.port_name).collect();
    match names.is_empty() {
        true => "this machine shows no serial port; plug the mote in".to_string(),
        false => format!("serial ports of this machine: {}", names.join(", ")),
    }
}
