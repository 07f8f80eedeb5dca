// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model of storage by example.

use lichen_model::error::{EMPTY, IO, NONE};
use lichen_model::storage::{
    BlockCall, Counter, CounterCall, Given, Log, LogCall, Medium, Record, Volumes,
};

const SOUND: Medium = Medium { fails: false, worn: 0, rotten: false };

fn given(result: i32) -> Given<'static> {
    Given { result, value: 0, bytes: &[] }
}

fn append(log: &Log, number: u32, length: u32) -> Log {
    let call = LogCall::Append(Record { number, length });
    log.follow(call, given(NONE), SOUND).remove(0)
}

/// Whether the next record may be this one, or none.
fn may_be_next(logs: &[Log], record: Option<Record>) -> bool {
    let bytes = record.map(Record::bytes).unwrap_or_default();
    let result = if record.is_some() { NONE } else { EMPTY };
    let given = Given { result, value: bytes.len() as u32, bytes: &bytes };
    logs.iter().any(|log| !log.follow(LogCall::Read(247), given, SOUND).is_empty())
}

#[test]
fn a_cut_takes_only_what_was_not_synchronized() {
    let first = Record { number: 1, length: 10 };
    let log = append(&Log::new(true, 1), 1, 10);
    assert!(may_be_next(&log.cut(), Some(first)));
    assert!(may_be_next(&log.cut(), None));
    let safe = log.follow(LogCall::Sync, given(NONE), SOUND).remove(0);
    assert!(may_be_next(&safe.cut(), Some(first)));
    assert!(!may_be_next(&safe.cut(), None));
}

#[test]
fn a_ring_may_drop_only_its_oldest_pages() {
    let mut log = Log::new(true, 2);
    for number in 1..=4 {
        log = append(&log, number, 200);
    }
    let next = |number| may_be_next(&[log.clone()], Some(Record { number, length: 200 }));
    assert!(next(1) && next(2));
    assert!(!next(3) && !next(4));
}

#[test]
fn a_page_of_a_volume_has_a_state_since_it_was_synchronized() {
    let mut volumes = Volumes::new(&[(400, 0)]);
    for byte in [1, 2] {
        let write = BlockCall::Write(0, 5, 1, byte);
        volumes = volumes.follow(write, given(NONE), SOUND).remove(0);
    }
    let cut = volumes.cut().remove(0);
    let may_have = |byte: u8| {
        let bytes = [byte];
        let given = Given { result: NONE, value: 0, bytes: &bytes };
        !cut.follow(BlockCall::Read(0, 5, 1), given, SOUND).is_empty()
    };
    assert!(may_have(0xff) && may_have(1) && may_have(2));
    assert!(!may_have(3));
}

#[test]
fn a_counter_gives_no_number_again_and_no_error_without_a_cause() {
    let reserved = Counter::default().follow(CounterCall::Reserve, given(NONE), SOUND).remove(0);
    let take = |counter: &Counter, number: u32| {
        let mut bytes = number.to_le_bytes().to_vec();
        bytes.extend(number.to_le_bytes());
        let given = Given { result: NONE, value: 1, bytes: &bytes };
        counter.follow(CounterCall::Take(1), given, SOUND).pop()
    };
    let taken = take(&reserved, 7).expect("a number that was reserved");
    assert!(take(&taken, 7).is_none());
    assert!(take(&taken.cut()[0], 8).is_none());
    assert!(taken.follow(CounterCall::Reserve, given(IO), SOUND).is_empty());
}
