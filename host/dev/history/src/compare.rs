// SPDX-License-Identifier: MIT OR Apache-2.0
//! A history on the mote and on the model.

use crate::step::{name, resolved};
use crate::{Error, Mote, MoteFailure, Step};
use lichen_chip::Time;
use lichen_model::{Actor, Answer, Call, Model, Port, Program, Seen, Tick};
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How long the mote may take for a call and its consequences: on the ATmega128, reading the clock
/// while its counter wraps takes 2 ms alone.
fn call_limit(port: Port) -> Time {
    Time::from_ms(if port == Port::ATMEGA128 { 6 } else { 2 })
}
/// A history ends when the model may be in more states than this: further steps would show little.
const MOST_STATES: usize = 500;

/// The most actors that give way before a step.
const MOST_UNEXPECTED: usize = 4;

/// The extent of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Steps that were made.
    pub steps: u64,
    /// Steps within whose call an interrupt came, or the medium failed.
    pub within: u64,
    /// Steps of the history that did not fit.
    pub left_out: u64,
    /// The most states that the model could be in at once.
    pub states: usize,
}

/// A step that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The call, with absolute moments.
    pub step: Step,
    /// When.
    pub tick: Tick,
    /// What was observed before and after it; nothing if the mote failed.
    pub seen: [Option<Seen>; 2],
    /// The latter in words.
    pub words: String,
}

/// An observation that the model does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The program.
    pub program: Program,
    /// The machine.
    pub port: Port,
    /// The steps, and what was observed after each.
    pub done: Vec<Done>,
    /// What the mote did.
    pub seen: String,
    /// What the model allows.
    pub allowed: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, done) in self.done.iter().enumerate() {
            let us = self.port.us_of_tick(done.tick);
            writeln!(f, "{number:4}  {us:>10} us  {}   -> {}", done.step, done.words)?;
        }
        writeln!(f, "the mote:  {}", self.seen)?;
        write!(f, "the model: {}", self.allowed.join("; or "))
    }
}

/// Why a comparison ended early.
#[derive(Debug)]
pub enum Stopped<D = Difference> {
    /// The two differ.
    Different(Box<D>),
    /// The simulator cannot go on.
    Error(Error),
}

impl<D> From<Error> for Stopped<D> {
    fn from(error: Error) -> Stopped<D> {
        Stopped::Error(error)
    }
}

/// Runs a history on both.
pub fn compare(mote: &mut Mote<'_>, program: Program, history: &[Step]) -> Result<Count, Stopped> {
    compare_counting(mote, program, history, &AtomicUsize::new(0))
}

/// The same; counts in `tried` the steps of the history that it reached.
pub(crate) fn compare_counting(
    mote: &mut Mote<'_>,
    program: Program,
    history: &[Step],
    tried: &AtomicUsize,
) -> Result<Count, Stopped> {
    let seen = mote.begin()?;
    let mut run = Run {
        states: vec![Model::new(program, mote.port())],
        seen,
        program,
        done: Vec::new(),
        count: Count::default(),
        mote,
    };
    let (tick, us) = (run.mote.tick(), run.mote.now().us());
    run.states[0].pass(tick, us);
    let states = run.states[0].follow(seen);
    run.keep(Ok(seen), states)?;
    for step in history {
        tried.fetch_add(1, Ordering::Relaxed);
        if run.states.len() > MOST_STATES {
            break;
        }
        let step = step.at_most(run.mote.port().driver);
        run.make_way(&step)?;
        run.step(step)?;
    }
    Ok(run.count)
}

struct Run<'a, 'b> {
    program: Program,
    mote: &'a mut Mote<'b>,
    /// All states in which the model may be.
    states: Vec<Model>,
    seen: Seen,
    done: Vec<Done>,
    count: Count,
}

