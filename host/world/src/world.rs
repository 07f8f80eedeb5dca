// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many motes on one time line.

mod agenda;
mod go;
mod host;
mod node;
mod state;
mod workers;

pub(crate) use state::bytes;
pub use state::{Snapshot, partial_snapshot};

use crate::firmware::Firmware;
use crate::watch::TextWatch;
use crate::{Action, Error, Medium, Mote, Script, individual};
use agenda::Agenda;
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_board::Board;
use lichen_chip::{Chip, Config, Time};
use lichen_device::air::OnAir;
use lichen_device::{Device, Environment};
use lichen_image::Image;
use lichen_observe::Observer;
use lichen_trace::Sink;
use node::{Node, Pending, Stops};
use std::sync::{Arc, Mutex};
use workers::Workers;

/// Number of a mote in its world, from 0.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize,
)]
pub struct MoteId(pub u32);

/// Why [`World::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The requested time is reached.
    Reached,
    /// The text of [`World::stop_at_text`] was printed.
    Text,
    /// Something was wrong, and [`World::stop_at_warning`] is on.
    Warning,
    /// A fault, a panic or the first overflow of a stack, and [`World::stop_at_fault`] is on.
    Fault,
    /// The next instruction of a mote has a breakpoint; it has not run.
    Breakpoint(MoteId),
    /// Every core is locked up, with nothing left that could reset it.
    Dead,
}

/// What is particular to a mote.
#[derive(Default)]
pub struct Setup {
    /// Devices beside those of the board.
    pub devices: Vec<Box<dyn Device>>,
    /// What its sensors sense.
    pub environment: Arc<Environment>,
    /// Selects its oscillators and its serial number, if not by the world's seed.
    pub seed: Option<u64>,
    /// Without power at first ([`Action::Power`]).
    pub is_off: bool,
}

/// Motes on one time line.
#[derive(Default)]
pub struct World {
    seed: u64,
    is_noisy: bool,
    nodes: Vec<Node>,
    /// What the motes run; each combination of board and image once.
    firmware: Vec<Arc<Firmware>>,
    medium: Option<Box<dyn Medium>>,
    workers: Workers,
    /// Time that every mote has reached, or before which it does nothing.
    now: Time,
    /// When each mote next does something, and when it can next send.
    due: Agenda,
    sends: Agenda,
    /// Events, in order, that wait until no mote can produce an earlier one.
    pending: Vec<Pending>,
    /// What radios have done, in order, that waits until none can do anything earlier.
    air: Vec<(Time, MoteId, OnAir)>,
    /// Number of arrivals so far.
    arrivals: u64,
    /// Whether what arrives is reported, and what does not because it fades.
    tells_arrivals: bool,
    text: Option<TextWatch>,
    stops: Stops,
    /// Empty between two windows, so that none must allocate: the motes that run side by side, those that have run, and those
    /// that something reaches.
    running: Vec<usize>,
    ran: Vec<usize>,
    reached: Vec<MoteId>,
}

impl World {
    /// An empty world at time zero, in which every oscillator has its nominal frequency.
    pub fn new() -> World {
        World::default()
    }

    /// An empty world at time zero, in which each mote's oscillators deviate as `seed` says; 0 makes
    /// them nominal.
    pub fn with_seed(seed: u64) -> World {
        World { seed, ..World::default() }
    }

    /// Motes that are added from now on differ from one power-up to the next, and their converters are noisy, as
    /// [`Config::noise`] says.
    pub fn make_noisy(&mut self) {
        self.is_noisy = true;
    }

