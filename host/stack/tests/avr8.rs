// SPDX-License-Identifier: MIT OR Apache-2.0
//! AVR programs whose depth is known by hand (`data/avr8/cases.S`).

use lichen_analysis::Text;
use lichen_image::Image;
use lichen_stack::{Need, Root, Unknown, Why, known_depths, main_stack};

/// A return address.
const CALL: u32 = 2;

/// What an entry of level 1 has on the stack: a return address, r24, the level.
const ENTRY: u32 = CALL + 2;

/// What is left for interrupts that come again.
const RESERVE: u32 = 16;

fn image(name: &str) -> Image {
    let file = format!("{}/tests/data/avr8/{name}.elf", env!("CARGO_MANIFEST_DIR"));
    Image::load(file.as_ref()).expect("an image")
}

fn computed(name: &str) -> Result<Need, Unknown> {
    main_stack(&image(name))
}

fn need(name: &str) -> Need {
    computed(name).expect("computable")
}

fn reason(name: &str) -> String {
    computed(name).expect_err("not computable").to_string()
}

fn parts(need: &Need) -> Vec<(&str, u32)> {
    need.parts.iter().map(|part| (part.what.as_str(), part.bytes)).collect()
}

#[test]
fn calls_add_up() {
    let need = need("direct");
    assert_eq!(need.bytes, 1 + (CALL + 5) + (CALL + 4));
    let path: Vec<_> = need.parts[0].steps.iter().map(|s| (s.function.as_str(), s.bytes)).collect();
    assert_eq!(path, [("reset_handler", 1), ("outer", 7), ("inner", 6)]);
    assert_eq!(need.size(), 14 + RESERVE);
}

#[test]
fn what_is_left_by_a_jump_is_gone() {
    assert_eq!(need("tail").bytes, CALL + 12);
}

#[test]
fn frames_of_each_size_are_followed() {
    let framed: u32 = [20, 100, 300].iter().map(|bytes| CALL + 2 + bytes).sum();
    assert_eq!(need("frame").bytes, framed + (CALL + 2 + 2 + 1));
}

#[test]
fn who_calls_itself_has_no_depth() {
    assert_eq!(reason("recursion"), "even calls itself through odd");
}

#[test]
fn a_pointer_may_lead_to_all_whose_address_stands_somewhere() {
    assert_eq!(need("pointer").bytes, CALL + 24);
}

#[test]
fn a_half_that_is_replaced_at_once_makes_no_address() {
    assert_eq!(need("replaced").bytes, CALL + 8);
}

#[test]
fn what_loaded_programs_call_is_not_called_by_pointers_of_the_image() {
    assert_eq!(need("exported").bytes, CALL + 8);
}

#[test]
fn a_pointer_that_is_handed_over_leads_where_it_says() {
    assert_eq!(need("argument").bytes, CALL + (CALL + 8));
}

#[test]
fn halves_of_addresses_from_two_ways_are_no_third_one() {
    assert_eq!(need("joined").bytes, CALL + (CALL + 10));
}

#[test]
fn a_function_without_calls_changes_only_what_it_mentions() {
    assert_eq!(need("spared").bytes, CALL + (CALL + 8));
}

#[test]
fn a_jump_through_a_pointer_leaves_nothing() {
    assert_eq!(need("jumped").bytes, CALL + 8);
}

#[test]
fn labels_of_a_function_are_followed() {
    assert_eq!(need("labels").bytes, 7);
}

#[test]
fn stack_of_unknown_size_is_an_error() {
    assert_eq!(reason("unbounded"), "allocate takes stack of a size that is not known");
}

#[test]
fn stack_that_grows_in_a_loop_is_an_error() {
    assert_eq!(computed("growing").expect_err("grows").why, Why::Growing);
}

#[test]
fn entries_nest_around_one_handler_of_their_level() {
    let need = need("nested");
    let handler = ENTRY + CALL + 30;
    let nested = [
        ("start-up", 6),
        ("SECOND at level 1", handler),
        // The other one's entry below it, or above it.
        ("1 entries of level 1", ENTRY),
        ("URGENT at level 0", CALL + 15),
    ];
    assert_eq!(parts(&need), nested);
    assert_eq!(need.bytes, 6 + handler + ENTRY + (CALL + 15));
}

