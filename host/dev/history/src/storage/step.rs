// SPDX-License-Identifier: MIT OR Apache-2.0
//! One step of a history of storage, and how they are drawn.

use super::call::{Call, Fault, PAGES};
use lichen_model::storage::{BlockCall, CounterCall, LogCall, Record, Seek};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Just, Strategy, Union};
use std::fmt;

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A call, and what the medium does meanwhile.
    Call(Call, Option<Fault>),
    /// Power fails between calls.
    Restart,
    /// A page does not keep any more what is written to it.
    Wear(usize),
    /// Power fails, and bytes of a page have changed when it is back: so many from here.
    Rot(usize, usize, usize),
}

/// A kind of history of storage: how often its calls are on logs, volumes and the counter, and how
/// often the medium fails in one, in 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub(super) name: &'static str,
    weights: [u32; 3],
    faults: u32,
    /// The pages that wear and rot.
    pages: (usize, usize),
}

/// All of them.
pub const KINDS: [Kind; 4] = [
    Kind { name: "log", weights: [1, 0, 0], faults: 12, pages: (0, 11) },
    Kind { name: "volume", weights: [0, 1, 0], faults: 12, pages: (11, 18) },
    Kind { name: "counter", weights: [0, 0, 1], faults: 30, pages: (18, 22) },
    Kind { name: "all", weights: [4, 3, 2], faults: 5, pages: (0, PAGES) },
];

impl Kind {
    /// The name of the program, and its own.
    pub fn full_name(&self) -> String {
        format!("storage/{}", self.name)
    }
}

/// Histories of a kind.
pub(super) fn histories(kind: Kind, steps: usize) -> BoxedStrategy<Vec<Step>> {
    vec(step(kind), steps).boxed()
}

fn step(kind: Kind) -> BoxedStrategy<Step> {
    let [logs, volumes, counter] = kind.weights;
    let calls: Vec<(u32, BoxedStrategy<Call>)> =
        [(logs, log_call()), (volumes, block_call()), (counter, counter_call())]
            .into_iter()
            .filter(|(weight, _)| *weight > 0)
            .collect();
    let calls = Union::new_weighted(calls).boxed();
    let sound = calls.clone().prop_map(|call| Step::Call(call, None));
    let faulty = (calls, fault()).prop_map(|(call, fault)| Step::Call(call, Some(fault)));
    let pages = kind.pages.0..kind.pages.1;
    let rot = (pages.clone(), select(vec![0usize, 0, 0, 4, 9, 255]), 1..8usize);
    Union::new_weighted(vec![
        (84 - kind.faults, sound.boxed()),
        (kind.faults, faulty.boxed()),
        (6, Just(Step::Restart).boxed()),
        (2, pages.prop_map(Step::Wear).boxed()),
        (8, rot.prop_map(|(page, from, count)| Step::Rot(page, from, count)).boxed()),
    ])
    .boxed()
}

fn fault() -> BoxedStrategy<Fault> {
    let torn = || select(vec![0u16, 2, 4, 5, 6, 7, 8, 9, 100, 200, 255, 256]);
    Union::new_weighted(vec![
        (6, (0..6u16, torn()).prop_map(|(after, torn)| Fault::Cut(after, torn)).boxed()),
        (3, (0..6u16, torn()).prop_map(|(after, torn)| Fault::Fail(after, torn)).boxed()),
        (2, (0..20u16).prop_map(Fault::Unread).boxed()),
        (1, Just(Fault::Absent).boxed()),
    ])
    .boxed()
}

fn log_call() -> BoxedStrategy<Call> {
    let length = select(vec![1u32, 20, 60, 61, 100, 123, 124, 200, 240, 247, 247, 248, 0]);
    let append = length.prop_map(|length| LogCall::Append(Record { number: 0, length }));
    let room = select(vec![247u32, 247, 247, 247, 60]);
    let seek = Union::new_weighted(vec![
        (2, Just(Seek::Oldest).boxed()),
        (1, Just(Seek::Newest).boxed()),
        (4, (0..16usize).prop_map(Seek::Told).boxed()),
    ]);
    let call = Union::new_weighted(vec![
        (10, append.boxed()),
        (6, Just(LogCall::Sync).boxed()),
        (8, room.prop_map(LogCall::Read).boxed()),
        (3, seek.prop_map(LogCall::Seek).boxed()),
        (2, Just(LogCall::Tell).boxed()),
        (1, Just(LogCall::Erase).boxed()),
    ]);
    (select(vec![0usize, 0, 1]), call).prop_map(|(log, call)| Call::Log(log, call)).boxed()
}

fn block_call() -> BoxedStrategy<Call> {
    let range = select(vec![
        (0u32, 1u32),
        (0, 248),
        (3, 40),
        (90, 10),
        (240, 20),
        (247, 1),
        (248, 1),
        (248, 152),
        (0, 400),
        (399, 1),
        (99, 1),
        (390, 20),
        (0, 100),
    ]);
    (0..2usize, range, 0..16u32, proptest::num::u8::ANY)
        .prop_map(|(volume, (offset, length), which, byte)| {
            Call::Block(match which {
                0..5 => BlockCall::Read(volume, offset, length),
                5..11 => BlockCall::Write(volume, offset, length, byte),
                11..14 => BlockCall::Sync(volume),
                14 => BlockCall::Crc(volume, offset, length),
                _ => BlockCall::Erase(volume),
            })
        })
        .boxed()
}

fn counter_call() -> BoxedStrategy<Call> {
    let call = Union::new_weighted(vec![
        (8, select(vec![1u32, 3, 2_000, 2_049, 5_000]).prop_map(CounterCall::Take).boxed()),
        (8, Just(CounterCall::Reserve).boxed()),
        (1, Just(CounterCall::Restart).boxed()),
    ]);
    call.prop_map(Call::Counter).boxed()
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Call(Call::Log(log, call), _) => write!(f, "log {log}: {call:?}")?,
            Step::Call(Call::Block(call), _) => write!(f, "volumes: {call:?}")?,
            Step::Call(Call::Counter(call), _) => write!(f, "counter: {call:?}")?,
            Step::Restart => write!(f, "power fails")?,
            Step::Wear(page) => write!(f, "page {page} is worn")?,
            Step::Rot(page, from, count) => {
                write!(f, "power fails, and page {page} changes in {count} bytes from {from} on")?;
            }
        }
        match self {
            Step::Call(_, Some(fault)) => write!(f, ", {fault:?}"),
            _ => Ok(()),
        }
    }
}
