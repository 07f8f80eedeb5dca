// SPDX-License-Identifier: MIT OR Apache-2.0
//! ARMv6-M as the Cortex-M0+ implements it: instructions, exceptions, NVIC, SysTick, SCB.

mod access;
mod alu;
mod architecture;
mod branch;
mod core;
mod decode;
mod describe;
mod encode;
mod exception;
pub mod exceptions;
mod execute;
mod fault;
mod fetch;
mod flags;
mod flow;
mod frame;
mod memory;
mod multiple;
mod no_devices;
mod nvic;
mod op;
mod poll;
mod run;
mod scs;
mod semantics;
pub mod special;
mod system;
mod systick;
mod timing;

pub use self::core::{Core, Options, Wake};
pub use alu::{Alu, FlagAccess};
pub use architecture::{ARCHITECTURE, CONTROL, MSP, PRIMASK, PSP, XPSR, exception_of};
pub use decode::decode;
pub use describe::instruction;
pub use encode::{NOP, encode, encode_call};
pub use fault::{Fault, FaultKind};
pub use fetch::FlashTiming;
pub use frame::{ExceptionFrame, FRAME_BYTES, REALIGNED_BYTES, is_exc_return, stack_of};
pub use memory::{Memory, OutsideMemory, Program, RAM_BASE};
pub use no_devices::NoDevices;
pub use op::{Condition, LR, Op, PC, SP, SystemOp};
pub use semantics::{Halt, Jump, Machine, Processor, perform, perform_system};

use crate::{Cycle, NoDevice, Origin, Reply, StackOverflow, Width};

/// What a core finds outside its plain memories and its private peripheral bus.
///
/// `Memory` is passed along because devices on the bus may write it: a flash controller, a DMA
/// controller.
pub trait Bus {
    /// Reads `width` at `address` (aligned).
    fn read(
        &mut self,
        memory: &mut Memory,
        origin: Origin,
        address: u32,
        width: Width,
    ) -> Result<Reply, NoDevice>;

    /// Writes the low bits of `value` at `address` (aligned). Stores to flash come here too.
    fn write(
        &mut self,
        memory: &mut Memory,
        origin: Origin,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<Reply, NoDevice>;

    /// The core has loaded data from where its own vectors are after a reset, and does not mask interrupts as start-up
    /// does, which may copy them: a pointer to nothing.
    fn vector_loaded(&mut self, _origin: Origin, _address: u32, _width: Width) {}

    /// Interrupt request lines 0 to 31 as levels, valid after the latest access.
    fn lines(&self) -> u32;

    /// Level of the request line of the non-maskable interrupt.
    fn nmi(&self) -> bool {
        false
    }

    /// First cycle at which a read of `width` at `address` may return another value, or take
    /// another time, than at the present cycle, as long as nothing is written and the bus need not
    /// be served. A past cycle if this is not known, or if reading changes something. Used to skip
    /// polling loops.
    fn holds_until(&mut self, _address: u32, _width: Width) -> Cycle {
        Cycle(0)
    }

    /// First cycle at which the bus must be served ([`Bus::serve`]); a past cycle requests it after the current instruction.
    /// Queried after every access.
    fn horizon(&self) -> Cycle;

    /// Does what is due between two instructions, at `cycle`. Returns whether the core may go on with the limit that it has;
    /// otherwise it stops ([`Stop::Reached`]), for its owner.
    fn serve(&mut self, _memory: &mut Memory, _cycle: Cycle) -> bool {
        false
    }
}

/// Why [`Core::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The limit or the bus's horizon is reached.
    Reached,
    /// WFI, WFE or sleep-on-exit put the core to sleep, or it still sleeps; `deep` is
    /// SCR.SLEEPDEEP.
    Sleep {
        /// SCR.SLEEPDEEP at that moment.
        deep: bool,
    },
    /// The next instruction has a breakpoint; it has not run.
    Breakpoint,
    /// The core is locked up: a fault inside HardFault or NMI, or no vector to take.
    Lockup,
    /// HardFault was entered, and [`Core::set_vector_catch`] requests this stop: registers are
    /// stacked, the handler's first instruction is next. [`Core::first_fault`] says why.
    HardFault,
    /// An exception was entered or left, and [`Core::watch_exceptions`] requests this stop: the
    /// first instruction of the handler, or the one returned to, is next.
    Exception,
    /// The stack pointer has left its stack ([`Core::guard_stacks`]); what follows is nonsense, and has not run.
    StackOverflow(StackOverflow),
    /// The firmware wrote AIRCR.SYSRESETREQ. The owner resets the core.
    ResetRequest,
}
