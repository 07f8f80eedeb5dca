// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program brings its own tests: they run outside the tree, and whatever is wrong with one is told with its line.

use crate::common::programs::{DEADLOCK, HOG};
use crate::common::{Called, call};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A new program, its folder, and that of its tests.
struct Lamp {
    _place: TempDir,
    folder: PathBuf,
}

impl Lamp {
    fn new() -> Lamp {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("own_lamp");
        assert_eq!(call(&["new", &folder.display().to_string()]).code, 0);
        Lamp { _place: place, folder }
    }

    fn write(&self, file: &str, text: &str) -> &Lamp {
        let path = self.folder.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
        self
    }

    /// Writes the boards that the program is for.
    fn runs_on(&self, boards: &str) {
        let manifest =
            std::fs::read_to_string(self.folder.join("lichen.toml")).expect("a manifest");
        let line = manifest.lines().find(|line| line.starts_with("boards")).expect("its boards");
        self.write("lichen.toml", &manifest.replace(line, &format!("boards = {boards}")));
    }

    fn test(&self, arguments: &[&str]) -> Called {
        let folder = self.folder.display().to_string();
        call(&[&["test", folder.as_str()][..], arguments].concat())
    }

    /// Tests with `text` alone, as `test/blinks.toml`.
    fn with(&self, text: &str, arguments: &[&str]) -> Called {
        self.write("test/blinks.toml", text).test(arguments)
    }
}

const ON: [&str; 2] = ["--board", "hamilton"];

#[track_caller]
fn ends(called: &Called, code: i32, parts: &[&str]) {
    let all = format!("{}{}", called.out, called.err);
    assert_eq!(called.code, code, "{all}");
    for part in parts {
        assert!(all.contains(part), "`{part}` is missing in: {all}");
    }
}

#[test]
fn a_new_programs_test_passes_on_each_of_its_boards() {
    let lamp = Lamp::new();
    ends(&lamp.test(&[]), 0, &["4 passed, 0 failed"]);
    let json = lamp.test(&["--board", "micaz", "--json"]);
    ends(&json, 0, &["\"name\":\"micaz/own_lamp/blinks\"", "\"verdict\":\"passed\""]);
    ends(&lamp.test(&["--list"]), 0, &["blinks"]);
}

#[test]
fn a_program_without_the_default_board_runs_on_its_first_one() {
    let lamp = Lamp::new();
    lamp.runs_on("[\"micaz\"]");
    let folder = lamp.folder.display().to_string();
    ends(&call(&["run", &folder, "--for", "100ms"]), 0, &["on micaz"]);
    ends(&call(&["build", &folder]), 0, &["build/micaz/"]);
    ends(&call(&["size", &folder]), 0, &["total"]);
    let test = format!("{folder}/test/blinks.toml");
    ends(&call(&["run", &test, "--for", "100ms"]), 0, &["1 mote"]);
    ends(&call(&["test", &test]), 2, &["one file of a program's tests", "lichen test ", " blinks"]);
}

#[test]
fn tests_on_the_mote_use_sources_of_the_program_beside_their_own() {
    let lamp = Lamp::new();
    lamp.write("twice.c", "#include \"twice.h\"\nint twice(int n)\n{\n    return 2 * n;\n}\n");
    lamp.write("twice.h", "int twice(int n);\n");
    lamp.write("test/twice/lichen.toml", &ON_MOTE.replace("NAME", "twice"));
    let build = "cmake_minimum_required(VERSION 3.25)\ninclude(\"${LICHEN_ROOT}/os/lichen.cmake\")\n\
                 project(twice C ASM)\nlichen_test(twice SOURCES ../../twice.c)\n";
    lamp.write("test/twice/CMakeLists.txt", build);
    let test = "#include \"test.h\"\n#include \"twice.h\"\nTEST(of_two)\n{\n    expect_equal(twice(2), 5);\n}\n";
    lamp.write("test/twice/twice_test.c", test);
    ends(&lamp.test(&ON), 1, &["own_lamp/twice/of_two", "twice_test.c:5: twice(2) == 5 (4, 5)"]);
    lamp.write("test/twice/twice_test.c", "");
    ends(&lamp.test(&ON), 1, &["it has no tests: no TEST(name) is in its files"]);
    let endless =
        "#include \"test.h\"\nTEST(ends)\n{\n}\nTEST(never)\n{\n    for (;;) {\n    }\n}\n";
    lamp.write("test/twice/twice_test.c", endless);
    ends(&lamp.test(&ON), 1, &["did not end within 10 s; the last one that ended is ends"]);
}

