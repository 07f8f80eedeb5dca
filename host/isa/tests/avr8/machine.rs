// SPDX-License-Identifier: MIT OR Apache-2.0
//! A core with memories and a scripted bus, and the vocabulary of the tests.

use crate::code::{RETI, jmp};
use lichen_isa::avr8::{Bus, Core, Memory, PC, SP, Stop};
use lichen_isa::{Cycle, Origin, Reply};

/// Where a machine begins.
pub const START: u32 = 0x100;
/// Initial stack pointer.
pub const STACK: u16 = 0x10FF;
pub const FLASH_BYTES: u32 = 0x2000;
pub const DATA_END: u16 = 0x1100;
/// Vectors that have a handler: 1 to this.
pub const LAST_VECTOR: u32 = 34;

/// I/O addresses. Other I/O registers read as they were written.
pub mod io {
    /// A register that changes by itself at given cycles; see [`super::Script::polled`].
    pub const POLLED: u16 = 0x10;
    /// A register that changes all the time: the cycle.
    pub const COUNTER: u16 = 0x11;
    /// A write requests the interrupts of [`super::Script::raises`].
    pub const RAISE: u16 = 0x12;
    /// A plain register.
    pub const PLAIN: u16 = 0x15;
}

/// Data address of an I/O register.
pub const fn data(io: u16) -> u16 {
    io + 0x20
}

/// Where the handler of a vector is.
pub fn handler(vector: u32) -> u32 {
    0x800 + vector * 0x20
}

/// The byte that LPM and ELPM read. Of the upper 64 KB, which are not there, it is inverted.
pub fn flash_byte(memory: &Memory, address: u32) -> u8 {
    memory.flash_byte(address) ^ if address >> 16 != 0 { 0xFF } else { 0 }
}

/// An access that reached the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub cycle: u64,
    pub address: u16,
    pub written: Option<u8>,
}

/// What else reached the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Acknowledged(u32),
    WatchdogReset(u64),
    Undefined(u32, u16),
    Programmed(u32, u16),
}

/// A bus with request lines that change at given cycles.
#[derive(Clone, Default)]
pub struct Script {
    pub registers: Vec<u8>,
    pub lines: u64,
    /// When lines take a new level, in order of time.
    pub changes: Vec<(u64, u64)>,
    /// Lines that stay when their interrupt is taken.
    pub sticky: u64,
    /// Lines that a write to [`io::RAISE`] raises.
    pub raises: u64,
    /// The stall of each access beyond the internal SRAM, and of SPM.
    pub stall: u32,
    /// Whether SLEEP sleeps.
    pub sleeps: bool,
    pub accesses: Vec<Access>,
    pub events: Vec<Event>,
    /// The values that [`io::POLLED`] reads, each from a cycle on, in order; 0 before.
    pub polled: Vec<(u64, u8)>,
    /// How often it was read, and when last.
    pub polls: u64,
    pub latest_poll: u64,
}

impl Script {
    fn poll(&mut self, cycle: u64) -> u8 {
        self.polls += 1;
        self.latest_poll = cycle;
        let value = self.polled.iter().rev().find(|(from, _)| *from <= cycle);
        value.map_or(0, |(_, value)| *value)
    }

    fn note(&mut self, origin: Origin, address: u16, written: Option<u8>) -> u32 {
        self.accesses.push(Access { cycle: origin.cycle.0, address, written });
        if address >= DATA_END { self.stall } else { 0 }
    }
}

const POLLED: u16 = data(io::POLLED);
const COUNTER: u16 = data(io::COUNTER);
const RAISE: u16 = data(io::RAISE);

impl Bus for Script {
    fn read(&mut self, _: &mut Memory, origin: Origin, address: u16) -> Reply {
        let cycle = origin.cycle.0;
        match address {
            POLLED => Reply { value: self.poll(cycle).into(), stall: 0 },
            COUNTER => Reply { value: cycle as u32 & 0xFF, stall: 0 },
            _ => {
                let stall = self.note(origin, address, None);
                let value = self.registers.get(usize::from(address)).copied().unwrap_or(0x5A);
                Reply { value: value.into(), stall }
            }
        }
    }

    fn write(&mut self, _: &mut Memory, origin: Origin, address: u16, value: u8) -> Reply {
        if address == RAISE {
            self.lines |= self.raises;
        }
        if let Some(register) = self.registers.get_mut(usize::from(address)) {
            *register = value;
        }
        Reply { value: 0, stall: self.note(origin, address, Some(value)) }
    }