impl Run<'_, '_> {
    /// Actors may come in a different order than planned. An actor that comes at an unexpected time
    /// gives way: a handler returns, a cooperative thread yields.
    fn make_way(&mut self, step: &Step) -> Result<(), Stopped> {
        let expected = match step {
            Step::Call(actor, _) | Step::Within(actor, ..) => Some(*actor),
            Step::Idle(_) => None,
            Step::Interrupt(_) => return Ok(()),
        };
        for _ in 0..MOST_UNEXPECTED {
            let Seen::Asks(actor, ..) = self.seen else { break };
            let way_out = match actor {
                _ if Some(actor) == expected => break,
                _ if is_event(actor) && expected.is_some_and(is_event) => break,
                Actor::Thread(_) => break,
                Actor::Coop(_) => Call::CoopYield,
                _ => Call::Return,
            };
            self.step(Step::Call(actor, way_out))?;
        }
        Ok(())
    }

    fn step(&mut self, step: Step) -> Result<(), Stopped> {
        let since = self.mote.tick();
        let Some(step) = self.fits(step, since) else {
            self.count.left_out += 1;
            return Ok(());
        };
        self.count.steps += 1;
        let mut limit = call_limit(self.mote.port());
        match step {
            Step::Call(actor, call) => self.tell(actor, call)?,
            Step::Within(actor, call, strike) => {
                self.tell(actor, call)?;
                return match self.mote.advance(self.instruction(strike.instruction)) {
                    Ok(true) => self.strike(step, since, strike.level),
                    Ok(false) => {
                        let seen = Ok(self.mote.asks());
                        self.observed(Step::Call(actor, call), since, seen)?;
                        self.step(Step::Interrupt(strike.level))
                    }
                    Err(failure) => self.observed(step, since, Err(failure)),
                };
            }
            Step::Interrupt(level) => {
                self.mote.interrupt(level);
                self.states.iter_mut().for_each(|state| state.interrupt(level));
            }
            Step::Idle(us) => limit = Time::from_us(us.into()),
        }
        let seen = self.observe(limit);
        self.observed(step, since, seen)
    }

    /// A place in a call: AVR takes about three instructions for one of ARM.
    fn instruction(&self, planned: u16) -> u64 {
        let planned = u64::from(planned);
        match self.mote.port() {
            Port::ATMEGA128 => 3 * planned + self.count.steps % 3,
            _ => planned,
        }
    }

    fn tell(&mut self, actor: Actor, call: Call) -> Result<(), Stopped> {
        self.mote.tell(actor, call)?;
        self.states.iter_mut().for_each(|state| state.begin(call));
        Ok(())
    }

    /// An interrupt comes where the mote is, in the middle of a call.
    fn strike(&mut self, step: Step, since: Tick, level: usize) -> Result<(), Stopped> {
        let place = self.mote.place();
        self.mote.interrupt(level);
        self.states.iter_mut().for_each(|state| state.interrupt_within(level));
        let seen = self.observe(call_limit(self.mote.port()));
        self.count.within += 1;
        self.observed(step, since, seen)?;
        if let Some(done) = self.done.last_mut() {
            done.words = format!("{} at {place}", done.words);
        }
        Ok(())
    }

    fn observe(&mut self, limit: Time) -> Result<Seen, MoteFailure> {
        let computing = self.states.iter().map(Model::computing_us).max().unwrap_or(0);
        self.mote.observe(limit + Time::from_us(computing + computing / 8))
    }

    /// Takes an observation after a step: continues with the states that agree.
    fn observed(
        &mut self,
        step: Step,
        since: Tick,
        seen: Result<Seen, MoteFailure>,
    ) -> Result<(), Stopped> {
        let (now, us) = (self.mote.tick(), self.mote.now().us());
        self.states.iter_mut().for_each(|state| state.pass(now, us));
        let after = seen.as_ref().ok().copied();
        let seen_both = [Some(self.seen), after];
        self.done.push(Done { step, tick: since, seen: seen_both, words: say(&seen) });
        let next: Vec<Model> = match seen {
            Ok(seen) => self.states.iter().flat_map(|state| state.follow(seen)).collect(),
            Err(_) => Vec::new(),
        };
        self.keep(seen, next.into_iter().filter(|state| !state.is_overdue()).collect())
    }

