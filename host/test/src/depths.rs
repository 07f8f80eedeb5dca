// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether programs use no more of the kernel's stack than is computed, and how near they come.

use super::{Context, Listener, Report, Verdict};
use lichen_build::stack::KernelStack;
use lichen_world::{MoteId, World};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The name of the test.
const NAME: &str = "kernel_stack";

/// What a program used of what is computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Depth {
    name: String,
    used: u32,
    computed: u32,
}

/// Those of a group's programs.
#[derive(Debug, Default)]
pub struct Depths {
    noted: Mutex<Noted>,
}

/// What is known of some programs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Noted {
    all: Vec<Depth>,
    /// Programs that nothing can be computed of.
    others: u32,
}

impl Noted {
    /// What is known of the only mote of `world`, whose image has `stack`; one that panicked may have used what panics
    /// need.
    pub fn of(name: &str, stack: Option<&KernelStack>, panicked: bool, world: &World) -> Noted {
        let Some(Ok(need)) = stack.map(|stack| &stack.need) else {
            return Noted { all: Vec::new(), others: 1 };
        };
        let computed = if panicked { need.bytes.max(need.panic) } else { need.bytes };
        let marks = world.mote(MoteId(0)).stacks();
        let mark = marks.iter().find(|mark| mark.name == "kernel");
        let depth = mark.map(|mark| Depth { name: name.to_string(), used: mark.used, computed });
        Noted { all: depth.into_iter().collect(), others: 0 }
    }
}

impl Depths {
    /// Adds what is known of other programs.
    pub fn add(&self, other: Noted) {
        let mut noted = self.noted();
        noted.all.extend(other.all);
        noted.others += other.others;
    }

    /// Tells how it went.
    pub fn tell(&self, context: &Context<'_>, listener: &mut dyn Listener) {
        let mut noted = self.noted();
        noted.all.sort_by_key(Depth::share);
        let Noted { all, others } = &*noted;
        if all.is_empty() {
            return;
        }
        if all.len() > 1 {
            listener.figure(context.group, &figure(all, *others));
        }
        let verdict = verdict(all);
        if context.wants(NAME) || verdict != Verdict::Passed {
            context.tell(listener, NAME, verdict);
        }
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Depth {
    /// How near it came, then its name: programs end in any order.
    fn share(&self) -> (u32, String) {
        (self.used * 1000 / self.computed.max(1), self.name.clone())
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

/// A line about programs in the order of how near they came.
fn figure(all: &[Depth], others: u32) -> String {
    let reported = |depth: &Depth| format!("{} {} of {}", depth.name, depth.used, depth.computed);
    let middle = all.len() / 2;
    let mut text = format!("kernel's stack, bytes used of those computed, {} programs", all.len());
    if others > 0 {
        text += &format!(" (of {others} nothing is computed)");
    }
    let ends = [("nearest", all.len() - 1), ("median", middle), ("farthest", 0)];
    for (what, index) in ends {
        text += &format!("; {what} {}", reported(&all[index]));
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
        let mut all = [depth("a", 50, 100), depth("b", 90, 100), depth("c", 10, 100)];
        all.sort_by_key(Depth::share);
        let text = figure(&all, 2);
        assert!(text.ends_with("nearest b 90 of 100; median a 50 of 100; farthest c 10 of 100"));
        assert!(text.contains("3 programs (of 2 nothing"), "{text}");
    }
}
