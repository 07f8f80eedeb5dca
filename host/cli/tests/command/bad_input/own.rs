// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs outside the tree: their manifests, their sources, and what they need of a chip.

use super::{Refuses, folder, text, write};
use crate::common::{Called, call, finish, lichen, root};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// A folder for a program, which has its turn: programs of one name outside the tree share a build
/// folder, so another test must not build while this one reads its image.
struct Own {
    folder: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Own {
    fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A folder `pulse` with a program, below a folder of its own.
fn own_program(manifest: &str, source: &str) -> (Own, String) {
    static TURN: Mutex<()> = Mutex::new(());
    // A test that fails leaves nothing behind that the next one needs.
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Own { folder: folder(), _turn: turn };
    let program = folder.path().join("pulse");
    std::fs::create_dir(&program).expect("made");
    write(&program, "lichen.toml", manifest);
    write(&program, "main.c", source);
    let include = root().join("os/lichen.cmake");
    let cmake = format!(
        "cmake_minimum_required(VERSION 3.25)\ninclude({})\nproject(pulse C ASM)\n\
         lichen_app(pulse)\n",
        include.display()
    );
    write(&program, "CMakeLists.txt", cmake);
    (folder, text(&program))
}

const MANIFEST: &str = "name = \"pulse\"\nsummary = \"x\"\nboards = [\"hamilton\"]\n\n\
                        [budget]\nrom = 12000\nram = 4000\n";

const SOURCE: &str = "#include <lichen/thread.h>\n\nTHREAD(pulse, 256, PRIORITY_APP)\n{\n    \
                      for (;;) {\n        thread_yield();\n    }\n}\n";

#[test]
fn a_misspelt_key_in_a_manifest() {
    let (_folder, program) = own_program(&MANIFEST.replace("rom =", "rmo ="), SOURCE);
    call(&["build", &program])
        .refuses(2, &["pulse/lichen.toml:6:1: ", "unknown field `rmo`", "did you mean `rom`?"]);
}

#[test]
fn values_of_a_manifest_in_another_form() {
    let place = folder();
    let program = place.path().join("blinker");
    assert_eq!(call(&["new", &text(&program)]).code, 0);
    let manifest = program.join("lichen.toml");
    let without_budget = std::fs::read_to_string(&manifest).expect("a manifest");
    let good = without_budget.replace("# [", "[").replace("# r", "r");
    let line =
        |key: &str| good.lines().find(|line| line.starts_with(key)).expect("a line").to_string();
    for (bad, parts) in [
        (
            good.replace(&line("boards"), "boards = \"hamilton\""),
            ["lichen.toml:4:", "write: boards = [\"hamilton\"]"],
        ),
        (good.replace(&line("rom"), "rom = \"24K\""), ["lichen.toml:8:", "write: rom = 24576"]),
        (good.replace(&line("rom"), "rom = 24K"), ["lichen.toml:8:", "write: rom = 24576"]),
        (
            good.replace(&line("boards"), ""),
            ["`boards` is missing", "write: boards = [\"hamilton\"]"],
        ),
    ] {
        std::fs::write(&manifest, bad).expect("written");
        call(&["build", &text(&program)]).refuses(2, &parts);
    }
    std::fs::write(&manifest, without_budget).expect("written");
    let built = call(&["build", &text(&program)]);
    assert_eq!(built.code, 0, "nobody must state a budget: {}", built.err);
}

#[test]
fn a_board_that_the_program_does_not_run_on() {
    let (_folder, program) = own_program(MANIFEST, SOURCE);
    call(&["build", &program, "--board", "samr21-xpro"])
        .refuses(2, &["pulse/lichen.toml", "does not run on `samr21-xpro`", "hamilton"]);
}

#[test]
fn a_mistake_in_the_source() {
    let (_folder, program) = own_program(MANIFEST, &SOURCE.replace("thread_yield", "thread_yeild"));
    call(&["build", &program]).refuses(
        1,
        &["pulse/main.c:6:9: ", "nothing declares `thread_yeild'", "did you mean `thread_yield'"],
    );
}

#[test]
fn a_mistake_that_a_macro_of_the_system_finds() {
    let (_folder, program) = own_program(MANIFEST, &SOURCE.replace("256", "20"));
    call(&["build", &program]).refuses(
        1,
        &[
            "pulse/main.c:3:1: stack of pulse is below what the kernel needs of it",
            "help: a small thread",
        ],
    );
}

#[test]
fn two_parts_at_one_pin() {
    let source = "#include <lichen/print.h>\n#include <lichen/sensor.h>\n#include <lichen/thread.h>\n\
                  THREAD(pulse, 512, PRIORITY_APP)\n{\n    int32_t value = 0;\n    \
                  (void)!sensor_read(&sensor_motion, SENSOR_NEW, &value);\n    \
                  print(\"%ld\\n\", (long)value);\n}\n";
    let (_folder, program) = own_program(MANIFEST, source);
    call(&["build", &program]).refuses(1, &["pin_of_console_and_motion", "share a pin", "help: "]);
}

#[test]
fn a_serial_port_without_rings_and_one_beside_a_log() {
    let on = |board: &str| MANIFEST.replace("\"hamilton\"", &format!("\"{board}\""));
    let source = "#include <lichen/log.h>\n#include <lichen/thread.h>\n#include <lichen/uart.h>\n\
                  THREAD(pulse, 700, PRIORITY_APP)\n{\n    (void)!uart_open(9600, UART_NO_PARITY);\n    \
                  (void)!uart_write(\"a\", 1, 0);\n}\n";
    let (folder, program) = own_program(&on("samr21-xpro"), source);
    call(&["build", &program]).refuses(1, &["uart_send_ring", "help: write UART_RINGS(32, 128);"]);
    drop(folder); // the next program has its turn
    let declared = "UART_RINGS(16, 16);\nLOG(kept, 1024);\nTHREAD";
    let beside = source.replace("uart_write(\"a\", 1, 0)", "log_sync(&kept)");
    let beside = beside.replace("THREAD", declared);
    let (_folder, program) = own_program(&on("micaz"), &beside);
    let shown = ["data_flash_and_uart_have_the_same_pins", "leave out one of them"];
    call(&["build", &program]).refuses(1, &shown);
}

#[test]
fn a_calibrated_tick_where_there_is_nothing_to_calibrate() {
    let on_xpro = calibrated().replace("\"hamilton\"", "\"samr21-xpro\"");
    let (_folder, program) = own_program(&on_xpro, SOURCE);
    call(&["build", &program, "--board", "samr21-xpro"])
        .refuses(1, &["lichen.toml:", "is a crystal", "cooperative"]);
}

const WAVES: &str = "#include <lichen/pwm.h>\n#include <lichen/thread.h>\n\
                     THREAD(pulse, 512, PRIORITY_APP)\n{\n    pwm_stop(19);\n}\n";

/// `source` with a task on a timer.
fn with_task(timer: &str, source: &str) -> String {
    format!(
        "#include <lichen/rt.h>\nRT_TASK(hasty, {timer}, .priority = 0, .period_us = 1000, .deadline_us = 100, \
         .wcet_cycles = 80)\n{{\n    rt_acknowledge();\n}}\n{source}"
    )
}

/// What says that TC3, which makes waves where TCC0 cannot, has a task, too.
const REFUSED: &[&str] =
    &["main.c:2: waves beside the radio or a calibrated tick", "help: ", "RT_TIMER_B"];

#[test]
fn waves_beside_a_calibrated_tick_leave_the_second_timer_to_a_task() {
    let (folder, program) = own_program(&calibrated(), &with_task("RT_TIMER_B", WAVES));
    assert_eq!(call(&["build", &program]).code, 0);
    drop(folder); // the next program has its turn
    let (_folder, program) = own_program(&calibrated(), &with_task("RT_TIMER_A", WAVES));
    call(&["build", &program]).refuses(1, REFUSED);
}

#[test]
fn waves_beside_the_radio_leave_the_second_timer_to_a_task() {
    let opened = WAVES.replace("pwm_stop(19);", "pwm_stop(19);\n    (void)!link_open(0);");
    let source = format!("#include <lichen/link.h>\n{opened}");
    let manifest = MANIFEST.replace("12000", "64000").replace("ram = ", "ram = 1");
    let (folder, program) = own_program(&manifest, &with_task("RT_TIMER_B", &source));
    let called = call(&["build", &program]);
    assert_eq!(called.code, 0, "{}", called.err);
    drop(folder); // the next program has its turn
    let (_folder, program) = own_program(&manifest, &with_task("RT_TIMER_A", &source));
    call(&["build", &program]).refuses(1, REFUSED);
}

/// Each handler of level 1 may need some bytes of the stacks of all threads, the link's among them.
#[test]
fn the_links_stacks_where_a_program_has_many_interrupts() {
    let source = "#include <lichen/gpio.h>\n#include <lichen/interrupt.h>\n#include <lichen/link.h>\n#include <lichen/packet.h>\n\
                  #include <lichen/print.h>\n#include <lichen/pwm.h>\n#include <lichen/thread.h>\n\
                  INTERRUPT(USART1_RX)\n{\n}\nINTERRUPT(ANALOG_COMP)\n{\n}\nPACKET_POOL(4);\n\
                  LINK_THREADS(LINK_MAIN_STACK - 24, LINK_TX_STACK);\nEVENT(pressed)\n{\n}\nTHREAD(pulse, 400, PRIORITY_APP)\n{\n    \
                  (void)!gpio_event_on_edge(GPIO_PIN('E', 4), GPIO_EDGE_FALLING, &pressed);\n    \
                  (void)!link_open(0);\n    pwm_stop(GPIO_PIN('E', 3));\n    print(\"on\\n\");\n}\n";
    let manifest = MANIFEST.replace("\"hamilton\"", "\"micaz\"").replace("12000", "64000");
    let (folder, program) = own_program(&manifest, source);
    call(&["build", &program]).refuses(1, &["thread `net_main' has ", "LINK_THREADS("]);
    drop(folder); // the next program has its turn
    let of_one = "LINK_IN_TURN_WITH(LINK_IN_TURN_STACK - 32)";
    let one = source.replace("LINK_THREADS(LINK_MAIN_STACK - 24, LINK_TX_STACK)", of_one);
    let (folder, program) = own_program(&manifest, &one);
    call(&["build", &program]).refuses(1, &["thread `net_main' has ", "LINK_IN_TURN_WITH("]);
    drop(folder);
    let larger = source.replace("LINK_MAIN_STACK - 24", "LINK_MAIN_STACK");
    let (_folder, program) = own_program(&manifest, &larger);
    let called = call(&["build", &program]);
    assert_eq!(called.code, 0, "{}", called.err);
}

fn calibrated() -> String {
    MANIFEST.replace("[budget]", "[build]\ntick = \"calibrated\"\n[budget]")
}

#[test]
fn a_program_over_its_budget() {
    let (_folder, program) = own_program(&MANIFEST.replace("12000", "1200"), SOURCE);
    for command in ["build", "run", "profile"] {
        call(&[command, &program]).refuses(
            1,
            &["pulse/lichen.toml:6:7: ", "bytes of rom", "budget of 1200", "help: make"],
        );
    }
    let called = call(&["build", &program, "--debug"]);
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(called.out.contains("+debug/pulse.elf\n"), "{}", called.out);
    assert!(called.out.contains("the budget is not checked"), "{}", called.out);
}

#[test]
fn a_program_larger_than_the_ram() {
    let large = SOURCE.replace("thread_yield();", "thread_yield();\n        large[0]++;");
    let (_folder, program) = own_program(MANIFEST, &format!("char large[40000];\n{large}"));
    call(&["build", &program]).refuses(
        1,
        &["error: the chip's RAM is too small by ", "`large' of main.c with 40000 bytes", "help: "],
    );
}

#[test]
fn a_stack_that_does_not_suffice_for_a_debugger_is_refused() {
    let deep = "#include <lichen/thread.h>\n\nTHREAD(pulse, 128, PRIORITY_APP)\n{\n    \
                volatile char much[200];\n\n    for (;;) {\n        much[0]++;\n        thread_yield();\n    }\n}\n";
    let (_folder, program) = own_program(MANIFEST, deep);
    call(&["build", &program, "--debug"])
        .refuses(1, &["the stack of thread `pulse' has 128 bytes and may need", "help: "]);
}

#[test]
fn a_kernel_stack_that_is_stated_too_small() {
    let manifest = format!("{MANIFEST}\n[build]\nkernel_stack = 64\n");
    let (_folder, program) = own_program(&manifest, SOURCE);
    call(&["build", &program])
        .refuses(1, &["pulse/lichen.toml:10: ", "the kernel's stack has 64 bytes", "take"]);
}

#[test]
fn a_folder_without_instructions_for_cmake() {
    let (folder, program) = own_program(MANIFEST, SOURCE);
    std::fs::remove_file(folder.path().join("pulse/CMakeLists.txt")).expect("removed");
    call(&["build", &program]).refuses(2, &["pulse is not a program", "no CMakeLists.txt", "new"]);
}

#[test]
fn empty_instructions_for_cmake_that_are_written_again() {
    let (folder, program) = own_program(MANIFEST, SOURCE);
    let file = folder.path().join("pulse/CMakeLists.txt");
    let cmake = std::fs::read_to_string(&file).expect("read");
    write(&folder.path().join("pulse"), "CMakeLists.txt", "");
    call(&["build", &program]).refuses(1, &["pulse/CMakeLists.txt", "write lichen_app(pulse)"]);
    write(&folder.path().join("pulse"), "CMakeLists.txt", cmake);
    let called = call(&["build", &program]);
    assert_eq!(called.code, 0, "{}", called.err);
}

#[test]
fn a_path_that_does_not_lead_to_the_system() {
    let (folder, program) = own_program(MANIFEST, SOURCE);
    let cmake = "cmake_minimum_required(VERSION 3.25)\ninclude(../../os/lichen.cmake)\n\
                 project(pulse C ASM)\nlichen_app(pulse)\n";
    write(&folder.path().join("pulse"), "CMakeLists.txt", cmake);
    call(&["build", &program]).refuses(
        1,
        &["pulse/CMakeLists.txt:2: include could not find", "include os/lichen.cmake of Lichen's"],
    );
}

#[test]
fn a_target_that_is_called_otherwise() {
    let (folder, program) = own_program(MANIFEST, SOURCE);
    assert_eq!(call(&["build", &program]).code, 0, "its image is there");
    let file = folder.path().join("pulse/CMakeLists.txt");
    let cmake = std::fs::read_to_string(&file).expect("read");
    let cmake = cmake.replace("lichen_app(pulse)", "lichen_app(plus)");
    write(&folder.path().join("pulse"), "CMakeLists.txt", cmake);
    let target = "pulse/CMakeLists.txt:4: the target of the program `pulse` is called `plus`";
    call(&["build", &program]).refuses(1, &[target, "write lichen_app(pulse)"]);
}

#[test]
fn a_missing_compiler() {
    // A PATH with CMake and Ninja, but no compiler.
    let folder = folder();
    for tool in ["cmake", "ninja"] {
        write(folder.path(), tool, "#!/bin/sh\n");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(folder.path().join(tool), mode).expect("set");
    }
    finish(lichen().args(["build", "blink"]).env("PATH", folder.path())).refuses(
        1,
        &["arm-none-eabi-gcc is missing", "help: install it: apt-get install gcc-arm-none-eabi"],
    );
    let doctor = finish(lichen().arg("doctor").env("PATH", folder.path()));
    assert_eq!(doctor.code, 1);
    assert!(doctor.out.contains("missing arm-none-eabi-gcc"), "{}", doctor.out);
}

/// Builds a program with a log of so many KB.
fn build_with_log(board: &str, kilobytes: u32) -> Called {
    let folder = folder();
    let program = folder.path().join("large");
    std::fs::create_dir(&program).expect("a folder");
    let system = root().join("os/lichen.cmake");
    let lists = format!(
        "cmake_minimum_required(VERSION 3.25)\ninclude({})\nproject(large C ASM)\nlichen_app(large)\n",
        system.display()
    );
    let source = format!(
        "#include <lichen/log.h>\n#include <lichen/thread.h>\nLOG(large, {kilobytes} * 1024L);\n\
         THREAD(writer, 512, PRIORITY_APP)\n{{\n    (void)!log_sync(&large);\n}}\n"
    );
    let manifest = format!(
        "name = \"large\"\nsummary = \"A log.\"\nboards = [\"{board}\"]\n[budget]\nrom = 20000\nram = 4000\n"
    );
    write(&program, "CMakeLists.txt", lists);
    write(&program, "large.c", source);
    write(&program, "lichen.toml", manifest);
    call(&["build", &text(&program), "--board", board])
}

/// The data flash has 496 KB beside headers, the SAM R21 what a program leaves of 240.
#[test]
fn logs_that_do_not_fit() {
    for (board, fits, refused) in [("micaz", 490, 500), ("hamilton", 200, 240)] {
        let built = build_with_log(board, fits);
        assert_eq!(built.code, 0, "{board}: {}", built.err);
        build_with_log(board, refused).refuses(1, &["logs and volumes do not fit", "fewer bytes"]);
    }
}
