// SPDX-License-Identifier: MIT OR Apache-2.0
//! Saved states.

use crate::code::*;
use crate::machine::*;
use lichen_isa::avr8::{Core, SREG as SREG_NUMBER};

/// The core, saved and loaded.
pub fn copy(core: &Core) -> Core {
    let saved = borsh::to_vec(core).expect("a core can be saved");
    borsh::from_slice(&saved).expect("and loaded")
}

#[test]
fn flags_have_one_form_when_they_are_saved() {
    // ldi r16, 1; dec r16, and a core whose flags were set to the same value.
    let mut machine = Machine::new(&[ldi(16, 1), 0x950A]);
    machine.steps(2);
    let sreg = machine.core.register(SREG_NUMBER);
    let mut other = machine.core.clone();
    other.set_register(SREG_NUMBER, sreg);
    let bytes = |core: &Core| borsh::to_vec(core).expect("a core can be saved");
    assert_eq!(bytes(&machine.core), bytes(&other));
    assert_eq!(copy(&machine.core).register(SREG_NUMBER), sreg);
    assert_eq!(bytes(&machine.core), bytes(&machine.core.settled()));
}

#[test]
fn what_delays_an_interrupt_is_saved() {
    let mut machine = Machine::new(&[SEI, NOP, NOP, HANG]);
    machine.bus.lines = 1 << 3;
    machine.step();
    machine.core = copy(&machine.core);
    assert_eq!(machine.steps(3), [START + 2, START + 4, 3 * 4]);
}

#[test]
fn active_handlers_are_saved() {
    let mut machine = Machine::new(&[HANG]);
    machine.core.set_register(SREG_NUMBER, 0x80);
    machine.core.pend_interrupt(8);
    machine.step();
    machine.core = copy(&machine.core);
    assert_eq!(machine.core.active_exception(), 8);
    let mut other = Core::new();
    other.watch_exceptions(true);
    other.restore(&machine.core);
    assert_eq!(other.active_exception(), 8);
}
