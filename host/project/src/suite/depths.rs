// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether programs use no more of the kernel's stack than is computed, and how near they come.

use super::{Bench, Listener, Report, Verdict};
use crate::stack::KernelStack;
use lichen_world::{MoteId, World};
use std::cell::RefCell;

/// The name of the test.
const NAME: &str = "kernel_stack";

/// What a program used of what is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Depth {
    name: String,
    used: u32,
    computed: u32,
}

/// Those of a group's programs.
#[derive(Debug, Default)]
pub(super) struct Depths {
    all: RefCell<Vec<Depth>>,
    /// Programs that nothing can be computed of.
    others: RefCell<u32>,
}

impl Depths {
    /// Takes note of the only mote of `world`, whose image has `stack`; one that panicked may have used what
    /// panics need.
    pub(super) fn note(
        &self,
        name: &str,
        stack: Option<&KernelStack>,
        panicked: bool,
        world: &World,
    ) {
        let Some(Ok(need)) = stack.map(|stack| &stack.need) else {
            *self.others.borrow_mut() += 1;
            return;
        };
        let computed = if panicked { need.bytes.max(need.panic) } else { need.bytes };
        let marks = world.mote(MoteId(0)).stacks();
        if let Some(mark) = marks.iter().find(|mark| mark.name == "kernel") {
            let depth = Depth { name: name.to_string(), used: mark.used, computed };
            self.all.borrow_mut().push(depth);
        }
    }

    /// Tells how it went.
    pub(super) fn tell(&self, bench: &Bench<'_>, listener: &mut dyn Listener) {
        let all = self.all.borrow();
        if all.is_empty() {
            return;
        }
        if all.len() > 1 {
            listener.figure(bench.group, &figure(&all, *self.others.borrow()));
        }
        let verdict = verdict(&all);
        if bench.wants(NAME) || verdict != Verdict::Passed {
            bench.tell(listener, NAME, verdict);
        }
    }
}

fn verdict(all: &[Depth]) -> Verdict {
    let deeper = |depth: &&Depth| depth.used > depth.computed;
    match all.iter().find(deeper) {
        None => Verdict::Passed,
        Some(Depth { name, used, computed }) => Verdict::Failed(Report::saying(format!(
            "{name} used {used} bytes of the kernel's stack, more than the {computed} that are computed"
        ))),
    }
}

fn figure(all: &[Depth], others: u32) -> String {
    let mut sorted = all.to_vec();
    sorted.sort_by_key(|depth| (depth.used * 1000 / depth.computed.max(1), depth.name.clone()));
    let told = |depth: &Depth| format!("{} {} of {}", depth.name, depth.used, depth.computed);
    let middle = sorted.len() / 2;
    let mut text = format!("kernel's stack, bytes used of those computed, {} programs", all.len());
    if others > 0 {
        text += &format!(" (of {others} nothing is computed)");
    }
    let ends = [("nearest", sorted.len() - 1), ("median", middle), ("farthest", 0)];
    for (what, index) in ends {
        text += &format!("; {what} {}", told(&sorted[index]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(name: &str, used: u32, computed: u32) -> Depth {
        Depth { name: name.to_string(), used, computed }
    }

    #[test]
    fn one_byte_more_than_computed_fails() {
        assert_eq!(verdict(&[depth("a", 100, 100)]), Verdict::Passed);
        let Verdict::Failed(report) = verdict(&[depth("a", 1, 2), depth("b", 104, 100)]) else {
            panic!("must fail");
        };
        assert!(report.message.starts_with("b used 104 bytes"), "{}", report.message);
    }

    #[test]
    fn the_figure_has_the_nearest_and_the_farthest() {
        let all = [depth("a", 50, 100), depth("b", 90, 100), depth("c", 10, 100)];
        let text = figure(&all, 2);
        assert!(text.ends_with("nearest b 90 of 100; median a 50 of 100; farthest c 10 of 100"));
        assert!(text.contains("3 programs (of 2 nothing"), "{text}");
    }
}