#[test]
fn the_first_line_of_a_start_does_not_continue_what_a_cut_left() {
    let lamp = Lamp::new();
    let busy = "#include <lichen/print.h>\n#include <lichen/thread.h>\nTHREAD(busy, 512, PRIORITY_APP)\n{\n\
                print(\"start\\n\");\nfor (;;) {\nprint(\"a line that takes some milliseconds\\n\");\n}\n}\n";
    lamp.write("main.c", busy);
    for cut in ["\"101ms !power off\", \"500ms !power on\"", "\"101ms !reset\""] {
        let test = format!(
            "for = \"600ms\"\n[[mote]]\ninput = [{cut}]\n[[expect]]\nconsole = \"start\"\ncount = 2\n"
        );
        ends(&lamp.with(&test, &ON), 0, &["1 passed"]);
    }
}

#[test]
fn tests_are_for_boards_of_the_program() {
    let lamp = Lamp::new();
    lamp.runs_on("[\"hamilton\", \"micaz\"]");
    let alone = "for = \"1s\"\nboards = [\"micaz\"]\n[[limit]]\npanics = 0\n";
    ends(&lamp.with(alone, &[]), 0, &["1 passed"]);
    let reported = "the test `blinks` is not for the board `hamilton`";
    ends(&lamp.test(&["--board", "hamilton", "blinks"]), 2, &[reported]);
    let test = lamp.folder.join("test/blinks.toml").display().to_string();
    ends(&call(&["run", &test, "--json", "-"]), 0, &["\"name\":\"yellow\""]);

    let elsewhere = ON_MOTE.replace("NAME", "twice").replace("[\"hamilton\"]", "[\"samr21-xpro\"]");
    lamp.write("test/twice/lichen.toml", &elsewhere);
    lamp.write("test/twice/CMakeLists.txt", "");
    let reported = "test/twice/lichen.toml: the tests are for the board `samr21-xpro`, on which the program does not run";
    ends(&lamp.test(&[]), 2, &[reported, "take samr21-xpro away here"]);
}

/// The manifest of a program of tests.
const ON_MOTE: &str = "name = \"NAME\"\nsummary = \"Tests.\"\nboards = [\"hamilton\"]\n\n\
                       [budget]\nrom = 24576\nram = 4096\n";

#[test]
fn input_that_was_hardly_meant_fails_a_test() {
    let text = "for = \"2s\"\n[[mote]]\nprogram = \"own_lamp\"\ninput = [\n    \"1s on\",\n    \"1s reset\",\n]\n\
                [[limit]]\npanics = 0\n";
    let text = text.replace("program = \"own_lamp\"\n", "");
    let parts = ["blinks.toml:5: `reset` is typed as text", "write `!reset`"];
    ends(&Lamp::new().with(&text, &ON), 1, &parts);
}

