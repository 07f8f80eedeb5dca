// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--serial`: the console of the mote that is typed to as a serial port of this machine, a pseudo terminal. What a program sends to
//! it is typed, and what the mote prints is sent to it, too.

use lichen_device::CONSOLE;
use lichen_terminal::failure::Failure;
use lichen_trace::{Event, Kind};
use lichen_world::{MoteId, PROBE};
use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, read, write};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use std::os::fd::OwnedFd;

/// The port.
pub struct Serial {
    mote: MoteId,
    /// The mote's end.
    end: OwnedFd,
    /// The other end, so that there is always one: text that nobody reads is dropped when the machine keeps no more.
    _other: OwnedFd,
    /// Its path.
    pub name: String,
}

impl Serial {
    /// Opens a port for a mote's console.
    pub fn open(mote: MoteId) -> Result<Serial, Failure> {
        let opened = || -> Result<Serial, Errno> {
            let end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
            grantpt(&end)?;
            unlockpt(&end)?;
            let name = ptsname(&end, Vec::new())?;
            let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK;
            let other = rustix::fs::open(name.as_c_str(), flags, Mode::empty())?;
            let mut settings = tcgetattr(&other)?;
            settings.make_raw();
            tcsetattr(&other, OptionalActions::Now, &settings)?;
            rustix::fs::fcntl_setfl(&end, OFlags::RDWR | OFlags::NONBLOCK)?;
            Ok(Serial { mote, end, _other: other, name: name.to_string_lossy().into_owned() })
        };
        opened().map_err(|error| Failure::failed(format!("cannot open a pseudo terminal: {error}")))
    }

    /// Sends what the mote prints.
    pub fn event(&mut self, event: &Event) {
        let Kind::Uart { port, dir: "out", data } = &event.kind else { return };
        if event.mote == self.mote.0 && matches!(port.as_ref(), CONSOLE | PROBE) {
            // Without a reader it is lost, as on a line.
            let _ = write(&self.end, &[*data]);
        }
    }

    /// What was sent to the mote since the last call.
    pub fn typed(&mut self) -> Vec<u8> {
        let mut bytes = [0; 4096];
        let count = read(&self.end, &mut bytes).unwrap_or(0);
        bytes[..count].to_vec()
    }
}
