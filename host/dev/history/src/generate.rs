// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random histories. A history is generated together with the model, so that its steps are
//! possible; `proptest` draws and shrinks it.

use crate::compare::{Stopped, compare_counting};
use crate::search::{Trial, runner, search_in};
use crate::step::resolved;
use crate::{Count, Difference, Failure, Mote, Step, Strike};
use lichen_model::{
    ALARMS, Actor, COOPS, CREATED, Call, EVENTS, LEVELS, Model, Move, Port, Program,
    QUEUE_RT_LEVEL, SEMAPHORE_RT, Seen, Tick, Until,
};
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Just, Strategy, Union};
use proptest_state_machine::ReferenceStateMachine;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// How often a call without an interrupt is made, relative to a kind's interrupts.
const CALLS: u32 = 30;
/// Histories are planned for this one, and compared on any: what does not fit is left out.
const PORT: Port = Port::SAM_R21;
/// By this instruction, most calls have taken effect.
const HALFWAY: u16 = 120;

/// The place of alarms in [`Kind::weights`].
const ALARMS_GROUP: usize = 13;

/// A kind of history: which calls are made how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The program that it uses.
    pub program: Program,
    /// Its name.
    pub name: &'static str,
    /// The frequencies of calls on: semaphores, mutexes, conditions, barriers, references, queues,
    /// notifications, events and timers, time, lives, priorities, woven pairs, cooperative threads, alarms.
    weights: [u32; 14],
    interrupts: u32,
}

impl Kind {
    /// The name of its program, and its own.
    pub fn full_name(&self) -> String {
        let program = match self.program {
            Program::Threads => "threads",
            Program::Coop => "coop",
            Program::Alone => "alone",
        };
        format!("{program}/{}", self.name)
    }
}

/// All kinds.
pub const KINDS: [Kind; 15] = [
    kind(Program::Threads, "semaphore", [12, 0, 0, 0, 0, 0, 0, 5, 2, 2, 3, 0, 0, 0], 3),
    kind(Program::Threads, "mutex", [2, 20, 4, 0, 0, 0, 1, 1, 6, 2, 4, 0, 0, 0], 1),
    kind(Program::Threads, "inherit", [1, 24, 0, 0, 0, 0, 0, 0, 5, 1, 3, 0, 0, 0], 0),
    kind(Program::Threads, "meeting", [1, 0, 0, 8, 8, 0, 2, 1, 2, 3, 3, 0, 0, 0], 2),
    kind(Program::Threads, "queue", [1, 0, 0, 0, 0, 16, 1, 2, 2, 2, 3, 0, 0, 0], 4),
    kind(Program::Threads, "event", [3, 0, 0, 0, 0, 2, 6, 14, 2, 1, 2, 2, 0, 0], 8),
    kind(Program::Threads, "woven", [1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 20, 0, 0], 8),
    kind(Program::Threads, "time", [2, 2, 1, 1, 1, 2, 2, 8, 14, 1, 2, 0, 0, 0], 2),
    kind(Program::Threads, "life", [2, 4, 2, 2, 1, 3, 2, 1, 2, 16, 6, 0, 0, 0], 1),
    kind(Program::Threads, "all", [4, 6, 4, 3, 3, 5, 4, 6, 5, 6, 5, 3, 0, 0], 4),
    kind(Program::Threads, "alarm", [0, 0, 0, 0, 0, 0, 1, 3, 4, 2, 1, 1, 0, 24], 2),
    kind(Program::Coop, "signals", [1, 0, 0, 0, 0, 0, 1, 1, 4, 1, 0, 0, 12, 0], 4),
    kind(Program::Coop, "control", [0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 16, 0], 1),
    kind(Program::Alone, "signals", [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 16, 0], 6),
    kind(Program::Alone, "control", [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 16, 0], 1),
];

const fn kind(program: Program, name: &'static str, weights: [u32; 14], interrupts: u32) -> Kind {
    Kind { program, name, weights, interrupts }
}

/// A program that is being planned: the model, with a clock of its own.
#[derive(Clone, Debug)]
pub struct Plan {
    kind: Kind,
    model: Model,
    now: Tick,
    /// The call within which an interrupt has come, and its actor.
    struck: Option<(Actor, Call)>,
}

impl Plan {
    fn new(kind: Kind) -> Plan {
        Plan { kind, model: Model::new(kind.program, PORT), now: 0, struck: None }
    }

