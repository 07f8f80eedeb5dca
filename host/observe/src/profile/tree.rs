// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls as a tree: threads and interrupts at the top, functions below, cycles at each.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Index of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Name(usize);

/// Index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(usize);

#[derive(Debug)]
struct Entry {
    name: Name,
    parent: Option<Node>,
    children: HashMap<Name, Node>,
    /// Cycles of the function itself in this call path.
    cycles: u64,
    calls: u64,
}

/// All functions that were called, with callers and cycles.
#[derive(Debug, Default)]
pub struct Tree {
    names: Vec<String>,
    indices: HashMap<String, Name>,
    /// The loaded programs of functions that are theirs.
    programs: HashMap<Name, String>,
    entries: Vec<Entry>,
    roots: HashMap<Name, Node>,
}

/// The totals of one function, over all its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Cycles of its own instructions.
    pub own: u64,
    /// Including those of what it called.
    pub total: u64,
    /// How often it was called.
    pub calls: u64,
}

/// The totals of a loaded program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Cycles of instructions in its code, whoever ran them.
    pub own: u64,
    /// Cycles of its threads, those in the system included.
    pub threads: u64,
}

/// One node of the tree, as shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How deep it is: 0 for threads and interrupts.
    pub depth: usize,
    /// Thread, interrupt or function.
    pub name: String,
    /// Cycles of it and of everything below.
    pub total: u64,
    /// Cycles of its own instructions.
    pub own: u64,
    /// How often it was called from here.
    pub calls: u64,
}

impl Tree {
    pub(super) fn name(&mut self, name: &str) -> Name {
        if let Some(index) = self.indices.get(name) {
            return *index;
        }
        let index = Name(self.names.len());
        self.names.push(name.to_string());
        self.indices.insert(name.to_string(), index);
        index
    }

    /// The name of a function of a loaded program.
    pub(super) fn name_in(&mut self, name: &str, program: &str) -> Name {
        let name = self.name(name);
        self.programs.entry(name).or_insert_with(|| program.to_string());
        name
    }

    pub(super) fn root(&mut self, context: &str) -> Node {
        let name = self.name(context);
        if let Some(node) = self.roots.get(&name) {
            return *node;
        }
        let node = self.grow(name, None);
        self.roots.insert(name, node);
        node
    }

    pub(super) fn child(&mut self, parent: Node, name: Name) -> Node {
        if let Some(node) = self.entries[parent.0].children.get(&name) {
            return *node;
        }
        let node = self.grow(name, Some(parent));
        self.entries[parent.0].children.insert(name, node);
        node
    }

    /// The node of another function that was called from where `node` was.
    pub(super) fn sibling(&mut self, node: Node, name: Name) -> Node {
        match self.entries[node.0].parent {
            Some(parent) => self.child(parent, name),
            None => self.child(node, name),
        }
    }

    fn grow(&mut self, name: Name, parent: Option<Node>) -> Node {
        self.entries.push(Entry { name, parent, children: HashMap::new(), cycles: 0, calls: 0 });
        Node(self.entries.len() - 1)
    }

    pub(super) fn is(&self, node: Node, name: Name) -> bool {
        self.entries[node.0].name == name
    }

    pub(super) fn add(&mut self, node: Node, cycles: u64) {
        self.entries[node.0].cycles += cycles;
    }

    pub(super) fn called(&mut self, node: Node) {
        self.entries[node.0].calls += 1;
    }

    /// All cycles of the processor's clock.
    pub fn cycles(&self) -> u64 {
        self.entries.iter().map(|entry| entry.cycles).sum()
    }

    /// Cycles of each thread and interrupt, most first.
    pub fn contexts(&self) -> Vec<(String, u64)> {
        self.lines(0, 0).into_iter().map(|line| (line.name, line.total)).collect()
    }

    /// Loaded programs that took cycles, most first: those in their code, and all in their threads.
    pub fn programs(&self) -> Vec<Program> {
        let mut programs: BTreeMap<&str, Program> = BTreeMap::new();
        let mut add = |name: &str, own: u64, threads: u64| {
            if let Some(known) = self.programs.values().find(|known| *known == name) {
                let program = programs.entry(known).or_default();
                program.own += own;
                program.threads += threads;
            }
        };
        for entry in &self.entries {
            if let Some(program) = self.programs.get(&entry.name) {
                add(program, entry.cycles, 0);
            }
        }
        for (context, cycles) in self.contexts() {
            if let Some((program, _)) = context.split_once('/') {
                add(program, 0, cycles);
            }
        }
        let named =
            |(name, program): (&str, Program)| Program { name: name.to_string(), ..program };
        let mut programs: Vec<Program> = programs.into_iter().map(named).collect();
        programs.sort_by(|a, b| (b.own, &a.name).cmp(&(a.own, &b.name)));
        programs
    }

