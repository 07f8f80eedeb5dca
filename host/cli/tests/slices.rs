// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time slices are in a program if two of its threads can ever have the same priority.

mod common;

use common::{call, root};

/// Builds a program of this source. Whether its image has the handler of the slice timer.
#[track_caller]
fn sliced(name: &str, source: &str) -> bool {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join(name);
    std::fs::create_dir(&folder).expect("made");
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("written");
    let includes = "#include <lichen/mutex.h>\n#include <lichen/thread.h>\n";
    write("main.c", &format!("{includes}{source}"));
    write(
        "lichen.toml",
        &format!(
            "name = \"{name}\"\nsummary = \"x\"\nboards = [\"hamilton\"]\n\n\
             [budget]\nrom = 12000\nram = 4000\n"
        ),
    );
    write(
        "CMakeLists.txt",
        &format!(
            "cmake_minimum_required(VERSION 3.25)\ninclude({})\nproject({name} C ASM)\n\
             lichen_app({name})\n",
            root().join("os/lichen.cmake").display()
        ),
    );
    let built = call(&["build", &folder.display().to_string()]);
    assert_eq!(built.code, 0, "out: {}\nerr: {}", built.out, built.err);
    let elf = built.out.lines().find(|line| line.ends_with(".elf")).expect("the image's line");
    let bytes = std::fs::read(root().join(elf)).expect("the image");
    let symbol = b"\0kernel_slice\0";
    bytes.windows(symbol.len()).any(|window| window == symbol)
}

const ONE: &str = "THREAD(one, 256, 5) { thread_yield(); }\n";
const MORE_URGENT: &str = "THREAD(two, 256, 6) { thread_yield(); }\n";

#[test]
fn threads_of_different_priorities_need_none() {
    assert!(!sliced("slices_one", ONE));
    assert!(!sliced("slices_two", &format!("{ONE}{MORE_URGENT}")));
    let locks = "MUTEX(shared);\n\
                 THREAD(two, 256, 6) { (void)mutex_lock(&shared); mutex_unlock(&shared); }\n";
    assert!(!sliced("slices_inherit", &format!("{ONE}{locks}")), "who hands on a priority waits");
    let sets = "THREAD(one, 256, 5) { thread_set_priority(thread_self(), 6); }\n";
    assert!(!sliced("slices_set_alone", sets), "it has no equal to meet");
}

#[test]
fn equals_share_in_slices() {
    assert!(sliced("slices_equals", &format!("{ONE}THREAD(two, 256, 5) {{ thread_yield(); }}\n")));
}

#[test]
fn who_may_become_an_equal_has_slices() {
    let sets = "THREAD(two, 256, 6) { thread_set_priority(thread_self(), 5); }\n";
    assert!(sliced("slices_set", &format!("{ONE}{sets}")));
}

#[test]
fn who_is_made_at_run_time_may_be_an_equal() {
    let makes = "THREAD_STACK(stack, 256);\n\
                 static void run(void *argument) { (void)argument; }\n\
                 static struct thread_created made = {.info = {.entry = run, .name = \"made\",\n    \
                 .stack = stack, .stack_bytes = sizeof(stack), .priority = 6}};\n\
                 THREAD(one, 256, 5) { (void)!thread_create(&made, 0); }\n";
    assert!(sliced("slices_made", makes));
}
