// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the kernel's public calls, as a state machine that is small enough to be read.
//!
//! A [`Model`] is the state of a program with a few objects of every kind: which thread waits for
//! what, and in which order. [`Model::begin`] gives a call to the actor that asks for one,
//! [`Model::moves`] returns what may happen next, and [`Model::make`] lets it happen. There are no
//! stacks, registers or lists: a list is a sorted view that follows from one rule.
//!
//! *The rule of order.* A thread gets a new *place* whenever it joins a list: when it becomes ready,
//! begins to wait, yields, or its priority changes. Every list, be it of ready threads or of those
//! waiting for an object, is sorted by priority, the greatest first, and among equals by place. The
//! first ready thread runs.
//!
//! *Nondeterminism.* The clock determines two things only within bounds: a deadline expires within
//! a window, and equals take turns. An interrupt within a call may come before or after each of its
//! steps. A model then has several moves; a comparison with a mote follows all of them
//! ([`Model::follow`]) and keeps those that agree with the mote's behaviour.
//!
//! One file for each concept says what its calls do.

mod act;
mod actor;
mod alarm;
mod barrier;
mod call;
mod caller;
mod condition;
mod coop;
mod event;
pub mod link;
mod machine;
mod mutex;
mod notify;
mod port;
mod queue;
mod reference;
mod semaphore;
pub mod storage;
mod thread;
mod time;
mod timer;
mod turn;
mod woven;

pub use actor::{Actor, Answer, Seen};
pub use alarm::{ALARMS, Owner};
pub use call::{Call, Until};
pub use machine::Move;
pub use port::Port;
pub use thread::{Life, Thread, Wait};
pub use time::{Due, Tick, Window};
pub use woven::PAIRS_COUNT as PAIRS;

use actor::Handler;
use alarm::Alarm;
use coop::{Coop, Pass};
use event::Posts;
use mutex::Mutex;
use queue::Queue;
use semaphore::Semaphore;
use timer::Timer;

/// Results of calls: `enum error` of `lichen/error.h`.
pub mod error {
    /// Done.
    pub const NONE: i32 = 0;
    /// The deadline passed first.
    pub const TIMEOUT: i32 = 1;
    /// In use, or already armed.
    pub const BUSY: i32 = 2;
    /// An argument outside its range.
    pub const INVALID: i32 = 4;
    /// No room.
    pub const FULL: i32 = 5;
    /// Nothing there.
    pub const EMPTY: i32 = 6;
    /// The device failed.
    pub const IO: i32 = 7;
    /// Obtained, but a thread ended while it held it.
    pub const ABANDONED: i32 = 8;
    /// What was stored reads back as something else.
    pub const CORRUPT: i32 = 9;
}

/// The most interrupt levels above the kernel's that a machine has.
pub const LEVELS: usize = 3;
/// The kernel's level: that of events, and of posts by threads and events.
pub const LEVEL_KERNEL: usize = 3;
/// The thread that is made at run time.
pub const CREATED: usize = 5;
/// The semaphore that interrupts post. The one behind it is nearly full, since no history is long
/// enough to fill one.
pub const SEMAPHORE_RT: usize = 2;
/// The queue that interrupts fill, and their level.
pub const QUEUE_RT: usize = 2;
/// Level of the interrupts that fill it.
pub const QUEUE_RT_LEVEL: usize = 1;
/// How many events there are, each with a timer.
pub const EVENTS: usize = 7;

/// The programs of `test/model`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `threads`: threads, events and interrupts.
    Threads,
    /// `coop`: cooperative threads beside them; of the threads the first one starts.
    Coop,
    /// `alone`: cooperative threads and interrupts.
    Alone,
}

/// How many cooperative threads there are in the programs that have any.
pub const COOPS: usize = 4;

/// The state of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Model {
    port: Port,
    /// Its threads.
    pub threads: Vec<Thread>,
    mutexes: Vec<Mutex>,
    semaphores: Vec<Semaphore>,
    /// Posts of each level's interrupts to the semaphore, not yet counted by the kernel.
    semaphore_posts: [u32; LEVELS],
    /// How many threads each barrier takes.
    barriers: Vec<usize>,
    /// Users of each reference counter.
    references: Vec<u16>,
    queues: Vec<Queue>,
    /// Whether each notification is set.
    notifies: Vec<bool>,
    timers: Vec<Timer>,
    /// Those that are set.
    alarms: Vec<Option<Alarm>>,
    posts: Posts,
    coops: Vec<Coop>,
    pass: Pass,
    /// The event and the interrupts that have begun and not returned, the most urgent last.
    handlers: Vec<Handler>,
    /// The clock's handler has begun: deadlines expire before anything else happens.
    in_alarm: bool,
    /// The running thread's call has reached the kernel level.
    in_call: bool,
    /// An interrupt of this level comes at some point within what happens now.
    coming: Option<usize>,
    /// How many places were given.
    places: u64,
    /// The next move happens between these ticks.
    since: Tick,
    now: Tick,
    /// The same, in microseconds.
    us: [u64; 2],
    /// The latest moment that any actor was given.
    reported: Tick,
    /// The earliest times of the last two changes of turn among equals.
    turned: [Tick; 2],
}

impl Model {
    /// A program when its first actor asks for the first time.
    pub fn new(program: Program, port: Port) -> Model {
        let starting = match program {
            Program::Threads => 4,
            Program::Coop => 1,
            Program::Alone => 0,
        };
        let priorities: &[u8] = if program == Program::Alone { &[] } else { &[10, 8, 8, 4, 4, 6] };
        let coops = if program == Program::Threads { 0 } else { COOPS };
        let mut model = Model {
            port,
            threads: priorities.iter().copied().map(Thread::declared).collect(),
            mutexes: vec![Mutex::default(); 3],
            semaphores: [0, 2, 0, u16::MAX - 1].map(Semaphore::with).to_vec(),
            semaphore_posts: [0; LEVELS],
            barriers: vec![2, 3],
            references: vec![0],
            queues: [1, 3, 2].map(Queue::of_length).to_vec(),
            notifies: vec![false; 2],
            timers: vec![Timer::default(); EVENTS],
            alarms: vec![None; ALARMS],
            posts: Posts::default(),
            coops: vec![Coop::START; coops],
            pass: Pass::default(),
            handlers: Vec::new(),
            in_alarm: false,
            in_call: false,
            coming: None,
            places: 0,
            since: 0,
            now: 0,
            us: [0; 2],
            reported: 0,
            turned: [0; 2],
        };
        for thread in 0..starting {
            model.start(thread);
        }
        model
    }
}
