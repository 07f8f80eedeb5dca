// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core of a chip as debuggers and tools see it, whatever its architecture.

use crate::{Chip, Stop, Time};
use lichen_isa::{Architecture, Cycle, Instruction, LONGEST_INSTRUCTION, Stacks};
use std::sync::Arc;

/// A core: registers, breakpoints, single steps and exceptions. For tools; nothing here is used while a
/// chip runs.
pub trait Core {
    /// Its architecture, with the table of its registers.
    fn architecture(&self) -> &'static Architecture;

    /// A register, numbered as in the architecture's table; 0 for others.
    fn register(&self, number: usize) -> u32;

    /// Writes a register as a debug probe would while the core is halted. Of a status register the flags
    /// are written.
    fn set_register(&mut self, number: usize, value: u32);

    /// What the link register was before the last call, if there is one: a function that calls another one
    /// without saving it does not return, and this says to whom it would have.
    fn link_before_call(&self) -> Option<u32> {
        None
    }

    /// Address of the next instruction.
    fn pc(&self) -> u32;

    /// The first arguments of the function at whose first instruction the core is: integers whose sizes are
    /// `bytes`, at most four each. It returns fewer if not all are in registers. An argument that is narrower
    /// than `int` has the place of one, and its upper bits may be anything. One that is wider has several
    /// places, the last of which holds its least significant part.
    fn arguments(&self, bytes: &[u32]) -> Vec<u32> {
        let Architecture { arguments, registers, .. } = self.architecture();
        let mut places = arguments.iter();
        let argument = |size: &u32| {
            let mut parts: Vec<u8> = Vec::new();
            let bits = |parts: &[u8]| -> u32 {
                parts.iter().map(|part| registers[usize::from(*part)].bits).sum()
            };
            while bits(&parts) < size * 8 {
                let place = places.next()?;
                parts.splice(..0, place.iter().copied());
            }
            let (value, _) = parts.iter().fold((0, 0), |(value, shift), part| {
                let part = usize::from(*part);
                (value | self.register(part) << shift, shift + registers[part].bits)
            });
            Some(value)
        };
        bytes.iter().map_while(argument).collect()
    }

    /// Where a reset would let it begin, as memory is now.
    fn reset_address(&self) -> Option<u32>;

    /// Sets or clears a breakpoint on the instruction at `address`.
    fn set_breakpoint(&mut self, address: u32, on: bool);

    /// Executes the next instruction even if it has a breakpoint. If the processor sleeps, waits
    /// for it, until `until` at the latest; if an interrupt's entry lasts until then, the step ends
    /// with the entry.
    fn step(&mut self, until: Time) -> Stop;

    /// Number of the active exception, 0 for none.
    fn exception(&self) -> u32;

    /// How many exceptions are active: that one, and those that it has preempted.
    fn exceptions_active(&self) -> usize;

    /// How many exceptions were entered so far.
    fn exceptions_entered(&self) -> u64;

    /// Name of an exception by number, such as `RTC`; from [`Architecture::first_interrupt`] on they are
    /// the chip's interrupts.
    fn exception_name(&self, number: u32) -> &'static str;

    /// The registers that the exception whose handler is about to run its first instruction has saved:
    /// numbers and values. `None` if there is no such exception, or if they cannot be read.
    fn saved_by_exception(&self) -> Option<Vec<(usize, u32)>>;

    /// Whether interrupts are masked.
    fn masks_interrupts(&self) -> bool;

    /// Exceptions that are enabled and wait for their handlers, as bits by number.
    fn requests(&self) -> u64;

    /// When the request line of an interrupt, by number, rose last; `None` for exceptions without one.
    fn requested_at(&self, number: u32) -> Option<Request>;

    /// Priority of an exception by number, lowest for the most urgent; that of no exception (0) is
    /// above all others.
    fn priority(&self, number: u32) -> i8;

    /// Makes the interrupt with this number pending before the next instruction, as software may.
    fn pend_interrupt(&mut self, number: u32);

    /// Makes the chip report where exceptions begin and end
    /// ([`Output::Exception`](crate::Output::Exception)); each costs a stop, and neither time nor
    /// execution changes.
    fn watch_exceptions(&mut self, on: bool);

    /// Makes the chip report where the stack pointer leaves one of `stacks`
    /// ([`Output::StackOverflow`](crate::Output::StackOverflow)), whose addresses are linear. Neither time nor execution
    /// changes.
    fn guard_stacks(&mut self, stacks: Arc<Stacks>);

    /// Says that the program continues another thread at the instruction at `address`, whether or not
    /// handlers have returned: for cores that can only guess when one has ended. Others know, and ignore it.
    /// While exceptions are watched, the chip reports there that none is active.
    fn leave_exceptions_at(&mut self, _address: u32) {}

    /// [`Chip::instructions`] at the last return from a fault's handler; `None` before the first one. At
    /// the next fault it shows whether anything was executed in between.
    fn fault_return(&self) -> Option<u64>;

    /// Cycles for which the bus has stalled accesses to peripherals, and a busy flash reads, so far.
    fn cycles_stalled(&self) -> u64;
}

/// When an interrupt was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The time.
    pub time: Time,
    /// The processor's cycle at that time or after it. It is meaningful only while the processor's clock has not
    /// changed since.
    pub cycle: Cycle,
}

/// The instruction at `address` of a chip's memory; `None` where none can be read.
pub fn instruction(chip: &dyn Chip, address: u32) -> Option<Instruction> {
    let architecture = chip.core().architecture();
    let shortest = architecture.instruction_alignment as usize;
    let mut code = [0; LONGEST_INSTRUCTION];
    let mut length = LONGEST_INSTRUCTION;
    while length >= shortest {
        if chip.peek(address, &mut code[..length]).is_ok() {
            return (architecture.decode)(address, &code[..length]);
        }
        length -= shortest;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::Config;

    /// The arguments of these sizes, with the values of some registers.
    fn arguments(part: &str, registers: &[(usize, u32)], bytes: &[u32]) -> Vec<u32> {
        let mut chip = crate::by_part(part, &Config::default()).expect("known");
        for (number, value) in registers {
            chip.core_mut().set_register(*number, *value);
        }
        chip.core().arguments(bytes)
    }

    #[test]
    fn arguments_are_put_together_from_their_places() {
        // The procedure call standards: r0 to r3, and of AVR pairs from r25:r24 down.
        let arm = [(0, 1), (1, 2), (2, 3), (3, 4)];
        assert_eq!(arguments("ATSAMR21G18A", &arm, &[4, 2, 4, 1]), [1, 2, 3, 4]);
        let avr: Vec<(usize, u32)> = (8..26).map(|number| (number, number as u32)).collect();
        assert_eq!(arguments("ATmega128", &avr, &[2, 2]), [25 << 8 | 24, 23 << 8 | 22]);
        let long = 21 << 24 | 20 << 16 | 19 << 8 | 18;
        assert_eq!(arguments("ATmega128", &avr, &[1, 2, 4])[1..], [23 << 8 | 22, long]);
    }

    #[test]
    fn arguments_on_the_stack_are_left_out() {
        assert_eq!(arguments("ATSAMR21G18A", &[], &[4; 5]).len(), 4);
        assert_eq!(arguments("ATmega128", &[], &[4; 5]).len(), 4);
    }
}
