// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accounts of random events: whatever happens, the sums agree to the last digit.

use lichen_board::Board;
use lichen_chip::Time;
use lichen_energy::{Account, Charge, MoteReport, Record, Tables};
use lichen_image::Image;
use lichen_trace::{Event, Kind, Processor, Sink};
use lichen_world::World;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Components, and states of the project's tables; `EIC` has no known current.
const STATES: [(&str, &[&str]); 6] = [
    ("CPU", &["active", "idle0", "idle2", "standby", "off"]),
    ("OSC8M", &["on", "off"]),
    ("SERCOM0", &["usart", "spi", "off"]),
    ("TC4", &["counting", "off"]),
    ("EIC", &["on", "off"]),
    ("NVMCTRL", &["erasing", "writing", "off"]),
];
const INTERRUPTS: [&str; 3] = ["RTC", "SERCOM0", "EIC"];

fn activity() -> impl Strategy<Value = Kind> {
    let which = (0..STATES.len(), any::<prop::sample::Index>());
    let component = which.prop_map(|(at, state)| (STATES[at].0, *state.get(STATES[at].1)));
    let clock = prop_oneof![Just(0_u64), Just(32_768), 1..=48_000_000_u64];
    (component, clock.clone(), clock).prop_map(|((component, state), hz, bus_hz)| {
        let component = component.into();
        Kind::Activity { part: "ATSAMR21E18A", component, state, hz, bus_hz }
    })
}

fn processor() -> impl Strategy<Value = Kind> {
    let interrupt = prop::sample::select(INTERRUPTS.to_vec());
    let mode = prop::sample::select(vec!["idle0", "idle2", "standby"]);
    let limits = prop::sample::select(vec![None, Some("a"), Some("a, b")]);
    let does = prop_oneof![
        Just(Processor::Off),
        interrupt.prop_map(|cause| Processor::Awake { cause: cause.into() }),
        (mode, limits).prop_map(|(mode, limits)| Processor::Asleep {
            mode: mode.into(),
            limits: limits.map(Into::into),
        }),
    ];
    does.prop_map(|does| Kind::Processor { does, begins: true })
}

fn kind() -> impl Strategy<Value = Kind> {
    let interrupt = prop::sample::select(INTERRUPTS.to_vec());
    let thread = prop::sample::select(vec!["a", "b", "idle"]);
    prop_oneof![
        4 => activity(),
        2 => processor(),
        1 => interrupt.prop_map(|name| Kind::Exception { name: Some(name) }),
        1 => Just(Kind::Exception { name: None }),
        1 => thread.prop_map(|name| Kind::Thread { name: name.into() }),
        1 => Just(Kind::Reset { cause: "watchdog" }),
    ]
}

/// Times between events: none, an odd number of units, or weeks.
fn pause() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1..1_000_000_u64, 1..3_000_000_000_000_000_000_u64 / 64]
}

fn account() -> Account {
    let folder = |path: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let board = Arc::new(Board::find(&folder("board"), "hamilton").expect("a board"));
    let image = Image::load(&folder("host/world/tests/data/echo.elf")).expect("an image");
    let mut world = World::new();
    world.add(board, Arc::new(image)).expect("a mote");
    let mut account = Account::new(Tables::load(&folder("data/current")).expect("tables"));
    for (_, mote) in world.motes() {
        account.add(mote.board(), mote.image(), mote.chip(), None);
    }
    account
}

fn check(report: &MoteReport) {
    let charge = report.charge();
    let owners: Charge = report.owners.iter().map(|share| share.charge).sum();
    let periods: Charge = report.periods.iter().map(|period| period.charge).sum();
    assert_eq!((owners, periods), (charge, charge));
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    let entries = report.entries.iter().map(|entry| (entry.component.as_str(), entry.time));
    let unknown = report.unknown.iter().map(|state| (state.component.as_str(), state.time));
    for (component, time) in entries.chain(unknown) {
        *times.entry(component).or_default() += time.units();
    }
    assert!(times.values().all(|time| *time == report.time().units()), "{times:?}");
    let periods: u64 = report.periods.iter().map(|period| period.time.units()).sum();
    assert_eq!(periods, report.time().units());
    let active: u64 = report.owners.iter().map(|share| share.active.units()).sum();
    let is_active = |entry: &&lichen_energy::Entry| {
        (entry.component.as_str(), entry.state) == ("CPU", "active")
    };
    assert_eq!(active, report.entries.iter().find(is_active).map_or(0, |entry| entry.time.units()));
    check_file(&Record::new(report, None));
}

/// The integers of a file add up as well.
fn check_file(record: &Record) {
    let sum = |charges: Vec<u64>| charges.iter().sum::<u64>();
    let components = sum(record.components.iter().map(|line| line.charge_pc).collect());
    let owners = sum(record.owners.iter().map(|line| line.charge_pc).collect());
    let periods = sum(record.periods.iter().map(|line| line.charge_pc).collect());
    assert_eq!([components, owners, periods], [record.charge_pc; 3]);
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    let known = record.components.iter().map(|line| (line.component.as_str(), line.duration_ns));
    let unknown = record.unknown.iter().map(|line| (line.component.as_str(), line.duration_ns));
    for (component, ns) in known.chain(unknown) {
        *times.entry(component).or_default() += ns;
    }
    assert!(times.values().all(|ns| *ns == record.duration_ns), "{times:?}");
    let periods = sum(record.periods.iter().map(|line| line.duration_ns).collect());
    assert_eq!(periods, record.duration_ns);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn sums_agree_whatever_happens(
        events in prop::collection::vec((pause(), kind()), 1..64),
        looked_at in any::<prop::sample::Index>(),
    ) {
        let (mut account, mut other) = (account(), account());
        let mut now = Time::ZERO;
        let first = Kind::Processor { does: Processor::Off, begins: false };
        let all = std::iter::once((0, first)).chain(events.clone());
        for (number, (pause, kind)) in all.enumerate() {
            now += Time::from_units(pause);
            let event = Event { time: now, cycle: 0, mote: 0, kind };
            account.event(&event).expect("no file");
            other.event(&event).expect("no file");
            // A look in between changes nothing.
            if number == looked_at.index(events.len()) {
                check(&other.reports(|_| now)[0]);
            }
        }
        let report = account.reports(|_| now + Time::from_units(12_345)).remove(0);
        check(&report);
        prop_assert_eq!(report, other.reports(|_| now + Time::from_units(12_345)).remove(0));
    }
}
