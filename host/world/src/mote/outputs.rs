// SPDX-License-Identifier: MIT OR Apache-2.0
//! The chip's outputs: they are passed to the devices at its pins, and become events.

use super::Mote;
use crate::execution::Execution;
use crate::firmware::Firmware;
use crate::summary::Overflow;
use crate::translate;
use lichen_chip::{Frame, Level, Output, PinId, StackOverflow, Stamped, Time, Transfer};
use lichen_device::{CONSOLE, SerialPort, hear, nobody_answers};
use lichen_trace::{Event, Kind, Place, Processor};
use std::sync::Arc;

/// The cause of a reset before which RAM held nothing.
const POWER_ON: &str = "power-on";

impl Mote {
    pub(super) fn output(&mut self, output: Stamped<Output>, events: &mut Vec<Event>) {
        let Stamped { time, cycle, what } = output;
        let kind = match what {
            Output::Pin { pin, level } => {
                let detail = self.execution.as_ref().and_then(|watch| watch.level(pin, level));
                events.extend(detail.map(|kind| self.event(time, cycle.0, kind)));
                let own = self.own_pin(pin, level);
                events.extend(own.map(|kind| self.event(time, cycle.0, kind)));
                return self.signal(pin, time, &what, events);
            }
            Output::Frame { pin, frame } => {
                self.listen(pin, &frame);
                return self.signal(pin, time, &what, events);
            }
            Output::Transfer { pin, transfer } => {
                self.miss(pin, transfer, time, cycle.0, events);
                return self.signal(pin, time, &what, events);
            }
            Output::TakesWords { pin, .. } => return self.signal(pin, time, &what, events),
            Output::Sample { pin } => {
                self.measure(pin);
                return self.signal(pin, time, &what, events);
            }
            Output::SampleSupply => return self.tell_supply(time),
            Output::Sleep { mode } => {
                self.runs(false, time);
                self.tell_deadlock(events);
                self.tasks.sleeps(time);
                self.quiet.get_or_insert(time);
                self.rest(
                    Processor::Asleep { mode: mode.into(), limits: None },
                    time,
                    cycle.0,
                    events,
                );
                Kind::Sleep { mode }
            }
            Output::Wake { exception } => {
                self.has_slept = true;
                self.runs(true, time);
                let cause = translate::cause(self.chip.as_ref(), exception);
                // Whoever counts the wraps of a timer does nothing else.
                if exception.is_none() || exception != self.chip.low_power_timer_wraps() {
                    self.quiet = None;
                }
                self.rest(Processor::Awake { cause: cause.into() }, time, cycle.0, events);
                Kind::Wake { cause }
            }
            Output::Reset { cause } => {
                self.runs(true, time);
                self.execution.iter_mut().for_each(Execution::reset);
                self.deadlock = None;
                self.spoilt = false;
                self.quiet = None;
                self.caller = None;
                self.tasks.reset();
                if cause != POWER_ON {
                    self.keep_stacks();
                }
                self.faults.reset(self.chip.as_ref(), cause);
                let why = format!("reset: {cause}").into();
                self.rest(Processor::Awake { cause: why }, time, cycle.0, events);
                Kind::Reset { cause }
            }
            Output::Exception { number } => {
                let Some(watch) = &mut self.execution else { return };
                let details =
                    watch.exception(number, self.chip.as_ref(), self.firmware.kernel.as_ref());
                return events.extend(details.map(|kind| self.event(time, cycle.0, kind)));
            }
            Output::Activity(activity) => translate::activity(self.chip.part(), activity),
            Output::Fault { pc, reason } => {
                let (chip, place) = (self.chip.as_ref(), translate::of_place(self.place(pc)));
                let kernel = self.firmware.kernel.as_ref();
                let caller =
                    kernel.and_then(|it| it.interrupted_at(&self.firmware.image, chip, pc));
                let caller = caller.map(translate::of_place);
                if !self.faults.taken(chip, time, reason, &place, caller) {
                    return;
                }
                translate::fault(chip, place, reason)
            }
            Output::Lockup { pc, reason } => {
                self.runs(false, time);
                let place = translate::of_place(self.place(pc));
                self.faults.locked_up(self.chip.as_ref(), time, reason, &place);
                translate::lockup(self.chip.as_ref(), place, reason)
            }
            Output::StackOverflow(overflow) => {
                let Some(kind) = self.overflows(time, &overflow) else { return };
                kind
            }
            Output::Warning(warning) => {
                let place = translate::of_place(self.place(warning.pc));
                translate::warning(place, &warning)
            }
        };
        events.push(self.event(time, cycle.0, kind));
    }

    /// What is to be reported of a pin that is the program's own.
    fn own_pin(&mut self, pin: PinId, level: Level) -> Option<Kind> {
        let name = self.firmware.own_pins.get(&pin)?;
        if !self.wires.at(pin).is_empty() {
            return None;
        }
        let level = self.own_pins.change(pin, level)?;
        Some(Kind::Gpio { pin, name: Arc::clone(name), level })
    }

    /// Says once of each stack that it does not suffice.
    fn overflows(&mut self, time: Time, overflow: &StackOverflow) -> Option<Kind> {
        let Firmware { kernel, image, .. } = self.firmware.as_ref();
        let found = kernel.as_ref()?.overflow(image, self.chip.as_ref(), overflow);
        // What happens to other stacks until it begins anew may be what follows from the first.
        if std::mem::replace(&mut self.spoilt, true) {
            return None;
        }
        if let Some(name) = &found.name {
            let before = self.stacks_before.entry(name.clone()).or_default();
            *before = (*before).max(found.used);
        }
        if !self.overflowed.insert(overflow.begin) {
            return None;
        }
        let what = found.to_string();
        let place = translate::of_place(found.place);
        self.overflow.get_or_insert_with(|| Overflow {
            time,
            what: what.clone(),
            place: place.clone(),
        });
        Some(Kind::Warning { what, place })
    }

