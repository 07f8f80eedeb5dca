// SPDX-License-Identifier: MIT OR Apache-2.0
//! One mote: a chip, the parts around it, and the image that it runs.

mod complaints;
mod debug;
mod dues;
mod outputs;
mod state;
mod supply;
mod user;
mod view;

pub use supply::LowSupply;

pub(crate) use state::{MoteState, RestoreError, SavedMote};

use crate::execution::Execution;
use crate::fault::Faults;
use crate::firmware::Firmware;
use crate::own_pins::OwnPins;
use crate::probe::{self, Probe};
use crate::summary::{Overflow, Tally};
use crate::tasks::Tasks;
use crate::{Error, Setup, translate};
use dues::Dues;
use lichen_analysis::Owner;
use lichen_chip::{Chip, Config, OFF, Output, Stamped, Stop, Time};
use lichen_device::air::{OnAir, Reception};
use lichen_device::{Act, Consumption, Device, Environment, Surroundings, Wires};
use lichen_observe::{Crash, Leap, Observer, run_observed, step_observed};
use lichen_trace::{Event, Kind, Processor};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use supply::Supply;

/// One mote.
pub struct Mote {
    number: u32,
    firmware: Arc<Firmware>,
    chip: Box<dyn Chip>,
    devices: Vec<Box<dyn Device>>,
    dues: Dues,
    /// Devices of the board, followed by those that only listen.
    soldered: usize,
    /// Devices by the pins to which they are connected.
    wires: Wires,
    /// What the program does with pins that nothing is at.
    own_pins: OwnPins,
    /// Breakpoints of a debugger.
    breakpoints: BTreeSet<u32>,
    /// Parts of which it was said that they are not simulated, and pins to which nothing is connected.
    missed: BTreeSet<String>,
    /// Addresses on I2C that were called, and at which the board has no part.
    unanswered: BTreeSet<u16>,
    environment: Arc<Environment>,
    supply: Supply,
    notes: Vec<String>,
    probe: Option<Probe>,
    /// Typed input goes to the port that printed last.
    speaks_on_probe: bool,
    running: bool,
    /// Present if details were requested.
    execution: Option<Execution>,
    /// Whether it reports what arrives at its antenna.
    tells_arrivals: bool,
    /// What each device last did, if that is reported.
    consumptions: Option<Vec<Option<Consumption>>>,
    /// What the processor does, without the limits.
    processor: Processor,
    faults: Faults,
    /// Threads that wait for each other, since when.
    deadlock: Option<(Time, String)>,
    /// Threads that are declared stopped and have been started; unknown if it continues from a snapshot.
    started: Option<BTreeSet<String>>,
    /// Since when it has slept without anything but its clock, if it sleeps.
    quiet: Option<Time>,
    /// The line of the program that called what ends it, until the record of the panic is complete.
    caller: Option<lichen_observe::Place>,
    observer: Option<(Arc<Mutex<dyn Observer>>, Leap)>,
    tally: Tally,
    /// Where it was said that the program divides by zero.
    divided: BTreeSet<u32>,
    /// The first bytes of stacks of which it was said that they overflow.
    overflowed: BTreeSet<u32>,
    /// A stack has overflowed since it was last reset.
    spoilt: bool,
    /// The first overflow.
    overflow: Option<Overflow>,
    /// The most that was used of its stacks before it was last reset, in bytes, by name.
    stacks_before: BTreeMap<String, u32>,
    /// What programs before the present one have lost.
    losses_before: BTreeMap<String, u64>,
    /// What the present one found in memory as theirs: until start-up code has cleared it, it counts nothing.
    losses_at_reset: BTreeMap<String, u64>,
    /// The program has slept since the last reset, so it has begun.
    has_slept: bool,
    /// How long its real-time tasks take.
    tasks: Tasks,
    outputs: Vec<Stamped<Output>>,
    acts: Vec<Act>,
    /// What its radios have done on the air, in order of time.
    radioed: Vec<(Time, OnAir)>,
}

