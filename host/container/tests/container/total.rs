// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whatever the bytes are, they are linked or refused.

use crate::sample::{Image, places, sample};
use lichen_container::{Header, Machine, Tokens, crc32, link};
use proptest::prelude::*;

/// Links, and checks what an error says of itself.
fn try_all(bytes: &[u8]) {
    for machine in Machine::ALL {
        match link(bytes, &places(machine), &Image(machine)) {
            Ok(linked) => {
                assert_eq!(linked.flash.len(), linked.header.flash_bytes() as usize);
                assert_eq!(linked.initial.objects.len(), linked.header.object_bytes.into());
                assert_eq!(linked.initial.data.len(), linked.header.data_bytes.into());
            }
            Err(error) => assert!(error.at <= bytes.len(), "{error} of {}", bytes.len()),
        }
    }
    if let Ok(header) = Header::parse(bytes) {
        let tokens: Vec<_> = Tokens::of(bytes, &header).collect();
        assert!(tokens.len() <= bytes.len());
    }
}

fn mutated(machine: Machine, changes: &[(usize, u8)], cut: usize) -> Vec<u8> {
    let mut bytes = sample(machine).bytes();
    bytes.truncate(bytes.len() - 4);
    for (at, byte) in changes {
        let length = bytes.len();
        bytes[at % length] = *byte;
    }
    bytes.truncate(bytes.len() - cut % 8);
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_containers_are_linked_or_refused(
        is_arm: bool,
        changes in prop::collection::vec((0usize..200, any::<u8>()), 1..5),
        cut in 0usize..16,
    ) {
        let machine = if is_arm { Machine::Armv6m } else { Machine::Avr8 };
        let cut = if cut < 8 { 0 } else { cut };
        try_all(&mutated(machine, &changes, cut));
    }

    #[test]
    fn any_stream_behind_a_header_is_linked_or_refused(
        is_arm: bool,
        stream in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let machine = if is_arm { Machine::Armv6m } else { Machine::Avr8 };
        let mut bytes = sample(machine).bytes();
        bytes.truncate(44);
        bytes.extend(stream);
        try_all(&bytes);
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        try_all(&bytes);
    }
}

/// Each byte of the header and of the first tokens with each value.
#[test]
fn each_byte_may_have_each_value() {
    for machine in Machine::ALL {
        for at in 0..64 {
            for value in 0..=u8::MAX {
                try_all(&mutated(machine, &[(at, value)], 0));
            }
        }
    }
}
