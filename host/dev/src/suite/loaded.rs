// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `loaded`: programs that are loaded link, with CMake alone, on each of their boards.
//!
//! A test is `loaded/BOARD/PROGRAM`. The program `calls`, which is made here, mentions all calls, and its link has all of them as
//! calls: none is inline. The program `refused` declares what a loaded program cannot have, and its image says so; `never` and
//! `never_calls` have what does not compile.

use super::{Context, Listener, Report, Verdict};
use lichen_image::Image;
use lichen_project::interface::{Architecture, Interface};
use lichen_project::{Program, Tree};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bytes of what a program is linked with for each call (`os/arch/*/stub.inc`).
const STUB_AVR8: usize = 6;
const STUB_ARMV6M: usize = 4;

/// What a program cannot have and compiles, as it is declared, and as its image says it.
const REFUSED: [(&str, &str); 9] = [
    ("EVENT(an_event) { }\nALARM(an_alarm, an_event);", "ALARM an_alarm"),
    ("SEMAPHORE_RT(a_semaphore, 0);", "SEMAPHORE_RT a_semaphore"),
    ("QUEUE_RT(a_queue, int, 2, 0);", "QUEUE_RT a_queue"),
    ("WATCHDOG_CHANNEL(a_channel);", "WATCHDOG_CHANNEL a_channel"),
    ("POWER_LIMIT(a_limit);", "POWER_LIMIT a_limit"),
    ("CLOCK_REQUEST(a_request);", "CLOCK_REQUEST a_request"),
    ("PANIC_HALT;", "PANIC_HALT "),
    ("PANIC_ON_DEADLOCK;", "PANIC_ON_DEADLOCK "),
    ("PACKET_POOL(4);", "PACKET_POOL "),
];

/// What does not compile in a program that is loaded, and what the compiler says: declarations, and calls, which it only sees
/// in a file without other errors.
const DECLARATIONS: &[(&str, &str)] = &[
    ("COOP(a_coop) { COOP_BEGIN(); COOP_END(); }", "a loaded program has no COOP"),
    ("RT_TASK(a_task, RT_TIMER_A, .priority = 0) { }", "a loaded program has no RT_TASK"),
    ("INTERRUPT(ADC) { }", "a loaded program has no INTERRUPT"),
    ("EVENT(one) { }\nEVENT(two) { }\nWOVEN(both, one, two) { }", "a loaded program has no WOVEN"),
];
const CALLS: &[(&str, &str)] = &[
    (
        "void post(struct event *event);\nvoid post(struct event *event) { event_post_from(event, 1); }",
        "a loaded program has no event_post_from",
    ),
    (
        "void feed(struct watchdog_channel *fed);\nvoid feed(struct watchdog_channel *fed) { watchdog_feed(fed); }",
        "a loaded program has no watchdog_feed",
    ),
    (
        "void run(arch_call_fn *fn);\nvoid run(arch_call_fn *fn) { (void)kernel_run(fn, 0); }",
        "a loaded program has no kernel_run",
    ),
];
/// The programs that have them.
const NEVER: [(&str, &[(&str, &str)]); 2] = [("never", DECLARATIONS), ("never_calls", CALLS)];

type Checked = Result<(), Box<Report>>;

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let tree = context.tree();
    let loadable = |name: &String| {
        let program = Program::at(tree, tree.path("app").join(name)).ok()?;
        program.manifest.load.is_some().then_some(program)
    };
    let programs: Vec<Program> =
        tree.programs("app").unwrap_or_default().iter().filter_map(loadable).collect();
    for board in tree.boards().unwrap_or_default() {
        let names: Vec<&Program> =
            programs.iter().filter(|it| it.manifest.boards.contains(&board)).collect();
        of_board(context, &board, &names, listener);
    }
}

fn of_board(
    context: &Context<'_>,
    board: &str,
    programs: &[&Program],
    listener: &mut dyn Listener,
) {
    let names = programs.iter().map(|it| it.manifest.name.as_str()).chain([
        "calls",
        "refused",
        "never",
        "never_calls",
    ]);
    let wanted: Vec<&str> =
        names.filter(|name| context.wants(&format!("{board}/{name}"))).collect();
    if wanted.is_empty() {
        return;
    }
    let folder = context.tree().path("build/loaded").join(board);
    let configured = configure(context.tree(), board, programs, &folder);
    for name in wanted {
        let test = format!("{board}/{name}");
        listener.working(context.group, &test);
        let checked = configured.clone().and_then(|()| check(context.tree(), &folder, name));
        let verdict = checked.map_or_else(|report| Verdict::Failed(*report), |()| Verdict::Passed);
        context.tell(listener, test, verdict);
    }
}

