// SPDX-License-Identifier: MIT OR Apache-2.0
//! `pack` and `inspect`: containers of the tree's programs and of one that has a field of each sort, and what is refused.

use crate::common::{Called, call, root};
use std::path::{Path, PathBuf};

/// Programs of app/ whose manifests say that they can be loaded, with their boards.
fn loadable() -> Vec<(String, Vec<String>)> {
    let folders = std::fs::read_dir(root().join("app")).expect("programs");
    let mut programs = Vec::new();
    for folder in folders.map(|entry| entry.expect("a folder").path()) {
        let text = std::fs::read_to_string(folder.join("lichen.toml")).unwrap_or_default();
        if !text.lines().any(|line| line == "[load]") {
            continue;
        }
        let boards = text.lines().find_map(|line| line.strip_prefix("boards = ")).expect("boards");
        let boards = boards.split('"').skip(1).step_by(2).map(str::to_string).collect();
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        programs.push((name, boards));
    }
    programs.sort();
    programs
}

/// Programs whose names on motes are others.
const NAMED: [(&str, &str); 1] = [("radio_count_to_leds", "count_to_leds")];

#[test]
fn loadable_programs_are_packed_for_each_of_their_boards() {
    let programs = loadable();
    let mut packed = 0;
    for (name, boards) in &programs {
        for board in boards {
            // The packer links what it has made at three places, and compares it with the program.
            let pack = call(&["pack", name, "--board", board, "--json"]);
            assert_eq!(pack.code, 0, "{name} {board}: {}", pack.err);
            assert!(pack.out.contains("\"load.container\":{"), "{}", pack.out);
            let file = format!("build/{board}/{name}/{name}.lichen");
            let inspect = call(&["inspect", &file]);
            assert_eq!(inspect.code, 0, "{name} {board}: {}", inspect.err);
            let on_mote = NAMED.iter().find(|(named, _)| named == name);
            let on_mote = on_mote.map_or(name.as_str(), |(_, on_mote)| on_mote);
            assert!(inspect.out.starts_with(&format!("{on_mote}, version 1, for ")));
            packed += 1;
        }
    }
    assert!(packed >= 12, "blink, hello and sense at least: {packed} of {programs:?}");
}

/// A program of the caller's, made by `lichen new`.
struct Own {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Own {
    fn new(source: &str, load: &str) -> Own {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("own");
        assert_eq!(call(&["new", path.to_str().expect("text")]).code, 0);
        std::fs::write(path.join("main.c"), source).expect("written");
        let manifest = path.join("lichen.toml");
        let text = std::fs::read_to_string(&manifest).expect("a manifest");
        std::fs::write(&manifest, format!("{text}\n{load}")).expect("written");
        Own { _folder: folder, path }
    }

    fn path(&self) -> &str {
        self.path.to_str().expect("text")
    }

