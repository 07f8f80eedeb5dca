// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accounts against sums made by hand, and accounts of whole motes.

#[path = "../../trace/tests/validator/mod.rs"]
mod validator;

use lichen_board::Board;
use lichen_chip::Time;
use lichen_energy::{
    Account, Cells, Charge, Current, Doing, MoteReport, Record, Sheet, Supply, Tables,
};
use lichen_image::Image;
use lichen_trace::{Error, Event, Kind, Processor, Sink};
use lichen_world::{MoteId, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn image() -> Arc<Image> {
    let path = folder("host/world/tests/data/echo.elf");
    Arc::new(Image::load(&path).expect("an image"))
}

fn world(motes: u32, threads: usize) -> World {
    let board = Arc::new(Board::find(&folder("board"), "samr21-xpro").expect("a board"));
    let image = image();
    let mut world = World::with_seed(7);
    for _ in 0..motes {
        world.add(Arc::clone(&board), Arc::clone(&image)).expect("a mote");
    }
    world.set_threads(threads).expect("threads");
    world
}

fn account_with(world: &mut World, tables: Tables) -> Account {
    let mut account = Account::new(tables);
    for (_, mote) in world.motes() {
        account.add(mote.board(), mote.image(), mote.chip(), mote.running_thread().as_deref());
    }
    world.tell_details();
    world.tell_activity();
    account
}

fn account(world: &mut World) -> Account {
    account_with(world, Tables::load(&folder("data/current")).expect("tables"))
}

const TABLE: &str = r#"
part = "ATSAMR21"
supply_mv = 3000
shared = ["OSC8M"]
deepest = "standby"
[[row]]
component = "CPU"
state = "active"
na = 100
na_per_mhz = 1_000
source = "by hand"
[[row]]
component = "CPU"
state = "standby"
na = 2
source = "by hand"
estimate = "by hand"
[[row]]
component = "CPU"
state = "idle2"
na = 30
source = "by hand"
[[row]]
component = "OSC8M"
state = "on"
na = 7
source = "by hand"
[[row]]
component = "SERCOM"
state = "usart"
na_per_bus_mhz = 10
source = "by hand"
[[row]]
component = "EIC"
state = "on"
unknown = "by hand"
"#;

/// An account of one mote that is fed by hand.
struct ByHand(Account);

impl ByHand {
    fn new() -> ByHand {
        let mut tables = Tables::default();
        tables.add("by hand", TABLE).expect("a table");
        let world = world(1, 1);
        let mut account = Account::new(tables);
        for (_, mote) in world.motes() {
            account.add(mote.board(), mote.image(), mote.chip(), None);
        }
        ByHand(account)
    }

    fn tell(&mut self, us: u64, kind: Kind) -> &mut ByHand {
        let event = Event { time: Time::from_us(us), cycle: 0, mote: 0, kind };
        self.0.event(&event).expect("a sink without files");
        self
    }

    fn does(
        &mut self,
        us: u64,
        component: &'static str,
        state: &'static str,
        mhz: [u64; 2],
    ) -> &mut ByHand {
        let [hz, bus_hz] = mhz.map(|mhz| mhz * 1_000_000);
        let component = component.into();
        self.tell(us, Kind::Activity { part: "ATSAMR21G18A", component, state, hz, bus_hz })
    }

    fn report(&mut self, us: u64) -> MoteReport {
        self.0.reports(|_| Time::from_us(us)).remove(0)
    }
}

fn charge(na: u64, us: u64) -> Charge {
    Current::from_na(na).over(Time::from_us(us))
}

fn of<'a>(report: &'a MoteReport, owner: &str) -> Option<&'a Charge> {
    report.owners.iter().find(|share| share.owner == owner).map(|share| &share.charge)
}

