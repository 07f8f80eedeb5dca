// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs whose depth is known by hand (`data/cases.S`).

use lichen_analysis::Text;
use lichen_image::Image;
use lichen_stack::{Need, Part, Root, Unknown, Why, known_depths, main_stack};

/// An exception frame with the word that aligns it.
const FRAME: u32 = 36;
/// r4 to r11, which are saved when another thread runs.
const SWITCHED: u32 = 32;
/// The lowest word of a thread's stack, which the kernel wants unused.
const LOWEST: u32 = 4;

/// The same, aligned: what is left for a fault at the deepest point.
const RESERVE: u32 = 40;

fn computed(name: &str) -> Result<Need, Unknown> {
    let file = format!("{}/tests/data/{name}.elf", env!("CARGO_MANIFEST_DIR"));
    main_stack(&Image::load(file.as_ref()).expect("an image"))
}

fn need(name: &str) -> Need {
    computed(name).expect("computable")
}

fn reason(name: &str) -> String {
    computed(name).expect_err("not computable").to_string()
}

#[test]
fn calls_add_up() {
    let need = need("direct");
    assert_eq!(need.bytes, 8 + (16 + 24) + 4);
    let path: Vec<_> = need.parts[0].steps.iter().map(|s| (s.function.as_str(), s.bytes)).collect();
    assert_eq!(path, [("reset_handler", 8), ("outer", 40), ("inner", 4)]);
    assert_eq!(need.size(), 56 + RESERVE);
}

#[test]
fn what_is_left_by_a_jump_is_gone() {
    assert_eq!(need("tail").bytes, 8 + 20);
}

#[test]
fn who_calls_itself_has_no_depth() {
    assert_eq!(reason("recursion"), "even calls itself through odd");
}

#[test]
fn a_pointer_may_lead_to_all_whose_address_stands_somewhere() {
    assert_eq!(need("pointer").bytes, 8 + 24);
}

#[test]
fn what_loaded_programs_call_is_not_called_by_pointers_of_the_image() {
    assert_eq!(need("exported").bytes, 8 + 8);
}

#[test]
fn a_pointer_that_is_handed_over_leads_where_it_says() {
    assert_eq!(need("argument").bytes, 8 + 8 + 8);
}

#[test]
fn a_function_of_several_names_has_any_of_their_prototypes() {
    assert_eq!(need("folded").bytes, 8 + 8 + 24);
}

#[test]
fn what_a_call_gets_is_not_known_behind_it() {
    assert_eq!(need("behind").bytes, 8 + 24);
}

#[test]
fn stack_of_unknown_size_is_an_error() {
    assert_eq!(reason("unbounded"), "allocate takes stack of a size that is not known");
}

#[test]
fn a_size_that_is_shifted_is_followed() {
    assert_eq!(need("shifted").bytes, 8 + 904);
}

#[test]
fn large_frames_and_frame_pointers_are_followed() {
    assert_eq!(need("frame").bytes, 8 + 1024 + 4);
}

#[test]
fn stack_that_grows_in_a_loop_is_an_error() {
    assert_eq!(computed("growing").expect_err("grows").why, Why::Growing);
}

#[test]
fn one_interrupt_of_each_level_nests() {
    let need = need("nested");
    assert_eq!(need.bytes, 8 + (FRAME + 8) + (FRAME + 24) + (FRAME + 4) + (FRAME + 12));
    let parts: Vec<_> = need.parts.iter().map(|part| part.what.as_str()).collect();
    let nested = ["PendSV at level 3", "LINE1 at level 2", "LINE2 at level 0", "NMI"];
    assert_eq!(parts[1..], nested);
}

#[test]
fn what_a_function_unmasks_is_interrupted_behind_it() {
    assert_eq!(need("unmasks").bytes, (8 + 40) + (FRAME + 16));
}

#[test]
fn a_line_whose_level_changes_to_one_that_is_not_known_may_have_any() {
    assert_eq!(need("relevels").bytes, 8 + (FRAME + 24) + (FRAME + 16));
}

#[test]
fn threads_have_stacks_of_their_own() {
    assert_eq!(need("threads").bytes, 8 + 64, "start-up, without interrupts");
}

#[test]
fn any_level_is_taken_where_levels_are_not_known() {
    assert_eq!(need("levels").bytes, (FRAME + 8) + (FRAME + 24) + (FRAME + 16));
}

#[test]
fn a_panic_begins_at_the_top() {
    let need = need("panics");
    assert_eq!((need.bytes, need.panic), (16, 200));
    assert_eq!(need.size(), 200);
}

#[test]
fn what_no_mask_keeps_away_interrupts_a_panic() {
    let need = need("disturbed");
    let nmi = FRAME + 16;
    assert_eq!((need.bytes, need.panic), (16 + nmi, 200 + nmi));
    assert_eq!(need.size(), (200 + nmi).next_multiple_of(8));
}

#[test]
fn switches_go_on_where_their_tables_say() {
    assert_eq!(need("switches").bytes, 8 + 40);
}

#[test]
fn tables_of_each_kind_are_read() {
    assert_eq!(need("tables").bytes, 8 + 4 * 8);
}