    /// The step with its arguments, if it can be made now.
    fn fits(&self, step: Step, now: Tick) -> Option<Step> {
        let all = |holds: &dyn Fn(&Model) -> bool| self.states.iter().all(holds);
        let resolved =
            |call| resolved(call, self.mote.port().us_of_tick(now), self.count.steps as u32 + 1);
        // Actors may ask in another order than planned: a thread that asks makes the call of another thread or
        // of an event, and an event that of another event.
        let by = |actor, call| match (actor, self.seen) {
            (Actor::Thread(_), Seen::Asks(asking @ Actor::Thread(_), ..)) => asking,
            (Actor::Event(_) | Actor::Pair(_), Seen::Asks(asking @ Actor::Thread(_), ..))
                if call != Call::Return =>
            {
                asking
            }
            (Actor::Event(_) | Actor::Pair(_), Seen::Asks(asking, ..)) if is_event(asking) => {
                asking
            }
            _ => actor,
        };
        let may = |actor, call| {
            let asks = matches!(self.seen, Seen::Asks(other, ..) if other == actor);
            asks && all(&|state| state.allows(call))
        };
        match step {
            Step::Call(actor, call) => {
                let (actor, call) = (by(actor, call), resolved(call));
                may(actor, call).then_some(Step::Call(actor, call))
            }
            Step::Within(actor, call, strike) => {
                let (actor, call) = (by(actor, call), resolved(call));
                let comes = all(&|state| state.interruptible_in(call, strike.level));
                (may(actor, call) && comes).then_some(Step::Within(actor, call, strike))
            }
            Step::Interrupt(level) => all(&|state| state.interruptible(level)).then_some(step),
            Step::Idle(_) => (self.seen == Seen::Idle).then_some(step),
        }
    }

    /// Continues with the states in which the model may be now.
    fn keep(&mut self, seen: Result<Seen, MoteFailure>, next: Vec<Model>) -> Result<(), Stopped> {
        let Some(now) = seen.as_ref().ok().copied().filter(|_| !next.is_empty()) else {
            let mut allowed: Vec<String> = self.states.iter().flat_map(expectations).collect();
            allowed.sort();
            allowed.dedup();
            let program = self.program;
            let done = std::mem::take(&mut self.done);
            let seen = say(&seen);
            let port = self.mote.port();
            let difference = Difference { program, port, done, seen, allowed };
            return Err(Stopped::Different(Box::new(difference)));
        };
        let mut known = HashSet::new();
        self.states = next.into_iter().filter(|state| known.insert(state.clone())).collect();
        self.count.states = self.count.states.max(self.states.len());
        self.seen = now;
        Ok(())
    }
}

fn is_event(actor: Actor) -> bool {
    matches!(actor, Actor::Event(_) | Actor::Pair(_))
}

/// What the mote could have done, in words.
fn expectations(state: &Model) -> Vec<String> {
    state
        .reachable()
        .iter()
        .map(|state| {
            let words = match state.expectation() {
                (Some(actor), Some(Answer::Exact(-1, _))) => format!("{} begins", name(actor)),
                (Some(actor), Some(Answer::Exact(result, value))) => {
                    format!("{} returns {result} ({value})", name(actor))
                }
                (Some(actor), Some(Answer::Clock(from, to))) => {
                    format!("{} is told a moment from {from} to {to} us", name(actor))
                }
                _ => "everybody waits".to_string(),
            };
            let late = if state.is_overdue() { ", but a deadline is overdue" } else { "" };
            format!("{words}{late}")
        })
        .collect()
}

fn say(seen: &Result<Seen, MoteFailure>) -> String {
    match seen {
        Ok(Seen::Idle) => "everybody waits".to_string(),
        Ok(Seen::Asks(actor, -1, _)) => format!("{} begins", name(*actor)),
        Ok(Seen::Asks(actor, result, value)) => {
            format!("{} returns {result} ({value})", name(*actor))
        }
        Err(failure) => failure.to_string(),
    }
}