#[test]
fn states_times_currents_are_the_charge() {
    let mut hand = ByHand::new();
    hand.does(0, "CPU", "active", [8, 0])
        .does(0, "SERCOM0", "usart", [1, 8])
        .does(100, "CPU", "active", [48, 0])
        .does(150, "SERCOM0", "usart", [1, 0])
        .does(300, "CPU", "standby", [0, 0])
        .does(400, "EIC", "on", [0, 0])
        .does(900, "SERCOM0", "off", [0, 0]);
    let report = hand.report(1_000);
    let entry = |component: &str, state: &str| {
        let is_it = |entry: &&lichen_energy::Entry| {
            (entry.component.as_str(), entry.state) == (component, state)
        };
        report.entries.iter().find(is_it).expect("an entry")
    };
    let active = entry("CPU", "active");
    let by_hand = charge(8_100, 100) + charge(48_100, 200);
    assert_eq!((active.charge, active.time), (by_hand, Time::from_us(300)));
    assert_eq!(active.mean_hz, 34_666_666);
    assert_eq!(entry("CPU", "standby").charge, charge(2, 700));
    let serial = entry("SERCOM0", "usart");
    assert_eq!((serial.charge, serial.time), (charge(80, 150), Time::from_us(900)));
    let whole = by_hand + charge(2, 700) + charge(80, 150);
    assert_eq!(report.charge(), whole);
    assert_eq!(report.owners.iter().map(|share| share.charge).sum::<Charge>(), whole);
    assert_eq!(report.estimated(), charge(2, 700));
    assert_eq!(report.supply_mv, 3_000);
    let [unknown] = &report.unknown[..] else { panic!("{:?}", report.unknown) };
    assert_eq!((unknown.component.as_str(), unknown.time), ("EIC", Time::from_us(600)));
}

#[test]
fn the_processor_works_for_threads_and_handlers_and_sleeps_for_nobody() {
    let mut hand = ByHand::new();
    hand.does(0, "CPU", "active", [1, 0])
        .tell(10, Kind::Thread { name: "a".into() })
        .tell(30, Kind::Exception { name: Some("SERCOM0") })
        .tell(34, Kind::Exception { name: Some("RTC") })
        .tell(35, Kind::Exception { name: Some("SERCOM0") })
        .tell(40, Kind::Exception { name: None })
        .tell(40, Kind::Thread { name: "b".into() })
        .does(60, "CPU", "standby", [0, 0])
        .does(100, "CPU", "active", [1, 0])
        .tell(100, Kind::Exception { name: Some("RTC") })
        .tell(102, Kind::Exception { name: None })
        .tell(110, Kind::Reset { cause: "watchdog" })
        // The thread that the reset has ended is not what the handler interrupts.
        .tell(150, Kind::Exception { name: Some("RTC") })
        .tell(155, Kind::Exception { name: None });
    let report = hand.report(200);
    let expected = [
        ("main", 10 + 40 + 45),
        ("thread a", 20),
        ("thread b", 20 + 8),
        ("echo.c", 9),
        ("interrupt RTC", 3 + 5),
    ];
    for (owner, us) in expected {
        assert_eq!(of(&report, owner), Some(&charge(1_100, us)), "{owner}: {:?}", report.owners);
    }
    assert_eq!(of(&report, "asleep"), Some(&charge(2, 40)));
    assert_eq!(report.owners.len(), 6);
}

fn asleep(mode: &'static str, limits: Option<&str>) -> Kind {
    let does = Processor::Asleep { mode: mode.into(), limits: limits.map(Into::into) };
    Kind::Processor { does, begins: true }
}

fn awake(cause: &'static str) -> Kind {
    Kind::Processor { does: Processor::Awake { cause: cause.into() }, begins: true }
}