impl Mote {
    /// A new board with `firmware`, not powered.
    pub(crate) fn new(
        number: u32,
        firmware: Arc<Firmware>,
        setup: Setup,
        config: &Config,
    ) -> Result<Mote, Error> {
        let chip = firmware.chip(config)?;
        let mut devices = firmware.board.devices(config.drift.radio_crystal_ppm);
        devices.extend(setup.devices);
        let mut environment = setup.environment;
        let [.., low, high] = config.serial_number;
        Arc::make_mut(&mut environment).set_serial(u64::from(high) << 32 | u64::from(low));
        let probe = firmware.probe.clone();
        let tally = Tally::of(&firmware.board, setup.is_off);
        Ok(Mote {
            number,
            speaks_on_probe: probe.is_some(),
            notes: firmware.notes.clone(),
            firmware,
            chip,
            soldered: devices.len(),
            wires: Wires::of(&devices),
            dues: Dues::of(&devices),
            own_pins: OwnPins::default(),
            devices,
            breakpoints: BTreeSet::new(),
            missed: BTreeSet::new(),
            unanswered: BTreeSet::new(),
            environment,
            supply: Supply::default(),
            probe,
            running: false,
            execution: None,
            tells_arrivals: false,
            consumptions: None,
            processor: Processor::Off,
            faults: Faults::default(),
            deadlock: None,
            started: Some(BTreeSet::new()),
            quiet: None,
            caller: None,
            observer: None,
            tally,
            divided: BTreeSet::new(),
            overflowed: BTreeSet::new(),
            spoilt: false,
            overflow: None,
            stacks_before: BTreeMap::new(),
            losses_before: BTreeMap::new(),
            losses_at_reset: BTreeMap::new(),
            has_slept: false,
            tasks: Tasks::default(),
            outputs: Vec::new(),
            acts: Vec::new(),
            radioed: Vec::new(),
        })
    }

    /// Reports details from now on ([`Kind::is_detail`]).
    pub(crate) fn tell_details(&mut self) {
        self.execution = Some(Execution::watch(self.chip.as_mut(), &self.firmware.board));
    }

    /// Reports from now on what arrives at its antenna ([`Kind::Arrives`]).
    pub(crate) fn tell_arrivals(&mut self) {
        self.tells_arrivals = true;
    }

    /// Reports from now on what the components do that draw current: first all of them, then changes.
    pub(crate) fn tell_activity(&mut self, events: &mut Vec<Event>) {
        let first = events.len();
        self.chip.watch_activity(true);
        self.consumptions = Some(Vec::new());
        let does = self.with_limits(self.processor.clone());
        // The reset of a mote that was never told anything belongs to the account.
        let begins = self.chip.now() == Time::ZERO && self.is_powered();
        self.push(events, self.chip.now(), Kind::Processor { does, begins });
        for index in 0..self.devices.len() {
            self.tell_consumption(index, self.chip.now(), events);
        }
        self.settle(events);
        self.close(events, first);
    }

    /// The processor does something else from now on, which is reported on request.
    fn processor_does(&mut self, does: Processor) -> Option<Kind> {
        self.processor = does.clone();
        self.consumptions.as_ref()?;
        Some(Kind::Processor { does: self.with_limits(does), begins: true })
    }

    /// What the processor does, with the limits that are in force if it sleeps.
    fn with_limits(&self, does: Processor) -> Processor {
        let Processor::Asleep { mode, .. } = does else { return does };
        let limits = self.firmware.limits.in_force(self.chip.as_ref());
        let names: Vec<String> = limits.iter().map(|limit| limit.to_string()).collect();
        let limits = (!names.is_empty()).then(|| names.join(", ").into());
        Processor::Asleep { mode, limits }
    }

