// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `again`: what the tools say of a program after its second link is what they say after the ordinary one
//! (`os/again.cmake`). Not the same to the byte: code is shorter, and functions are part of others.

use super::{Context, Listener, Report, Verdict};
use lichen_build::size::Sizes;
use lichen_build::stack::KernelStack;
use lichen_chip::{Chip, Time};
use lichen_image::Image;
use lichen_observe::{Kernel, Observer, Profile, Step, Task};
use lichen_project::{Program, Tree};
use lichen_test::mote::{saying, watched, world};
use lichen_test::transcript::Limit;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Programs that between them have threads, a console, a shell, cooperative threads, a real-time task and a radio, and
/// their boards.
const PROGRAMS: [(&str, &str); 6] = [
    ("blink", HAMILTON),
    ("echo", HAMILTON),
    ("shell", HAMILTON),
    ("thermometer", "samr21-xpro"),
    ("sampler", HAMILTON),
    ("link_ping", HAMILTON),
];
const HAMILTON: &str = "hamilton";
/// How long each runs.
const LENGTH: Time = Time::from_ms(3_000);

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    for (name, board) in PROGRAMS.into_iter().filter(|(name, _)| context.wants(name)) {
        listener.working(context.group, name);
        let verdict = match compare(context.tree(), name, board) {
            Ok(()) => Verdict::Passed,
            Err(report) => Verdict::Failed(*report),
        };
        context.tell(listener, name, verdict);
    }
}

type Checked = Result<(), Box<Report>>;

fn compare(tree: &Tree, name: &str, board: &str) -> Checked {
    let program = Program::find(tree, tree.root(), name).map_err(said)?;
    let source = program.source(tree);
    let built = lichen_build::build_for_use(tree, &source, board, &mut |_| {}).map_err(said)?;
    let ordinary = built.ordinary.ok_or_else(|| saying("it is not linked twice"))?;
    // The ordinary image has the kernel's stack that fits it only after this.
    lichen_build::build_for_test(tree, &source, board, &mut |_| {}).map_err(said)?;
    let [once, again] = [&ordinary, &built.elf].map(|elf| Image::load(elf).map_err(said));
    let (once, again) = (once?, again?);
    declares_the_same(&once, &again)?;
    is_of_the_same_files(&once, &again)?;
    is_not_larger(&once, &again)?;
    let [once, again] = [once, again].map(|image| observed(tree, (&program, board), image));
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
    image: Arc<Image>,
    console: String,
    /// The functions that were called.
    functions: BTreeSet<String>,
    /// Those of the program, and those that it has called.
    called: BTreeSet<String>,
    /// The addresses of what was executed.
    executed: BTreeSet<u32>,
}

/// A profile, and the addresses of what is executed.
struct Observed {
    profile: Profile,
    executed: BTreeSet<u32>,
}

impl Observer for Observed {
    fn step(&mut self, step: &Step, chip: &dyn Chip) {
        self.executed.insert(step.pc);
        self.profile.step(step, chip);
    }
}

/// Runs an image, and compares what it uses of its stacks with what was computed.
fn observed(
    tree: &Tree,
    (program, board): (&Program, &str),
    image: Image,
) -> Result<Shown, Box<Report>> {
    let image = Arc::new(image);
    let (mut world, mote) = world(tree, program, board, Arc::clone(&image))?;
    let observed =
        Observed { profile: Profile::new(Arc::clone(&image)), executed: BTreeSet::new() };
    let observed = Arc::new(Mutex::new(observed));
    world.observe(mote, observed.clone());
    let transcript = watched(&mut world, (program, board), Limit::of(LENGTH), &mut |_| {})?;
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
    let mut observed = observed.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Shown {
        functions: observed.profile.tree().functions().into_iter().map(|it| it.name).collect(),
        called: called(&image, &observed.profile),
        executed: std::mem::take(&mut observed.executed),
        console: transcript.console,
        image,
    })
}

/// The functions of the program that were called, and those that it has called itself.
fn called(image: &Image, profile: &Profile) -> BTreeSet<String> {
    let is_own = |name: &String| {
        let at = image.symbols().find(name).map(|it| image.locations(it.address));
        let file = at.and_then(|mut at| at.pop()?.file);
        file.is_some_and(|file| file.starts_with("app/"))
    };
    let mut way: Vec<String> = Vec::new();
    let mut called = BTreeSet::new();
    for line in profile.tree().lines(usize::MAX, 0) {
        way.truncate(line.depth);
        if is_own(&line.name) || way.last().is_some_and(is_own) {
            called.insert(line.name.clone());
        }
        way.push(line.name);
    }
    called
}

/// The program prints the same. Its functions, and what it calls, are called, or begin where they have become part of
/// others: a breakpoint or a trace finds them. Most of what other files know is still called, so that the profile has it.
fn runs_the_same(program: &Program, once: &Shown, again: &Shown) -> Checked {
    let name = &program.manifest.name;
    ensure(once.console == again.console, || {
        format!("{name} prints {:?}, and again {:?}", once.console, again.console)
    })?;
    let symbols = once.called.iter().filter_map(|name| once.image.symbols().find(name));
    // Those of the compiler's libraries have no lines.
    let called: Vec<_> =
        symbols.filter(|it| !once.image.locations(it.address).is_empty()).collect();
    for function in &called {
        let entries = again.image.entries(&function.name);
        let is_entered = entries.iter().any(|at| again.executed.contains(at));
        ensure(is_entered, || format!("`{}` begins after the ordinary link only", function.name))?;
    }
    let (left, lost): (Vec<&str>, Vec<&str>) = called
        .iter()
        .filter(|function| function.global)
        .map(|function| function.name.as_str())
        .partition(|name| again.functions.contains(*name));
    ensure(left.len() > lost.len(), || format!("{lost:?} are called after the ordinary link only"))
}