    /// Every function, with most own cycles first.
    pub fn functions(&self) -> Vec<Function> {
        let mut functions: HashMap<Name, Function> = HashMap::new();
        let totals = self.totals();
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.parent.is_none() && entry.cycles == 0 {
                continue;
            }
            let function = functions.entry(entry.name).or_insert_with(|| Function {
                name: self.names[entry.name.0].clone(),
                own: 0,
                total: 0,
                calls: 0,
            });
            function.own += entry.cycles;
            function.calls += entry.calls;
            // Below itself, a function's cycles are already counted.
            if !self.is_below_itself(entry) {
                function.total += totals[index];
            }
        }
        let mut functions: Vec<Function> = functions.into_values().collect();
        functions.sort_by(|a, b| (b.own, &a.name).cmp(&(a.own, &b.name)));
        functions
    }

    /// The tree down to `deepest`, without nodes of less than `least` cycles; largest first.
    pub fn lines(&self, deepest: usize, least: u64) -> Vec<Line> {
        let totals = self.totals();
        let mut lines = Vec::new();
        let mut waiting: Vec<(usize, Node)> =
            self.by_total(self.roots.values(), &totals).into_iter().map(|node| (0, node)).collect();
        while let Some((depth, node)) = waiting.pop() {
            let entry = &self.entries[node.0];
            let total = totals[node.0];
            if total < least {
                continue;
            }
            let name = self.names[entry.name.0].clone();
            lines.push(Line { depth, name, total, own: entry.cycles, calls: entry.calls });
            if depth < deepest {
                let below = self.by_total(entry.children.values(), &totals);
                waiting.extend(below.into_iter().map(|node| (depth + 1, node)));
            }
        }
        lines
    }

    /// One line for each call path that took cycles, `thread;main;work CYCLES`: the input of flame
    /// graph tools.
    pub fn collapsed(&self) -> String {
        let mut stacks: Vec<(String, u64)> = self
            .entries
            .iter()
            .filter(|entry| entry.cycles > 0)
            .map(|entry| (self.stack(entry), entry.cycles))
            .collect();
        stacks.sort();
        stacks.iter().fold(String::new(), |mut text, (stack, cycles)| {
            let _ = writeln!(text, "{stack} {cycles}");
            text
        })
    }

    fn stack(&self, entry: &Entry) -> String {
        let mut names: Vec<&str> =
            self.ancestors(entry).map(|entry| self.names[entry.name.0].as_str()).collect();
        names.reverse();
        names.join(";")
    }

    /// `entry` and what is above it.
    fn ancestors<'a>(&'a self, entry: &'a Entry) -> impl Iterator<Item = &'a Entry> {
        std::iter::successors(Some(entry), |entry| Some(&self.entries[entry.parent?.0]))
    }

    fn is_below_itself(&self, entry: &Entry) -> bool {
        self.ancestors(entry).skip(1).any(|above| above.name == entry.name)
    }

    /// Smallest first, as a stack requires.
    fn by_total<'a>(&self, nodes: impl Iterator<Item = &'a Node>, totals: &[u64]) -> Vec<Node> {
        let mut nodes: Vec<(u64, &str, Node)> = nodes
            .map(|node| (totals[node.0], self.names[self.entries[node.0].name.0].as_str(), *node))
            .collect();
        nodes.sort_by(|a, b| (a.0, b.1).cmp(&(b.0, a.1)));
        nodes.into_iter().map(|(.., node)| node).collect()
    }

    /// Cycles of each node with everything below; children follow their parents.
    fn totals(&self) -> Vec<u64> {
        let mut totals: Vec<u64> = self.entries.iter().map(|entry| entry.cycles).collect();
        for index in (0..self.entries.len()).rev() {
            if let Some(parent) = self.entries[index].parent {
                totals[parent.0] += totals[index];
            }
        }
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// main calls work, which calls itself; an interrupt calls work, too.
    fn tree() -> Tree {
        let mut tree = Tree::default();
        let (main, work) = (tree.name("main"), tree.name("work"));
        let thread = tree.root("blinker");
        let main = tree.child(thread, main);
        let outer = tree.child(main, work);
        let inner = tree.child(outer, work);
        let interrupt = tree.root("interrupt RTC");
        let handler = tree.child(interrupt, work);
        for (node, cycles) in [(main, 10), (outer, 20), (inner, 5), (handler, 7)] {
            tree.add(node, cycles);
            tree.called(node);
        }
        tree
    }

    #[test]
    fn functions_are_summed_over_all_ways() {
        let of = |name: &str, own, total, calls| Function { name: name.into(), own, total, calls };
        assert_eq!(tree().functions(), [of("work", 32, 32, 3), of("main", 10, 35, 1)]);
        assert_eq!(tree().cycles(), 42);
    }

    #[test]
    fn lines_are_ordered_and_cut() {
        let lines = tree().lines(2, 6);
        let seen: Vec<(usize, &str, u64)> =
            lines.iter().map(|line| (line.depth, line.name.as_str(), line.total)).collect();
        let thread = [(0, "blinker", 35), (1, "main", 35), (2, "work", 25)];
        assert_eq!(seen[..3], thread);
        assert_eq!(seen[3..], [(0, "interrupt RTC", 7), (1, "work", 7)]);
    }

    #[test]
    fn collapsed_lines_hold_all_cycles() {
        let expected = "blinker;main 10\nblinker;main;work 20\nblinker;main;work;work 5\n\
                        interrupt RTC;work 7\n";
        assert_eq!(tree().collapsed(), expected);
    }
}