#[test]
fn time_and_charge_are_divided_at_wake_ups() {
    let mut hand = ByHand::new();
    hand.does(0, "CPU", "active", [1, 0])
        .tell(0, awake("reset: power-on"))
        .does(10, "CPU", "standby", [0, 0])
        .tell(10, asleep("standby", None))
        .does(50, "CPU", "active", [1, 0])
        .tell(50, awake("RTC"))
        .does(51, "CPU", "standby", [0, 0])
        .tell(51, asleep("standby", None))
        .does(90, "CPU", "active", [1, 0])
        .tell(90, awake("SERCOM0"))
        .tell(95, Kind::Processor { does: Processor::Off, begins: true })
        .does(95, "CPU", "off", [0, 0]);
    let report = hand.report(100);
    let found =
        report.periods.iter().map(|p| (p.doing, p.name.as_str(), p.count, p.time, p.charge));
    let us = Time::from_us;
    let expected = [
        (Doing::Awake, "reset: power-on", 1, us(10), charge(1_100, 10)),
        (Doing::Awake, "SERCOM0", 1, us(5), charge(1_100, 5)),
        (Doing::Awake, "RTC", 1, us(1), charge(1_100, 1)),
        (Doing::Asleep, "standby", 2, us(79), charge(2, 79)),
        (Doing::Off, "", 1, us(5), Charge(0)),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let handlers: Vec<_> = report.periods.iter().map(|p| p.handler.as_deref()).collect();
    assert_eq!(handlers, [None, Some("echo.c"), None, None, None]);
}

#[test]
fn a_limit_costs_what_the_deepest_mode_would_have_saved() {
    let cost = |deepest: bool| {
        let mut hand = ByHand::new();
        hand.does(0, "CPU", "active", [1, 0]).does(0, "OSC8M", "on", [8, 0]).tell(0, awake("RTC"));
        if deepest {
            hand.does(10, "CPU", "standby", [0, 0]).tell(10, asleep("standby", Some("none")));
            hand.does(60, "CPU", "active", [1, 0]).tell(60, awake("RTC"));
        }
        hand.does(100, "CPU", "idle2", [1, 0]).tell(100, asleep("idle2", Some("a, b")));
        hand.does(300, "CPU", "active", [1, 0]).tell(300, awake("RTC"));
        let report = hand.report(400);
        let [held] = &report.held[..] else { panic!("{:?}", report.held) };
        assert_eq!((held.limits.as_str(), held.mode.as_str(), held.count), ("a, b", "idle2", 1));
        assert_eq!(held.time, Time::from_us(200));
        held.cost
    };
    // The oscillator runs in the deepest mode too, where that was seen; else the table's row counts.
    assert_eq!(cost(true), charge(30 - 2, 200));
    assert_eq!(cost(false), charge(30 + 7 - 2, 200));
}

/// What runs there for a while is no price of that mode.
#[test]
fn a_limit_costs_what_is_above_the_least_that_the_deepest_mode_drew() {
    let mut hand = ByHand::new();
    hand.does(0, "CPU", "standby", [0, 0]).tell(0, asleep("standby", None));
    hand.does(10, "OSC8M", "on", [8, 0]);
    hand.does(20, "CPU", "idle2", [1, 0]).tell(20, asleep("idle2", Some("a")));
    let report = hand.report(120);
    let [held] = &report.held[..] else { panic!("{:?}", report.held) };
    assert_eq!(held.cost, charge(30 + 7 - 2, 100));
}

#[test]
fn a_state_that_is_off_counts_as_time() {
    let mut hand = ByHand::new();
    hand.does(100, "SERCOM0", "usart", [1, 8]).does(400, "SERCOM0", "off", [0, 0]);
    let report = hand.report(1_000);
    let times: Vec<_> = report.entries.iter().map(|e| (e.state, e.time)).collect();
    assert_eq!(times, [("usart", Time::from_us(300)), ("off", Time::from_us(700))]);
}

/// Collects what a run does, for an account of its own.
#[derive(Default)]
struct Sums {
    events: Vec<Event>,
}

impl Sink for Sums {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.events.push(event.clone());
        Ok(())
    }
}

