// SPDX-License-Identifier: MIT OR Apache-2.0
//! A core with memories and a scripted bus, and the vocabulary of the tests.

use lichen_isa::armv6m::{Bus, Core, FlashTiming, Memory, Options, RAM_BASE, Stop};
use lichen_isa::{Cycle, NoDevice, Origin, Reply, Width};

/// Where the reset vector points.
pub const START: u32 = 0x100;
/// Initial stack pointer.
pub const STACK: u32 = RAM_BASE + 0x800;
/// A device that stores what is written to it; see [`Access`].
pub const DEVICE: u32 = 0x4000_0000;
/// A register that changes by itself at given cycles; see [`Script::polled`].
pub const POLLED: u32 = 0x5000_0000;
/// A register that changes all the time: the cycle.
pub const COUNTER: u32 = POLLED + 4;
/// The single-cycle I/O port.
pub const IO_PORT: u32 = 0x6000_0000;

// Instructions.
pub const NOP: u16 = 0xBF00;
pub const WFE: u16 = 0xBF20;
pub const WFI: u16 = 0xBF30;
pub const SEV: u16 = 0xBF40;
pub const CPSIE: u16 = 0xB662;
pub const CPSID: u16 = 0xB672;
pub const SVC: u16 = 0xDF00;
pub const BX_LR: u16 = 0x4770;
pub const UDF: u16 = 0xDE00;
/// b .
pub const HANG: u16 = 0xE7FE;
/// push {r0-r7}
pub const PUSH_ALL: u16 = 0xB4FF;
/// ldr r1, [r0]
pub const LOAD: u16 = 0x6801;
/// str r1, [r0]
pub const STORE: u16 = 0x6001;

// Exception numbers.
pub const NMI: u32 = 2;
pub const HARD_FAULT: u32 = 3;
pub const SV_CALL: u32 = 11;
pub const PEND_SV: u32 = 14;
pub const SYS_TICK: u32 = 15;
pub const IRQ0: u32 = 16;

// Register numbers of `Core::register`.
pub const LR: usize = 14;
pub const SP: usize = 13;
pub const PC: usize = 15;
pub const XPSR: usize = 16;
pub const PSP: usize = 18;
pub const PRIMASK: usize = 19;
pub const CONTROL: usize = 20;

// System registers.
pub const SYST_CSR: u32 = 0xE000_E010;
pub const SYST_RVR: u32 = 0xE000_E014;
pub const SYST_CVR: u32 = 0xE000_E018;
pub const ISER: u32 = 0xE000_E100;
pub const ICER: u32 = 0xE000_E180;
pub const ISPR: u32 = 0xE000_E200;
pub const ICPR: u32 = 0xE000_E280;
pub const IPR0: u32 = 0xE000_E400;
pub const ICSR: u32 = 0xE000_ED04;
pub const AIRCR: u32 = 0xE000_ED0C;
pub const SCR: u32 = 0xE000_ED10;
pub const SHPR2: u32 = 0xE000_ED1C;
pub const SHPR3: u32 = 0xE000_ED20;

/// Scratch code that [`Machine::read`] and [`Machine::write`] execute.
const SCRATCH: u32 = 0x0C0;

/// Where the handler of an exception is.
pub fn handler(exception: u32) -> u32 {
    0x200 + exception * 0x20
}

/// An access that reached the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub cycle: u64,
    pub address: u32,
    pub width: Width,
    pub written: Option<u32>,
}

/// A bus with request lines that change at given cycles, and one device.
#[derive(Default)]
pub struct Script {
    pub lines: u32,
    pub nmi: bool,
    /// When lines take a new level, in order of time.
    pub changes: Vec<(u64, u32)>,
    /// The stall of each access to the device.
    pub stall: u32,
    /// Lines that an access to the device raises.
    pub raises: u32,
    pub accesses: Vec<Access>,
    /// The values that [`POLLED`] reads, each from a cycle on, in order; 0 before.
    pub polled: Vec<(u64, u32)>,
    /// How often [`POLLED`] was read, and when last.
    pub polls: u64,
    pub latest_poll: u64,
}

impl Script {
    fn poll(&mut self, cycle: u64) -> Reply {
        self.polls += 1;
        self.latest_poll = cycle;
        let value = self.polled.iter().rev().find(|(from, _)| *from <= cycle);
        Reply { value: value.map_or(0, |(_, value)| *value), stall: 2 }
    }