    fn apply(mut self, step: Step) -> Plan {
        match step {
            Step::Call(actor, call) => {
                self.call(actor, call);
            }
            Step::Within(actor, call, strike) if self.call(actor, call) => {
                // The middle is after most calls have taken effect.
                if strike.instruction > HALFWAY {
                    self.settle();
                }
                if self.model.interruptible(strike.level) {
                    self.model.interrupt(strike.level);
                    self.struck = Some((actor, call));
                }
            }
            Step::Interrupt(level) if self.model.interruptible(level) => {
                self.model.interrupt(level);
                self.now += 1;
            }
            Step::Idle(us) if self.model.agrees(Seen::Idle) => self.idle(us),
            _ => {}
        }
        self.settle();
        self
    }

    /// The asking actor makes a call, if it may.
    fn call(&mut self, actor: Actor, call: Call) -> bool {
        let call = resolved(call, PORT.us_of_tick(self.now), 1);
        let may = self.model.expectation().0 == Some(actor) && self.model.allows(call);
        if may {
            self.struck = self.struck.filter(|(struck, _)| *struck != actor);
            self.model.begin(call);
            let us = if let Call::Compute(us) = call { us } else { 60 };
            self.now += PORT.tick_of_us(us.into());
        }
        may
    }

    /// Time passes until an actor asks.
    fn idle(&mut self, us: u32) {
        let end = self.now + PORT.tick_of_us(us.into());
        while self.now < end && self.model.agrees(Seen::Idle) {
            let next = self.model.next_due().unwrap_or(end);
            self.now = next.clamp(self.now + 1, end);
            self.settle();
        }
    }

    /// Makes the possible moves, except turns.
    fn settle(&mut self) {
        self.model.pass(self.now, PORT.us_of_tick(self.now));
        while let Some(next) = self.model.moves().into_iter().find(|next| {
            let of_clocks = matches!(next, Move::Expire(_, false) | Move::Fire(_));
            of_clocks || matches!(next, Move::Act | Move::Arrive | Move::Pass)
        }) {
            self.model.make(next);
        }
    }

    fn steps(&self) -> BoxedStrategy<Step> {
        let mut choices: Vec<(u32, BoxedStrategy<Step>)> = Vec::new();
        let interrupts: Vec<Step> = (0..LEVELS)
            .filter(|level| self.model.interruptible(*level))
            .map(Step::Interrupt)
            .collect();
        if !interrupts.is_empty() && self.kind.interrupts > 0 {
            choices.push((self.kind.interrupts, select(interrupts).boxed()));
        }
        let Some(actor) = self.model.expectation().0 else {
            let mut lengths = vec![100, 1_000, 10_000, 100_000];
            if self.kind.program != Program::Threads {
                lengths.push(20_000_000);
            }
            choices.push((20, select(lengths).prop_map(Step::Idle).boxed()));
            return Union::new_weighted(choices).boxed();
        };
        let calls = self.calls(actor);
        if self.kind.interrupts > 0 {
            let instruction = instruction(self.kind);
            let within = (calls.clone(), select((0..LEVELS).collect::<Vec<_>>()), instruction);
            let within = within.prop_map(move |(call, level, instruction)| {
                Step::Within(actor, call, Strike { level, instruction })
            });
            choices.push((4 * self.kind.interrupts, within.boxed()));
        }
        choices.push((CALLS, calls.prop_map(move |call| Step::Call(actor, call)).boxed()));
        Union::new_weighted(choices).boxed()
    }

    /// The calls that an actor may make.
    fn calls(&self, actor: Actor) -> BoxedStrategy<Call> {
        let fitting =
            |call: &Call| self.model.allows(resolved(*call, PORT.us_of_tick(self.now), 1));
        let weighted = calls(actor).into_iter().zip(self.weights(actor));
        let mut choices: Vec<(u32, BoxedStrategy<Call>)> = weighted
            .filter_map(|(calls, weight)| {
                let calls: Vec<Call> = calls.into_iter().filter(fitting).collect();
                (!calls.is_empty() && weight > 0).then(|| (weight, select(calls).boxed()))
            })
            .collect();
        let related = match self.struck {
            Some((other, call)) if other != actor => related(actor, other, call),
            _ => Vec::new(),
        };
        let related: Vec<Call> = related.into_iter().filter(fitting).collect();
        if !related.is_empty() {
            let all: u32 = choices.iter().map(|(weight, _)| weight).sum();
            choices.push((all, select(related).boxed()));
        }
        Union::new_weighted(choices).boxed()
    }

