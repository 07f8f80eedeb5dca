// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program that writes its flash, on a chip whose fuses make the boot section smaller than the program takes it to be.

use crate::common::image::built;
use crate::common::power::Console;
use crate::common::root;
use lichen_board::Board;
use lichen_chip::Time;
use lichen_world::World;

/// What `test/mote/code_flash` prints on a board whose high fuse byte is this one.
fn printed(high: &str) -> String {
    let text = std::fs::read_to_string(root().join("board/micaz.toml")).expect("a board");
    let fuse = "\nhigh = 0xd9";
    assert!(text.contains(fuse), "BOOTSZ is 00");
    let board = Board::parse("micaz.toml", &text.replace(fuse, &format!("\nhigh = {high}")));
    let mut world = World::with_seed(1);
    world.add(board.expect("a board"), built("test/mote/code_flash", "micaz")).expect("a mote");
    let mut console = Console::default();
    world.run(Time::from_s(3), &mut console).expect("it runs");
    console.0
}

#[test]
fn a_smaller_boot_section_is_an_error_and_the_mote_works_on() {
    assert!(printed("0xd9").contains(" passed, 0 failed"));
    for high in ["0xdb", "0xdf"] {
        let said = printed(high);
        let refused = |line: &&str| line.starts_with("test a_page_is") && line.ends_with("(7, 0)");
        assert_eq!(said.lines().filter(refused).count(), 3, "{said}");
        assert!(said.contains("test there_is_room ok"), "{said}");
        assert!(said.contains(" passed, "), "to its end: {said}");
    }
}