fn check(tree: &Tree, folder: &Path, name: &str) -> Checked {
    let target = format!("{name}.loaded");
    if let Some((_, texts)) = NEVER.iter().find(|(never, _)| *never == name) {
        let mut command = Command::new("cmake");
        let built =
            run_cmake(command.args(["--build", ".", "--target", &target]).current_dir(folder));
        return is_never_compiled(built, texts);
    }
    run_cmake(
        Command::new("cmake").args(["--build", ".", "--target", &target]).current_dir(folder),
    )?;
    let image = Image::load(&folder.join(format!("{target}.elf"))).map_err(said)?;
    match name {
        "calls" => has_all_calls(tree, &image),
        "refused" => says_what_is_refused(&image),
        _ => has_its_sections(&image),
    }
}

/// A folder of a build with all programs of a board.
fn configure(tree: &Tree, board: &str, programs: &[&Program], folder: &Path) -> Checked {
    let root = tree.root().display();
    let mut lines = format!(
        "cmake_minimum_required(VERSION 3.25)\ninclude({root}/os/lichen.cmake)\nproject(loaded C ASM)\n"
    );
    let made = [
        ("calls", calls_program(tree)?),
        ("refused", refused_program()),
        ("never", never_program(DECLARATIONS)),
        ("never_calls", never_program(CALLS)),
    ];
    for (name, text) in made {
        let program = folder.join("made").join(name);
        let write = |file: &str, text: &str| write(program.join(file), text);
        write(&format!("{name}.c"), &text)?;
        write("lichen.toml", &format!("name = \"{name}\"\n\n[load]\nversion = 1\n"))?;
        write("CMakeLists.txt", &format!("lichen_app({name})\n"))?;
        let _ = writeln!(lines, "add_subdirectory(made/{name})");
    }
    for program in programs {
        let folder = program.folder.display();
        let _ = writeln!(lines, "add_subdirectory({folder} {})", program.manifest.name);
    }
    write(folder.join("CMakeLists.txt"), &lines)?;
    let board = format!("-DBOARD={board}");
    run_cmake(
        Command::new("cmake")
            .args(["-S", ".", "-B", ".", "-G", "Ninja", &board])
            .current_dir(folder),
    )
}

fn write(file: PathBuf, text: &str) -> Checked {
    std::fs::create_dir_all(file.parent().unwrap_or(&file)).map_err(said)?;
    if std::fs::read_to_string(&file).is_ok_and(|found| found == text) {
        return Ok(());
    }
    std::fs::write(file, text).map_err(said)
}

/// Mentions all calls of the architecture that it is compiled for.
fn calls_program(tree: &Tree) -> Result<String, Box<Report>> {
    let interface = Interface::read(tree).map_err(said)?;
    let mut text = String::new();
    for header in interface.groups.iter().flat_map(|group| &group.headers) {
        let _ = writeln!(text, "#include <lichen/{header}.h>");
    }
    let mut names = String::new();
    for group in &interface.groups {
        let condition = group.only.map(|only| match only {
            Architecture::Avr8 => "#ifdef __AVR__\n",
            Architecture::Armv6m => "#ifndef __AVR__\n",
        });
        let [begin, end] = [condition.unwrap_or(""), condition.map_or("", |_| "#endif\n")];
        let (mut declared, mut mentioned) = (String::new(), String::new());
        for call in &group.calls {
            if group.made.contains(&call.name) {
                let _ = writeln!(declared, "{};", call.prototype);
            }
            let _ = writeln!(mentioned, "(fn *)({}),", call.name);
        }
        text += &format!("{begin}{declared}{end}");
        names += &format!("{begin}{mentioned}{end}");
    }
    text += &format!(
        "typedef void fn(void);\nstatic fn *const all[] = {{\n{names}}};\n\
         THREAD(calls, 256, PRIORITY_APP)\n{{\n    \
         for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {{ all[i](); }}\n}}\n"
    );
    Ok(text)
}