#[test]
fn what_is_not_met_is_reported_with_line_and_time() {
    let lamp = Lamp::new();
    let failed = |text: &str, parts: &[&str]| {
        let called = lamp.with(&format!("for = \"2500ms\"\n{text}\n"), &ON);
        ends(&called, 1, &[parts, &["see it run: ./lichen run", "0 passed, 1 failed"]].concat());
    };
    let line = "[[expect]]\nconsole = \"own_lamp: change 9\"";
    failed(line, &["blinks.toml:2: expected the line `own_lamp: change 9`", "it never came"]);
    let late = "[[expect]]\nconsole = \"own_lamp: change 2\"\nat = \"2s\"";
    failed(late, &["blinks.toml:2: ", "at 2.000000 s, within 0.001000 s; it came at 1.0"]);
    let edges = "[[expect]]\nled = 0\nbecomes = \"on\"\ncount = 7";
    failed(edges, &["blinks.toml:2: expected a change of LED 0 to on 7 times; it came 2 times"]);
    let event = "[[expect]]\nevent = \"reset\"\ntext = \"watchdog\"";
    failed(event, &["the event reset `watchdog`", "`power-on` at 0.000000 s"]);
    let near = "[[expect]]\nconsole = \"own_lamp: change 77\"";
    failed(near, &["it never came; the nearest line was `own_lamp: change "]);
    failed(
        "[[limit]]\nmean_current_ua = 0.5",
        &["blinks.toml:3: mean_current_ua is at most 0.5", " --energy"],
    );
    failed(
        "[[limit]]\nstack.blinker = 10",
        &["stack.blinker is at most 10; it was", "which has 512"],
    );
    failed("[[limit]]\nstack.blonker = 10", &["no stack `blonker`; did you mean `blinker`?"]);
    failed("[[limit]]\nrom = 100\nram = 100", &["blinks.toml:3: rom is", "blinks.toml:4: ram is"]);
}

#[test]
fn a_panic_fails_a_test_unless_it_is_expected() {
    let lamp = Lamp::new();
    let main = std::fs::read_to_string(lamp.folder.join("main.c")).expect("written");
    let main = main
        .replace("        led_toggle(0);", "        assert(changes < 2);\n        led_toggle(0);");
    lamp.write("main.c", &format!("#include <lichen/assert.h>\n{main}"));
    let first = "for = \"1500ms\"\n[[expect]]\nconsole = \"own_lamp: change 1\"\n";
    let called = lamp.with(first, &ON);
    ends(&called, 1, &["main.c:", "panic in blinker: ", ", at 1.0"]);
    let event = "[[expect]]\nevent = \"panic\"\ntext = \"assertion[...]\"\n";
    ends(&lamp.with(&format!("{first}{event}"), &ON), 0, &["1 passed"]);
}

#[test]
fn what_is_expected_excuses_nothing_else() {
    let lamp = Lamp::new();
    let main = std::fs::read_to_string(lamp.folder.join("main.c")).expect("written");
    // A store by a pointer to nothing in the first change, an assertion that fails in the second one.
    let doing = "        if (changes == 1) {\n            *nothing = 5;\n        }\n        \
                 assert(changes < 2);\n        led_toggle(0);";
    let main = main.replace("        led_toggle(0);", doing);
    let head = "#include <lichen/assert.h>\nstatic volatile uint32_t *volatile nothing;\n";
    lamp.write("main.c", &format!("{head}{main}"));
    let panic = |more: &str| format!("for = \"1500ms\"\n[[expect]]\nevent = \"panic\"\n{more}");
    let warning = "[[expect]]\nevent = \"warning\"\ntext = \"[...]pointer to nothing[...]\"\n";
    for board in ["hamilton", "micaz"] {
        let on = ["--board", board];
        let text = panic("text = \"assertion[...]\"\n");
        ends(&lamp.with(&text, &on), 1, &["warning: write of 0x"]);
        ends(&lamp.with(&format!("{text}{warning}"), &on), 0, &["1 passed"]);
        // It starts again after the panic, so there is another one after 1 s.
        let first = format!("{}{warning}", panic("until = \"1500ms\"\n"));
        let longer = first.replacen("1500ms", "2900ms", 1);
        ends(&lamp.with(&first, &on), 0, &["1 passed"]);
        ends(&lamp.with(&longer, &on), 1, &["panic in blinker: assertion failed", ", at 2."]);
    }
}

