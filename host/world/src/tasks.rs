// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long the real-time tasks of a mote take, from request to return, and whether they are in time.

use crate::translate;
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Chip, Time};
use lichen_image::Image;
use lichen_observe::Task;
use lichen_trace::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// What was seen of one real-time task.
#[derive(Clone, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct TaskRuns {
    /// How often it has returned.
    pub runs: u64,
    /// Most cycles from its first instruction to the end of its last one, without tasks that preempted it.
    pub most_cycles: u64,
    /// Longest time from a request to the end of the task.
    pub longest_response: Time,
    /// How often that was longer than its deadline, requests that wait for longer than that now included.
    pub missed: u64,
    /// Whether it has begun and not returned.
    #[borsh(skip)]
    pub is_running: bool,
}

impl TaskRuns {
    /// Adds what was seen of the same task of another mote.
    pub fn add(&mut self, other: &TaskRuns) {
        self.runs += other.runs;
        self.missed += other.missed;
        self.most_cycles = self.most_cycles.max(other.most_cycles);
        self.longest_response = self.longest_response.max(other.longest_response);
        self.is_running |= other.is_running;
    }
}

/// A request whose deadline is past, and whose task has not ended.
struct Overdue<'a> {
    task: &'a Task,
    requested: Time,
    /// Whether the task has begun.
    has_begun: bool,
}

/// The tasks of an image and where to look for them. All motes that run it have it in common.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    tasks: Vec<(Task, u32)>,
    /// What each instruction is for which task.
    places: BTreeMap<u32, (usize, Place)>,
}

/// A place in a task's function.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Its first instruction.
    Begin,
    /// An instruction that returns after so many cycles.
    Return(u32),
}

impl Watched {
    /// The tasks of `image` on `chip`.
    pub(crate) fn find(image: &Image, chip: &dyn Chip) -> Watched {
        let core = chip.core();
        let first = core.architecture().first_interrupt;
        let number = |task: &Task| {
            (first..u64::BITS).find(|number| core.exception_name(*number) == task.vector)
        };
        let tasks = Task::find(image).into_iter();
        let tasks: Vec<(Task, u32)> =
            tasks.filter_map(|task| number(&task).map(|number| (task, number))).collect();
        let mut places = BTreeMap::new();
        for (index, (task, _)) in tasks.iter().enumerate() {
            places.extend(
                task.returns.iter().map(|(at, cycles)| (*at, (index, Place::Return(*cycles)))),
            );
            places.insert(task.begin, (index, Place::Begin));
        }
        Watched { tasks, places }
    }

    /// The tasks, as declared.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().map(|(task, _)| task)
    }

    /// The instructions before which the mote must be looked at.
    pub(crate) fn places(&self) -> impl Iterator<Item = u32> {
        self.places.keys().copied()
    }

    /// Whether `pc` is one of them.
    pub(crate) fn is_at(&self, pc: u32) -> bool {
        self.places.contains_key(&pc)
    }
}

/// A handler that begins so many cycles after it has returned has had its request all the while: less than it takes
/// to go on with a thread and to be interrupted anew.
const AT_ONCE: u64 = 12;

/// Follows the tasks of one mote.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct Tasks {
    seen: BTreeMap<String, TaskRuns>,
    /// Those that have begun and not returned, the innermost last.
    active: Vec<Active>,
    /// The time of the last request of each that was served, by index.
    served: BTreeMap<usize, Time>,
    /// The cycle at which each has returned, by index.
    returned: BTreeMap<usize, u64>,
    /// Those of which it was said that they run again at once.
    insistent: BTreeSet<usize>,
    /// When start-up was over: requests from before then wait for its end.
    started: Option<Time>,
}

/// A task that has begun.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
struct Active {
    task: usize,
    /// When it was requested, if that is known.
    requested: Option<Time>,
    /// The cycle of its first instruction.
    begun: u64,
    /// Cycles of the tasks that have preempted it.
    preempted: u64,
}

