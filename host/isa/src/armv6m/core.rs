//! The core: its state, and what its owner can ask of it.

use super::{Bus, Fault, Memory, Stop};
use crate::Cycle;

/// What a licensee of the core can choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Unprivileged execution (CONTROL.nPRIV). Absent in SAM D and SAM R devices.
    pub unprivileged: bool,
}

/// What ended a sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// A pending exception, by number (16 and up are interrupts).
    Exception(u32),
    /// The event register was set.
    Event,
}

/// A Cortex-M0+.
#[derive(Clone, Debug)]
pub struct Core {
    cycle: Cycle,
    instructions: u64,
    registers: [u32; 21],
    lines: u32,
    nmi: bool,
    event: bool,
}

impl Core {
    /// A core without power: [`Core::reset`] comes before anything else.
    pub fn new(_options: Options) -> Core {
        Core {
            cycle: Cycle(0),
            instructions: 0,
            registers: [0; 21],
            lines: 0,
            nmi: false,
            event: false,
        }
    }

    /// Resets the core: SP and PC come from the vector table at address 0. Cycles and counts go on.
    pub fn reset(&mut self, memory: &Memory) {
        let word = |address| memory.read(address, crate::Width::Word).unwrap_or(0);
        self.registers[13] = word(0);
        self.registers[15] = word(4) & !1;
    }

    /// Runs until `limit`, or until something happens that only the owner can handle.
    pub fn run<B: Bus>(&mut self, _memory: &mut Memory, bus: &mut B, limit: Cycle) -> Stop {
        self.lines = bus.lines();
        self.cycle = limit.min(bus.horizon()).max(self.cycle);
        Stop::Reached
    }

    /// Executes the next instruction, even if it has a breakpoint. May come back with
    /// [`Stop::Reached`] before the instruction is complete if the bus must be served.
    pub fn step<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) -> Stop {
        let next = self.cycle + 1;
        self.run(memory, bus, next)
    }

    /// Clock edges so far.
    pub fn cycle(&self) -> Cycle {
        self.cycle
    }

    /// Instructions executed so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Lets clock edges pass without execution: light sleep, lockup, a debugger.
    pub fn advance(&mut self, cycles: u64) {
        self.cycle += cycles;
    }

    /// Sets the levels of the interrupt request lines, while the core does not run.
    pub fn set_lines(&mut self, lines: u32) {
        self.lines = lines;
    }

    /// Sets the level of the NMI line, while the core does not run.
    pub fn set_nmi(&mut self, level: bool) {
        self.nmi = level;
    }

    /// Sets the event register (RXEV).
    pub fn send_event(&mut self) {
        self.event = true;
    }

    /// Whether a sleeping core would go on if it were run now.
    pub fn wake_pending(&self) -> bool {
        self.lines != 0 || self.nmi || self.event
    }

    /// When SysTick will next pend its exception, if its clock goes on; [`Cycle::NEVER`] if not.
    pub fn next_internal_event(&self) -> Cycle {
        Cycle::NEVER
    }

    /// What ended the latest sleep.
    pub fn woken_by(&self) -> Option<Wake> {
        None
    }

    /// r0 to r15, xPSR (16), MSP (17), PSP (18), PRIMASK (19), CONTROL (20).
    pub fn register(&self, index: usize) -> u32 {
        self.registers.get(index).copied().unwrap_or(0)
    }

    /// Writes a register, numbered as in [`Core::register`].
    pub fn set_register(&mut self, index: usize, value: u32) {
        if let Some(register) = self.registers.get_mut(index) {
            *register = value;
        }
    }

    /// Number of the active exception (IPSR), 0 in Thread mode.
    pub fn active_exception(&self) -> u32 {
        self.registers[16] & 63
    }

    /// How often the exception with this number was entered.
    pub fn entries(&self, _exception: u32) -> u64 {
        0
    }

    /// The latest fault.
    pub fn last_fault(&self) -> Option<Fault> {
        None
    }

    /// Whether the core is locked up.
    pub fn locked_up(&self) -> bool {
        false
    }
}