#[test]
fn a_deadlock_fails_a_test_unless_it_is_expected() {
    let lamp = Lamp::new();
    lamp.write("main.c", DEADLOCK);
    let expecting = |text: &str| {
        format!(
            "for = \"1s\"\n[[expect]]\nevent = \"warning\"\ntext = \"{text}\"\nuntil = \"200ms\"\n"
        )
    };
    let never = "for = \"1s\"\n[[expect]]\nled = 0\ncount = 0\n";
    for board in ["hamilton", "micaz"] {
        let on = ["--board", board];
        ends(
            &lamp.with(never, &on),
            1,
            &["which bob has; bob waits for salt, which ann has, at 0.0"],
        );
        ends(&lamp.with(&expecting("deadlock: ann waits for pepper[...]"), &on), 0, &["1 passed"]);
        ends(&lamp.with(&expecting("deadlock: eve waits[...]"), &on), 1, &["deadlock: ann waits"]);
    }
}

#[test]
fn what_a_run_warns_of_at_its_end_fails_a_test_unless_it_is_expected() {
    let lamp = Lamp::new();
    lamp.write("main.c", HOG);
    let never = "for = \"2s\"\n[[expect]]\nled = 0\ncount = 0\n";
    let expected =
        "[[expect]]\nevent = \"warning\"\ntext = \"poor has been ready[...]\"\nfrom = \"2s\"\n";
    let other = expected.replace("poor", "rich");
    let limit = "[[limit]]\nwarnings = ";
    for board in ["hamilton", "micaz"] {
        let on = ["--board", board];
        let reported = "warning: poor has been ready for 1.";
        ends(&lamp.with(never, &on), 1, &[reported, "hog keeps the processor", ", at 2.0"]);
        ends(&lamp.with(&format!("{never}{expected}"), &on), 0, &["1 passed"]);
        ends(&lamp.with(&format!("{never}{other}"), &on), 1, &[reported]);
        ends(&lamp.with(&format!("{never}{limit}1\n"), &on), 0, &["1 passed"]);
        ends(&lamp.with(&format!("{never}{limit}0\n"), &on), 1, &[reported]);
    }
}

#[test]
fn several_motes_and_what_happens_to_them() {
    let lamp = Lamp::new();
    let text = "for = \"2s\"\n[[mote]]\nname = \"left\"\n[[mote]]\nname = \"right\"\nstart = \"1s\"\n\
                input = [\"1800ms !reset\"]\n[[expect]]\nmote = \"left\"\nled = 0\ncount = 2\n\
                [[expect]]\nmote = \"right\"\nevent = \"reset\"\ntext = \"external\"\nat = \"1800ms\"\n";
    ends(&lamp.with(text, &ON), 0, &["1 passed"]);
    let called = lamp.with(&text.replace("count = 2", "count = 3"), &ON);
    ends(&called, 1, &["of left; it came 2 times", " left own_lamp: change 1"]);
    let called = lamp.with(&text.replace("mote = \"left\"\nled", "led"), &ON);
    ends(&called, 2, &["which mote?", "left, right"]);
}

#[test]
fn what_cannot_be_a_test_is_refused_with_its_line_before_anything_is_built() {
    let lamp = Lamp::new();
    let refused = |text: &str, parts: &[&str]| {
        ends(&lamp.with(text, &ON), 2, parts);
    };
    let expect = |text: &str| format!("for = \"1s\"\n[[expect]]\n{text}\n");
    refused("[[expect]]\nled = 0\n", &["does not say how long", "for = \"5s\""]);
    refused("for = \"1s\"\n", &["expects nothing"]);
    refused(
        "for = \"1s\"\nlimt = 3\n",
        &["blinks.toml:2: unknown key `limt`; did you mean `limit`?"],
    );
    refused(&expect("consle = \"x\""), &[":3: unknown key `consle`"]);
    refused(&expect("console = 7"), &[":3: `console`"]);
    refused(&expect("console = \"a\"\nled = 0"), &[":2: ", "exactly one of"]);
    refused(&expect("console = \"a\\nb\""), &[":3: no line is ever this"]);
    refused(&expect("led = 9"), &[":3: hamilton has no LED 9"]);
    refused(&expect("led = 0\nbecomes = \"high\""), &[":4: ", "\"on\" or \"off\""]);
    refused(&expect("pin = \"lod0\""), &[":3: ", "did you mean `led0`?"]);
    refused(&expect("led = 0\nat = \"2s\""), &[":4: `at` is 2.000000 s", "it never happens"]);
    refused(&expect("led = 0\nfrom = 0.5\nuntil = 0.4"), &[":4: `from` is after `until`"]);
    refused(&expect("led = 0\ncount = [3, 2]"), &[":4: `count`"]);
    refused(&expect("event = \"rest\""), &[":3: `event` is `rest`"]);
    refused(&expect("led = 0\nboards = [\"hamiltn\"]"), &[":4: ", "did you mean `hamilton`?"]);
    refused("for = \"1s\"\n[[limit]]\nstak.x = 3\n", &[":3: unknown key `stak`"]);
    refused("for = \"1s\"\n[[limit]]\nrom = \"few\"\n", &[":3: `rom` is"]);
    refused(
        "for = \"1s\"\n[[limit]]\nboards = [\"micaz\"]\n",
        &[":2: this [[limit]] limits nothing"],
    );
    let press = "for = \"1s\"\n[[mote]]\ninput = [\"0.5 !press sw9\"]\n[[expect]]\nled = 0\n";
    refused(press, &[":3: ", "no button `sw9`"]);
    refused("for = \"1s\"\n[output]\njson = \"x\"\n[[expect]]\nled = 0\n", &[":2: `output`"]);
    assert!(!Path::new(&lamp.folder.join("build")).exists(), "nothing was built");
}

