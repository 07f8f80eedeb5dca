// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interrupts within calls, woven pairs and cooperative threads, by example.

use lichen_model::{Actor, Call, Model, Move, Port, Program, Seen, Until};
use std::collections::HashSet;

/// Runs until an actor asks or all wait.
fn settle(model: &mut Model) {
    let unasked = |next: &Move| matches!(next, Move::Act | Move::Arrive | Move::Pass);
    while let Some(next) = model.moves().into_iter().find(unasked) {
        model.make(next);
    }
}

fn call(model: &mut Model, call: Call) -> Option<Actor> {
    assert!(model.allows(call), "{call:?}");
    model.begin(call);
    settle(model);
    model.expectation().0
}

#[test]
fn an_interrupt_within_a_call_comes_before_it_or_after_it() {
    let mut model = Model::new(Program::Threads, Port::SAM_R21);
    model.begin(Call::SemaphoreTry(0));
    model.interrupt_within(2);
    let begins = model.follow(Seen::Asks(Actor::Interrupt(2), -1, 0));
    assert!(begins.len() > 1, "both orders are followed");
    let mut results = HashSet::new();
    for mut state in begins {
        call(&mut state, Call::Return);
        results.insert(state.expectation());
        assert!(state.agrees(Seen::Asks(Actor::Thread(0), 6, 0)));
    }
    assert_eq!(results.len(), 1, "the orders give the same");
}

#[test]
fn a_chain_runs_if_all_its_events_are_pending_and_a_pair_if_two_are() {
    let mut model = Model::new(Program::Threads, Port::SAM_R21);
    model.interrupt(0);
    for event in [5, 4, 3] {
        call(&mut model, Call::EventPost(event));
    }
    assert_eq!(call(&mut model, Call::Return), Some(Actor::Pair(1)));
    assert_eq!(call(&mut model, Call::Return), Some(Actor::Thread(0)));
    model.interrupt(0);
    for event in [5, 6, 3] {
        call(&mut model, Call::EventPost(event));
    }
    assert_eq!(call(&mut model, Call::Return), Some(Actor::Event(5)));
    assert_eq!(call(&mut model, Call::Return), Some(Actor::Pair(2)));
    assert_eq!(call(&mut model, Call::Return), Some(Actor::Thread(0)));
}

#[test]
fn cooperative_threads_come_in_their_order_and_wait_for_signals() {
    let mut model = Model::new(Program::Alone, Port::SAM_R21);
    settle(&mut model);
    assert_eq!(call(&mut model, Call::CoopWait), Some(Actor::Coop(1)));
    assert_eq!(call(&mut model, Call::CoopSignal(0)), Some(Actor::Coop(1)));
    assert_eq!(call(&mut model, Call::CoopSignal(2)), Some(Actor::Coop(1)));
    assert_eq!(call(&mut model, Call::CoopYield), Some(Actor::Coop(2)));
    // It was signalled before it waits: it does not let others run.
    assert_eq!(call(&mut model, Call::CoopWait), Some(Actor::Coop(2)));
    assert_eq!(call(&mut model, Call::CoopWait), Some(Actor::Coop(3)));
    assert_eq!(call(&mut model, Call::Return), Some(Actor::Coop(0)));
}

#[test]
fn cooperative_threads_run_when_no_thread_is_ready() {
    let mut model = Model::new(Program::Coop, Port::SAM_R21);
    let asleep = call(&mut model, Call::SemaphoreWait(0, Until::Ever));
    assert_eq!(asleep, Some(Actor::Coop(0)));
}
