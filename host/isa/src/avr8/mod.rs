// SPDX-License-Identifier: MIT OR Apache-2.0
//! AVR as the ATmega128 implements it: the enhanced core with a program counter of two bytes.
//!
//! Sources: AVR Instruction Set Manual (DS40002198), below "the manual"; ATmega128 data sheet (2467),
//! chapter "AVR CPU Core".
//!
//! Code counts in words, tools count in bytes: every address in this interface is one of a byte. Data
//! addresses are 16 bits wide: r0 to r31 lie at 0x00 to 0x1F, I/O registers at 0x20 to 0xFF, of which
//! the core has SREG, the stack pointer and RAMPZ, and the internal SRAM from 0x100 on. The linear
//! addresses of ELF files and debuggers have them from [`DATA_BASE`] on.

mod access;
mod alu;
mod architecture;
mod code;
mod core;
mod decode;
mod describe;
mod encode;
mod execute;
mod flags;
mod flow;
mod interrupt;
mod memory;
mod no_devices;
mod op;
mod poll;
mod run;
mod semantics;
mod stack;
mod text;
mod timing;

pub use self::core::Core;
pub use access::Own;
pub use alu::{Alu, FlagAccess, Product, WordAlu};
pub use architecture::{ARCHITECTURE, DATA_BASE, PC, RAMPZ, SP, SREG};
pub use decode::{Decoded, decode};
pub use describe::instruction;
pub use encode::{NOP, encode};
pub use memory::{Memory, OutsideMemory, Program, SRAM_START};
pub use no_devices::NoDevices;
pub use op::Op;
pub use semantics::{Halt, Machine, SystemOp, perform, perform_system};
pub use text::assembly;

use crate::{Cycle, Origin, Reply, StackOverflow};

/// What a core finds outside its registers, its SRAM and its flash.
///
/// `Memory` is passed along because devices on the bus may write it: self-programming does.
///
/// [`Origin::cycle`] is the cycle in which the access takes place. Of an instruction of several cycles
/// that is not the first one, so it may lie beyond [`Bus::horizon`], by less than such an instruction
/// takes: what is due until then happens before the access.
pub trait Bus {
    /// Reads a data address: an I/O register (0x20 to 0xFF, except SREG, SPL, SPH and RAMPZ), or what
    /// is beyond the internal SRAM (external memory; the bus reports where there is none).
    fn read(&mut self, memory: &mut Memory, origin: Origin, address: u16) -> Reply;

    /// Writes a data address, as [`Bus::read`] reads it. SBI and CBI read the whole register and write
    /// it in the next cycle.
    fn write(&mut self, memory: &mut Memory, origin: Origin, address: u16, value: u8) -> Reply;

    /// Interrupt requests as levels, flag and enable bit together, bit n for the vector with number n
    /// (0 is the reset and never set); valid after the latest access.
    fn lines(&self) -> u64;

    /// The core enters the handler of this vector: the hardware clears the flags that it clears then.
    fn acknowledge(&mut self, memory: &mut Memory, origin: Origin, vector: u32);

    /// LPM and ELPM read the byte at this address of flash, unless the self-programming logic makes
    /// them read fuses or lock bits, or its flash is busy. This changes neither requests nor the
    /// horizon.
    fn load_program(&mut self, memory: &mut Memory, origin: Origin, address: u32) -> u8;

    /// SPM with `value` in r1:r0, and `address` in Z and RAMPZ. The stall is the time for which the
    /// processor halts.
    fn store_program(
        &mut self,
        memory: &mut Memory,
        origin: Origin,
        address: u32,
        value: u16,
    ) -> Reply;

    /// WDR.
    fn watchdog_reset(&mut self, origin: Origin);

    /// SLEEP. Returns whether the processor sleeps (MCUCR.SE is set); if not, it does nothing.
    fn sleep(&mut self, origin: Origin) -> bool;

    /// The core is about to execute something of which the manual leaves undefined what it does, and
    /// will do what is most likely: an opcode without a meaning does nothing in one cycle, 0xFC08 to
    /// 0xFFFF with bit 3 set are SBRC and SBRS, a pointer that is also the destination is loaded and
    /// not changed otherwise, and is stored as it was. Called each time; beyond the end of a flash
    /// below 128 KB, where the program counter wraps, `opcode` is 0xFFFF.
    fn undefined(&mut self, origin: Origin, opcode: u16);

    /// The core is about to push `value` to what is neither SRAM nor external memory, as far as the core
    /// knows: the stack has grown too far, or its pointer was never set. The write follows.
    fn stack_elsewhere(&mut self, _origin: Origin, _address: u16, _value: u8) {}

    /// The core is about to store `value` to one of its registers r0 to r31 by its data address, as compilers never
    /// do: a pointer to nothing.
    fn register_stored(&mut self, _origin: Origin, _address: u16, _value: u8) {}

    /// The core is about to load one of its registers r0 to r31 by its data address, as compilers never do.
    fn register_loaded(&mut self, _origin: Origin, _address: u16) {}

    /// First cycle at which a read of `address` may return another value, or take another time, than
    /// at the present cycle, as long as nothing is written and the bus need not be served. A past
    /// cycle if this is not known, or if reading changes something. Used to skip polling loops.
    fn holds_until(&mut self, _address: u16) -> Cycle {
        Cycle(0)
    }

    /// First cycle at which the bus must be served by its owner ([`Stop::Reached`]); a past cycle
    /// requests it after the current instruction. Queried after every access.
    fn horizon(&self) -> Cycle;
}

/// Why [`Core::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The limit or the bus's horizon is reached.
    Reached,
    /// SLEEP put the core to sleep, or it still sleeps: until [`Core::wake_up`].
    Sleep,
    /// The next instruction has a breakpoint; it has not run.
    Breakpoint,
    /// The stack pointer has left its stack ([`Core::guard_stacks`]); what follows is nonsense, and has not run.
    StackOverflow(StackOverflow),
    /// An interrupt's handler was entered or left, and [`Core::watch_exceptions`] requests this stop:
    /// the first instruction of the handler, or the one returned to, is next.
    Exception,
}