    fn file(&self) -> PathBuf {
        self.path.with_file_name("own.lichen")
    }
}

const LOAD: &str = "[load]\nversion = 3\nconfirm_s = 20\n";

/// Pointers at odd places, addresses outside their blocks, a table of jumps, an array to whose end a loop goes.
const EVERYTHING: &str = "\
#include <lichen/led.h>
#include <lichen/mutex.h>
#include <lichen/print.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

MUTEX(forks[3]);
SEMAPHORE(full, 2);

static int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static char filled[40] = {[0 ... 39] = 0x55};
static volatile int sum;

static void toggle(unsigned index)
{
    led_toggle(index + (unsigned)sum);
}

static struct __attribute__((packed)) odd {
    char tag;
    const char *text;
    int *place;
    void (*act)(unsigned);
} odds[3] = {
    {'a', \"one\", &values[1], toggle},
    {'b', \"two\", &values[8], toggle},
    {'c', \"three\", values - 64, 0},
};

__attribute__((noinline)) static void choose(int which)
{
    switch (which) {
    case 0: led_on(3); break;
    case 1: print(\"one\\n\"); break;
    case 2: mutex_lock(&forks[2]); break;
    case 3: mutex_unlock(&forks[2]); break;
    case 4: sleep_ms(3); break;
    case 5: led_off(1); break;
    case 6: semaphore_wait(&full); break;
    case 7: semaphore_post(&full); break;
    case 8: toggle(2); break;
    case 9: led_toggle(7); break;
    case 10: led_on(1); break;
    case 11: led_on(2); break;
    }
}

__attribute__((noinline)) static int index_of(int *at)
{
    return at - values;
}

THREAD(worker, 384, PRIORITY_APP)
{
    for (;;) {
        for (int *at = values; at != values + 8; at++) {
            sum += *at;
            choose(index_of(at) + sum);
        }
        filled[sum & 31]++;
        odds[2].tag++;
        odds[sum & 1].act(sum & 3);
        print(\"%s\\n\", odds[sum & 1].text);
    }
}
";

#[test]
fn a_program_with_fields_of_each_sort_is_packed() {
    let own = Own::new(EVERYTHING, LOAD);
    for (board, kinds) in [
        ("hamilton", &["CALL", "WORD", "CALL_WORD"][..]),
        ("mica2", &["CALL", "WORD", "LDI", "SUBI", "FUNCTION_WORD", "MINUS", "FUNCTION_SUBI"]),
    ] {
        let pack = call(&[
            "pack",
            own.path(),
            "--board",
            board,
            "--output",
            own.file().to_str().expect("text"),
        ]);
        assert_eq!(pack.code, 0, "{}", pack.err);
        let inspect = call(&["inspect", own.file().to_str().expect("text")]);
        assert_eq!(inspect.code, 0, "{}", inspect.err);
        assert!(inspect.out.starts_with("own, version 3, for "), "{}", inspect.out);
        assert!(inspect.out.contains("1 thread, 3 mutexes\n"), "{}", inspect.out);
        assert!(inspect.out.contains("within 20 s"), "{}", inspect.out);
        let has = |kind: &str| inspect.out.split_whitespace().any(|word| word == kind);
        for kind in kinds.iter().filter(|kind| **kind != "CALL_WORD") {
            assert!(has(kind), "no {kind} on {board}: {}", inspect.out);
        }
        assert!(inspect.out.contains(" data-"), "an address in front of its block");
    }
}

#[test]
fn what_no_loaded_program_has_is_refused_with_its_line() {
    let alarm = "#include <lichen/alarm.h>\n#include <lichen/event.h>\nEVENT(happened)\n{\n}\n\n\
                 ALARM(rings, happened);\n";
    let own = Own::new(alarm, LOAD);
    let pack = call(&["pack", own.path(), "--board", "hamilton"]);
    assert_eq!(pack.code, 2, "{}{}", pack.out, pack.err);
    let text = "main.c:7: a program that is loaded has no ALARM: `rings`";
    assert!(pack.err.contains(text), "{}", pack.err);
    let task = "#include <lichen/coop.h>\n\nCOOP(idle)\n{\n    COOP_BEGIN();\n    COOP_END();\n}\n";
    let own = Own::new(task, LOAD);
    let pack = call(&["pack", own.path(), "--board", "hamilton"]);
    assert_eq!(pack.code, 1, "{}{}", pack.out, pack.err);
    assert!(pack.err.contains("main.c:3"), "{}", pack.err);
    assert!(pack.err.contains("a loaded program has no COOP"), "{}", pack.err);
}

#[test]
fn functions_that_run_before_main_are_refused() {
    let early = "#include <lichen/led.h>\n#include <lichen/thread.h>\n\n\
                 __attribute__((constructor)) static void early(void)\n{\n    led_on(0);\n}\n\n\
                 THREAD(t, 256, PRIORITY_APP)\n{\n    led_on(1);\n}\n";
    let own = Own::new(early, LOAD);
    let pack = call(&["pack", own.path(), "--board", "hamilton"]);
    assert_eq!(pack.code, 2, "{}{}", pack.out, pack.err);
    assert!(pack.err.contains("a program that is loaded has no constructor"), "{}", pack.err);
}

#[test]
fn what_no_token_can_say_is_refused_with_its_line() {
    let high = "#include <lichen/thread.h>\n\nint value;\n\nTHREAD(t, 256, PRIORITY_APP)\n{\n    \
                __asm__ volatile(\"ldi r24, hh8(value)\" ::: \"r24\");\n}\n";
    let own = Own::new(high, LOAD);
    let pack = call(&["pack", own.path(), "--board", "mica2"]);
    assert_eq!(pack.code, 2, "{}{}", pack.out, pack.err);
    let text = "main.c:7: no container can say a reference of type 8 to `value`, in ";
    assert!(pack.err.contains(text), "{}", pack.err);
}

#[test]
fn fixed_addresses_of_avr_are_refused_with_their_line() {
    for (statement, address) in [
        ("lds r24, 0x0200\" ::: \"r24", "0x200"),
        ("sts 0x0100, r24", "0x100"),
        ("call 0x0400", "0x200"),
    ] {
        let source = format!(
            "#include <lichen/thread.h>\n\nTHREAD(t, 256, PRIORITY_APP)\n{{\n    __asm__ \
             volatile(\"{statement}\");\n}}\n"
        );
        let own = Own::new(&source, LOAD);
        let pack = call(&["pack", own.path(), "--board", "mica2"]);
        assert_eq!(pack.code, 2, "{}", pack.err);
        let text = format!("main.c:5: no container can say the fixed address {address}, in ");
        assert!(pack.err.contains(&text), "{}", pack.err);
    }
    let register = "#include <lichen/thread.h>\n\nTHREAD(t, 256, PRIORITY_APP)\n{\n    __asm__ \
                    volatile(\"lds r24, 0x00ff\" ::: \"r24\");\n}\n";
    let own = Own::new(register, LOAD);
    let pack = call(&["pack", own.path(), "--board", "mica2"]);
    assert_eq!(pack.code, 0, "registers of the chip stay: {}", pack.err);
}

#[test]
fn addresses_at_odd_places_of_constants_are_refused_with_their_line() {
    let constant = "#include <lichen/print.h>\n#include <lichen/thread.h>\n\n\
                    static const struct __attribute__((packed)) row {\n    char tag;\n    \
                    const char *text;\n} rows[2] = {{1, \"one\"}, {2, \"two\"}};\n\n\
                    THREAD(t, 512, PRIORITY_APP)\n{\n    for (volatile int i = 0;; i ^= 1) {\n        \
                    print(\"%s\\n\", rows[i].text);\n    }\n}\n";
    let own = Own::new(constant, LOAD);
    let pack = call(&["pack", own.path(), "--board", "hamilton"]);
    assert_eq!(pack.code, 2, "{}{}", pack.out, pack.err);
    let text = "main.c:7: no container can say a constant address at a place that is no multiple \
                of 4, in rows";
    assert!(pack.err.contains(text), "{}", pack.err);
    let pack = call(&["pack", own.path(), "--board", "mica2"]);
    assert_eq!(pack.code, 0, "constants of AVR are data: {}", pack.err);
}

#[test]
fn a_program_without_a_table_is_not_loadable() {
    let pack = call(&["pack", "philosophers"]);
    assert_eq!(pack.code, 2, "{}", pack.err);
    let text = "`philosophers` is no program that can be loaded: it has no table [load]";
    assert!(pack.err.contains(text) && pack.err.contains("app/philosophers/lichen.toml"));
}

/// The container of blink in a file of its own.
fn blink(folder: &Path) -> Vec<u8> {
    let file = folder.join("blink.lichen");
    let path = file.to_str().expect("text");
    let pack = call(&["pack", "blink", "--board", "mica2", "--output", path]);
    assert_eq!(pack.code, 0, "{}", pack.err);
    assert!(pack.out.contains("blink.lichen\n"), "{}", pack.out);
    std::fs::read(file).expect("a container")
}

#[test]
fn what_is_wrong_with_a_container_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let container = blink(folder.path());
    let file = folder.path().join("changed");
    let inspect = |bytes: &[u8]| {
        std::fs::write(&file, bytes).expect("written");
        call(&["inspect", file.to_str().expect("text")])
    };
    assert_eq!(inspect(&container).code, 0);
    let changed = |at: usize, byte: u8| {
        let mut bytes = container.clone();
        bytes[at] = byte;
        bytes
    };
    let length = container.len();
    let crc = format!("byte {}, CRC-32: ", length - 4);
    let cut = format!("byte {}, CRC-32: the container is cut short here", length - 1);
    for (bytes, text) in [
        (vec![], "byte 0, magic: the container is cut short here"),
        (
            changed(0, 0x7f),
            "byte 0, magic: a container begins with 0x4c, 0xf0, this file with 0x7f, 0xf0",
        ),
        (changed(2, 2), "byte 2, format: 2 is not known, but 1"),
        (changed(3, 9), "byte 3, machine: 9 is none of 1 (ARMv6-M), 2 (AVR)"),
        (changed(4, 8), "byte 4, flags: 0x08 has bits that are not known"),
        (changed(35, 77), "byte 35, records: kind 77 is not known"),
        (changed(44, 0xff), "byte 46, kind: 0 is none of AVR"),
        (changed(90, 0xaa), crc.as_str()),
        (container[..length - 1].to_vec(), cut.as_str()),
        ([&container[..], &[0]].concat(), "end: 1 bytes follow"),
    ] {
        let called = inspect(&bytes);
        assert_eq!(called.code, 2, "{text}: {}", called.out);
        assert!(called.err.contains(text), "{text}: {}", called.err);
        assert!(called.err.contains("changed: "), "{}", called.err);
    }
    let called = call(&["inspect", "nothing.lichen"]);
    assert!(called.code == 2 && called.err.contains("nothing.lichen"), "{}", called.err);
}

#[test]
fn a_container_is_signed_with_a_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = blink(folder.path());
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_string();
    assert_eq!(call(&["key", &path("key")]).code, 0);
    let signed = |name: &str| {
        let (file, key) = (path(name), path("key"));
        let pack = call(&["pack", "blink", "--board", "mica2", "--key", &key, "--output", &file]);
        assert_eq!(pack.code, 0, "{}", pack.err);
        std::fs::read(&file).expect("a container")
    };
    let container = signed("signed.lichen");
    assert_eq!(container.len(), plain.len() + 16);
    assert_eq!(container, signed("again.lichen"), "the same in, the same out");
    let inspect = call(&["inspect", &path("signed.lichen")]);
    assert!(inspect.out.contains("a MAC follows"), "{}{}", inspect.out, inspect.err);
    let pack = call(&["pack", "blink", "--board", "mica2", "--key", "README.md"]);
    assert!(pack.code == 2 && pack.err.contains("is no key"), "{}", pack.err);
}

/// An image that takes programs, and has a shell.
const SHELL: &str = "test/load/host";

/// Packs a program for an image.
fn packed_for(own: &Own, board: &str, image: &str) -> Called {
    call(&["pack", own.path(), "--board", board, "--image", image])
}

#[test]
fn programs_of_the_tree_have_the_stacks_that_they_need() {
    for board in ["hamilton", "mica2"] {
        for name in ["blink", "hello", "sense"] {
            let pack = call(&["pack", name, "--board", board, "--image", "app/base", "--json"]);
            assert_eq!(pack.code, 0, "{name} {board}: {}", pack.err);
            assert!(pack.out.contains("\"needed\":"), "{}", pack.out);
        }
        let pack = call(&["pack", "test/load/guest", "--board", board, "--image", SHELL]);
        assert_eq!(pack.code, 0, "{board}: {}", pack.err);
        for stack in ["thread taker", "shell command greet", "start function start"] {
            assert!(pack.out.contains(stack), "{}", pack.out);
        }
    }
    let pack = call(&["pack", "blink"]);
    assert!(pack.out.contains("stacks are not checked: --image names"), "{}", pack.out);
}

/// A text with N for its numbers: how deep functions are depends on the compiler.
fn without_numbers(text: &str) -> String {
    let is_number =
        |word: &str| word.trim_end_matches([',', ':']).bytes().all(|it| it.is_ascii_digit());
    let words = text.split(' ').map(|word| if is_number(word) { "N" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// The line of an error.
fn error(err: &str) -> &str {
    err.lines().find(|line| line.contains("error: ")).unwrap_or(err)
}

#[test]
fn a_stack_that_may_not_suffice_is_refused_with_the_calls() {
    let source = "#include <lichen/print.h>\n#include <lichen/thread.h>\n\n\
                  __attribute__((noinline)) static void tell(int number)\n{\n    \
                  print(\"%d\\n\", number);\n    print(\"again %d\\n\", number);\n}\n\n\
                  THREAD(small, 192, PRIORITY_APP)\n{\n    tell(1);\n    tell(2);\n}\n";
    let own = Own::new(source, LOAD);
    for board in ["hamilton", "mica2"] {
        let pack = packed_for(&own, board, "app/base");
        assert_eq!(pack.code, 1, "{}{}", pack.out, pack.err);
        let said = without_numbers(error(&pack.err));
        let text =
            "the stack of thread `small' has N bytes and may need N small_thread N tell N print N";
        assert!(said.replace(',', "").contains(text), "{}", pack.err);
        assert!(pack.err.contains("main.c:1"), "{}", pack.err);
        assert!(pack.err.contains("make large local variables `static'"), "{}", pack.err);
    }
    assert_eq!(call(&["pack", own.path()]).code, 0, "for no image, nothing is known of its calls");
}

#[test]
fn a_start_function_that_needs_more_than_its_share_is_refused() {
    let source = "#include <lichen/init.h>\n#include <lichen/led.h>\n#include <lichen/thread.h>\n\n\
                  static void start(void)\n{\n    volatile char text[200];\n\n    \
                  text[0] = 1;\n    text[199] = 2;\n    led_on((unsigned)text[0]);\n}\nINIT(start);\n\n\
                  THREAD(idle, 320, PRIORITY_APP)\n{\n    thread_yield();\n}\n";
    let own = Own::new(source, LOAD);
    for (board, share) in [("hamilton", 192), ("mica2", 96)] {
        let pack = packed_for(&own, board, "app/base");
        assert_eq!(pack.code, 1, "{}{}", pack.out, pack.err);
        let text = format!(
            "start function `start' may use {share} bytes of the kernel's stack, and may need "
        );
        assert!(pack.err.contains(&text) && pack.err.contains("start 2"), "{}", pack.err);
        assert!(pack.err.contains("main.c:"), "{}", pack.err);
    }
}

/// A program whose event runs these lines, posted by a thread.
fn with_event(lines: &str) -> Own {
    let source = format!(
        "#include <lichen/event.h>\n#include <lichen/init.h>\n#include <lichen/led.h>\n#include <lichen/random.h>\n\
         #include <lichen/time.h>\n\n\
         __attribute__((noinline)) static void tell(void)\n{{\n    {lines}\n    __asm__ volatile(\"\");\n}}\n\n\
         EVENT(often)\n{{\n    tell();\n    led_toggle(0);\n}}\n\n\
         static void start(void)\n{{\n    event_post(&often);\n}}\nINIT(start);\n"
    );
    Own::new(&source, LOAD)
}

#[test]
fn an_event_that_waits_is_refused_with_its_line() {
    for board in ["hamilton", "mica2"] {
        let pack = call(&["pack", with_event("sleep_until_us(9);").path(), "--board", board]);
        assert_eq!(pack.code, 1, "{}{}", pack.out, pack.err);
        let text =
            "main.c:9: event `often' must not call `sleep_until_us', as it does through tell";
        assert!(pack.err.contains(text), "{}", pack.err);
        assert!(pack.err.contains("an event must not wait"), "{}", pack.err);
    }
    let source = "#include <lichen/init.h>\n#include <lichen/time.h>\n\n\
                  static void start(void)\n{\n    sleep_ms(5);\n}\nINIT(start);\n";
    let pack = call(&["pack", Own::new(source, LOAD).path(), "--board", "hamilton"]);
    assert_eq!(pack.code, 1, "{}{}", pack.out, pack.err);
    let text = "main.c:6: INIT function `start' must not call `sleep_ms'";
    assert!(pack.err.contains(text), "{}", pack.err);
}

#[test]
fn an_event_that_needs_more_than_the_image_has_is_refused_with_the_calls() {
    let small = with_event("led_on(random_u32() & 1);");
    for board in ["hamilton", "mica2"] {
        let pack = packed_for(&small, board, SHELL);
        assert_eq!(pack.code, 0, "{board}: {}{}", pack.out, pack.err);
        assert!(pack.out.contains("event often  "), "{}", pack.out);
        let pack = packed_for(&small, board, "app/base");
        assert_eq!(pack.code, 2, "no call of that image: {}{}", pack.out, pack.err);
        // Its own functions fit, and the call below them does not.
        let own = "volatile char text[100]; text[0] = 1; led_on(random_u32() & (unsigned)text[0]);";
        let pack = packed_for(&with_event(own), board, SHELL);
        assert_eq!(pack.code, 1, "{board}: {}{}", pack.out, pack.err);
        let said = without_numbers(error(&pack.err));
        let text = "event `often' may use N bytes of the kernel's stack, and may need N";
        assert!(said.replace("needed", "need").contains(text), "{}", pack.err);
        assert!(pack.err.contains("random_u32 "), "{}", pack.err);
        assert!(pack.err.contains("`event_stack' below [programs]"), "{}", pack.err);
    }
}

#[test]
fn a_command_that_needs_more_than_the_shell_has_is_refused() {
    let source = "#include <lichen/print.h>\n#include <lichen/shell.h>\n#include <lichen/thread.h>\n\n\
                  SHELL_COMMAND(much, \"\", \"Takes much stack.\")\n{\n    volatile char text[900];\n\n    \
                  text[0] = 1;\n    text[899] = 2;\n    print(\"%d\\n\", text[0]);\n}\n\n\
                  THREAD(idle, 320, PRIORITY_APP)\n{\n    thread_yield();\n}\n";
    let own = Own::new(source, LOAD);
    for board in ["hamilton", "mica2"] {
        let pack = packed_for(&own, board, SHELL);
        assert_eq!(pack.code, 1, "{}{}", pack.out, pack.err);
        assert!(pack.err.contains("shell command `much' may use "), "{}", pack.err);
        assert!(pack.err.contains(" bytes of the shell's stack, and may need "), "{}", pack.err);
    }
}

#[test]
fn an_image_has_the_calls_that_a_program_uses() {
    let pack = call(&["pack", "blink", "--image", "philosophers"]);
    assert_eq!(pack.code, 2, "{}{}", pack.out, pack.err);
    assert!(pack.err.contains("`philosophers` is no image that takes programs"), "{}", pack.err);
    let source = "#include <lichen/barrier.h>\n#include <lichen/thread.h>\n\nBARRIER(both, 2);\n\n\
                  THREAD(waits, 320, PRIORITY_APP)\n{\n    barrier_wait(&both);\n}\n";
    let pack = packed_for(&Own::new(source, LOAD), "hamilton", "app/base");
    assert_eq!(pack.code, 2, "{}{}", pack.out, pack.err);
    assert!(pack.err.contains("the image has no call `barrier_wait'"), "{}", pack.err);
    assert!(pack.err.contains("add \"barrier\" to `calls`"), "{}", pack.err);
}

#[test]
fn commands_that_no_shell_finds_are_refused() {
    let source = "#include <lichen/shell.h>\n#include <lichen/thread.h>\n\n\
                  SHELL_COMMAND(much, \"\", \"Does little.\")\n{\n    (void)arguments;\n}\n\n\
                  THREAD(idle, 320, PRIORITY_APP)\n{\n    thread_yield();\n}\n";
    let own = Own::new(source, LOAD);
    for board in ["hamilton", "mica2"] {
        let pack = packed_for(&own, board, "app/base");
        assert_eq!(pack.code, 2, "{}{}", pack.out, pack.err);
        assert!(pack.err.contains("the image finds no commands of programs"), "{}", pack.err);
        let pack = packed_for(&own, board, SHELL);
        assert_eq!(pack.code, 0, "{}{}", pack.out, pack.err);
    }
}

#[test]
fn the_kernels_stack_of_an_image_that_takes_programs_is_computed() {
    for board in ["hamilton", "mica2"] {
        for image in ["app/base", SHELL] {
            let build = call(&["build", image, "--board", board]);
            assert_eq!(build.code, 0, "{image} {board}: {}", build.err);
            assert!(build.out.contains(" bytes, computed: "), "{image} {board}: {}", build.out);
        }
    }
}
