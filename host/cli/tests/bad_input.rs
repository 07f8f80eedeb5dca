// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every error gives one message with place and remedy, and a nonzero exit code.

mod common;

use common::{Called, call, finish, lichen, root};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

trait Refuses {
    /// Asserts that the call ended with `code` and one error message, which has all of `parts`.
    fn refuses(&self, code: i32, parts: &[&str]);
}

impl Refuses for Called {
    #[track_caller]
    fn refuses(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "out: {}\nerr: {}", self.out, self.err);
        let errors = self.err.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(errors, 1, "one message: {}", self.err);
        for part in parts {
            assert!(self.err.contains(part), "`{part}` is missing in: {}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let file = folder.join(name);
    std::fs::write(&file, content).expect("written");
    file
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// An ELF file for ARM with one segment at `address` and an entry behind its vector table.
fn elf(machine: u16, address: u32, memory: &[u8]) -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 1, 1, 1];
    file.resize(16, 0);
    let half = |file: &mut Vec<u8>, value: u16| file.extend(value.to_le_bytes());
    let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
    half(&mut file, 2); // an executable
    half(&mut file, machine);
    word(&mut file, 1);
    word(&mut file, address + 9); // entry, in Thumb state
    word(&mut file, 52); // program headers begin
    word(&mut file, 0);
    word(&mut file, 0x0500_0000);
    half(&mut file, 52);
    half(&mut file, 32);
    half(&mut file, 1);
    half(&mut file, 40);
    half(&mut file, 0);
    half(&mut file, 0);
    let length = memory.len() as u32;
    for value in [1, 84, address, address, length, length, 5, 4] {
        word(&mut file, value);
    }
    file.extend(memory);
    file
}

const ARM: u16 = 40;
const AVR: u16 = 83;

/// A vector table (stack, reset) and the instructions behind it.
fn program(reset: u32, instructions: &[u16]) -> Vec<u8> {
    let mut memory = Vec::new();
    memory.extend(0x2000_1000u32.to_le_bytes());
    memory.extend(reset.to_le_bytes());
    instructions.iter().for_each(|instruction| memory.extend(instruction.to_le_bytes()));
    memory
}

/// Runs an image with this memory at address 0 for a second.
fn run_memory(memory: &[u8]) -> Called {
    let folder = folder();
    let image = write(folder.path(), "image.elf", elf(ARM, 0, memory));
    call(&["run", &text(&image), "--board", "samr21-xpro", "--for", "1s"])
}

#[test]
fn a_file_that_is_no_elf() {
    let folder = folder();
    let file = write(folder.path(), "notes.elf", "just words\n");
    call(&["run", &text(&file)]).refuses(2, &["notes.elf", "neither an ELF file", "linker"]);
}

#[test]
fn an_empty_file() {
    let folder = folder();
    let file = write(folder.path(), "empty.elf", "");
    call(&["run", &text(&file)]).refuses(2, &["empty.elf", "neither an ELF file"]);
}

#[test]
fn an_elf_of_another_machine() {
    let folder = folder();
    let file = write(folder.path(), "avr.elf", elf(AVR, 0, &program(9, &[0xe7fe])));
    call(&["run", &text(&file)]).refuses(
        2,
        &["avr.elf: made for AVR, but the ATSAMR21", "executes ARMv6-M", "choose a board"],
    );
}

#[test]
fn an_elf_of_the_host() {
    let file = env!("CARGO_BIN_EXE_lichen");
    call(&["run", file]).refuses(2, &["lichen", "known are executables for ARM and AVR"]);
}

#[test]
fn an_image_larger_than_the_flash() {
    let folder = folder();
    let memory = vec![0; 256 * 1024 + 4];
    let file = write(folder.path(), "large.elf", elf(ARM, 0, &memory));
    call(&["run", &text(&file)])
        .refuses(2, &["large.elf", "4 bytes too large", "flash", "smaller"]);
}

#[test]
fn an_image_that_is_not_there() {
    call(&["run", "nowhere/x.elf"]).refuses(2, &["nowhere/x.elf", "no such image", "help: "]);
}

#[test]
fn an_unknown_board() {
    call(&["run", "blink", "--board", "hamiltn"])
        .refuses(2, &["no board `hamiltn`", "did you mean `hamilton`?", "samr21-xpro"]);
    call(&["build", "blink", "--board", "x"]).refuses(2, &["no board `x`", "boards: "]);
}

#[test]
fn an_unknown_program() {
    call(&["run", "blnk"]).refuses(2, &["no program `blnk`", "did you mean `blink`?", "echo"]);
    let built = call(&["build", "blnk"]);
    built.refuses(2, &["no program `blnk`", "did you mean `blink`?", "a program's folder"]);
    assert!(!built.err.contains("ELF"), "only `run` and its like take an image: {}", built.err);
    call(&["run", "x"]).refuses(2, &["a program's folder or of an ELF file"]);
}

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
fn two_parts_at_one_pin() {
    let source = "#include <lichen/print.h>\n#include <lichen/sensor.h>\n#include <lichen/thread.h>\n\
                  THREAD(pulse, 512, PRIORITY_APP)\n{\n    int32_t value = 0;\n    \
                  (void)!sensor_read(&sensor_motion, SENSOR_NEW, &value);\n    \
                  print(\"%ld\\n\", (long)value);\n}\n";
    let (_folder, program) = own_program(MANIFEST, source);
    call(&["build", &program]).refuses(1, &["pin_of_console_and_motion", "share a pin", "help: "]);
}

#[test]
fn a_calibrated_tick_where_there_is_nothing_to_calibrate() {
    let on_xpro = calibrated().replace("\"hamilton\"", "\"samr21-xpro\"");
    let (_folder, program) = own_program(&on_xpro, SOURCE);
    call(&["build", &program, "--board", "samr21-xpro"])
        .refuses(1, &["lichen.toml:", "is a crystal", "cooperative"]);
}

#[test]
fn a_calibrated_tick_beside_waves() {
    let source = "#include <lichen/pwm.h>\n#include <lichen/thread.h>\n\
                  THREAD(pulse, 512, PRIORITY_APP)\n{\n    pwm_stop(19);\n}\n";
    let (_folder, program) = own_program(&calibrated(), source);
    let shown = ["timers_of_pwm_and_calibration", "share timers", "help: "];
    call(&["build", &program]).refuses(1, &shown);
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
fn an_image_is_not_built_for_a_debugger() {
    let folder = folder();
    let image = write(folder.path(), "image.elf", elf(ARM, 0, &program(9, &[0xe7fe])));
    call(&["run", &text(&image), "--debug"]).refuses(2, &["image.elf: --debug does not apply"]);
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
fn a_program_larger_than_the_ram() {
    let large = SOURCE.replace("thread_yield();", "thread_yield();\n        large[0]++;");
    let (_folder, program) = own_program(MANIFEST, &format!("char large[40000];\n{large}"));
    call(&["build", &program]).refuses(
        1,
        &["error: the chip's RAM is too small by ", "`large' of main.c with 40000 bytes", "help: "],
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

#[test]
fn an_output_that_cannot_be_written() {
    let run = call(&["run", "blink", "--for", "1s", "--json", "/nowhere/events.jsonl"]);
    run.refuses(2, &["/nowhere/events.jsonl", "cannot create", "folder"]);
    assert!(run.out.is_empty(), "told before the run: {}", run.out);
    call(&["bench", "kernel", "--json", "/nowhere/figures.json"])
        .refuses(2, &["/nowhere/figures.json", "cannot write", "folder"]);
}

#[test]
fn an_image_that_locks_up() {
    // An undefined instruction (UDF), and a HardFault handler that is one too.
    let mut memory = program(0x41, &[]);
    memory.resize(0x40, 0);
    memory[12..16].copy_from_slice(&0x41u32.to_le_bytes());
    memory.extend(0xde00u16.to_le_bytes());
    run_memory(&memory).refuses(1, &["lock", "0x000000", "help: "]);
}

#[test]
fn an_image_that_jumps_into_nothing() {
    // ldr r0, [pc]; bx r0; .word 0x60000001
    run_memory(&program(9, &[0x4800, 0x4700, 0x0001, 0x6000])).refuses(1, &["help: "]);
}

#[test]
fn an_image_without_a_vector_table() {
    run_memory(&[0xff; 64]).refuses(2, &["image.elf", "vector table", "0xffffffff"]);
}

#[test]
fn an_image_that_never_prints() {
    // b .
    run_memory(&program(9, &[0xe7fe])).refuses(1, &["printed nothing", "0x00000008", "help: "]);
}

#[test]
fn a_warning_ends_a_strict_run() {
    // ldr r0, [pc, #4]; ldr r1, [r0]; b .; .word SERCOM0, whose bus clock is off
    let memory = program(9, &[0x4801, 0x6801, 0xe7fe, 0, 0x0800, 0x4200]);
    let folder = folder();
    let image = write(folder.path(), "image.elf", elf(ARM, 0, &memory));
    let run = ["run", &text(&image), "--board", "samr21-xpro", "--for", "1s", "--strict"];
    call(&run).refuses(1, &["warning: ", "SERCOM0", "0x0000000a", "help: "]);
}

#[test]
fn a_text_that_never_comes() {
    call(&["run", "hello", "--for", "1500ms", "--until", "good night"]).refuses(
        1,
        &[
            "`good night` was not printed in 1.5",
            "last line was `Hello, world! Up for 1 s.`, at 1.0",
            "help: ",
        ],
    );
    let called = call(&["run", "blink", "--for", "1500ms", "--until", "good night"]);
    called.refuses(1, &["nothing else was printed either"]);
    assert!(!called.err.contains(".S:"), "it sleeps, wherever that is: {}", called.err);
}

#[test]
fn a_mistyped_verb_or_option() {
    for (arguments, near) in
        [(&["rnu", "blink"][..], "'run'"), (&["run", "blink", "--fro", "2s"], "'--for'")]
    {
        let called = call(arguments);
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains(&format!("exists: {near}")), "{}", called.err);
    }
}

#[test]
fn a_name_that_ends_like_those_of_another_format() {
    for (option, name, better) in [
        ("--wave", "x.png", "x.svg"),
        ("--vcd", "a.json", "a.vcd"),
        ("--json", "a.vcd", "a.jsonl"),
        ("--energy-csv", "a.SVG", "a.csv"),
        ("--perfetto", "a.json", "a.pftrace"),
    ] {
        let called = call(&["run", "blink", "--for", "1s", option, name]);
        called.refuses(
            2,
            &[&format!("{name}: `{}` writes ", &option[2..]), &format!("name it {better}")],
        );
    }
}

#[test]
fn two_outputs_in_one_place() {
    let folder = folder();
    let [json, vcd] = ["a.gtkw", "a.vcd"].map(|name| text(&folder.path().join(name)));
    call(&["run", "blink", "--for", "1s", "--json", &json, "--vcd", &vcd])
        .refuses(2, &["`vcd` would overwrite another output", "beside its own", "a.gtkw"]);
    call(&["run", "blink", "--for", "1s", "--json", "-", "--energy-json", "-"])
        .refuses(2, &["--json and --energy-json both write to the standard output"]);
}

#[test]
fn lines_of_an_input_file_that_were_hardly_meant() {
    let folder = folder();
    let input = write(
        folder.path(),
        "in.txt",
        "0.1s press sw0\n0.2 !press sw0\n0.3 !press sw0\n0.4 !release sw0\n0.5 !release sw0\n",
    );
    let called =
        call(&["run", "echo", "--board", "samr21-xpro", "--for", "1s", "--input", &text(&input)]);
    assert_eq!(called.code, 0, "{}", called.err);
    for doubt in [
        "in.txt:1: `press sw0` is typed as text; for the action write `!press sw0`",
        "in.txt:3: sw0 is pressed already, since line 2",
        "in.txt:5: sw0 is not pressed",
    ] {
        assert!(called.out.contains(doubt), "`{doubt}` is missing in: {}", called.out);
    }
}

#[test]
fn values_of_a_manifest_in_another_form() {
    let place = folder();
    let program = place.path().join("blinker");
    assert_eq!(call(&["new", &text(&program)]).code, 0);
    let manifest = program.join("lichen.toml");
    let good = std::fs::read_to_string(&manifest).expect("a manifest");
    let line =
        |key: &str| good.lines().find(|line| line.starts_with(key)).expect("a line").to_string();
    let without_budget = good.split("# Bytes").next().expect("a beginning").to_string();
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
        (without_budget, ["`budget` is missing", "[budget], and on lines of their own rom = "]),
    ] {
        std::fs::write(&manifest, bad).expect("written");
        call(&["build", &text(&program)]).refuses(2, &parts);
    }
}

#[test]
fn a_time_that_is_none() {
    let called = call(&["run", "blink", "--for", "soon"]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("`soon` is not a time"), "{}", called.err);
}

#[test]
fn an_input_file_with_a_mistake() {
    let folder = folder();
    let file = write(folder.path(), "typed.txt", "1 hello\nlater hello\n");
    call(&["run", "echo", "--for", "1s", "--input", &text(&file)])
        .refuses(2, &["typed.txt:2: ", "`later` is not a time"]);
}

#[test]
fn an_input_file_that_is_not_there() {
    call(&["run", "echo", "--input", "/nowhere.txt"])
        .refuses(2, &["cannot read the input file: there is no file /nowhere.txt"]);
}

#[test]
fn an_input_file_that_presses_what_the_board_does_not_have() {
    let folder = folder();
    let file = write(folder.path(), "pressed.txt", "1 !press sw0\n");
    call(&["run", "echo", "--for", "1s", "--input", &text(&file)])
        .refuses(2, &["pressed.txt:1: board `hamilton` has no button `sw0`; it has: button0"]);
}

#[test]
fn an_input_file_whose_times_run_backwards() {
    let folder = folder();
    let file = write(folder.path(), "typed.txt", "2 later\n\n1 sooner\n");
    call(&["run", "echo", "--for", "1s", "--input", &text(&file)]).refuses(
        2,
        &["typed.txt:3: ", "1.000000 s is before 2.000000 s", "sort the lines by time"],
    );
}

#[test]
fn a_disk_that_is_full() {
    for option in ["--json", "--vcd", "--wave", "--perfetto"] {
        call(&["run", "hello", "--for", "2s", option, "/dev/full"])
            .refuses(2, &["cannot write /dev/full", "No space left", "is the disk full?"]);
    }
    // More than any buffer holds.
    let marks = ["--from", "hello_thread", "--to", "panic", "--limit", "1000000"];
    let trace = [&["trace", "hello", "--for", "9s", "--output", "/dev/full"], &marks[..]].concat();
    call(&trace).refuses(2, &["/dev/full: the trace is incomplete: No space left", "help: "]);
    let profile = ["profile", "hello", "--for", "2s", "--collapsed", "/dev/full"];
    call(&profile).refuses(2, &["/dev/full", "No space left", "help: "]);
}

#[test]
fn one_file_on_a_full_disk_does_not_cost_the_others() {
    let folder = folder();
    let [full, good] = ["full.vcd", "good.vcd"].map(|name| text(&folder.path().join(name)));
    let run = ["run", "philosophers", "--for", "20s", "--vcd"];
    call(&[&run[..], &[&full, "--json", "/dev/full"]].concat())
        .refuses(2, &["cannot write /dev/full"]);
    let whole = call(&[&run[..], &[good.as_str()]].concat());
    assert_eq!(whole.code, 0, "{}", whole.err);
    let [full, good] = [full, good].map(|file| std::fs::read_to_string(file).expect("written"));
    let told = full.lines().count();
    assert!(told > 1000, "what was before the disk was full is there: {told} lines");
    // The last line is the time of the end.
    assert!(full.lines().take(told - 1).eq(good.lines().take(told - 1)), "all of it, as it was");
    assert!(full.ends_with('\n') && full.lines().last().is_some_and(|end| end.starts_with('#')));
}

#[test]
fn a_group_or_test_that_does_not_exist() {
    call(&["bench", "kernl"]).refuses(2, &["`kernl`", "did you mean `kernel`?"]);
    call(&["test", "structure/no such rule"]).refuses(2, &["no test has", "--list"]);
}

#[test]
fn a_test_that_no_name_matches_is_refused_before_anything_is_compiled() {
    let folder = folder();
    for tool in ["cargo", "cmake", "ninja"] {
        let script = format!("#!/bin/sh\ntouch {}/called\n", text(folder.path()));
        let tool = write(folder.path(), tool, script);
        std::fs::set_permissions(&tool, Permissions::from_mode(0o755)).expect("executable");
    }
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", text(folder.path()));
    let refused = finish(lichen().args(["test", "smaphore"]).env("PATH", path));
    refused.refuses(2, &["no test has `smaphore`", "did you mean `semaphore`?"]);
    assert!(!folder.path().join("called").exists(), "nothing is built");
}

#[test]
fn help_is_a_verb_and_an_option() {
    for verb in [None, Some("run")] {
        let as_option = call(&verb.into_iter().chain(["--help"]).collect::<Vec<_>>());
        let as_verb = call(&["help"].into_iter().chain(verb).collect::<Vec<_>>());
        assert_eq!((as_verb.code, as_verb.err.as_str()), (0, ""));
        assert_eq!(as_verb.out, as_option.out);
    }
    assert_eq!(call(&["help", "rum"]).code, 2);
}

#[test]
fn a_time_below_0_is_told_as_other_wrong_times() {
    for verb in ["run", "debug", "profile"] {
        call(&[verb, "blink", "--for", "-5s"]).refuses(2, &["`-5s` is not a time", "5s"]);
    }
}

#[test]
fn a_snapshot_that_does_not_exist() {
    call(&["run", "blink", "--load", "/nowhere/hour.snapshot"])
        .refuses(2, &["/nowhere/hour.snapshot: No such file", "help: ", "lichen run --save"]);
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
