// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ways that are counted by hand (`data/ways.*.S`).

use lichen_analysis::{Limit, Outcome, Text, Unknown, Way, Why, unroll};
use lichen_image::Image;

fn ways(machine: &str, function: &str) -> Result<Vec<Way>, Unknown> {
    let file = format!("{}/tests/data/ways.{machine}.elf", env!("CARGO_MANIFEST_DIR"));
    let image = Image::load(file.as_ref()).expect("an image");
    let text = Text::of(&image);
    let address = text.symbol(function).expect("a function");
    let mut ways = unroll(&text, address, Limit { steps: 20_000, ways: 40 })?;
    ways.sort_by_key(|way| way.cycles);
    Ok(ways)
}

fn returns(instructions: u64, cycles: u64, depth: u32) -> Way {
    Way { instructions, cycles, depth, end: Outcome::Return }
}

#[test]
fn rounds_of_a_loop_are_counted() {
    // Of five branches four are taken.
    assert_eq!(ways("thumb", "counted"), Ok(vec![returns(12, 1 + 5 + 4 * 2 + 1 + 2, 0)]));
    assert_eq!(ways("avr", "counted"), Ok(vec![returns(12, 1 + 5 + 4 * 2 + 1 + 4, 2)]));
}

#[test]
fn counters_on_the_stack_are_followed() {
    // Before the inner loop, in it, behind it; each with its branch.
    let round = 3 + 3 * 5 + 2 * 2 + 1 + 2;
    let all = 3 + 1 + 1 + 100 * round + 99 * 2 + 1 + 1 + 5;
    let instructions = 3 + 100 * (2 + 3 * 4 + 3) + 2;
    assert_eq!(ways("thumb", "nested"), Ok(vec![returns(instructions, all, 16)]));
    let all = 2 * 2 + 2 + 2 + 2 + 2 + 300 * (4 * 2 + 2) + 299 * 2 + 1 + 2 + 2 + 2 * 2 + 4;
    assert_eq!(ways("avr", "nested"), Ok(vec![returns(9 + 300 * 6 + 6, all, 8)]));
}

#[test]
fn both_ways_are_followed_where_a_condition_is_not_known() {
    assert_eq!(
        ways("thumb", "forks"),
        Ok(vec![returns(4, 1 + 1 + 1 + 2, 0), returns(3, 1 + 2 + 2, 0)])
    );
    assert_eq!(ways("avr", "forks"), Ok(vec![returns(3, 1 + 1 + 4, 2), returns(2, 2 + 4, 2)]));
}

#[test]
fn what_is_called_is_a_part_of_the_way() {
    assert_eq!(ways("thumb", "calls"), Ok(vec![returns(15, 3 + 3 + 17 + 5, 8)]));
    assert_eq!(ways("avr", "calls"), Ok(vec![returns(14, 3 + 19 + 4, 4)]));
}

#[test]
fn what_has_no_bound_is_an_error() {
    for machine in ["thumb", "avr"] {
        let why = |function| ways(machine, function).expect_err("no bound").why;
        assert_eq!(why("unbounded"), Why::Endless, "{machine}");
        assert_eq!(why("anywhere"), Why::Pointer, "{machine}");
    }
}