#[test]
fn a_program_without_tests_and_names_without_tests_are_reported() {
    let lamp = Lamp::new();
    ends(&lamp.test(&["blnks"]), 2, &["no test has `blnks`", "did you mean `blinks`?"]);
    ends(&lamp.test(&["--board", "hamiltn"]), 2, &["did you mean `hamilton`?"]);
    std::fs::remove_file(lamp.folder.join("test/blinks.toml")).expect("removed");
    ends(&lamp.test(&[]), 2, &["`test` has no tests", "help: write test/NAME.toml"]);
    std::fs::remove_dir(lamp.folder.join("test")).expect("removed");
    ends(&lamp.test(&[]), 2, &["it has no folder `test`"]);
    ends(&call(&["test", "./nowhere"]), 2, &["no such folder"]);
    ends(&call(&["test", "blink", "--board", "micaz"]), 2, &["no program's folder is given"]);
}

#[test]
fn tests_run_on_the_mote_too() {
    let lamp = Lamp::new();
    std::fs::remove_file(lamp.folder.join("test/blinks.toml")).expect("removed");
    let find = "cmake_minimum_required(VERSION 3.25)\ninclude(${LICHEN_ROOT}/os/lichen.cmake)\n";
    lamp.write(
        "test/units/CMakeLists.txt",
        &format!("{find}project(units C ASM)\nlichen_test(units)\n"),
    );
    lamp.write(
        "test/units/lichen.toml",
        "name = \"units\"\nsummary = \"\"\nboards = [\"hamilton\", \"micaz\"]\n\
         [budget]\nrom = 20000\nram = 3500\n",
    );
    let source = "#include \"test.h\"\nTEST(adds)\n{\n    expect_equal(1 + 1, 2);\n}\n";
    lamp.write("test/units/units.c", source);
    ends(&lamp.test(&[]), 0, &["2 passed, 0 failed"]);
    ends(&lamp.test(&["subtracts"]), 2, &["no test has `subtracts`"]);
    lamp.write("test/units/units.c", &source.replace("1 + 1, 2", "1 + 1, 3"));
    ends(
        &lamp.test(&["adds", "--board", "micaz"]),
        1,
        &["FAILED  app/micaz/own_lamp/units/adds: ", "test/units/units.c:4: 1 + 1 == 3 (2, 3)"],
    );
}

#[test]
fn the_motes_of_a_test_can_be_run() {
    let lamp = Lamp::new();
    let file = lamp.folder.join("test/blinks.toml").display().to_string();
    let ran = call(&["run", &file, "--board", "micaz"]);
    ends(&ran, 0, &["own_lamp: change 4"]);
    let wrong = lamp.with("for = \"1s\"\n[[expect]]\nmote = \"x\"\nled = 0\n", &ON);
    ends(&wrong, 2, &["there is no mote `x`"]);
}
