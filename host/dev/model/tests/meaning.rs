// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model by example.

use lichen_model::{Actor, Answer, Call, Model, Move, Owner, Port, Seen, Until};

/// A model, together with the moves that happen by themselves.
struct Program(Model);

impl Program {
    fn new() -> Program {
        Program(Model::new(lichen_model::Program::Threads, Port::SAM_R21))
    }

    /// The asking actor makes a call; returns the next actor that asks.
    fn call(&mut self, call: Call) -> Option<usize> {
        assert!(self.0.allows(call), "{call:?}");
        self.0.begin(call);
        while let Some(next) = self
            .0
            .moves()
            .into_iter()
            .find(|next| matches!(next, Move::Act | Move::Arrive | Move::Pass))
        {
            self.0.make(next);
        }
        match self.0.expectation().0 {
            Some(Actor::Thread(thread)) => Some(thread),
            _ => None,
        }
    }
}

#[test]
fn the_most_urgent_thread_runs_and_equals_come_in_their_order() {
    let mut program = Program::new();
    assert_eq!(program.0.ready(), [0, 1, 2, 3]);
    assert_eq!(program.call(Call::SemaphoreWait(0, Until::Ever)), Some(1));
    assert_eq!(program.call(Call::ThreadYield), Some(2));
    assert_eq!(program.call(Call::SemaphorePost(0)), Some(0));
    assert_eq!(program.0.expectation().1, Some(Answer::Exact(0, 0)));
}

#[test]
fn an_owner_inherits_from_all_who_wait_for_its_mutexes() {
    let mut program = Program::new();
    // Thread 3, the least urgent, holds two mutexes.
    assert_eq!(program.call(Call::SleepUs(1_000)), Some(1));
    assert_eq!(program.call(Call::SemaphoreWait(0, Until::Ever)), Some(2));
    assert_eq!(program.call(Call::SemaphoreWait(0, Until::Ever)), Some(3));
    assert_eq!(program.call(Call::MutexLock(0, Until::Ever)), Some(3));
    assert_eq!(program.call(Call::MutexLock(1, Until::Ever)), Some(3));
    // Threads 1 and 0 wait for one each.
    assert_eq!(program.call(Call::SemaphorePost(0)), Some(1));
    assert_eq!(program.call(Call::MutexLock(0, Until::Ever)), Some(3));
    program.0.pass(1_000, 30_518);
    let due = program.0.moves().into_iter().find(|what| *what != Move::Act);
    program.0.make(due.expect("the sleep is over"));
    assert_eq!(program.call(Call::MutexLock(1, Until::Ever)), Some(3));
    // It runs before thread 2, although the first mutex alone would not suffice: 10 above 8.
    assert_eq!(program.call(Call::SemaphorePost(0)), Some(3));
    assert_eq!(program.call(Call::MutexUnlock(1)), Some(0));
}

#[test]
fn a_deadline_is_never_early() {
    let mut program = Program::new();
    for _ in 0..4 {
        program.call(Call::SleepUs(1_000_000));
    }
    assert!(program.0.agrees(Seen::Idle));
    program.0.pass(32_768, 1_000_000);
    assert_eq!(program.0.moves(), [], "the tick that was running counts as passed");
    program.0.pass(32_769, 1_000_031);
    assert!(!program.0.moves().is_empty());
    assert!(!program.0.is_overdue());
    // Windows are as long as the calls took: no time at all here.
    program.0.pass(32_769 + 41, 1_001_300);
    assert!(program.0.is_overdue());
}

#[test]
fn alarms_fire_in_the_order_of_their_times_and_never_early() {
    let mut program = Program::new();
    for (alarm, us) in [(0, 900), (1, 300), (2, 900), (3, 200)] {
        assert_eq!(program.call(Call::AlarmSet(alarm, us)), Some(0));
    }
    assert_eq!(program.call(Call::AlarmCancel(3)), Some(0));
    program.0.pass(9, 299);
    assert_eq!(program.0.moves(), []);
    program.0.pass(50, 1_500);
    for event in [1, 0, 2] {
        assert_eq!(program.0.moves(), [Move::Fire(Owner::Event(event))]);
        program.0.make(Move::Fire(Owner::Event(event)));
        while program.0.moves().contains(&Move::Arrive) {
            program.0.make(Move::Arrive);
        }
        assert_eq!(program.0.expectation().0, Some(Actor::Event(event)));
        // No interrupt has kept the processor, so those that are left are late.
        assert_eq!(program.0.is_overdue(), event != 2);
        program.call(Call::Return);
    }
}