impl Tasks {
    /// What was seen, by name.
    pub(crate) fn seen(&self, watched: &Watched, chip: &dyn Chip) -> BTreeMap<String, TaskRuns> {
        let mut seen = self.seen.clone();
        for active in &self.active {
            let name = &watched.tasks[active.task].0.name;
            seen.entry(name.clone()).or_default().is_running = true;
        }
        for overdue in self.overdue(watched, chip) {
            seen.entry(overdue.task.name.clone()).or_default().missed += 1;
        }
        seen
    }

    /// A sentence about each request whose deadline is past, and whose task has not ended.
    pub(crate) fn complaints(&self, watched: &Watched, chip: &dyn Chip) -> Vec<String> {
        let complaint = |Overdue { task, requested, has_begun }: Overdue<'_>| {
            let Task { name, deadline_us, .. } = task;
            let what = if has_begun { "has not ended" } else { "has not begun" };
            format!(
                "real-time task {name} missed its deadline: requested at {requested} s, it {what} by the end; its \
                 .deadline_us is {deadline_us}"
            )
        };
        self.overdue(watched, chip).into_iter().map(complaint).collect()
    }

    fn overdue<'a>(&self, watched: &'a Watched, chip: &dyn Chip) -> Vec<Overdue<'a>> {
        let running = self.active.iter().filter_map(|active| {
            let requested = active.requested.or(self.started)?;
            Some(Overdue { task: &watched.tasks[active.task].0, requested, has_begun: true })
        });
        let pending = watched.tasks.iter().enumerate().filter_map(|(index, (task, number))| {
            let requested = self.pending(index, *number, chip)?;
            Some(Overdue { task, requested, has_begun: false })
        });
        let is_past = |it: &Overdue<'_>| {
            chip.now() > it.requested + Time::from_us(it.task.deadline_us.into())
        };
        running.chain(pending).filter(is_past).collect()
    }

    /// The tasks on timers that have never been requested.
    pub(crate) fn idle<'a>(
        &'a self,
        watched: &'a Watched,
        chip: &'a dyn Chip,
    ) -> impl Iterator<Item = &'a Task> {
        let seen = self.seen(watched, chip);
        let on_timers = watched.tasks.iter().filter(|(_, number)| chip.is_of_timer(*number));
        on_timers.map(|(task, _)| task).filter(move |task| {
            seen.get(&task.name).is_none_or(|runs| *runs == TaskRuns::default())
        })
    }

    /// When the request was made that waits for a task.
    fn pending(&self, task: usize, number: u32, chip: &dyn Chip) -> Option<Time> {
        let is_pending = chip.core().requests() >> number & 1 != 0;
        let risen = chip.core().requested_at(number).filter(|_| is_pending)?.time;
        let is_served = self.served.get(&task).is_some_and(|served| risen <= *served);
        (!is_served).then(|| risen.max(self.started.unwrap_or(Time::ZERO)))
    }

    /// The chip starts again.
    pub(crate) fn reset(&mut self) {
        self.active.clear();
        self.returned.clear();
        self.started = None;
    }

    /// The processor is about to sleep: whatever starts up has ended.
    pub(crate) fn sleeps(&mut self, now: Time) {
        self.started.get_or_insert(now);
    }

    /// The processor is before the instruction at its program counter. What is wrong with the
    /// task that begins or returns there.
    pub(crate) fn look(&mut self, watched: &Watched, image: &Image, chip: &dyn Chip) -> Vec<Kind> {
        match watched.places.get(&chip.core().pc()) {
            Some((task, at)) => {
                let (declared, number) = &watched.tasks[*task];
                let complaints = match at {
                    Place::Begin => self.begin(*task, declared, *number, chip),
                    Place::Return(cycles) => self.end(*task, *cycles, declared, chip),
                };
                let place = translate::place(image, declared.begin);
                let warning = |what| Kind::Warning { what, place: place.clone() };
                complaints.into_iter().map(warning).collect()
            }
            None => Vec::new(),
        }
    }

    /// The task begins. What is wrong, said once.
    fn begin(&mut self, task: usize, declared: &Task, number: u32, chip: &dyn Chip) -> Vec<String> {
        let now = chip.now();
        let started = *self.started.get_or_insert(now);
        // A request that software has made, or one that goes on, is no rise of the line.
        let risen = chip.core().requested_at(number).map(|request| request.time);
        let served = self.served.get(&task).copied();
        let risen = risen.filter(|time| *time > served.unwrap_or(Time::ZERO));
        self.served.extend(risen.map(|time| (task, time)));
        let requested = risen.unwrap_or(now);
        // One that has not returned by an instruction that returns is left out.
        self.active.retain(|active| active.task != task);
        self.active.push(Active {
            task,
            requested: (requested >= started).then_some(requested),
            begun: chip.cycle().0,
            preempted: 0,
        });
        let since = self.returned.get(&task).map(|returned| chip.cycle().0 - returned);
        let is_anew = risen.is_none() && since.is_some_and(|since| since <= AT_ONCE);
        if is_anew && self.insistent.insert(task) {
            let name = &declared.name;
            return vec![format!(
                "real-time task {name} runs again at once: its request is still there when it returns; \
                 rt_acknowledge() ends that of a timer"
            )];
        }
        Vec::new()
    }

    /// The task returns in `cycles`. What is wrong, if it has not been worse.
    fn end(&mut self, task: usize, cycles: u32, declared: &Task, chip: &dyn Chip) -> Vec<String> {
        let Some(place) = self.active.iter().rposition(|active| active.task == task) else {
            return Vec::new();
        };
        self.active.truncate(place + 1);
        let Some(active) = self.active.pop() else { return Vec::new() };
        let returned = chip.cycle().0 + u64::from(cycles);
        self.returned.insert(task, returned);
        let whole = returned - active.begun;
        if let Some(outer) = self.active.last_mut() {
            outer.preempted += whole + chip.core().architecture().interrupt_cycles;
        }
        let own = whole.saturating_sub(active.preempted);
        let response = active.requested.map(|requested| chip.now() - requested);
        self.record(declared, own, response)
    }

    /// Counts a run. A sentence about each value that is out of bounds, and twice as bad as any before.
    fn record(&mut self, declared: &Task, cycles: u64, response: Option<Time>) -> Vec<String> {
        let seen = self.seen.entry(declared.name.clone()).or_default();
        let name = &declared.name;
        let mut complaints = Vec::new();
        seen.runs += 1;
        let allowed = u64::from(declared.wcet_cycles);
        if cycles > allowed && (seen.most_cycles <= allowed || cycles >= 2 * seen.most_cycles) {
            complaints.push(format!(
                "real-time task {name} took {cycles} cycles; its .wcet_cycles is {allowed}"
            ));
        }
        seen.most_cycles = seen.most_cycles.max(cycles);
        let Some(response) = response else { return complaints };
        let deadline = Time::from_us(declared.deadline_us.into());
        if response > deadline {
            seen.missed += 1;
            if seen.missed == 1 || response >= seen.longest_response + seen.longest_response {
                complaints.push(format!(
                    "real-time task {name} missed its deadline: it ended {:.2} us after its request; \
                     its .deadline_us is {}",
                    response.as_us(),
                    declared.deadline_us
                ));
            }
        }
        seen.longest_response = seen.longest_response.max(response);
        complaints
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tasks that begin at once, of which the first waits until the second has returned.
    #[test]
    fn a_task_that_is_preempted_is_charged_for_its_own_cycles() {
        let chip = lichen_chip::by_part("ATSAMR21G18A", &Default::default()).expect("a chip");
        let declared = |name: &str| Task {
            name: name.to_string(),
            vector: String::new(),
            priority: 0,
            period_us: 1_000,
            deadline_us: 1_000,
            wcet_cycles: 1_000,
            begin: 0,
            returns: Vec::new(),
        };
        let (outer, inner) = (declared("outer"), declared("inner"));
        let mut tasks = Tasks::default();
        tasks.begin(0, &outer, 0, chip.as_ref());
        tasks.begin(1, &inner, 1, chip.as_ref());
        tasks.end(1, 40, &inner, chip.as_ref());
        tasks.end(0, 700, &outer, chip.as_ref());
        let interrupt = chip.core().architecture().interrupt_cycles;
        assert_eq!(tasks.seen["inner"].most_cycles, 40);
        assert_eq!(tasks.seen["outer"].most_cycles, 700 - 40 - interrupt);
    }
}
