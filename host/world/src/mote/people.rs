// SPDX-License-Identifier: MIT OR Apache-2.0
//! The user's actions on a mote: typing, pressing buttons and pulling the reset pin.

use super::Mote;
use crate::probe;
use crate::{Action, Error};
use lichen_device::{CONSOLE, Stimulus};
use lichen_trace::{Event, Kind};

impl Mote {
    /// Applies the user's actions to the mote.
    pub(crate) fn act(&mut self, action: &Action, events: &mut Vec<Event>) {
        let first = events.len();
        match action {
            Action::Type(bytes) => self.type_in(bytes, events),
            Action::Press(name) => self.stimulate(name, &Stimulus::Press, events),
            Action::Release(name) => self.stimulate(name, &Stimulus::Release, events),
            Action::Reset => {
                self.chip.input(lichen_chip::Input::Reset);
                self.chip.run(self.chip.now());
                self.settle(events);
            }
        }
        self.close(events, first);
    }

    /// Checks that the board has what `action` needs.
    pub(crate) fn check(&self, action: &Action) -> Result<(), Error> {
        let (Action::Press(name) | Action::Release(name)) = action else { return Ok(()) };
        let buttons = &self.firmware.board.buttons;
        if buttons.iter().any(|button| button.name == *name) {
            return Ok(());
        }
        Err(Error::NoButton {
            board: self.firmware.board.name.clone(),
            name: name.clone(),
            known: buttons.iter().map(|button| button.name.clone()).collect(),
        })
    }

    fn type_in(&mut self, bytes: &[u8], events: &mut Vec<Event>) {
        let now = self.chip.now();
        match &mut self.probe {
            Some(probe) if self.speaks_on_probe => {
                probe.type_in(bytes, now);
                for data in bytes {
                    let kind = Kind::Uart { port: probe::PORT.into(), dir: "in", data: *data };
                    self.push(events, now, kind);
                }
            }
            _ => self.stimulate(CONSOLE, &Stimulus::Type(bytes.to_vec()), events),
        }
    }

    fn stimulate(&mut self, name: &str, stimulus: &Stimulus, events: &mut Vec<Event>) {
        let now = self.chip.now();
        for index in 0..self.devices.len() {
            if self.devices[index].name() == name {
                self.serve(index, now, events, |device, around| {
                    device.stimulate(around, stimulus);
                });
            }
        }
    }
}
