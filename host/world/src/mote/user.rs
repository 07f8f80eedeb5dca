// SPDX-License-Identifier: MIT OR Apache-2.0
//! The user's actions on a mote: typing, pressing buttons, pulling the reset pin; failures of its parts and of its
//! supply.

use super::Mote;
use crate::execution::Execution;
use crate::probe;
use crate::{Action, Error};
use lichen_chip::Time;
use lichen_device::{CONSOLE, Stimulus};
use lichen_trace::{Event, Kind, Place, Processor};

impl Mote {
    /// Applies the user's actions to the mote.
    pub(crate) fn act(&mut self, action: &Action, events: &mut Vec<Event>) {
        let first = events.len();
        if let Some(what) = self.in_vain(action) {
            self.push(events, self.chip.now(), Kind::Warning { what, place: Place::default() });
        }
        match action {
            Action::Type(bytes) => self.type_in(bytes, events),
            Action::Press(name) => self.stimulate(name, &Stimulus::Press, events),
            Action::Release(name) => self.stimulate(name, &Stimulus::Release, events),
            Action::Reset => {
                self.chip.input(lichen_chip::Input::Reset);
                self.chip.run(self.chip.now());
                self.settle(events);
            }
            Action::Part { name, condition } => {
                self.stimulate(name, &Stimulus::Condition(*condition), events);
            }
            Action::Power { on } => self.power(*on, events),
            // The node's.
            Action::Host(_) => {}
        }
        self.close(events, first);
    }

    /// Reports what the host at the other end of the console's line has done.
    pub(crate) fn host_has(&mut self, said: Kind, events: &mut Vec<Event>) {
        let first = events.len();
        self.push(events, self.chip.now(), said);
        self.close(events, first);
    }

    /// Why nothing comes of an action on a mote without power, if nothing does.
    fn in_vain(&self, action: &Action) -> Option<String> {
        match action {
            _ if self.is_powered() => None,
            Action::Type(bytes) => Some(format!(
                "\"{}\" is lost: it is typed while there is no power",
                bytes.escape_ascii()
            )),
            Action::Reset => Some("`!reset` changes nothing: there is no power".to_string()),
            _ => None,
        }
    }

    /// Checks that the board has what `action` needs.
    pub(crate) fn check(&self, action: &Action) -> Result<(), Error> {
        action.check(&self.firmware.board)
    }

    /// Takes the supply away, or brings it back, at the present time.
    fn power(&mut self, on: bool, events: &mut Vec<Event>) {
        self.supply.is_on = on;
        self.follow_supply(events);
    }

    pub(super) fn take_down(&mut self, now: Time, events: &mut Vec<Event>) {
        self.keep_stacks();
        self.chip.power_off();
        self.settle(events);
        for index in 0..self.devices.len() {
            self.serve(index, now, events, |device, around| device.power_off(around));
        }
        self.runs(false, now);
        let reported = self.processor_does(Processor::Off);
        events.extend(reported.map(|kind| self.event(now, self.chip.cycle().0, kind)));
        self.execution.iter_mut().for_each(Execution::reset);
        self.faults.power_failed();
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