    /// Reports what device `index` does, if that is news.
    fn tell_consumption(&mut self, index: usize, now: Time, events: &mut Vec<Event>) {
        let is_powered = self.is_powered();
        let Some(reported) = &mut self.consumptions else { return };
        let device = self.devices[index].as_ref();
        let state = |state| if is_powered { state } else { OFF };
        let present = device
            .consumption()
            .map(|reported| Consumption { state: state(reported.state), ..reported });
        if reported.len() <= index {
            reported.resize(index + 1, None);
        }
        if let Some(consumption) = present.filter(|_| reported[index] != present) {
            reported[index] = present;
            let kind = translate::consumption(device, consumption);
            self.push(events, now, kind);
        }
    }

    /// Shows the steps of the processor to `observer` from now on.
    pub(crate) fn observe(&mut self, observer: Arc<Mutex<dyn Observer>>) {
        self.observer = Some((observer, Leap::default()));
    }

    /// Present time of this mote.
    pub(crate) fn now(&self) -> Time {
        self.chip.now()
    }

    /// Whether nothing will ever happen again by itself.
    pub(crate) fn is_dead(&self) -> bool {
        self.tally.is_locked_up() && self.next_event() == Time::NEVER
    }

    /// When something next happens in it by itself; now, if the processor executes.
    pub(crate) fn next_event(&self) -> Time {
        self.chip.next_event().min(self.due())
    }

    /// The earliest moment at which it can do something on the air, if nothing reaches it before `next`, when it will
    /// do something by itself.
    pub(crate) fn acts_on_air(&self, next: Time) -> Time {
        self.devices.iter().map(|device| device.acts_on_air(next)).min().unwrap_or(Time::NEVER)
    }

    /// Something arrives at its antenna.
    pub(crate) fn receive(&mut self, time: Time, reception: &Reception, events: &mut Vec<Event>) {
        let first = events.len();
        if self.tells_arrivals
            && let OnAir::Begins(transmission) = &reception.what
        {
            let power = reception.power;
            let mut radios = self.devices.iter();
            if let Some(meets) = radios.find_map(|device| device.meets(transmission, power)) {
                let sender = reception.passage.sender;
                let meets = translate::meeting(meets);
                let kind = translate::arrival((sender, transmission), power, meets);
                self.push(events, time, kind);
            }
        }
        for index in 0..self.devices.len() {
            self.serve(index, time, events, |device, around| device.receive(around, reception));
        }
        self.settle(events);
        self.close(events, first);
    }

    /// What its radios have done on the air since the last call.
    pub(crate) fn take_radioed(&mut self, into: &mut Vec<(Time, OnAir)>) {
        if !self.radioed.is_empty() {
            into.append(&mut self.radioed);
        }
    }

    /// Whether a debugger has set breakpoints.
    pub(crate) fn has_breakpoints(&self) -> bool {
        !self.breakpoints.is_empty()
    }

    /// Applies power for the first time.
    pub(crate) fn power_on(&mut self, events: &mut Vec<Event>) {
        let first = events.len();
        self.first_supply(events);
        self.close(events, first);
    }

    /// The chip starts, and devices take their levels at rest.
    fn bring_up(&mut self, events: &mut Vec<Event>) {
        self.chip.power_on();
        let now = self.chip.now();
        for index in 0..self.devices.len() {
            self.serve(index, now, events, |device, around| device.power_on(around));
        }
        self.settle(events);
    }

    /// Runs until `until` or until something has happened, which is appended in order of time. True
    /// if the next instruction has a breakpoint of a debugger.
    pub(crate) fn advance(&mut self, until: Time, events: &mut Vec<Event>) -> bool {
        let first = events.len();
        self.plan_supply();
        let target = until.min(self.due());
        let mut halted = false;
        if self.run(target) == Stop::Breakpoint {
            halted = self.breakpoints.contains(&self.chip.core().pc());
            if !halted {
                self.step_over_watched(target, events);
            }
        }
        self.settle(events);
        self.supply_crossed(events);
        self.close(events, first);
        halted
    }