#[test]
fn a_run_draws_what_its_summary_says() {
    let mut world = world(1, 1);
    let mut account = account(&mut world);
    let end = Time::from_s(3);
    world.run(end, &mut account).expect("a run");
    let summary = world.mote(lichen_world::MoteId(0)).summary();
    let report = account.reports(|_| end).remove(0);
    let time = |state: &str| {
        let of = |entry: &&lichen_energy::Entry| entry.component == "CPU" && entry.state == state;
        report.entries.iter().find(of).map_or(Time::ZERO, |entry| entry.time)
    };
    let mut asleep = Time::ZERO;
    for (mode, in_it) in &summary.asleep {
        assert_eq!(time(mode), *in_it, "{mode}");
        asleep += *in_it;
    }
    assert_eq!(time("active") + asleep, end);
    assert_eq!(report.time(), end);
    let radio = |entry: &&lichen_energy::Entry| entry.component == "at86rf233";
    let states: Vec<_> = report.entries.iter().filter(radio).map(|entry| entry.state).collect();
    assert_eq!((states, report.left_out.len()), (vec!["p_on"], 0), "nobody talks to it");
    let owned: Charge = report.owners.iter().map(|share| share.charge).sum();
    assert_eq!(owned, report.charge());
}

#[test]
fn the_account_is_the_same_for_any_number_of_threads_and_in_pieces() {
    let run = |threads: usize, pieces: u64| {
        let mut world = world(5, threads);
        let mut account = account(&mut world);
        for piece in 1..=pieces {
            world.run(Time::from_s(2) / pieces * piece, &mut account).expect("a run");
        }
        account.reports(own_time(&world))
    };
    let reports = run(1, 1);
    assert_eq!(reports.len(), 5);
    assert!(reports.iter().all(|report| report.charge() > charge(1, 1)), "each draws");
    assert!(reports[0] != reports[1], "oscillators differ");
    for (threads, pieces) in [(2, 1), (4, 1), (1, 8), (4, 8)] {
        assert_eq!(run(threads, pieces), reports, "{threads} threads, {pieces} pieces");
    }
}

/// The time that each mote has reached.
fn own_time(world: &World) -> impl Fn(usize) -> Time + '_ {
    |mote| world.mote(MoteId(mote as u32)).chip().now()
}

#[test]
fn an_account_that_begins_at_a_snapshot_is_the_rest() {
    let end = Time::from_ms(1_500);
    let mut straight = world(2, 1);
    let mut whole = account(&mut straight);
    straight.run(end, &mut whole).expect("a run");
    let whole = whole.reports(own_time(&straight));
    // All asleep, and during start-up, in the middle of an instruction.
    for middle in [Time::from_ms(700), Time::from_us(777)] {
        let (before, after) = in_two_pieces(middle, end);
        check_pieces(&[before, after], &whole);
    }
}

fn in_two_pieces(middle: Time, end: Time) -> (Vec<MoteReport>, Vec<MoteReport>) {
    let mut first = world(2, 1);
    let mut before = account(&mut first);
    first.run(middle, &mut before).expect("a run");
    let before = before.reports(own_time(&first));
    let file = std::env::temp_dir().join(format!("lichen-energy-{}", std::process::id()));
    first.save(&file, b"").expect("saved");
    let mut second = world(2, 1);
    second.load(&file).expect("loaded");
    std::fs::remove_file(&file).expect("removed");
    let mut after = account(&mut second);
    second.run(end, &mut after).expect("a run");
    (before, after.reports(own_time(&second)))
}

fn check_pieces([before, after]: &[Vec<MoteReport>; 2], whole: &[MoteReport]) {
    for mote in 0..2 {
        assert_eq!(after[mote].begin, before[mote].end);
        let parts = [before[mote].clone(), after[mote].clone()];
        let sum = MoteReport::sum(&parts);
        assert_eq!(sum.charge(), whole[mote].charge());
        assert_eq!(sum.owners, whole[mote].owners);
        let charges = |report: &MoteReport| -> Vec<(String, &'static str, Time, Charge)> {
            let all = report.entries.iter();
            all.map(|e| (e.component.clone(), e.state, e.time, e.charge)).collect()
        };
        assert_eq!(charges(&sum), charges(&whole[mote]));
        assert_eq!(sum.periods, whole[mote].periods);
        assert!(whole[mote].periods.iter().map(|p| p.count).sum::<u64>() > 3, "it wakes up");
    }
}