    fn lines(&self) -> u64 {
        self.lines
    }

    fn acknowledge(&mut self, _: &mut Memory, _: Origin, vector: u32) {
        self.lines &= !(1 << vector) | self.sticky;
        self.events.push(Event::Acknowledged(vector));
    }

    fn load_program(&mut self, memory: &mut Memory, _: Origin, address: u32) -> u8 {
        flash_byte(memory, address)
    }

    fn store_program(&mut self, _: &mut Memory, _: Origin, address: u32, value: u16) -> Reply {
        self.events.push(Event::Programmed(address, value));
        Reply { value: 0, stall: self.stall }
    }

    fn watchdog_reset(&mut self, origin: Origin) {
        self.events.push(Event::WatchdogReset(origin.cycle.0));
    }

    fn sleep(&mut self, _: Origin) -> bool {
        self.sleeps
    }

    fn undefined(&mut self, origin: Origin, opcode: u16) {
        self.events.push(Event::Undefined(origin.pc, opcode));
    }

    fn holds_until(&mut self, address: u16) -> Cycle {
        let next = self.polled.iter().find(|(from, _)| *from > self.latest_poll);
        match address {
            POLLED => next.map_or(Cycle::NEVER, |(from, _)| Cycle(*from)),
            _ => Cycle(0),
        }
    }

    fn horizon(&self) -> Cycle {
        self.changes.first().map_or(Cycle::NEVER, |(cycle, _)| Cycle(*cycle))
    }
}

/// A core, its memories and its bus.
pub struct Machine {
    pub core: Core,
    pub memory: Memory,
    pub bus: Script,
}

impl Machine {
    /// A core at [`START`], whose code is `code`. Every handler returns at once.
    pub fn new(code: &[u16]) -> Machine {
        let mut core = Core::new();
        core.reset(START);
        core.set_register(SP, STACK.into());
        let memory = Memory::new(FLASH_BYTES, DATA_END);
        let bus = Script { registers: vec![0; 0x100], ..Script::default() };
        let mut machine = Machine { core, memory, bus };
        for vector in 1..=LAST_VECTOR {
            machine.place(vector * 4, &jmp(handler(vector)));
            machine.place(handler(vector), &[RETI]);
        }
        machine.place(START, code);
        machine
    }

    /// Puts code into flash.
    pub fn place(&mut self, address: u32, code: &[u16]) {
        let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.memory.write(address, &bytes).expect("in flash");
    }

    /// One instruction, or the entry of a handler.
    pub fn step(&mut self) -> Stop {
        self.apply_changes();
        self.core.step(&mut self.memory, &mut self.bus)
    }

    /// Executes `count` steps; returns the address at which each begins.
    pub fn steps(&mut self, count: u32) -> Vec<u32> {
        (0..count)
            .map(|_| {
                let pc = self.pc();
                self.step();
                pc
            })
            .collect()
    }

    /// Cycles of the next `count` steps.
    pub fn cycles_of(&mut self, count: u32) -> u64 {
        let before = self.now();
        self.steps(count);
        self.now() - before
    }

    /// Runs until `cycle`, with the lines changing as scripted.
    pub fn run_until(&mut self, cycle: u64) -> Stop {
        loop {
            self.apply_changes();
            let stop = self.core.run(&mut self.memory, &mut self.bus, Cycle(cycle));
            if stop != Stop::Reached || self.now() >= cycle {
                return stop;
            }
        }
    }

    /// Runs until the instruction at `address` is the next; returns the cycle.
    pub fn run_to(&mut self, address: u32) -> u64 {
        self.memory.set_breakpoint(address, true);
        let stop = self.run_until(self.now() + 100_000);
        self.memory.set_breakpoint(address, false);
        assert_eq!(stop, Stop::Breakpoint, "0x{address:x} is not reached");
        self.now()
    }

    pub fn apply_changes(&mut self) {
        let now = self.now();
        while self.bus.changes.first().is_some_and(|(cycle, _)| *cycle <= now) {
            self.bus.lines = self.bus.changes.remove(0).1;
        }
    }

    pub fn now(&self) -> u64 {
        self.core.cycle().0
    }

    pub fn pc(&self) -> u32 {
        self.core.register(PC)
    }

    pub fn r(&self, number: usize) -> u8 {
        self.core.register(number) as u8
    }

    pub fn sp(&self) -> u16 {
        self.core.register(SP) as u16
    }

    /// A byte of SRAM.
    pub fn sram(&self, address: u16) -> u8 {
        self.memory.sram()[usize::from(address) - 0x100]
    }
}