    /// The processor is where the firmware is looked at; executes the instruction there.
    fn step_over_watched(&mut self, until: Time, events: &mut Vec<Event>) {
        let pc = self.chip.core().pc();
        if self.firmware.tasks.is_at(pc) {
            self.look_at_tasks(events);
        }
        if let (Some(name), Some(started)) = (self.firmware.stopped.get(&pc), &mut self.started) {
            started.insert(name.clone());
        }
        if self.firmware.division(pc).is_some_and(|it| it.is_by_zero(self.chip.as_ref())) {
            self.divides_by_zero(events);
        }
        if self.firmware.panic_recorded == Some(pc) {
            self.panicked(events);
        } else if self.firmware.crash_recorded == Some(pc) {
            self.crashed(events);
        } else if self.firmware.ends.contains(&pc) && self.caller.is_none() {
            self.caller = self.find_caller();
        }
        match &mut self.observer {
            Some((observer, _)) => step_observed(self.chip.as_mut(), until, &mut *lock(observer)),
            None => self.chip.core_mut().step(until),
        };
    }

    /// The line of the program that has called the function at whose first instruction the processor is.
    fn find_caller(&self) -> Option<lichen_observe::Place> {
        let Firmware { kernel, image, .. } = self.firmware.as_ref();
        kernel.as_ref()?.caller(image, self.chip.as_ref())
    }

    /// Says once of each line that it divides by zero.
    fn divides_by_zero(&mut self, events: &mut Vec<Event>) {
        let Firmware { kernel, image, .. } = self.firmware.as_ref();
        let kernel = kernel.as_ref();
        let Some(place) = kernel.and_then(|kernel| kernel.divider(image, self.chip.as_ref()))
        else {
            return;
        };
        if self.divided.insert(place.pc) {
            let what = "division by zero: the result is some number".to_string();
            let place = translate::of_place(place);
            self.push(events, self.chip.now(), Kind::Warning { what, place });
        }
    }

    /// A real-time task begins or returns.
    fn look_at_tasks(&mut self, events: &mut Vec<Event>) {
        let Firmware { tasks, image, .. } = self.firmware.as_ref();
        let complaints = self.tasks.look(tasks, image, self.chip.as_ref());
        let now = self.chip.now();
        complaints.into_iter().for_each(|kind| self.push(events, now, kind));
    }

    fn run(&mut self, until: Time) -> Stop {
        match &mut self.observer {
            Some((observer, leap)) => {
                run_observed(self.chip.as_mut(), until, &mut *lock(observer), leap)
            }
            None => self.chip.run(until),
        }
    }

    /// The firmware has completed its record of a panic.
    fn panicked(&mut self, events: &mut Vec<Event>) {
        let caller = self.caller.take();
        let Some(kernel) = &self.firmware.kernel else { return };
        let Some(panic) = kernel.panic(&self.firmware.image, self.chip.as_ref()) else { return };
        let place = translate::of_place(self.place(panic.pc));
        // What is in the program needs no other place.
        let is_systems = place.file.as_deref().is_some_and(|file| Owner::of(file).is_system());
        let caller = caller.filter(|_| is_systems).map(translate::of_place);
        let kind = Kind::Panic { thread: panic.thread, reason: panic.reason, place, caller };
        self.push(events, self.chip.now(), kind);
    }

    /// A loaded program has failed, and is about to be stopped.
    fn crashed(&mut self, events: &mut Vec<Event>) {
        let caller = self.caller.take();
        let Firmware { kernel, image, .. } = self.firmware.as_ref();
        let crash = kernel.as_ref().and_then(|kernel| kernel.crash(image, self.chip.as_ref()));
        let Some(Crash { program, thread, reason, pc }) = crash else { return };
        let what = format!("program {program} is stopped: {reason} in thread {thread}");
        let place = translate::of_place(caller.unwrap_or_else(|| self.place(pc)));
        self.push(events, self.chip.now(), Kind::Warning { what, place });
    }

