// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time slices are in a program if two of its threads can ever have the same priority.

use crate::common::{call, root};
use lichen_image::Image;
use std::path::PathBuf;

/// A program in a folder of its own.
struct Program {
    place: tempfile::TempDir,
    name: String,
}

impl Program {
    fn new(name: &str, source: &str) -> Program {
        let place = tempfile::tempdir().expect("a folder");
        let program = Program { place, name: name.to_string() };
        std::fs::create_dir(program.folder()).expect("made");
        program.source(source);
        program.write(
            "lichen.toml",
            &format!(
                "name = \"{name}\"\nsummary = \"x\"\nboards = [\"hamilton\"]\n\n\
                 [budget]\nrom = 12000\nram = 4000\n"
            ),
        );
        program.cmake("");
        program
    }

    fn folder(&self) -> PathBuf {
        self.place.path().join(&self.name)
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.folder().join(file), text).expect("written");
    }

    fn source(&self, source: &str) {
        let includes = "#include <lichen/mutex.h>\n#include <lichen/thread.h>\n";
        self.write("main.c", &format!("{includes}{source}"));
    }

    /// Writes its CMakeLists.txt, with more lines at the end.
    fn cmake(&self, more: &str) {
        let (name, lichen) = (&self.name, root().join("os/lichen.cmake"));
        let text = format!(
            "cmake_minimum_required(VERSION 3.25)\ninclude({})\nproject({name} C ASM)\n\
             lichen_app({name})\n{more}\n",
            lichen.display()
        );
        self.write("CMakeLists.txt", &text);
    }

    #[track_caller]
    fn build(&self) -> Built {
        let built = call(&["build", &self.folder().display().to_string()]);
        assert_eq!(built.code, 0, "out: {}\nerr: {}", built.out, built.err);
        let elf = built.out.lines().find(|line| line.ends_with(".elf")).expect("the image's line");
        Built { elf: root().join(elf), out: built.out }
    }
}

/// What a build has made.
struct Built {
    elf: PathBuf,
    out: String,
}

impl Built {
    fn has(&self, symbol: &str) -> bool {
        let image = std::fs::read(&self.elf).expect("the image");
        let symbol = format!("\0{symbol}\0");
        image.windows(symbol.len()).any(|window| window == symbol.as_bytes())
    }

    /// Whether it has the handler of the slice timer.
    fn is_sliced(&self) -> bool {
        self.has("kernel_slice")
    }

    /// Bytes of the kernel's stack.
    fn stack(&self) -> u32 {
        let line = self.out.lines().find_map(|line| line.strip_prefix("kernel's stack "));
        let bytes = line.and_then(|line| line.split(' ').next()).expect("the stack's line");
        bytes.parse().expect("a number")
    }
}

/// Whether a program of this source has slices.
#[track_caller]
fn sliced(name: &str, source: &str) -> bool {
    let built = Program::new(name, source).build();
    assert!(built.out.contains(", computed: "), "the stack fits the last image: {}", built.out);
    built.is_sliced()
}

const ONE: &str = "THREAD(one, 256, 5) { thread_yield(); }\n";
const MORE_URGENT: &str = "THREAD(two, 256, 6) { thread_yield(); }\n";