    /// Says once that threads wait for each other for ever. The processor sleeps as soon as nothing else is
    /// left to do.
    fn tell_deadlock(&mut self, events: &mut Vec<Event>) {
        if self.deadlock.is_some() {
            return;
        }
        let Some(what) = self.find_deadlock() else { return };
        let now = self.chip.now();
        self.deadlock = Some((now, what.clone()));
        self.push(events, now, Kind::Warning { what, place: Place::default() });
    }

    /// Threads that wait for each other for ever, in words. While the kernel passes a mutex on, or ends a wait, a thread
    /// may seem to wait for what it has.
    pub(super) fn find_deadlock(&self) -> Option<String> {
        let (kernel, chip) = (self.kernel_at_work()?, self.chip.as_ref());
        let found = Some(kernel).filter(|kernel| kernel.is_in_thread(chip))?.deadlock(chip)?;
        Some(format!("deadlock: {found}"))
    }

    /// The processor sleeps or is awake from now on.
    fn rest(&mut self, does: Processor, time: Time, cycle: u64, events: &mut Vec<Event>) {
        let reported = self.processor_does(does);
        events.extend(reported.map(|kind| self.event(time, cycle, kind)));
    }

    /// Serial characters on a pin where the board has no port must not get lost: a listener is
    /// attached from the first one on, as at a lab bench.
    fn listen(&mut self, pin: PinId, first: &Frame) {
        match self
            .wires
            .at(pin)
            .iter()
            .map(|index| &self.devices[*index])
            .find(|device| device.hears(pin))
        {
            Some(port) if port.name() == CONSOLE => self.speaks_on_probe = false,
            Some(_) => {}
            None => {
                let port = SerialPort::listener(pin, first);
                self.notes.push(format!(
                    "{pin} sends at {} baud, where board {} has no serial port",
                    port.baud(),
                    self.firmware.board.name
                ));
                self.add_device(Box::new(port));
            }
        }
    }

    /// Says once of each part that a transfer on `pin` is for that it does not answer, because it is not simulated.
    fn miss(
        &mut self,
        pin: PinId,
        transfer: Transfer,
        time: Time,
        cycle: u64,
        events: &mut Vec<Event>,
    ) {
        if matches!(transfer, Transfer::Spi(_)) && !self.firmware.lacks_radio {
            return;
        }
        let board = Arc::clone(&self.firmware.board);
        self.unanswered.extend(board.absent(pin, transfer));
        let Some(part) = board.unsimulated(pin, transfer) else { return };
        if !self.missed.contains(part) {
            self.missed.insert(part.to_string());
            let what = nobody_answers(part);
            let place = Place::default();
            events.push(self.event(time, cycle, Kind::Warning { what, place }));
        }
    }

    /// Notes once of each pin that is measured that nothing is connected to it. Programs that look for a part do so.
    fn measure(&mut self, pin: PinId) {
        let is_free = self.wires.at(pin).is_empty();
        if is_free && self.missed.insert(pin.to_string()) {
            self.notes
                .push(format!("{pin} is measured, and nothing is connected to it: it reads 0"));
        }
    }

    /// Passes a signal of the chip to the devices at `pin`.
    fn signal(&mut self, pin: PinId, now: Time, what: &Output, events: &mut Vec<Event>) {
        for at in 0..self.wires.at(pin).len() {
            let index = self.wires.at(pin)[at];
            self.serve(index, now, events, |device, around| hear(device, around, what));
        }
    }

    pub(super) fn runs(&mut self, running: bool, now: Time) {
        self.running = running;
        match &mut self.probe {
            Some(probe) if running => probe.running(now),
            Some(probe) => probe.halted(now),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup, world};
    use lichen_board::Board;
    use lichen_image::Image;
    use std::path::Path;

    fn mote(image: &str) -> Mote {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let board = Board::find(&folder.join("../../board"), "samr21-xpro").expect("a board");
        let image = Image::load(&folder.join(image)).expect("an image");
        let config = world::config(&board, 0, 0);
        let firmware = Firmware::new(board.into(), image.into()).expect("they fit");
        Mote::new(0, firmware.into(), Setup::default(), &config).expect("a mote")
    }

    #[test]
    fn a_mote_that_an_interrupt_wakes_is_not_quiet() {
        let mut mote = mote("tests/data/echo.elf");
        let end = Time::from_ms(1_050);
        mote.power_on(&mut Vec::new());
        while mote.now() < end {
            mote.advance(end, &mut Vec::new());
        }
        // Its core's timer wakes it ten times a second.
        let quiet = mote.quiet.expect("it sleeps");
        assert!(end - quiet < Time::from_ms(100), "{quiet}");
    }

    #[test]
    fn the_first_stack_that_overflows_stays_in_the_summary() {
        let mut mote = mote("../observe/tests/data/kernel.elf");
        for (ms, name) in [(1, "kernel_stack"), (2, "logger_stack")] {
            let begin = mote.image().symbols().find(name).expect("a stack").address;
            let overflow = StackOverflow { pc: 0, lowest: begin - 4, begin };
            let reported = mote.overflows(Time::from_ms(ms), &overflow);
            assert!(matches!(reported, Some(Kind::Warning { .. })), "{name}");
            // As after a reset.
            mote.spoilt = false;
        }
        let overflow = mote.summary().overflow.expect("one");
        assert_eq!(overflow.time, Time::from_ms(1));
        let expected = "the stack of the kernel has 256 bytes, and 260 are in use here";
        assert!(overflow.what.contains(expected), "{}", overflow.what);
    }
}