#[test]
fn an_account_changes_nothing_in_the_run() {
    let end = Time::from_ms(800);
    let mut plain = world(2, 1);
    let mut events = Sums::default();
    plain.run(end, &mut events).expect("a run");
    let mut watched = world(2, 1);
    let account = account(&mut watched);
    drop(account);
    let mut reported = Sums::default();
    watched.run(end, &mut reported).expect("a run");
    reported.events.retain(|event| !event.kind.is_detail());
    assert_eq!(reported.events, events.events);
    let chips = |world: &World| -> Vec<u64> {
        world.motes().map(|(_, mote)| mote.chip().state_hash()).collect()
    };
    assert_eq!(chips(&plain), chips(&watched));
}

const CELL: &str = r#"
name = "by hand"
title = "a cell"
nominal_mv = 3000
capacity_mah = 10
cut_off_mv = 2000
self_discharge_ppm = 0
shelf_life_years = 10
source = "by hand"
"#;

/// A record with a line of each kind.
fn record() -> Record {
    let mut hand = ByHand::new();
    hand.does(0, "CPU", "active", [1, 0]).does(500, "EIC", "on", [0, 0]);
    let mut cells = Cells::default();
    cells.add("by hand", CELL).expect("a cell");
    let cell = cells.find("by hand").expect("the cell").clone();
    let supply = Supply { cell, count: 1, least_mv: None };
    hand.tell(0, awake("RTC")).tell(600, asleep("idle2", Some("a")));
    Record::new(&hand.report(1_000), Some(&supply))
}

const SHEET: &str = "\
mote,table,name,state,count,duration_ns,mean_hz,charge_pc,mean_na,estimate,note
0,total,,,,1000000,,1100,1100,,3000 mV
0,battery,by hand,,1,,,,,,9090 h
0,component,CPU,active,,1000000,1000000,1100,1100,false,
0,component,EIC,off,,500000,0,0,0,false,
0,unknown,EIC,on,,500000,,,,,by hand
0,owner,main,,,1000000,,1100,1100,,
0,awake,RTC,,1,600000,,660,660,,
0,asleep,idle2,,1,400000,,440,440,,
0,limit,a,idle2,1,400000,,439,439,,
0,left_out,AT86RF233,,,,,,,,
0,left_out,EDBG,,,,,,,,
";

#[test]
fn a_sheet_has_a_row_for_each_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sheet.csv");
    Sheet::create(&file).and_then(|sheet| sheet.write(&[record()])).expect("a sheet");
    let text = std::fs::read_to_string(&file).expect("text");
    assert_eq!(text, SHEET);
}

#[test]
fn a_report_is_an_object_of_integers() {
    let mut json = serde_json::to_value(record()).expect("JSON");
    assert_eq!(json["kind"], "energy");
    assert_eq!(json["duration_ns"], 1_000_000);
    assert_eq!(json["charge_pc"], 1_100);
    assert_eq!(json["energy_nj"], 3);
    assert_eq!(json["mean_na"], 1_100);
    assert_eq!(json["components"][0]["charge_pc"], 1_100);
    assert_eq!(json["owners"][0]["owner"], "main");
    assert_eq!(json["owners"][0]["active_ns"], 1_000_000);
    assert_eq!(json["periods"][0]["charge_pc"], 660);
    assert_eq!(json["limits"][0]["cost_pc"], 439);
    assert_eq!(json["battery"]["life_h"], 9_090);
    assert_eq!(json["unknown"][0]["component"], "EIC");
    assert!(json["left_out"].as_array().is_some_and(|parts| !parts.is_empty()));
    for head in ["t_us", "cycle", "mote"] {
        json[head] = 0.into();
    }
    let text = include_str!("../../../doc/spec/events.schema.json");
    let schema = validator::Schema::new(serde_json::from_str(text).expect("the schema is JSON"));
    assert_eq!(schema.check(&json), Ok(()));
}