    /// The weights of an actor's calls; handlers return sooner or later.
    fn weights(&self, actor: Actor) -> Vec<u32> {
        let mut weights = self.kind.weights.to_vec();
        let all: u32 = weights.iter().sum();
        weights.push(match actor {
            Actor::Thread(_) => 0,
            Actor::Coop(_) => 1,
            _ => all / 2 + 1,
        });
        weights
    }
}

/// What `actor` can do to an actor in the middle of a call, or to the object of that call.
fn related(actor: Actor, struck: Actor, call: Call) -> Vec<Call> {
    match actor {
        Actor::Interrupt(_) => related_posts(struck, call),
        _ => related_calls(struck, call),
    }
}

fn related_posts(struck: Actor, call: Call) -> Vec<Call> {
    match (call, struck) {
        (Call::EventPost(event), _) => vec![Call::EventPost(event)],
        (Call::NotifyPost(notify) | Call::NotifyWait(notify, _), _) => {
            vec![Call::NotifyPost(notify)]
        }
        (Call::SemaphoreWait(..) | Call::SemaphoreTry(_) | Call::SemaphorePost(_), _) => {
            vec![Call::SemaphorePostFrom]
        }
        (Call::QueueReceive(..) | Call::QueueTryReceive(_) | Call::QueueHeld(_), _) => {
            vec![Call::QueueSendFrom(0)]
        }
        // Alarms are overdue when it goes on.
        (Call::AlarmSet(..) | Call::AlarmCancel(_) | Call::SleepExact(_), _) => {
            vec![Call::Compute(5_000)]
        }
        (_, Actor::Coop(coop)) => vec![Call::CoopSignal(coop), Call::EventPost(0)],
        (_, Actor::Event(event)) => vec![Call::EventPost(event)],
        (_, Actor::Pair(_)) => (3..EVENTS).map(Call::EventPost).collect(),
        (_, Actor::Interrupt(_)) => vec![Call::SemaphorePostFrom, Call::QueueSendFrom(0)],
        // An actor that waits for one of these may act before the call continues.
        (_, Actor::Thread(_)) => {
            vec![Call::SemaphorePostFrom, Call::NotifyPost(0), Call::NotifyPost(1)]
        }
    }
}

fn related_calls(struck: Actor, call: Call) -> Vec<Call> {
    let mut calls = match struck {
        Actor::Coop(coop) => vec![Call::CoopSignal(coop), Call::CoopAdd(coop)],
        Actor::Thread(thread) => {
            vec![Call::ThreadPause(thread), Call::ThreadSetPriority(thread, 9)]
        }
        _ => Vec::new(),
    };
    calls.extend(match call {
        Call::MutexLock(mutex, _) | Call::MutexTry(mutex) | Call::MutexUnlock(mutex) => {
            vec![Call::MutexLock(mutex, Until::Ever), Call::MutexTry(mutex)]
        }
        Call::QueueSend(queue, ..) | Call::QueueReceive(queue, _) => {
            vec![Call::QueueTrySend(queue, 0), Call::QueueTryReceive(queue)]
        }
        Call::SemaphoreWait(semaphore, _) => {
            vec![Call::SemaphorePost(semaphore), Call::SemaphoreTry(semaphore)]
        }
        Call::TimerArm(timer, _) | Call::TimerArmAfter(timer, _) => {
            vec![Call::TimerCancel(timer), Call::TimerArmAfter(timer, 0)]
        }
        Call::AlarmSet(alarm, _) | Call::AlarmCancel(alarm) => {
            vec![Call::AlarmCancel(alarm), Call::AlarmSet(alarm, 0)]
        }
        _ => Vec::new(),
    });
    calls
}

/// Before which instruction of a call an interrupt comes: calls have all lengths. The list of alarms
/// changes later than other lists.
fn instruction(kind: Kind) -> BoxedStrategy<u16> {
    let usual = if kind.weights[ALARMS_GROUP] > 0 { 110u16..280 } else { 30..110 };
    Union::new_weighted(vec![(6, usual), (3, 80..300), (1, 1..1_500)]).boxed()
}

fn untils() -> [Until; 7] {
    [
        Until::Ever,
        Until::Ever,
        Until::At(0),
        Until::At(500),
        Until::At(3_000),
        Until::At(3_000),
        Until::At(40_000),
    ]
}