#[test]
fn threads_of_different_priorities_need_none() {
    assert!(!sliced("slices_one", ONE));
    assert!(!sliced("slices_two", &format!("{ONE}{MORE_URGENT}")));
    let for_ever = "THREAD(one, 256, 5) { for (;;) { thread_yield(); } }\n";
    assert!(!sliced("slices_for_ever", for_ever), "nothing of slices is left after the first link");
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

fn equals() -> String {
    format!("{ONE}THREAD(two, 256, 5) {{ thread_yield(); }}\n")
}

fn distinct() -> String {
    format!("{ONE}{MORE_URGENT}")
}

/// A program that has something to run, and no thread.
const INIT: &str = "#include <lichen/init.h>\nstatic void begin(void) {}\nINIT(begin);\n";

#[test]
fn a_program_without_threads_has_neither() {
    let built = Program::new("slices_none", INIT).build();
    assert!(!built.is_sliced() && !built.has("threads_are_distinct"));
}

#[test]
fn a_structure_of_the_program_is_not_taken_for_the_kernels() {
    let program = Program::new("slices_hidden", "");
    let hides = "struct thread_info { int stack_bytes, priority, thread, stack; char *name; };\n\
                 int hides(struct thread_info *info);\n\
                 int hides(struct thread_info *info) { return info->priority; }\n";
    program.write("hides.c", hides);
    let calls = "int hides(void *info);\n\
                 THREAD(one, 256, 5) { if (hides(thread_self()) != 0) thread_yield(); }\n\
                 THREAD(two, 256, 5) { thread_yield(); }\n";
    program.source(calls);
    assert!(program.build().is_sliced());
}

#[test]
fn who_cannot_be_read_has_slices() {
    let program = Program::new("slices_unknown", &equals());
    program.cmake("target_link_options(slices_unknown PRIVATE LINKER:--strip-debug)");
    assert!(program.build().is_sliced());
}

/// A program whose stack cannot be computed.
fn recursive() -> String {
    let calls = "#include <lichen/event.h>\nvolatile unsigned left;\n\
                 static __attribute__((optimize(\"O0\"))) unsigned again(unsigned n)\n\
                 { return left > n ? again(n + 1) * left : n; }\n\
                 EVENT(goes) { left = again(left) + again(1); }\n";
    format!("{calls}{ONE}THREAD(two, 256, 6) {{ event_post(&goes); }}\n")
}

#[test]
fn ram_that_is_full_with_a_stack_that_is_unknown_is_refused() {
    let small = Program::new("slices_small", &recursive()).build();
    let total = small.out.lines().find(|line| line.starts_with("total ")).expect("a total");
    let ram: u32 = total.split_whitespace().last().expect("RAM").parse().expect("a number");
    // With the smallest stack it would fit.
    let rest = 32 * 1024 - ram + 200;
    let fills = format!("volatile char fills[{rest}];\nEVENT(goes) {{ fills[0] = 1;");
    let full = Program::new("slices_full", &recursive().replace("EVENT(goes) {", &fills));
    let refused = call(&["build", &full.folder().display().to_string()]);
    assert_eq!(refused.code, 1, "{}", refused.out);
    assert!(refused.err.contains("region `ram' overflowed"), "{}", refused.err);
}

#[test]
fn a_stack_that_is_stated_or_unknown_stays() {
    let stated = Program::new("slices_stated", &distinct());
    stated.cmake("target_link_options(slices_stated PRIVATE LINKER:--defsym=KERNEL_STACK=800)");
    let built = stated.build();
    assert_eq!((built.is_sliced(), built.stack()), (false, 800));

    let unknown = recursive();
    let built = Program::new("slices_recursive", &unknown).build();
    assert_eq!((built.is_sliced(), built.stack()), (false, 1024), "{}", built.out);

    // The same of both links of a program that is linked twice.
    let twice = Program::new("slices_twice", &unknown);
    let manifest = std::fs::read_to_string(twice.folder().join("lichen.toml")).expect("written");
    twice.write("lichen.toml", &format!("{manifest}[build]\nlto = true\n"));
    let built = twice.build();
    assert_eq!((built.is_sliced(), built.stack()), (false, 1024), "{}", built.out);
    let ordinary = built.elf.with_file_name("once").join("slices_twice.elf");
    let ordinary = Image::load(&ordinary).expect("an image");
    let at = |name| ordinary.symbols().find(name).expect("the kernel's").address;
    assert_eq!(at("kernel_stack_top") - at("kernel_stack_bottom"), 1024);
}

#[test]
fn a_build_with_nothing_to_do_links_nothing() {
    let program = Program::new("slices_again", &distinct());
    let linked =
        |built: &Built| built.elf.metadata().and_then(|file| file.modified()).expect("dated");
    assert_eq!(linked(&program.build()), linked(&program.build()));
}

#[test]
fn a_thread_that_becomes_an_equal_brings_slices_back() {
    let program = Program::new("slices_back", &distinct());
    assert!(!program.build().is_sliced());
    program.source(&equals());
    assert!(program.build().is_sliced());
}

#[test]
fn what_a_build_that_was_ended_has_computed_is_forgotten() {
    let program = Program::new("slices_ended", &equals());
    let stack = program.build().stack();
    program.source(&distinct());
    let built = program.build();
    let computed = built.elf.with_file_name("computed").join("slices_ended");
    std::fs::create_dir_all(&computed).expect("made");
    let script = format!("KERNEL_STACK = {stack};\nEXTERN(threads_are_distinct)\n");
    std::fs::write(computed.join("computed.ld"), script).expect("written");
    program.source(&equals());
    let built = program.build();
    assert!(built.is_sliced());
    assert!(!computed.exists());
}

#[test]
fn an_image_that_a_build_was_ended_in_is_linked_again() {
    let program = Program::new("slices_half", &distinct());
    let built = program.build();
    let computed = built.elf.with_file_name("computed").join("slices_half");
    std::fs::create_dir_all(computed).expect("made");
    let image = std::fs::read(&built.elf).expect("the image");
    std::fs::write(&built.elf, &image[..image.len() / 2]).expect("written");
    assert!(!program.build().is_sliced());
    assert_eq!(std::fs::read(&built.elf).expect("the image"), image);
}

#[test]
fn an_image_that_is_not_linked_here_is_left_alone() {
    let program = Program::new("slices_copied", &distinct());
    let copy = "add_custom_command(TARGET slices_copied POST_BUILD\n    \
                COMMAND ${CMAKE_COMMAND} -E copy slices_copied.elf copy.elf)";
    program.cmake(copy);
    let built = program.build();
    assert!(!built.is_sliced());
    assert!(built.elf.with_file_name("copy.elf").exists());
}
