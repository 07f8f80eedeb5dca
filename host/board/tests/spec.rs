// SPDX-License-Identifier: MIT OR Apache-2.0
//! The example in the specification of board files is a board file.

use lichen_board::Board;

#[test]
fn the_example_of_the_specification_is_a_board() {
    let page = include_str!("../../../doc/spec/board.md");
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let board = Board::parse("doc/spec/board.md", example.expect("an example")).expect("good");
    let names: Vec<_> = board.devices(0).iter().map(|device| device.name().to_string()).collect();
    assert_eq!(names, ["console", "led0", "sw0", "i2c", "hdc1080", "flash"]);
}
