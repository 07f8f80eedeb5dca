// SPDX-License-Identifier: MIT OR Apache-2.0
//! A simulated mote whose actors do what the host tells them.

use crate::command;
use crate::{Error, MoteFailure};
use lichen_board::Board;
use lichen_chip::{Chip, Config, Output, Snapshot, Stamped, Stop, Time};
use lichen_image::Image;
use lichen_model::{Actor, Call, Port, Seen, Tick};
use lichen_observe::{Kernel, software_interrupts};
use std::collections::BTreeSet;
use std::ops::Range;

/// From power-up to the first call.
const STARTING: Time = Time::from_ms(100);
/// `MODEL_PIECE_US`.
const PIECE_US: u64 = 50;
/// How long a mote may execute beyond the request.
const EXTRA: Time = Time::from_ms(5);

/// A program of `test/model`, built for a board.
pub struct Program {
    image: Image,
    kernel: Kernel,
    part: String,
    config: Config,
    ask: u32,
    /// The function that calls `ask`.
    asking: Range<u32>,
    commands: u32,
    panic_recorded: u32,
    /// Nothing if no actor computes.
    progress: Option<u32>,
    /// Interrupts of the levels, by number.
    interrupts: Vec<u32>,
    port: Port,
}

impl Program {
    /// The program of `image`, on a mote like `board`.
    pub fn new(image: Image, board: &Board) -> Result<Program, Error> {
        let kernel = Kernel::find(&image)?.ok_or(Error::Missing("Lichen kernel"))?;
        let symbol = |name: &'static str| {
            image.symbols().find(name).map(|symbol| symbol.address).ok_or(Error::Missing(name))
        };
        let (ask, commands) = (symbol("model_ask")?, symbol("model_command")?);
        let asking = symbol("model_next")?;
        let bytes = image.symbols().find("model_next").map_or(0, |symbol| symbol.size);
        let asking = asking..asking + bytes;
        let progress = symbol("model_progress").ok();
        let panic_recorded = symbol("panic_recorded")?;
        let (part, config) = (board.chip.clone(), board.config());
        let interrupts = software_interrupts(&image);
        let port = if part.starts_with("ATmega") { Port::ATMEGA128 } else { Port::SAM_R21 };
        Ok(Program {
            image,
            kernel,
            part,
            config,
            ask,
            asking,
            commands,
            panic_recorded,
            progress,
            interrupts,
            port,
        })
    }
}

/// A chip that runs a program.
pub struct Mote<'a> {
    program: &'a Program,
    chip: Box<dyn Chip>,
    ready: Snapshot,
    /// When that was, and the tick.
    began: (Time, Tick),
    outputs: Vec<Stamped<Output>>,
    /// Addresses that it has not executed yet, and those that it has.
    watched: BTreeSet<u32>,
    passed: BTreeSet<u32>,
}

impl<'a> Mote<'a> {
    /// A mote that has reached its first call.
    pub fn new(program: &'a Program) -> Result<Mote<'a>, Error> {
        Mote::changed(program, &[], BTreeSet::new())
    }

    /// The same, with `patches` written into its image: addresses and bytes. It records which of
    /// the `watched` addresses are executed, by a breakpoint at each until it is hit.
    pub fn changed(
        program: &'a Program,
        patches: &[(u32, Vec<u8>)],
        watched: BTreeSet<u32>,
    ) -> Result<Mote<'a>, Error> {
        let mut chip = lichen_chip::by_part(&program.part, &program.config)?;
        for address in &watched {
            chip.core_mut().set_breakpoint(*address, true);
        }
        for segment in program.image.segments() {
            chip.program(segment.address, &segment.bytes)?;
        }
        for (address, bytes) in patches {
            chip.program(*address, bytes)?;
        }
        chip.core_mut().set_breakpoint(program.ask, true);
        chip.core_mut().set_breakpoint(program.panic_recorded, true);
        chip.power_on();
        let ready = chip.snapshot();
        let (outputs, passed) = Default::default();
        let began = Default::default();
        let mut mote = Mote { program, chip, ready, began, outputs, watched, passed };
        mote.observe(STARTING).map_err(Error::Start)?;
        mote.ready = mote.chip.snapshot();
        mote.began = (mote.now(), Tick::from(mote.chip.low_power_timer()));
        Ok(mote)
    }

