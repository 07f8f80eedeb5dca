// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `again`: what the tools say of a program after its second link is what they say after the ordinary one
//! (`os/again.cmake`). Not the same to the byte: code is shorter, and functions are part of others.

use super::{Context, Listener, Report, Verdict};
use lichen_build::size::Sizes;
use lichen_build::stack::KernelStack;
use lichen_chip::Time;
use lichen_image::{Image, source_name};
use lichen_observe::{Kernel, Profile, Task};
use lichen_project::{Program, Tree};
use lichen_test::mote::{saying, watched, world};
use lichen_test::transcript::Limit;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Programs that between them have threads, a console, a shell, cooperative threads, a real-time task and a radio.
const PROGRAMS: [&str; 6] = ["blink", "echo", "shell", "thermometer", "sampler", "link_ping"];
const BOARD: &str = "hamilton";
/// How long each runs.
const LENGTH: Time = Time::from_ms(3_000);

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    for name in PROGRAMS.into_iter().filter(|name| context.wants(name)) {
        listener.working(context.group, name);
        let verdict = match compare(context.tree(), name) {
            Ok(()) => Verdict::Passed,
            Err(report) => Verdict::Failed(*report),
        };
        context.tell(listener, name, verdict);
    }
}

type Checked = Result<(), Box<Report>>;

fn compare(tree: &Tree, name: &str) -> Checked {
    let program = Program::find(tree, tree.root(), name).map_err(said)?;
    let source = program.source(tree);
    let built = lichen_build::build_for_use(tree, &source, BOARD, &mut |_| {}).map_err(said)?;
    let ordinary = built.ordinary.ok_or_else(|| saying("it is not linked twice"))?;
    // The ordinary image has the kernel's stack that fits it only after this.
    lichen_build::build_for_test(tree, &source, BOARD, &mut |_| {}).map_err(said)?;
    let [once, again] = [&ordinary, &built.elf].map(|elf| Image::load(elf).map_err(said));
    let (once, again) = (once?, again?);
    declares_the_same(&once, &again)?;
    is_of_the_same_files(&once, &again)?;
    is_not_larger(&once, &again)?;
    let [once, again] = [once, again].map(|image| profiled(tree, &program, image));
    runs_the_same(&program, &once?, &again?)
}

fn said(error: impl ToString) -> Box<Report> {
    saying(error.to_string())
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(saying(message())) }
}

/// Threads and tasks are found, with the same properties; their control blocks and functions are elsewhere.
fn declares_the_same(once: &Image, again: &Image) -> Checked {
    let threads = |image: &Image| {
        let kernel = Kernel::find(image).ok().flatten();
        let threads = kernel.iter().flat_map(Kernel::threads);
        threads.map(|it| (it.name.clone(), it.stack_bytes, it.priority)).collect::<Vec<_>>()
    };
    let tasks = |image: &Image| {
        let tasks = Task::find(image).into_iter();
        tasks.map(|it| (it.name, it.vector, it.deadline_us)).collect::<Vec<_>>()
    };
    let (first, second) = (threads(once), threads(again));
    ensure(first == second, || format!("threads: {first:?}, and again {second:?}"))?;
    let (first, second) = (tasks(once), tasks(again));
    ensure(first == second, || format!("tasks: {first:?}, and again {second:?}"))
}

/// Each function has a file, which the program has in its ordinary link, too.
fn is_of_the_same_files(once: &Image, again: &Image) -> Checked {
    let known = files(once);
    let found = files(again);
    let other = found.iter().find(|file| !known.contains(*file));
    ensure(other.is_none(), || format!("code is said to be of {other:?}, which is not linked"))?;
    let lacks = |file: &&String| file.starts_with("app/") && !found.contains(*file);
    let lost = known.iter().find(lacks);
    ensure(lost.is_none(), || format!("no code is said to be of {lost:?}"))
}

/// The files of all instructions of functions, those that were inlined among them.
fn files(image: &Image) -> BTreeSet<String> {
    let functions = image.symbols().functions().iter();
    let addresses = functions.flat_map(|it| (it.address..it.address + it.size).step_by(2));
    addresses.flat_map(|at| image.locations(at)).filter_map(|it| it.file).collect()
}

/// The sections are no larger together, and what is on the kernel's stack is known.
fn is_not_larger(once: &Image, again: &Image) -> Checked {
    let (first, second) = (Sizes::of(once).rom(), Sizes::of(again).rom());
    ensure(second < first, || format!("{first} bytes of flash, and again {second}"))?;
    let known = |image| KernelStack::of(image).is_some_and(|stack| stack.need.is_ok());
    ensure(known(once) && known(again), || "the kernel's stack is not computed".to_string())
}

/// What a run has shown.
struct Shown {
    /// The functions that were called.
    functions: BTreeSet<String>,
    console: String,
    /// Names of what is in its symbol table.
    symbols: BTreeSet<String>,
    /// The files of its own functions, by their names.
    own: BTreeSet<String>,
}

/// Runs an image, and compares what it uses of its stacks with what was computed.
fn profiled(tree: &Tree, program: &Program, image: Image) -> Result<Shown, Box<Report>> {
    let image = Arc::new(image);
    let (mut world, mote) = world(tree, program, BOARD, Arc::clone(&image))?;
    let profile = Arc::new(Mutex::new(Profile::new(Arc::clone(&image))));
    world.observe(mote, profile.clone());
    let transcript = watched(&mut world, (program, BOARD), Limit::of(LENGTH), &mut |_| {})?;
    if let Some(complaint) = transcript.complaint() {
        return Err(Box::new(complaint));
    }
    let kernel = Kernel::find(&image).ok().flatten().ok_or_else(|| saying("it has no kernel"))?;
    let computed = KernelStack::of(&image).and_then(|stack| stack.need.ok()).map(|it| it.bytes);
    let marks = kernel.stacks(world.mote(mote).chip());
    let used = marks.iter().find(|mark| mark.name == "kernel").map(|mark| mark.used);
    ensure(used <= computed, || {
        format!("{used:?} bytes of its stack used, {computed:?} computed")
    })?;
    let profile = profile.lock().unwrap_or_else(PoisonError::into_inner);
    let functions = image.symbols().functions();
    let is_own = |address| {
        let file = image.locations(address).pop().and_then(|it| it.file);
        file.is_some_and(|file| file.starts_with("app/"))
    };
    let own = functions.iter().filter(|it| is_own(it.address));
    Ok(Shown {
        functions: profile.tree().functions().into_iter().map(|it| it.name).collect(),
        console: transcript.console,
        symbols: functions.iter().map(|it| source_name(&it.name).to_string()).collect(),
        own: own.map(|it| source_name(&it.name).to_string()).collect(),
    })
}

/// The program prints the same, and those of its functions that are still there are called, so that a breakpoint there is
/// hit.
fn runs_the_same(program: &Program, once: &Shown, again: &Shown) -> Checked {
    let name = &program.manifest.name;
    ensure(once.console == again.console, || {
        format!("{name} prints {:?}, and again {:?}", once.console, again.console)
    })?;
    let called = once.functions.intersection(&once.own).filter(|it| again.symbols.contains(*it));
    let called: BTreeSet<&String> = called.collect();
    ensure(!called.is_empty(), || "none of its functions is left".to_string())?;
    let missed = called.into_iter().find(|function| !again.functions.contains(*function));
    ensure(missed.is_none(), || format!("{missed:?} is called after the ordinary link only"))
}