/// All calls, grouped by object as in [`Kind::weights`], and returning.
fn calls(actor: Actor) -> Vec<Vec<Call>> {
    let each = |count: usize, of: &dyn Fn(usize) -> Vec<Call>| -> Vec<Call> {
        (0..count).flat_map(of).collect()
    };
    let until = |of: &dyn Fn(Until) -> Call| -> Vec<Call> { untils().map(of).to_vec() };
    let semaphores = each(4, &|s| {
        let mut calls = until(&|u| Call::SemaphoreWait(s, u));
        calls.extend([Call::SemaphoreTry(s), Call::SemaphorePost(s), Call::SemaphorePost(s)]);
        calls.extend([Call::SemaphorePost(s), Call::SemaphorePostFrom, Call::SemaphorePostFrom]);
        if s > SEMAPHORE_RT {
            calls.extend([Call::SemaphorePost(s); 6]);
        }
        calls
    });
    let mutexes = each(3, &|m| {
        let mut calls = until(&|u| Call::MutexLock(m, u));
        calls.extend([Call::MutexTry(m), Call::MutexLock(m, Until::Ever)]);
        calls.extend([Call::MutexLock(m, Until::Ever); 4]);
        calls.extend([Call::MutexUnlock(m); 3]);
        calls
    });
    let conditions = each(2, &|c| {
        let mut calls = each(3, &|m| until(&|u| Call::ConditionWait(c, m, u)));
        calls.extend([Call::ConditionSignal(c), Call::ConditionBroadcast(c)]);
        calls
    });
    let barriers = each(2, &|b| until(&|u| Call::BarrierWait(b, u)));
    let references = each(1, &|r| {
        let mut calls = until(&|u| Call::ReferenceWait(r, u));
        calls.extend([Call::ReferenceTake(r), Call::ReferenceTake(r), Call::ReferenceGive(r)]);
        calls.extend([Call::ReferenceGive(r); 3]);
        calls
    });
    let queues = each(3, &|q| {
        let mut calls = until(&|u| Call::QueueSend(q, 0, u));
        calls.extend(until(&|u| Call::QueueReceive(q, u)));
        calls.extend([Call::QueueTrySend(q, 0), Call::QueueTryReceive(q), Call::QueueHeld(q)]);
        calls.push(Call::QueueSendFrom(0));
        calls
    });
    let notifies = each(2, &|n| {
        let mut calls = until(&|u| Call::NotifyWait(n, u));
        calls.extend([Call::NotifyPost(n); 4]);
        calls
    });
    let events = each(3, &|e| {
        let periods = [
            Call::TimerArmEvery(e, Until::At(2_000), 3_333),
            Call::TimerArmEvery(e, Until::At(0), 999),
        ];
        let mut calls = until(&|u| Call::TimerArm(e, u));
        calls.extend([0, 700, 5_000].map(|us| Call::TimerArmAfter(e, us)));
        calls.extend(periods);
        calls.extend([Call::TimerCancel(e); 4]);
        calls.extend([Call::EventPost(e); 6]);
        calls
    });
    // The halves of woven pairs.
    let halves = each(EVENTS - 3, &|e| {
        vec![Call::EventPost(3 + e), Call::EventPost(3 + e), Call::TimerArmAfter(3 + e, 700)]
    });
    let mut time: Vec<Call> = [0, 30, 1_000, 7_000].map(Call::SleepUs).to_vec();
    time.extend([Until::At(0), Until::At(2_000), Until::At(9_000)].map(Call::SleepUntil));
    time.extend([Call::Now, Call::Compute(20), Call::Compute(2_000)]);
    let lives = each(6, &|t| {
        let mut calls = until(&|u| Call::ThreadJoin(t, u));
        calls.extend([Call::ThreadStart(t), Call::ThreadStart(t), Call::ThreadStart(t)]);
        calls.extend([Call::ThreadPause(t), Call::ThreadPause(t), Call::ThreadDestroy(t)]);
        calls.extend([Call::ThreadResume(t); 4]);
        if t == CREATED {
            calls.extend([Call::ThreadCreate(t); 8]);
        }
        calls.push(Call::ThreadYield);
        calls
    });
    let priorities = each(6, &|t| [1, 4, 8, 15].map(|p| Call::ThreadSetPriority(t, p)).to_vec());
    let mut coops = each(COOPS, &|c| {
        let mut calls = vec![Call::CoopSignal(c); 3];
        calls.extend([Call::CoopAdd(c), Call::CoopAdd(c), Call::CoopHold(c), Call::CoopKill(c)]);
        calls
    });
    coops.extend([Call::CoopYield; 5]);
    coops.extend([Call::CoopWait; 6]);
    coops.extend([0, 1, 5, 20, 31_000, 31_000].map(Call::CoopSleep));
    let mut alarms = each(ALARMS, &|a| {
        let near = [0, 30, 70, 110, 150, 190, 240, 300, 360, 1_000, 4_000];
        let far = [30_000, 30_000, 30_000, 30_001];
        let lengths = near.into_iter().chain(far);
        let mut calls: Vec<Call> = lengths.map(|us| Call::AlarmSet(a, us)).collect();
        // Its own event sets it again.
        let again = if actor == Actor::Event(a) { calls.repeat(4) } else { Vec::new() };
        calls.extend(again);
        calls.extend([Call::AlarmCancel(a); 4]);
        calls
    });
    alarms.extend(
        [0, 50, 100, 300, 300, 500, 2_000, 2_000, 30_000]
            .repeat(3)
            .into_iter()
            .map(Call::SleepExact),
    );
    let mut returns = vec![Call::Return];
    if actor == Actor::Interrupt(QUEUE_RT_LEVEL) {
        returns.push(Call::QueueSendFrom(0));
    }
    vec![
        semaphores, mutexes, conditions, barriers, references, queues, notifies, events, time,
        lives, priorities, halves, coops, alarms, returns,
    ]
}