#[test]
fn of_entries_that_keep_each_other_quiet_one_at_a_time_is_on_a_stack() {
    let need = need("exclusive");
    assert_eq!(parts(&need)[1], ("SECOND at level 1", ENTRY + CALL + 30));
    assert_eq!(parts(&need)[2], ("2 entries of level 1", 2 * ENTRY));
}

#[test]
fn halves_of_two_handlers_are_no_third_one() {
    assert_eq!(parts(&need("crossed"))[1], ("FIRST at level 1", CALL + 1 + CALL));
}

#[test]
fn each_interrupt_may_request_the_kernel_again() {
    let need = need("requests");
    assert_eq!(parts(&need)[1], ("request_handler at level 1", CALL + 2 + CALL + 40));
    assert_eq!(parts(&need)[3], ("2 requests of the kernel level", 2 * (CALL + 2)));
}

#[test]
fn a_handler_that_unmasks_interrupts_is_interrupted_there() {
    let need = need("unmasks");
    let nested = [
        ("start-up", 20),
        ("URGENT with interrupts on", CALL + 3 + 2),
        ("URGENT at level 0", CALL + 3 + 2 + 10),
    ];
    assert_eq!(parts(&need), nested);
}

#[test]
fn a_table_of_vectors_that_is_an_object_leads_to_handlers() {
    assert_eq!(parts(&need("sized")), [("start-up", 20), ("URGENT at level 0", CALL + 3)]);
}

#[test]
fn threads_have_stacks_of_their_own() {
    let need = need("threads");
    let kernel = 2 + CALL + 11;
    assert_eq!(parts(&need)[0], ("kernel level", kernel));
    assert_eq!(need.bytes, kernel + (ENTRY + CALL + 10));
}

#[test]
fn interrupts_take_no_more_of_a_threads_stack_than_entries_and_registers() {
    let need = need("interrupted");
    let room = need.thread.as_ref().expect("threads");
    let parts: Vec<_> = room.parts.iter().map(|part| (part.what.as_str(), part.bytes)).collect();
    let entry = CALL + 4;
    let expected = [
        ("registers of the thread", entry + 12 + 18 + CALL),
        // The other one's entry, put off or not.
        ("1 entries of level 1", CALL + 1 + 5),
        ("URGENT at level 0", CALL + 15),
        ("interrupts that come again at once", RESERVE),
    ];
    assert_eq!(parts, expected);
    assert_eq!((room.needed(), room.reserved), (38 + 8 + 17 + 16, 40));
    // The deeper handler is on the kernel's stack, above the thread's stack pointer.
    assert!(need.bytes >= 2 + CALL + 30);
}

/// What a thread needs whose function is `body_FIRST`.
fn thread(name: &str, need: &Need) -> u32 {
    let image = image(name);
    let entry = image.symbols().find("body_FIRST").expect("a function").address;
    known_depths(&Text::of(&image), &[Root { entry, ..Root::default() }], Some(need))
        .remove(0)
        .bytes
}

#[test]
fn who_states_what_stacks_keep_is_believed() {
    let (computed, stated) = (need("interrupted"), need("stated"));
    let [room, more] = [&computed, &stated].map(|need| need.thread.as_ref().expect("threads"));
    assert_eq!((more.reserved, more.needed()), (80, room.needed()));
    let alone = thread("stated", &stated);
    assert_eq!(thread("interrupted", &computed), alone + room.needed());
}

#[test]
fn a_panic_begins_at_the_top() {
    let need = need("panics");
    assert_eq!((need.bytes, need.panic), (40 + CALL, 23 + CALL + CALL));
}

#[test]
fn without_threads_the_kernel_level_is_above_what_idles() {
    let need = need("events");
    let frame = CALL + 2;
    let nested = [("no interrupt", 6), ("kernel level", frame + 13 + CALL + 7)];
    assert_eq!(parts(&need)[..2], nested);
}

#[test]
fn at_the_kernel_level_nobody_asks_for_it() {
    let need = need("asks");
    let path: Vec<_> = need.parts[0].steps.iter().map(|s| (s.function.as_str(), s.bytes)).collect();
    let expected =
        [("reset_handler", 6), ("call_of_main", CALL), ("handle", CALL + 3), ("serve", CALL + 7)];
    assert_eq!(path, expected);
}