    /// Runs the motes on as many threads of the host, 1 at first. The run is the same with any number.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        self.workers = Workers::new(threads)?;
        Ok(())
    }

    /// What carries transmissions from now on; without it they reach nobody.
    pub fn set_medium(&mut self, medium: Box<dyn Medium>) {
        self.medium = Some(medium);
    }

    /// Adds a mote made of `board` and `image` and powers it.
    pub fn add(
        &mut self,
        board: impl Into<Arc<Board>>,
        image: Arc<Image>,
    ) -> Result<MoteId, Error> {
        self.add_with(board, image, Setup::default())
    }

    /// Adds a mote made of `board` and `image`, as `setup` says.
    pub fn add_with(
        &mut self,
        board: impl Into<Arc<Board>>,
        image: Arc<Image>,
        setup: Setup,
    ) -> Result<MoteId, Error> {
        let id = MoteId(self.nodes.len() as u32);
        let firmware = self.firmware(board.into(), image)?;
        let seed = setup.seed.unwrap_or(self.seed);
        let noise = self.is_noisy.then(|| individual::noise(seed, id.0));
        let config = Config { noise, ..config(&firmware.board, seed, id.0) };
        let is_off = setup.is_off;
        let mote = Mote::new(id.0, firmware, setup, &config)?;
        let mut node = Node::new(id, mote, self.stops, self.text.clone());
        if !is_off {
            node.power_on();
        }
        self.nodes.push(node);
        self.collect(id);
        Ok(id)
    }

    /// What motes with this board and image have in common.
    fn firmware(&mut self, board: Arc<Board>, image: Arc<Image>) -> Result<Arc<Firmware>, Error> {
        let known = self.firmware.iter().find(|known| {
            Arc::ptr_eq(&known.image, &image)
                && (Arc::ptr_eq(&known.board, &board) || known.board == board)
        });
        if let Some(known) = known {
            return Ok(Arc::clone(known));
        }
        let firmware = Arc::new(Firmware::new(board, image)?);
        self.firmware.push(Arc::clone(&firmware));
        Ok(firmware)
    }

    /// Applies `script` to a mote.
    pub fn follow(&mut self, mote: MoteId, script: Script) -> Result<(), Error> {
        script.actions().iter().try_for_each(|(_, action)| self.mote(mote).check(action))?;
        let node = self.node(mote);
        node.script = script;
        node.done = 0;
        self.collect(mote);
        Ok(())
    }

    /// Applies an action to a mote now, between two calls of [`World::run`], and records it.
    pub fn act(&mut self, mote: MoteId, action: Action) -> Result<(), Error> {
        self.mote(mote).check(&action)?;
        self.node(mote).act(action);
        self.collect(mote);
        Ok(())
    }

    /// The actions on a mote so far; a run with this script repeats the run.
    pub fn recording(&self, mote: MoteId) -> &Script {
        &self.nodes[mote.0 as usize].recording
    }

    /// What selects the deviations of oscillators.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether motes differ from one power-up to the next.
    pub fn is_noisy(&self) -> bool {
        self.is_noisy
    }

    /// Makes [`World::run`] return when a mote has printed `text`.
    pub fn stop_at_text(&mut self, text: &str) {
        self.text = Some(TextWatch::new(text));
        self.nodes.iter_mut().for_each(|node| node.text.clone_from(&self.text));
    }

    /// Makes [`World::run`] return at warnings, faults and panics.
    pub fn stop_at_warning(&mut self, stop: bool) {
        self.stops.warning = stop;
        self.nodes.iter_mut().for_each(|node| node.stops = self.stops);
    }

    /// Makes [`World::run`] return at faults, panics and the first overflow of a stack.
    pub fn stop_at_fault(&mut self, stop: bool) {
        self.stops.fault = stop;
        self.nodes.iter_mut().for_each(|node| node.stops = self.stops);
    }

    /// Sets or clears a breakpoint on the instruction at `address` of a mote.
    pub fn set_breakpoint(&mut self, mote: MoteId, address: u32, on: bool) {
        self.node(mote).mote.set_breakpoint(address, on);
    }

    /// The chip of a mote, for a debugger that writes its memory or its registers.
    pub fn chip_mut(&mut self, mote: MoteId) -> &mut dyn Chip {
        self.node(mote).mote.chip_mut()
    }

    /// Makes the present motes also report what waveforms show ([`Kind::is_detail`](lichen_trace::Kind::is_detail)). Nothing else
    /// in the run changes.
    pub fn tell_details(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.mote.tell_details());
    }

    /// Makes the present motes also report what their components do that draw current
    /// ([`Kind::Activity`](lichen_trace::Kind::Activity)): first all of them, then changes. Nothing else in the run changes.
    pub fn tell_activity(&mut self) {
        for index in 0..self.nodes.len() {
            self.nodes[index].tell_activity();
            self.collect(MoteId(index as u32));
        }
    }

    /// Makes the present motes also report what arrives at their antennas
    /// ([`Kind::Arrives`](lichen_trace::Kind::Arrives)). Nothing else in the run changes.
    pub fn tell_arrivals(&mut self) {
        self.tells_arrivals = true;
        self.nodes.iter_mut().for_each(|node| node.mote.tell_arrivals());
    }

    /// Shows `observer` every step of a mote's processor. This is slow, and changes nothing. The observer is locked while
    /// the world runs.
    pub fn observe(&mut self, mote: MoteId, observer: Arc<Mutex<dyn Observer>>) {
        self.node(mote).mote.observe(observer);
    }

    /// A mote.
    pub fn mote(&self, mote: MoteId) -> &Mote {
        &self.nodes[mote.0 as usize].mote
    }

    /// All motes, in the order of their numbers.
    pub fn motes(&self) -> impl ExactSizeIterator<Item = (MoteId, &Mote)> {
        self.nodes.iter().map(|node| (node.id, &node.mote))
    }

    /// Time that every mote has reached.
    pub fn now(&self) -> Time {
        self.nodes.iter().map(|node| node.mote.now()).min().unwrap_or(Time::NEVER)
    }

    /// Time that some mote has reached.
    pub fn latest(&self) -> Time {
        self.nodes.iter().map(|node| node.mote.now()).max().unwrap_or(Time::NEVER)
    }

    /// Whether every event so far was passed to a sink: some may wait for motes that are behind.
    pub fn is_reported(&self) -> bool {
        self.pending.is_empty()
    }

    /// Runs all motes until `until`, or until something ends the run earlier, and passes the events
    /// to `sink`. The only error is the sink's.
    ///
    /// What ends a run early ends it for the mote that did it; others may already be later, by 100 us at most,
    /// and no later than they can be reached. Events are passed in order nevertheless, up to the one that ends the run.
    pub fn run(&mut self, until: Time, sink: &mut dyn Sink) -> Result<Halt, Error> {
        let workers = self.workers.clone();
        workers.call(|| self.go(until, None, sink))
    }

    /// Executes the next instruction of `mote`, even if it has a breakpoint, as [`World::run`] does
    /// for all; the others keep up. The instruction was executed if the mote's count of
    /// instructions has changed.
    pub fn step(&mut self, mote: MoteId, until: Time, sink: &mut dyn Sink) -> Result<Halt, Error> {
        let workers = self.workers.clone();
        workers.call(|| self.go(until, Some(mote), sink))
    }

    fn node(&mut self, mote: MoteId) -> &mut Node {
        &mut self.nodes[mote.0 as usize]
    }
}

/// What is particular to the chip of mote `number` on `board`.
pub(crate) fn config(board: &Board, seed: u64, number: u32) -> Config {
    Config {
        drift: individual::drift(seed, number),
        serial_number: individual::serial_number(seed, number),
        ..board.config()
    }
}