#[test]
fn a_call_within_a_function_is_a_jump() {
    assert_eq!(need("far").bytes, 8 + 40);
}

#[test]
fn what_is_not_linked_is_not_called() {
    assert_eq!(need("absent").bytes, 8);
}

#[test]
fn names_are_the_systems_only_in_the_system() {
    assert_eq!(need("named").bytes, 8 + 24);
}

#[test]
fn a_pointer_may_stand_at_any_address() {
    assert_eq!(need("packed").bytes, 8 + 24);
}

#[test]
fn a_switch_has_no_more_cases_than_are_compared() {
    assert_eq!(need("compared").bytes, 8 + 40);
}

#[test]
fn a_number_without_a_relocation_is_no_address() {
    assert_eq!(need("chance").bytes, 8 + 8);
}

#[test]
fn a_pointer_may_lead_to_assembly_that_has_no_size() {
    assert_eq!(need("unsized").bytes, 8 + 24);
}

#[test]
fn a_return_may_be_a_jump() {
    assert_eq!(need("returns").bytes, 8 + 40);
    assert_eq!(reason("popped"), "by_pop calls through a pointer that may lead anywhere");
}

#[test]
fn a_part_of_a_function_returns_into_it() {
    assert_eq!(need("part").bytes, 8 + 40);
}

#[test]
fn labels_may_stand_in_tables() {
    assert_eq!(need("labels").bytes, 8 + 40);
}

#[test]
fn computed_labels_are_an_error() {
    assert_eq!(reason("computed"), "reset_handler calls through a pointer that may lead anywhere");
    assert_eq!(need("passed").bytes, 8, "what a comparison passes by is no label");
}

#[test]
fn a_line_has_each_level_that_it_may_have_been_enabled_with() {
    let nested = (FRAME + 16) + (FRAME + 24);
    assert_eq!(need("several").bytes, nested);
    assert_eq!(need("jumped").bytes, nested);
}

#[test]
fn who_has_the_interrupt_controllers_address_may_set_levels() {
    assert_eq!(need("controller").bytes, (FRAME + 16) + (FRAME + 24));
}

#[test]
fn interrupts_may_be_unmasked_behind_a_pointer() {
    assert_eq!(need("unmasked").bytes, 8 + 40 + (FRAME + 16));
}

#[test]
fn what_no_mask_keeps_away_interrupts_start_up() {
    assert_eq!(need("nmi").bytes, 8 + 64 + (FRAME + 16));
}

/// What a thread may need whose function is `function` of an image.
fn thread(name: &str, function: &str) -> Part {
    let file = format!("{}/tests/data/{name}.elf", env!("CARGO_MANIFEST_DIR"));
    let image = Image::load(file.as_ref()).expect("an image");
    let entry = image.symbols().find(function).expect("a function").address;
    known_depths(&Text::of(&image), &[Root { entry, ..Root::default() }], None).remove(0)
}

#[test]
fn a_thread_needs_what_it_calls_directly_and_an_interrupt() {
    let part = thread("direct", "reset_handler");
    assert_eq!(part.bytes, 8 + (16 + 24) + 4 + FRAME + SWITCHED + LOWEST);
    let path: Vec<_> = part.steps.iter().map(|s| (s.function.as_str(), s.bytes)).collect();
    assert_eq!(path, [("reset_handler", 8), ("outer", 40), ("inner", 4)]);
}

#[test]
fn what_a_thread_needs_is_known_in_part_where_a_function_calls_itself() {
    let part = thread("recursion", "reset_handler");
    let names: Vec<_> = part.steps.iter().map(|step| step.function.as_str()).collect();
    assert!(names.contains(&"odd") && names.contains(&"even"), "{names:?}");
    assert!(names.len() <= 4, "each is there once: {names:?}");
}

#[test]
fn what_pointers_lead_to_is_needed_if_it_is_known() {
    let file = format!("{}/tests/data/pointer.elf", env!("CARGO_MANIFEST_DIR"));
    let image = Image::load(file.as_ref()).expect("an image");
    let at = |name: &str| image.symbols().find(name).expect("a function").address;
    let called_by = |pointed: &[&str], callers: &[&str]| Root {
        entry: at("reset_handler"),
        pointed: pointed.iter().map(|name| at(name)).collect(),
        callers: callers.iter().map(|name| name.to_string()).collect(),
    };
    let root = |pointed| called_by(pointed, &[]);
    let bytes = |root| known_depths(&Text::of(&image), &[root], None).remove(0).bytes;
    let alone = bytes(root(&[]));
    assert_eq!(bytes(root(&["small", "never_taken"])), alone + 100);
    assert_eq!(bytes(called_by(&["small", "never_taken"], &["reset_handler"])), alone + 100);
    assert_eq!(bytes(called_by(&["small", "never_taken"], &["small"])), alone, "another calls");
}

#[test]
fn a_thread_may_not_need_what_pointers_lead_to() {
    assert_eq!(thread("pointer", "reset_handler").bytes, 8 + FRAME + SWITCHED + LOWEST);
}