    /// Returns to the first call.
    pub fn begin(&mut self) -> Result<Seen, Error> {
        self.chip.restore(&self.ready)?;
        self.outputs.clear();
        Ok(self.asks())
    }

    /// The watched addresses that were executed.
    pub fn passed(&self) -> &BTreeSet<u32> {
        &self.passed
    }

    /// Whether a breakpoint at `pc` was only there to record it once.
    fn passes(&mut self, pc: u32) -> bool {
        let watched = self.watched.remove(&pc);
        if watched {
            self.chip.core_mut().set_breakpoint(pc, false);
            self.passed.insert(pc);
        }
        watched
    }

    /// The time.
    pub fn now(&self) -> Time {
        self.chip.now()
    }

    /// The machine.
    pub fn port(&self) -> Port {
        self.program.port
    }

    /// The tick. The counter of the ATmega128 has 8 bits: the time tells the others.
    pub fn tick(&self) -> Tick {
        let shown = Tick::from(self.chip.low_power_timer());
        if self.port() != Port::ATMEGA128 {
            return shown;
        }
        let (then, tick) = self.began;
        let passed = (self.now() - then).as_s() * self.port().tick_hz() as f64;
        nearest(tick + passed as Tick, shown)
    }

    /// Gives the asking actor its next call.
    pub fn tell(&mut self, actor: Actor, call: Call) -> Result<(), Error> {
        self.give(command::number(actor), &command::encode(call))
    }

    /// Writes the command of the actor with a number.
    pub(crate) fn give(
        &mut self,
        actor: u32,
        command: &[u8; command::BYTES as usize],
    ) -> Result<(), Error> {
        self.write(self.program.commands + command::BYTES * actor, command)
    }

    /// Where a variable of the program is.
    pub(crate) fn address(&self, name: &'static str) -> Result<u32, Error> {
        let symbol = self.program.image.symbols().find(name);
        symbol.map(|symbol| symbol.address).ok_or(Error::Missing(name))
    }