/// Histories of a kind, by its index in [`KINDS`], for `proptest`.
struct Histories<const KIND: usize>;

type Drawn = (Plan, Vec<Step>, Option<Arc<AtomicUsize>>);

/// The generators of histories of each kind.
const STRATEGIES: [fn(usize) -> BoxedStrategy<Drawn>; KINDS.len()] = [
    of::<0>, of::<1>, of::<2>, of::<3>, of::<4>, of::<5>, of::<6>, of::<7>, of::<8>, of::<9>,
    of::<10>, of::<11>, of::<12>, of::<13>, of::<14>,
];

fn of<const KIND: usize>(steps: usize) -> BoxedStrategy<Drawn> {
    Histories::<KIND>::sequential_strategy(steps).boxed()
}

impl<const KIND: usize> ReferenceStateMachine for Histories<KIND> {
    type State = Plan;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Plan> {
        Just(Plan::new(KINDS[KIND])).boxed()
    }

    fn transitions(plan: &Plan) -> BoxedStrategy<Step> {
        plan.steps()
    }

    fn apply(plan: Plan, step: &Step) -> Plan {
        plan.apply(*step)
    }
}

/// The histories that [`search`] compares.
pub fn histories(kind: usize, seed: u64, cases: u32, steps: usize) -> Vec<Vec<Step>> {
    let all = RefCell::new(Vec::new());
    let strategy = STRATEGIES[kind](steps);
    // Drawing alone cannot fail.
    let _ = runner(seed, cases).run(&strategy, |(_, history, _)| {
        all.borrow_mut().push(history);
        Ok(())
    });
    all.into_inner()
}

/// Compares `cases` histories of `steps` steps, determined by the seed, of the kind with an index
/// in [`KINDS`].
pub fn search(
    mote: &mut Mote<'_>,
    kind: usize,
    seed: u64,
    cases: u32,
    steps: usize,
) -> Result<Count, Failure> {
    let mut calls = Calls { mote, program: KINDS[kind].program };
    search_in(&STRATEGIES[kind](steps), &mut calls, seed, cases)
}

struct Calls<'a, 'b> {
    mote: &'a mut Mote<'b>,
    program: Program,
}

impl Trial for Calls<'_, '_> {
    type Drawn = Drawn;
    type Step = Step;
    type Difference = Difference;

    fn history((_, history, _): &Drawn) -> Vec<Step> {
        history.clone()
    }

    fn compare(
        &mut self,
        history: &[Step],
        drawn: Option<&Drawn>,
    ) -> Result<Count, Stopped<Difference>> {
        let tried = drawn.and_then(|(_, _, tried)| tried.clone()).unwrap_or_default();
        compare_counting(self.mote, self.program, history, &tried)
    }
}
