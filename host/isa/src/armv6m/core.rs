// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core: its state, and its interface for the owner.

use super::exception::InFlight;
use super::exceptions::INTERRUPT_0;
use super::flags::Flags;
use super::nvic::{EXCEPTIONS, Nvic, THREAD_PRIORITY};
use super::poll::Polls;
use super::systick::SysTick;
use super::{Fault, Memory};
use crate::stacks::{StackGuard, Stacks};
use crate::{Cycle, Width};
use borsh::{BorshDeserialize, BorshSerialize};
use std::sync::Arc;

/// Index of the stack pointer.
pub(super) const SP: usize = 13;
/// Index of the link register.
pub(super) const LR: usize = 14;
/// Index of the program counter; holds it only while an instruction that reads it executes.
pub(super) const PC: usize = 15;

/// Implementation options of the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Options {
    /// Unprivileged execution (CONTROL.nPRIV). Absent in SAM D and SAM R devices.
    pub unprivileged: bool,
}

/// What ended a sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Wake {
    /// A pending exception, by number (16 and up are interrupts).
    Exception(u32),
    /// The event register was set.
    Event,
}

/// Why the core executes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Halt {
    /// WFI, or sleep on exit.
    Interrupt,
    /// WFE.
    Event,
    Lockup,
}

/// A Cortex-M0+.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub struct Core {
    pub(super) options: Options,
    /// General registers; R13 is the stack pointer in use.
    pub(super) registers: [u32; 16],
    /// The stack pointer that is not in use.
    pub(super) other_sp: u32,
    /// Whether R13 is the process stack pointer.
    pub(super) process_stack: bool,
    /// The stacks of both pointers.
    #[borsh(skip)]
    pub(super) guard: StackGuard,
    #[borsh(skip)]
    pub(super) other_guard: StackGuard,
    pub(super) flags: Flags,
    /// IPSR: number of the active exception.
    pub(super) exception: u32,
    /// EPSR.T.
    pub(super) thumb: bool,
    pub(super) primask: bool,
    /// CONTROL.nPRIV.
    pub(super) unprivileged: bool,
    pub(super) pc: u32,
    /// LR before the last branch with link. Nothing depends on it.
    #[borsh(skip)]
    pub(super) link_before_call: u32,

    pub(super) cycle: Cycle,
    pub(super) instructions: u64,
    /// The fast path continues while the cycle is below this. Everything that must be handled
    /// between two instructions lowers it.
    #[borsh(skip)]
    pub(super) horizon: Cycle,
    /// The first cycle at which something may happen that instructions do not do themselves.
    #[borsh(skip)]
    pub(super) due: Cycle,
    pub(super) in_flight: InFlight,
    pub(super) halt: Option<Halt>,
    /// The event register (WFE, SEV).
    pub(super) event: bool,
    pub(super) reset_requested: bool,
    /// Whether a run ends at the entry of HardFault, as with DEMCR.VC_HARDERR.
    #[borsh(skip)]
    pub(super) vector_catch: bool,
    /// HardFault was entered, which has not ended the run yet.
    #[borsh(skip)]
    pub(super) caught: bool,
    /// Whether a run ends where the active exception changes.
    #[borsh(skip)]
    pub(super) watches_exceptions: bool,
    /// The active exception changed, which has not ended the run yet.
    #[borsh(skip)]
    pub(super) exception_changed: bool,
    #[borsh(skip)]
    pub(super) step_over: Option<u32>,
    #[borsh(skip)]
    pub(super) polls: Polls,
    /// Cycles for which accesses to the bus were stalled. Nothing depends on it.
    #[borsh(skip)]
    pub(super) stalled: u64,

    pub(super) nvic: Nvic,
    pub(super) systick: SysTick,
    pub(super) vector_table: u32,
    /// SCR: SLEEPONEXIT, SLEEPDEEP and SEVONPEND.
    pub(super) system_control: u32,
    pub(super) entries: [u64; EXCEPTIONS],
    pub(super) first_fault: Option<Fault>,
    pub(super) last_fault: Option<Fault>,
    /// Instructions executed at the last return from HardFault.
    pub(super) hard_fault_return: Option<u64>,
    pub(super) woken_by: Option<Wake>,
}

