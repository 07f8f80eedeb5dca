// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the cycles go: exactly, for every step of the processor is attributed to the function that
//! made it and to the calls that led there.
//!
//! Calls are followed as they are executed: each opens a frame, arriving at a frame's return
//! address closes it, and any other way into another function (a tail call, the end of assembly that
//! falls through) replaces the function on top. Every thread and every handler has frames of its own;
//! the entry of an exception belongs to its handler.

mod tree;

pub use tree::{Function, Line, Program, Tree};

use crate::{Kernel, Observer, Step};
use lichen_chip::{Chip, instruction};
use lichen_image::{Image, source_name};
use lichen_isa::Flow;
use std::collections::HashMap;
use std::sync::Arc;
use tree::{Name, Node};

/// Return address of the outermost frame: no instruction is there.
const NOWHERE: u32 = u32::MAX;

/// A function under way.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: Node,
    returns_to: u32,
}

/// Code of one function.
#[derive(Clone, Copy, Debug)]
struct Range {
    name: Name,
    begin: u32,
    end: u32,
}

/// A profile being recorded: an [`Observer`].
pub struct Profile {
    image: Arc<Image>,
    kernel: Option<Kernel>,
    tree: Tree,
    /// Frames of each thread; those of the running one are in `frames` if no handler is active.
    threads: HashMap<String, Vec<Frame>>,
    thread: String,
    /// The active exception; 0 for none.
    exception: u32,
    /// Where threads are switched, if no exception does that.
    switch: Option<u32>,
    /// What the active handlers have interrupted, outermost first: exception and frames.
    interrupted: Vec<(u32, Vec<Frame>)>,
    frames: Vec<Frame>,
    function: Option<Range>,
    /// Cycles of something that is not complete yet.
    unfinished: u64,
}

impl Profile {
    /// A profile of `image` from power-up.
    pub fn new(image: Arc<Image>) -> Profile {
        let kernel = Kernel::find(&image).ok().flatten();
        Profile {
            thread: start_name(kernel.as_ref()).to_string(),
            switch: kernel.as_ref().and_then(Kernel::switch),
            image,
            kernel,
            tree: Tree::default(),
            threads: HashMap::new(),
            exception: 0,
            interrupted: Vec::new(),
            frames: Vec::new(),
            function: None,
            unfinished: 0,
        }
    }

    /// The profile so far.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The function around `address`.
    fn range(&mut self, address: u32, chip: &dyn Chip) -> Range {
        if let Some(range) = self.function.filter(|f| (f.begin..f.end).contains(&address)) {
            return range;
        }
        let programs = self.kernel.as_ref().map(|kernel| kernel.programs(chip)).unwrap_or_default();
        if let Some(program) = programs.at(address) {
            let (name, range) = program.function(address);
            let name = self.tree.name_in(&name, &program.name);
            let range = Range { name, begin: range.start, end: range.end };
            self.function = Some(range);
            return range;
        }
        let symbols = self.image.symbols();
        let (name, begin) = match symbols.place(address) {
            Some(place) => (place.name.to_string(), address - place.offset),
            None => (format!("0x{address:08x}"), address),
        };
        let after = symbols.functions().partition_point(|symbol| symbol.address <= begin);
        let next = symbols.functions().get(after).map_or(u32::MAX, |symbol| symbol.address);
        let size = symbols.find(&name).filter(|s| s.address == begin).map_or(0, |s| s.size);
        let end = if size > 0 { begin.saturating_add(size) } else { next };
        let range =
            Range { name: self.tree.name(source_name(&name)), begin, end: end.max(begin + 2) };
        self.function = Some(range);
        range
    }

    /// The node of the function at `address`, on top of the present frames.
    fn top(&mut self, address: u32, context: &str, chip: &dyn Chip) -> Node {
        let name = self.range(address, chip).name;
        match self.frames.last().copied() {
            Some(frame) if self.tree.is(frame.node, name) => frame.node,
            Some(frame) => {
                let node = self.tree.sibling(frame.node, name);
                self.frames.pop();
                self.frames.push(Frame { node, ..frame });
                node
            }
            None => {
                let root = self.tree.root(context);
                let node = self.tree.child(root, name);
                self.frames.push(Frame { node, returns_to: NOWHERE });
                self.tree.called(node);
                node
            }
        }
    }