    /// Writes the mote's memory.
    pub(crate) fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.chip.program(address, bytes)?)
    }

    /// Reads it.
    pub(crate) fn read(&self, address: u32, length: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; length];
        self.chip.peek(address, &mut bytes)?;
        Ok(bytes)
    }

    /// Makes an interrupt pending.
    pub fn interrupt(&mut self, level: usize) {
        if let Some(number) = self.program.interrupts.get(level) {
            self.chip.core_mut().pend_interrupt(*number);
        }
    }

    /// Whether an interrupt comes before the asking actor goes on: after the return from one, AVR
    /// executes an instruction before it takes the next. If so, it has come.
    fn is_interrupted(&mut self, until: Time) -> bool {
        if self.port() != Port::ATMEGA128 {
            return false;
        }
        let here = self.chip.snapshot();
        let end = self.chip.instructions() + 2;
        while self.chip.instructions() < end && self.chip.now() < until {
            self.chip.core_mut().step(until);
            self.outputs.clear();
            self.chip.take_outputs(&mut self.outputs);
            if !self.program.asking.contains(&self.chip.core().pc()) {
                return true;
            }
        }
        // The snapshot is of this chip.
        let _ = self.chip.restore(&here);
        false
    }

    /// Continues to an instruction of the call that was begun. False if an actor asks before.
    pub fn advance(&mut self, instruction: u64) -> Result<bool, MoteFailure> {
        let end = self.chip.instructions() + instruction;
        let limit = self.chip.now() + EXTRA;
        while self.chip.instructions() < end && self.chip.next_event() == self.chip.now() {
            self.chip.core_mut().step(limit);
            self.hear()?;
            let pc = self.chip.core().pc();
            if pc == self.program.panic_recorded {
                return Err(self.panic());
            }
            if pc == self.program.ask && self.is_free() && !self.is_interrupted(limit) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where the processor is, in words.
    pub fn place(&self) -> String {
        let pc = self.chip.core().pc();
        let place = self.program.image.symbols().place(pc);
        place.map_or(format!("{pc:#010x}"), |place| place.to_string())
    }

    /// Continues until an actor asks, or all wait when `limit` has passed.
    pub fn observe(&mut self, limit: Time) -> Result<Seen, MoteFailure> {
        let until = self.chip.now() + limit;
        let end = until + EXTRA;
        if self.chip.core().pc() == self.program.ask {
            self.chip.core_mut().step(until);
        }
        loop {
            let late = self.chip.now() >= until;
            let stop =
                self.chip.run(if late { self.chip.now() + Time::from_us(100) } else { until });
            self.hear()?;
            let pc = self.chip.core().pc();
            match stop {
                Stop::Breakpoint if pc == self.program.ask && self.is_free() => {
                    if self.is_interrupted(until.max(self.chip.now() + EXTRA)) {
                        continue;
                    }
                    return Ok(self.asks());
                }
                Stop::Breakpoint if pc == self.program.panic_recorded => return Err(self.panic()),
                Stop::Breakpoint if self.passes(pc) => {}
                // An actor that asks again and again, and takes no call, never lets time pass.
                Stop::Breakpoint if self.chip.now() >= end => return Err(MoteFailure::Endless(pc)),
                Stop::Breakpoint => {
                    self.chip.core_mut().step(until);
                }
                Stop::Reached if self.chip.next_event() > self.chip.now() => return Ok(Seen::Idle),
                Stop::Reached if self.chip.now() >= end => return Err(MoteFailure::Endless(pc)),
                Stop::Lockup => return Err(MoteFailure::Endless(pc)),
                Stop::Output | Stop::Reached => {}
            }
        }
    }

    /// How far an actor's computation has come, in microseconds of its own.
    pub fn progress_us(&self, actor: Actor) -> Result<u64, Error> {
        let mut pieces = [0; 4];
        let progress = self.program.progress.ok_or(Error::Missing("model_progress"))?;
        self.chip.peek(progress + 4 * command::number(actor), &mut pieces)?;
        Ok(u64::from(u32::from_le_bytes(pieces)) * PIECE_US)
    }

    /// Whether the actor at the breakpoint has taken its last call.
    fn is_free(&self) -> bool {
        let mut call = [0];
        let Some((actor, _, _)) = self.asked() else { return false };
        let slot = self.program.commands + command::BYTES * actor;
        self.chip.peek(slot, &mut call).is_ok() && call[0] == 0
    }

    pub(crate) fn asks(&self) -> Seen {
        let asked = self
            .asked()
            .and_then(|(actor, result, value)| Some((command::actor(actor)?, result, value)));
        match asked {
            Some((actor, result, value)) => Seen::Asks(actor, result, value),
            None => Seen::Idle,
        }
    }

    /// The arguments of `model_ask(unsigned, int, uint32_t)`.
    fn asked(&self) -> Option<(u32, i32, u32)> {
        let core = self.chip.core();
        let int = core.architecture().int_bytes();
        let [actor, result, value] = core.arguments(&[int, int, 4])[..] else { return None };
        let unused = 32 - 8 * int;
        Some((actor, (result << unused) as i32 >> unused, value))
    }

    fn panic(&self) -> MoteFailure {
        let panic = self.program.kernel.panic(&self.program.image, self.chip.as_ref());
        MoteFailure::Panic(panic.map_or("no record".to_string(), |panic| {
            format!("{} ({}), at {:#010x}", panic.reason, panic.thread, panic.pc)
        }))
    }

    /// Examines the chip's reports.
    fn hear(&mut self) -> Result<(), MoteFailure> {
        self.outputs.clear();
        self.chip.take_outputs(&mut self.outputs);
        for output in &self.outputs {
            match &output.what {
                Output::Fault { reason, .. } | Output::Lockup { reason, .. } => {
                    return Err(MoteFailure::Fault(reason.to_string()));
                }
                Output::Reset { cause } if *cause != "power-on" => return Err(MoteFailure::Reset),
                Output::Warning(warning) => {
                    return Err(MoteFailure::Warning(format!("{warning:?}")));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The tick nearest to `about` whose lowest byte a counter shows.
fn nearest(about: Tick, shown: Tick) -> Tick {
    let ahead = shown.wrapping_sub(about) & 0xFF;
    if ahead < 0x80 { about + ahead } else { (about + ahead).saturating_sub(0x100) }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_counter_of_eight_bits_is_completed() {
        assert_eq!(nearest(1_024, 1), 1_025);
        assert_eq!(nearest(1_024, 0xFF), 1_023);
        assert_eq!(nearest(1_024, 0), 1_024);
    }
}