impl Core {
    /// An unpowered core: [`Core::reset`] must be called first.
    pub fn new(options: Options) -> Core {
        Core {
            options,
            link_before_call: 0,
            registers: [0; 16],
            other_sp: 0,
            process_stack: false,
            guard: StackGuard::default(),
            other_guard: StackGuard::default(),
            flags: Flags::from_bits(0),
            exception: 0,
            thumb: true,
            primask: false,
            unprivileged: false,
            pc: 0,
            cycle: Cycle(0),
            instructions: 0,
            horizon: Cycle(0),
            due: Cycle(0),
            in_flight: InFlight::Nothing,
            halt: None,
            event: false,
            reset_requested: false,
            vector_catch: false,
            caught: false,
            watches_exceptions: false,
            exception_changed: false,
            step_over: None,
            polls: Polls::default(),
            stalled: 0,
            nvic: Nvic::new(),
            systick: SysTick::new(),
            vector_table: 0,
            system_control: 0,
            entries: [0; EXCEPTIONS],
            first_fault: None,
            last_fault: None,
            hard_fault_return: None,
            woken_by: None,
        }
    }

    /// Makes runs end with [`Stop::HardFault`](super::Stop::HardFault) when HardFault is entered,
    /// as a debugger does with DEMCR.VC_HARDERR.
    pub fn set_vector_catch(&mut self, on: bool) {
        self.vector_catch = on;
    }

    /// Makes runs end with [`Stop::Exception`](super::Stop::Exception) where another exception, or
    /// none, becomes the active one. Time and execution are the same with and without it.
    pub fn watch_exceptions(&mut self, on: bool) {
        self.watches_exceptions = on;
        self.exception_changed = false;
    }

    /// Makes runs end with [`Stop::StackOverflow`](super::Stop::StackOverflow) when the stack pointer leaves one of
    /// `stacks`. Time and execution are the same with and without it.
    pub fn guard_stacks(&mut self, stacks: Arc<Stacks>) {
        self.guard = StackGuard::new(Arc::clone(&stacks), self.registers[SP]);
        self.other_guard = StackGuard::new(stacks, self.other_sp);
    }

    /// Finds the stacks anew that both pointers are in.
    fn find_stacks(&mut self) {
        self.guard.go_to(self.registers[SP]);
        self.other_guard.go_to(self.other_sp);
    }

    /// Resets the core: SP and PC come from the vector table at address 0. Cycles and counts
    /// continue; registers that a reset leaves unknown are zero.
    pub fn reset(&mut self, memory: &Memory) {
        let mut nvic = self.nvic.clone();
        nvic.reset();
        let fresh = Core::new(self.options);
        *self = Core {
            nvic,
            cycle: self.cycle,
            instructions: self.instructions,
            entries: self.entries,
            first_fault: self.first_fault,
            last_fault: self.last_fault,
            hard_fault_return: self.hard_fault_return,
            woken_by: self.woken_by,
            vector_catch: self.vector_catch,
            watches_exceptions: self.watches_exceptions,
            stalled: self.stalled,
            guard: self.guard.clone(),
            other_guard: self.other_guard.clone(),
            ..fresh
        };
        let word = |address| memory.read(address, Width::Word).unwrap_or(0);
        self.registers[SP] = word(0) & !3;
        self.find_stacks();
        self.registers[LR] = u32::MAX;
        self.branch_to(word(4));
    }

    /// Takes the state of `other`, but keeps what a debugger has set here.
    pub fn restore(&mut self, other: &Core) {
        *self = Core {
            vector_catch: self.vector_catch,
            watches_exceptions: self.watches_exceptions,
            guard: self.guard.like(&other.guard, other.registers[SP]),
            other_guard: self.other_guard.like(&other.other_guard, other.other_sp),
            ..other.clone()
        };
    }

    /// The same core in a canonical state, for comparing states: counters that are stored as of
    /// some earlier cycle are advanced to the present one.
    pub fn settled(&self) -> Core {
        let mut core = self.clone();
        core.settle_systick();
        core
    }

    /// Makes an interrupt (by line, 0 to 31) pending, as a store to NVIC_ISPR does.
    pub fn pend_interrupt(&mut self, line: u32) {
        self.pend(1 << (INTERRUPT_0 + line % 32));
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
        self.settle_systick();
    }