    fn context(&self, exception: u32, chip: &dyn Chip) -> String {
        match exception {
            0 => self.thread.clone(),
            number => format!("interrupt {}", chip.core().exception_name(number)),
        }
    }

    /// Follows a branch from `step.pc` to `step.next`.
    fn branched(&mut self, step: &Step, chip: &dyn Chip) {
        if let Some(returns_to) = call(step.pc, chip) {
            let name = self.range(step.next, chip).name;
            if let Some(frame) = self.frames.last() {
                let node = self.tree.child(frame.node, name);
                self.frames.push(Frame { node, returns_to });
                self.tree.called(node);
            }
        } else if let Some(index) = self.frames.iter().rposition(|f| f.returns_to == step.next) {
            self.frames.truncate(index);
        }
    }

    /// An exception begins.
    fn entered(&mut self, step: &Step, chip: &dyn Chip) {
        let frames = std::mem::take(&mut self.frames);
        self.interrupted.push((self.exception, frames));
        self.exception = step.exception;
        let cycles = std::mem::take(&mut self.unfinished);
        let node = self.top(step.next, &self.context(step.exception, chip), chip);
        self.tree.add(node, cycles);
    }

    /// An exception has ended; another one follows, or the interrupted code.
    fn left(&mut self, step: &Step, chip: &dyn Chip) {
        self.frames.clear();
        let back = self.interrupted.iter().rposition(|(exception, _)| *exception == self.exception);
        if let Some(index) = back {
            self.frames = self.interrupted.drain(index..).next().map_or(Vec::new(), |(_, f)| f);
        } else {
            self.top(step.next, &self.context(self.exception, chip), chip);
        }
        if self.exception == 0 {
            self.switch(chip);
        }
    }

    /// Continues with the frames of the thread that runs now.
    fn switch(&mut self, chip: &dyn Chip) {
        let running = self.kernel.as_ref().and_then(|kernel| kernel.running(chip));
        let Some(running) = running.filter(|running| *running != self.thread) else { return };
        let running = running.to_string();
        let frames = self.threads.remove(&running).unwrap_or_default();
        let left = std::mem::replace(&mut self.frames, frames);
        let thread = std::mem::replace(&mut self.thread, running);
        self.threads.insert(thread, left);
    }

    /// The chip starts again.
    fn reset(&mut self) {
        self.threads.clear();
        self.interrupted.clear();
        self.frames.clear();
        self.exception = 0;
        self.thread = start_name(self.kernel.as_ref()).to_string();
    }
}

impl Observer for Profile {
    fn step(&mut self, step: &Step, chip: &dyn Chip) {
        if step.asleep {
            let node = self.tree.root("asleep");
            return self.tree.add(node, step.cycles);
        }
        self.unfinished += step.cycles;
        if !step.executed {
            let begins = step.exception != step.exception_before || step.next != step.pc;
            if begins && step.exception != self.exception && step.exception != 0 {
                self.entered(step, chip);
            }
            return;
        }
        if step.is_first(chip) {
            self.reset();
        }
        let cycles = std::mem::take(&mut self.unfinished);
        let node = self.top(step.pc, &self.context(self.exception, chip), chip);
        self.tree.add(node, cycles);
        if step.exception != self.exception {
            self.exception = step.exception;
            return self.left(step, chip);
        }
        if self.switch == Some(step.pc) {
            self.switch(chip);
        }
        if step.next != step.pc + 2 {
            self.branched(step, chip);
        }
    }
}

/// Code that runs before there are threads, or all code in an image that has none or whose threads are
/// not known.
fn start_name(kernel: Option<&Kernel>) -> &'static str {
    if kernel.is_some_and(Kernel::has_threads) { "start-up" } else { "firmware" }
}

/// Return address of the call at `address`, if the instruction there is one.
fn call(address: u32, chip: &dyn Chip) -> Option<u32> {
    let instruction = instruction(chip, address)?;
    let calls = matches!(instruction.flow, Flow::Call(_) | Flow::IndirectCall);
    calls.then(|| address + instruction.bytes)
}
