// SPDX-License-Identifier: MIT OR Apache-2.0
//! A year of idling: what wakes the mote, what it draws, and that a timer at its end is on time.

use crate::common::image::built;
use crate::common::root;
use lichen_board::Board;
use lichen_chip::Time;
use lichen_energy::{Account, Doing, MoteReport, Period, Tables};
use lichen_trace::{Error, Event, Kind, Sink};
use lichen_world::{MoteId, World};
use std::collections::BTreeMap;

const PROGRAM: &str = "test/mote/year";
const YEAR: Time = Time::from_days(365);
/// The program has started, armed its timer and fallen asleep within this time.
const STARTS: Time = Time::from_s(60);
const HOUR: Time = Time::from_s(3_600);
const DAY: Time = Time::from_days(1);

/// Wake-ups by cause.
type Wakes = BTreeMap<String, u64>;

/// What the mote has printed, and its account if there is one.
#[derive(Default)]
struct Record {
    printed: String,
    account: Option<Account>,
}

impl Sink for Record {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if let Kind::Uart { dir: "out", data, .. } = &event.kind {
            self.printed.push(char::from(*data));
        }
        self.account.as_mut().map_or(Ok(()), |account| account.event(event))
    }
}

/// A mote that idles, and what it has done since it fell asleep first.
struct Idler {
    world: World,
    record: Record,
    start: Wakes,
}

impl Idler {
    fn new(program: &str, board: &str) -> Idler {
        let board = Board::find(&root().join("board"), board).expect("a board");
        let mut world = World::new();
        let image = built(program, &board.name);
        world.add(board, image).expect("a mote");
        let mut idler = Idler { world, record: Record::default(), start: Wakes::new() };
        idler.run(STARTS);
        idler.start = idler.mote().summary().wakes;
        idler
    }

    fn mote(&self) -> &lichen_world::Mote {
        self.world.mote(MoteId(0))
    }

    /// Begins an account.
    fn account(&mut self) {
        let mut account = Account::new(Tables::load(&root().join("data/current")).expect("tables"));
        let mote = self.mote();
        account.add(mote.board(), mote.image(), mote.chip(), mote.running_thread().as_deref());
        self.world.tell_details();
        self.world.tell_activity();
        self.record.account = Some(account);
    }

    fn run(&mut self, until: Time) {
        self.world.run(until, &mut self.record).expect("it runs");
    }

    /// Wake-ups since the start.
    fn wakes(&self) -> Wakes {
        let mut wakes = self.mote().summary().wakes;
        for (cause, count) in &self.start {
            *wakes.entry(cause.clone()).or_default() -= count;
        }
        wakes.retain(|_, count| *count > 0);
        wakes
    }

    /// The account so far.
    fn report(&mut self) -> MoteReport {
        let now = self.mote().chip().now();
        self.record.account.as_mut().expect("an account").reports(|_| now).remove(0)
    }

    /// The rest of the year, and the end of the program.
    fn expect_on_time(&mut self) {
        self.run(YEAR + STARTS);
        let printed = &self.record.printed;
        assert!(printed.contains("test a_timer_of_a_year_fires_on_time ok"), "{printed}");
    }
}

/// How often a counter of so many bits and ticks a second wraps from the end of the start to the end of the year.
fn wraps(bits: u32, ticks_per_s: u64) -> u64 {
    let until = |time: Time| (time / Time::from_s(1) * ticks_per_s) >> bits;
    until(YEAR - STARTS) - until(STARTS)
}

fn expect_like_an_hour(hour: &MoteReport, whole: &MoteReport) {
    let (hour, whole) = (hour.mean().na(), whole.mean().na());
    assert!(whole.abs_diff(hour) <= 1, "{hour} nA in the first hour, {whole} in all");
}

#[test]
fn a_year_of_hamilton_wakes_240_times_and_draws_what_an_hour_does() {
    let mut idler = Idler::new("echo", "hamilton");
    idler.account();
    idler.run(STARTS + HOUR);
    let hour = idler.report();
    assert_eq!(idler.wakes(), Wakes::new());
    idler.run(YEAR - STARTS);
    let year = idler.report();
    expect_like_an_hour(&hour, &year);
    assert_eq!(wraps(32, 32_768), 240);
    assert_eq!(idler.wakes(), Wakes::from([("RTC".into(), 240)]));
    let sleep = |period: &&Period| period.doing == Doing::Asleep;
    let asleep: Vec<_> =
        year.periods.iter().filter(sleep).map(|it| (&*it.name, it.count)).collect();
    assert_eq!(asleep, [("standby", 240)], "no lighter sleep");
}

/// A match, a reading, the compare value's crossing and another reading.
const LOOK: u64 = 4;

#[test]
fn a_timer_of_a_year_on_hamilton_is_looked_at_once_a_wrap_and_on_time() {
    let mut idler = Idler::new(PROGRAM, "hamilton");
    idler.run(YEAR - STARTS);
    let wakes = idler.wakes();
    assert!(wakes.len() == 1 && wakes["RTC"] <= 240 * (1 + LOOK), "{wakes:?}");
    idler.expect_on_time();
}

#[test]
fn a_day_of_micaz_wakes_four_times_a_second_and_draws_what_an_hour_does() {
    let mut idler = Idler::new(PROGRAM, "micaz");
    idler.account();
    idler.run(STARTS + HOUR);
    let hour = idler.report();
    assert_eq!(idler.wakes(), Wakes::from([("TIMER0_OVF".into(), 4 * 3_600)]));
    idler.run(STARTS + DAY);
    assert_eq!(idler.wakes(), Wakes::from([("TIMER0_OVF".into(), 4 * 86_400)]));
    expect_like_an_hour(&hour, &idler.report());
}

#[test]
#[ignore = "ten minutes; in the long run"]
fn a_year_of_micaz_wakes_126_million_times_and_a_timer_is_on_time() {
    let mut idler = Idler::new(PROGRAM, "micaz");
    idler.run(YEAR - STARTS);
    assert_eq!(idler.wakes(), Wakes::from([("TIMER0_OVF".into(), wraps(8, 1_024))]));
    idler.expect_on_time();
}