    /// Sets the levels of the interrupt request lines, while the core does not run.
    pub fn set_lines(&mut self, lines: u32) {
        if self.nvic.set_lines(lines) {
            self.note_pend();
        }
    }

    /// Sets the level of the NMI line, while the core does not run.
    pub fn set_nmi(&mut self, level: bool) {
        if self.nvic.set_nmi(level) {
            self.note_pend();
        }
    }

    /// Sets the event register (RXEV).
    pub fn send_event(&mut self) {
        self.event = true;
    }

    /// Whether a sleeping core would continue if it were run now.
    pub fn wake_pending(&self) -> bool {
        self.wake().is_some()
    }

    /// When SysTick will next pend its exception if its clock continues; [`Cycle::NEVER`] if it
    /// will not.
    pub fn next_internal_event(&self) -> Cycle {
        self.systick.due()
    }

    /// What ended the latest sleep.
    pub fn woken_by(&self) -> Option<Wake> {
        self.woken_by
    }

    /// r0 to r15, xPSR (16), MSP (17), PSP (18), PRIMASK (19), CONTROL (20); 0 for others.
    pub fn register(&self, index: usize) -> u32 {
        match index {
            PC => self.pc,
            0..=14 => self.registers[index],
            16 => self.xpsr(),
            17 => self.main_sp(),
            18 => self.process_sp(),
            19 => u32::from(self.primask),
            20 => self.control(),
            _ => 0,
        }
    }

    /// LR before the last branch with link, for tools.
    pub fn link_before_call(&self) -> u32 {
        self.link_before_call
    }

    /// Writes a register, numbered as in [`Core::register`]; others are ignored. Of xPSR, the
    /// flags are written.
    pub fn set_register(&mut self, index: usize, value: u32) {
        match index {
            PC => {
                self.pc = value & !1;
                self.in_flight = InFlight::Nothing;
            }
            SP => {
                self.registers[SP] = value & !3;
                self.guard.go_to(value & !3);
            }
            0..=14 => self.registers[index] = value,
            16 => self.flags = Flags::from_bits(value),
            17 => self.set_main_sp(value),
            18 => self.set_process_sp(value),
            19 => self.primask = value & 1 != 0,
            20 => self.set_control(value),
            _ => {}
        }
    }

    /// Number of the active exception (IPSR), 0 in Thread mode.
    pub fn active_exception(&self) -> u32 {
        self.exception
    }

    /// How many exceptions are active: the running one, and those that it has preempted.
    pub fn active_exceptions(&self) -> usize {
        self.nvic.active_count() as usize
    }

    /// The interrupts that the controller lets pass, as bits by line.
    pub fn enabled_interrupts(&self) -> u32 {
        self.nvic.enabled_interrupts()
    }

    /// Exceptions that are enabled and pending, as bits by number, once the request lines have taken the
    /// levels `lines`.
    pub fn requests(&self, lines: u32) -> u64 {
        self.nvic.requests(lines)
    }

    /// Priority of an exception by number, the most urgent the lowest; 4 for none (0), which every
    /// exception interrupts.
    pub fn priority(&self, exception: u32) -> i8 {
        if exception == 0 { THREAD_PRIORITY } else { self.nvic.urgency(exception) }
    }

    /// Cycles for which the bus has stalled accesses so far.
    pub fn stalled(&self) -> u64 {
        self.stalled
    }

    /// How often the exception with this number was entered.
    pub fn entries(&self, exception: u32) -> u64 {
        self.entries.get(exception as usize).copied().unwrap_or(0)
    }

    /// How often any was.
    pub fn all_entries(&self) -> u64 {
        self.entries.iter().sum()
    }

    /// The fault for which HardFault was entered last: what went wrong first.
    pub fn first_fault(&self) -> Option<Fault> {
        self.first_fault
    }

    /// The latest fault. After [`Core::first_fault`] if handling that one failed as well.
    pub fn last_fault(&self) -> Option<Fault> {
        self.last_fault
    }

    /// Instructions executed at the last return from HardFault, including the return. If the
    /// returned-to instruction faults again, the count is still the same at the entry.
    pub fn hard_fault_return(&self) -> Option<u64> {
        self.hard_fault_return
    }

    /// Whether the core is locked up.
    pub fn locked_up(&self) -> bool {
        self.halt == Some(Halt::Lockup)
    }
}