    fn access(
        &mut self,
        origin: Origin,
        address: u32,
        width: Width,
        written: Option<u32>,
    ) -> Result<Reply, NoDevice> {
        if !(DEVICE..IO_PORT + 0x1000).contains(&address) {
            return Err(NoDevice);
        }
        self.accesses.push(Access { cycle: origin.cycle.0, address, width, written });
        self.lines |= self.raises;
        Ok(Reply { value: 0x5A5A_5A5A, stall: self.stall })
    }
}

impl Bus for Script {
    fn read(
        &mut self,
        _: &mut Memory,
        origin: Origin,
        address: u32,
        width: Width,
    ) -> Result<Reply, NoDevice> {
        match address {
            POLLED => Ok(self.poll(origin.cycle.0)),
            COUNTER => Ok(Reply { value: origin.cycle.0 as u32, stall: 2 }),
            _ => self.access(origin, address, width, None),
        }
    }

    fn holds_until(&mut self, address: u32, _: Width) -> Cycle {
        let next = self.polled.iter().find(|(from, _)| *from > self.latest_poll);
        match address {
            POLLED => next.map_or(Cycle::NEVER, |(from, _)| Cycle(*from)),
            _ => Cycle(0),
        }
    }

    fn write(
        &mut self,
        _: &mut Memory,
        origin: Origin,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<Reply, NoDevice> {
        self.access(origin, address, width, Some(value))
    }

    fn lines(&self) -> u32 {
        self.lines
    }

    fn nmi(&self) -> bool {
        self.nmi
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
        Machine::with(Options::default(), code)
    }

    pub fn with(options: Options, code: &[u16]) -> Machine {
        let mut memory = Memory::new(0x2000, 0x1000);
        let mut table = vec![STACK, START | 1];
        table.extend((2..48).map(|exception| handler(exception) | 1));
        let bytes: Vec<u8> = table.iter().flat_map(|word| word.to_le_bytes()).collect();
        memory.write(0, &bytes).expect("in flash");
        let mut core = Core::new(options);
        core.reset(&memory);
        let mut machine = Machine { core, memory, bus: Script::default() };
        machine.place(START, code);
        for exception in 2..48 {
            machine.place(handler(exception), &[BX_LR]);
        }
        machine
    }

    /// Puts code into flash or RAM.
    pub fn place(&mut self, address: u32, code: &[u16]) {
        let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
        self.memory.write(address, &bytes).expect("in memory");
    }

    /// One instruction, or the entry of an exception.
    pub fn step(&mut self) -> Stop {
        self.apply_changes();
        self.core.step(&mut self.memory, &mut self.bus)
    }

    /// Cycles of the next `count` steps.
    pub fn cycles_of(&mut self, count: u32) -> u64 {
        let before = self.now();
        (0..count).for_each(|_| {
            self.step();
        });
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

    fn apply_changes(&mut self) {
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

    /// A word of flash or RAM.
    pub fn word(&self, address: u32) -> u32 {
        self.memory.read(address, Width::Word).expect("in memory")
    }

    /// Lets the core read a word, leaving its registers unchanged.
    pub fn read(&mut self, address: u32) -> u32 {
        self.access(LOAD, address, 0)
    }

    /// Lets the core write a word, leaving its registers unchanged.
    pub fn write(&mut self, address: u32, value: u32) {
        self.access(STORE, address, value);
    }

    fn access(&mut self, instruction: u16, address: u32, value: u32) -> u32 {
        let saved = [0, 1, PC].map(|register| self.core.register(register));
        self.place(SCRATCH, &[instruction, NOP]);
        self.core.set_register(0, address);
        self.core.set_register(1, value);
        self.core.set_register(PC, SCRATCH);
        self.core.step(&mut self.memory, &mut self.bus);
        let read = self.core.register(1);
        for (register, value) in [0, 1, PC].into_iter().zip(saved) {
            self.core.set_register(register, value);
        }
        read
    }

    /// Enables an interrupt line with a priority of 0 to 3.
    pub fn enable(&mut self, line: u32, priority: u32) {
        self.write(ISER, 1 << line);
        let register = IPR0 + line / 4 * 4;
        let shift = line % 4 * 8 + 6;
        let others = self.read(register) & !(3 << shift);
        self.write(register, others | priority << shift);
    }

    /// Sets the wait states of flash, with its cache.
    pub fn wait_states(&mut self, wait_states: u32) {
        self.memory.set_flash_timing(FlashTiming { wait_states, uncached: false });
    }

    /// Sets the wait states of flash, without its cache.
    pub fn wait_states_uncached(&mut self, wait_states: u32) {
        self.memory.set_flash_timing(FlashTiming { wait_states, uncached: true });
    }
}