    /// When a device or the probe next does something by itself.
    fn due(&self) -> Time {
        debug_assert!(self.dues.are_those_of(&self.devices), "a device is due at another time");
        let probe = self.probe.as_ref().map_or(Time::NEVER, Probe::due);
        self.dues.first().min(probe).min(self.supply_due())
    }

    /// Takes the chip's outputs and serves devices that are due, until nothing is left at this
    /// moment.
    fn settle(&mut self, events: &mut Vec<Event>) {
        loop {
            let mut outputs = std::mem::take(&mut self.outputs);
            self.chip.take_outputs(&mut outputs);
            let quiet = outputs.is_empty();
            if !quiet {
                outputs.drain(..).for_each(|output| self.output(output, events));
            }
            self.outputs = outputs;
            if !self.fire_due(events) && quiet {
                return;
            }
        }
    }

    fn fire_due(&mut self, events: &mut Vec<Event>) -> bool {
        let now = self.chip.now();
        let mut fired = false;
        let devices = if self.dues.first() <= now { self.devices.len() } else { 0 };
        for index in 0..devices {
            let due = self.dues.at(index);
            if due <= now {
                self.serve(index, due, events, |device, around| device.fire(around));
                fired = true;
            }
        }
        if self.probe.as_ref().is_some_and(|probe| probe.due() <= now) {
            self.look(events);
        }
        fired
    }

    fn look(&mut self, events: &mut Vec<Event>) {
        let Some(probe) = &mut self.probe else { return };
        let printed = probe.look(self.chip.as_mut(), self.running);
        self.speaks_on_probe |= !printed.is_empty();
        for data in printed {
            let kind = Kind::Uart { port: probe::PORT.into(), dir: "out", data };
            self.push(events, self.chip.now(), kind);
        }
    }

    /// Lets device `index` act at `now`, and applies its actions.
    fn serve(
        &mut self,
        index: usize,
        now: Time,
        events: &mut Vec<Event>,
        what: impl FnOnce(&mut dyn Device, &mut Surroundings<'_>),
    ) {
        let mut acts = std::mem::take(&mut self.acts);
        let environment = self.environment.as_ref();
        let mut around = Surroundings { now, environment, acts: &mut acts };
        let device = self.devices[index].as_mut();
        what(device, &mut around);
        self.dues.set(index, device.due());
        for act in acts.drain(..) {
            match act {
                Act::Drive(input) => self.chip.input(input),
                Act::Radio(what) => self.radioed.push((now, what)),
                Act::Report(report) => self.push(events, now, translate::report(report)),
            }
        }
        self.acts = acts;
        self.tell_consumption(index, now, events);
    }

    /// Connects a device that listens at its pins.
    fn add_device(&mut self, device: Box<dyn Device>) {
        let index = self.devices.len();
        self.wires.add(index, device.pins());
        self.dues.set(index, device.due());
        self.devices.push(device);
    }

    /// Sorts the events from `first` on, and counts them.
    fn close(&mut self, events: &mut [Event], first: usize) {
        if events.len() == first {
            return;
        }
        events[first..].sort_by_key(|event| event.time);
        events[first..].iter().for_each(|event| self.tally.event(event));
    }

    fn push(&self, events: &mut Vec<Event>, time: Time, kind: Kind) {
        events.push(self.event(time, self.chip.cycle().0, kind));
    }

    fn event(&self, time: Time, cycle: u64, kind: Kind) -> Event {
        Event { time, cycle, mote: self.number, kind }
    }
}

/// The observer, also if a thread has panicked with it.
fn lock(observer: &Mutex<dyn Observer>) -> MutexGuard<'_, dyn Observer + 'static> {
    observer.lock().unwrap_or_else(PoisonError::into_inner)
}