fn refused_program() -> String {
    let mut text = String::new();
    for header in [
        "alarm",
        "clock",
        "mutex",
        "packet",
        "panic",
        "power",
        "queue",
        "semaphore",
        "thread",
        "timer",
        "watchdog",
    ] {
        let _ = writeln!(text, "#include <lichen/{header}.h>");
    }
    for (declared, _) in REFUSED {
        let _ = writeln!(text, "{declared}");
    }
    text + "THREAD(refused, 256, PRIORITY_APP)\n{\n}\n"
}

fn never_program(texts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for header in ["coop", "event", "interrupt", "rt", "watchdog", "woven"] {
        let _ = writeln!(text, "#include <lichen/{header}.h>");
    }
    let declared: Vec<&str> = texts.iter().map(|(declared, _)| *declared).collect();
    text + &declared.join("\n") + "\n"
}

fn is_never_compiled(built: Checked, texts: &[(&str, &str)]) -> Checked {
    let Err(report) = built else { return Err(said("it compiles")) };
    let printed = report.output.clone().unwrap_or_default();
    match texts.iter().find(|(_, says)| !printed.contains(says)) {
        None => Ok(()),
        Some((declared, _)) => {
            let message = format!("the compiler does not say that `{declared}` is refused");
            Err(Box::new(Report { message, ..*report }))
        }
    }
}

fn has_all_calls(tree: &Tree, image: &Image) -> Checked {
    let interface = Interface::read(tree).map_err(said)?;
    let is_avr = image
        .sections()
        .iter()
        .any(|it| it.name == ".objects" && it.address >= 0x80_1000 && it.address < 0x90_0000);
    let (architecture, stub) = match is_avr {
        true => (Architecture::Avr8, STUB_AVR8),
        false => (Architecture::Armv6m, STUB_ARMV6M),
    };
    let groups = interface.groups.iter().filter(|group| group.is_on(architecture));
    let calls: usize = groups.map(|group| group.calls.len()).sum();
    let section = image.sections().iter().find(|it| it.name == ".lichen_calls");
    let linked = section.map_or(0, |it| it.size as usize / stub);
    match linked == calls {
        true => Ok(()),
        false => Err(said(format!("{linked} of {calls} calls are calls in a program"))),
    }
}

fn says_what_is_refused(image: &Image) -> Checked {
    let text = String::from_utf8_lossy(image.declared(".lichen_refused")).into_owned();
    let rows: Vec<&str> = text.split('\0').collect();
    let file = "refused.c:";
    match REFUSED
        .iter()
        .find(|(_, says)| !rows.iter().any(|row| row.starts_with(says) && row.contains(file)))
    {
        None => Ok(()),
        Some((declared, _)) => {
            Err(said(format!("nothing says that `{declared}` is refused: {rows:?}")))
        }
    }
}

/// The names and places on which the packer relies: those of AVR, then those of ARMv6-M.
const SECTIONS: [(&str, u32, u32); 6] = [
    (".tables", 0x2000, 0x1_0000),
    (".constants", 0x2000, 0x1_0000),
    (".code", 0x2000, 0x1_0000),
    (".objects", 0x80_1000, 0x2000_0000),
    (".stacks", 0x80_4000, 0x2001_0000),
    (".data", 0x80_8000, 0x2002_0000),
];
/// What may lie from a place on.
const ROOM: u32 = 0x1_0000;

fn has_its_sections(image: &Image) -> Checked {
    for (name, avr8, armv6m) in SECTIONS {
        let Some(section) = image.sections().iter().find(|section| section.name == name) else {
            match name {
                ".data" => continue,
                _ => return Err(said(format!("it has no section {name}"))),
            }
        };
        let is_in = |begin: u32| (begin..begin + ROOM).contains(&section.address);
        let is_first = !matches!(name, ".constants" | ".code");
        if !is_in(avr8) && !is_in(armv6m) || is_first && ![avr8, armv6m].contains(&section.address)
        {
            return Err(said(format!("{name} is at {:#x}", section.address)));
        }
    }
    Ok(())
}

fn run_cmake(command: &mut Command) -> Checked {
    let output = command.output().map_err(said)?;
    if output.status.success() {
        return Ok(());
    }
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    let message = "it does not link".to_string();
    Err(Box::new(Report { message, output: Some(printed), ..Report::default() }))
}

fn said(error: impl ToString) -> Box<Report> {
    Box::new(Report { message: error.to_string(), ..Report::default() })
}
