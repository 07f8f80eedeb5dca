// SPDX-License-Identifier: MIT OR Apache-2.0
//! What parts of the system cost a periodic program: cycles in each period, and their share of the mote's energy
//! for several lengths of the period, with the life of its cells.

use super::chart::{Chart, Curve};
use super::code::Codes;
use super::plan::Title;
use super::{BenchError, Nobody, OnWork, Picture, Reading, Rig};
use lichen_board::Fitting;
use lichen_chip::{Chip, Time};
use lichen_energy::{Account, Cell, Cells, HOURS_A_YEAR, MoteReport, Supply, Tables};
use lichen_image::Image;
use lichen_observe::{Observer, Step};
use lichen_world::World;
use serde::Deserialize;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Cycles that parts of the system take in each period of a periodic program, and their share of the mote's energy
/// for several lengths of the period.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overhead {
    /// The figure of the cycles in a period.
    pub id: Option<String>,
    /// A text, if they are printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// The figure of the largest share of the energy.
    pub energy: String,
    /// Folders of the program's variants, beside the file, in the order of their periods.
    pub programs: Vec<String>,
    /// The variant whose cycles are the figure.
    pub program: String,
    /// Constant of the program, of 16 bits, that has the period in seconds.
    pub period: String,
    /// Periods after which everything repeats; the last of them has work that others have not.
    pub repeats: u32,
    /// Beginnings of the files, from the tree's root, whose code counts.
    pub files: Vec<String>,
    /// Beginnings of files whose code counts between two sleeps in which code of `files` executes.
    #[serde(default)]
    pub serving: Vec<String>,
    /// Functions that do not count.
    #[serde(default)]
    pub except: Vec<String>,
    /// Beginnings of files whose code is printed beside it.
    #[serde(default)]
    pub apart: Vec<String>,
    /// The cell that feeds the mote.
    pub cell: String,
    /// Parts that are connected to the board.
    #[serde(default)]
    pub device: Vec<Fitting>,
    /// Name of the picture; the board's follows.
    pub picture: String,
    /// Its title.
    pub title: String,
    /// The name of its axis of periods.
    pub axis: String,
}

impl Overhead {
    /// Beginnings of all files whose code counts.
    pub fn counted(&self) -> impl Iterator<Item = &String> {
        self.files.iter().chain(&self.serving)
    }
}

/// A step that takes so long is stalled by hardware, as by a flash memory that is busy, whatever its code is.
const LONG_STALL_CYCLES: u64 = 400;
/// Quarters of a period after its begin, when it has nothing to do.
const IDLE_QUARTERS: u64 = 3;
/// The processor in the tables of currents.
const PROCESSOR: &str = "CPU";
/// Its state while it executes.
const ACTIVE: &str = "active";

/// Cycles by files; the last ones are all that the processor was active in.
type Cycles = Vec<u64>;

/// Cycles so far.
#[derive(Default)]
struct Sums {
    /// Files whose code counts only between two sleeps in which code of the files before them executes.
    serving: Range<usize>,
    cycles: Cycles,
    /// Those since the last sleep, and whether something was served there.
    stretch: Cycles,
    is_served: bool,
}

impl Sums {
    /// Adds cycles of a file's code.
    fn count(&mut self, file: Option<usize>, cycles: u64) {
        let all = self.stretch.len() - 1;
        self.stretch[all] += cycles;
        if let Some(file) = file.filter(|_| cycles <= LONG_STALL_CYCLES) {
            self.stretch[file] += cycles;
            self.is_served |= file < self.serving.start;
        }
    }

    /// The processor has slept since the code before.
    fn slept(&mut self) {
        if !self.is_served {
            self.stretch[self.serving.clone()].fill(0);
        }
        self.cycles.iter_mut().zip(&self.stretch).for_each(|(sum, cycles)| *sum += cycles);
        self.stretch.fill(0);
        self.is_served = false;
    }
}

/// Counts cycles by files.
struct Counter {
    codes: Codes,
    /// Addresses of functions that do not count.
    except: Vec<Range<u32>>,
    sums: Sums,
    /// How long the processor had slept.
    asleep: Time,
}

impl Counter {
    fn new(entry: &Overhead, image: Arc<Image>) -> Counter {
        let symbols = entry.except.iter().filter_map(|name| image.symbols().find(name));
        let except = symbols.map(|symbol| symbol.address..symbol.address + symbol.size).collect();
        let serving = entry.files.len()..entry.counted().count();
        let files: Vec<String> = entry.counted().chain(&entry.apart).cloned().collect();
        let cycles = vec![0; files.len() + 1];
        let sums = Sums { serving, stretch: cycles.clone(), cycles, is_served: false };
        Counter { codes: Codes::new(image, files), except, sums, asleep: Time::ZERO }
    }
}

impl Observer for Counter {
    fn step(&mut self, step: &Step, chip: &dyn Chip) {
        if chip.time_asleep() > self.asleep {
            self.asleep = chip.time_asleep();
            self.sums.slept();
        }
        if step.asleep {
            return;
        }
        // The entry of an exception belongs to its handler.
        let pc = if step.executed { step.pc } else { step.next };
        let is_except = self.except.iter().any(|function| function.contains(&pc));
        let file = if is_except { None } else { self.codes.of(pc) };
        self.sums.count(file, step.cycles);
    }
}

/// What a variant of the program has done.
struct Variant {
    period_s: u64,
    /// Cycles of each period; the last one has work that others have not.
    periods: Vec<Cycles>,
    report: MoteReport,
}

impl Variant {
    /// Cycles of a usual period by files: the median of each.
    fn usual(&self) -> Cycles {
        let usual = &self.periods[..self.periods.len() - 1];
        let median = |index: usize| {
            let mut all: Vec<u64> = usual.iter().map(|cycles| cycles[index]).collect();
            all.sort_unstable();
            all[all.len() / 2]
        };
        (0..self.periods[0].len()).map(median).collect()
    }

    /// The least and the most cycles of the first `files` in a usual period.
    fn range(&self, files: usize) -> (u64, u64) {
        let usual = self.periods[..self.periods.len() - 1].iter();
        let sums = usual.map(|cycles| cycles[..files].iter().sum());
        (sums.clone().min().unwrap_or(0), sums.max().unwrap_or(0))
    }

    /// Percent of the mote's charge that the processor has drawn while it executed the first `files`.
    fn share(&self, files: usize) -> f64 {
        let sum = |of: &dyn Fn(&Cycles) -> u64| self.periods.iter().map(of).sum::<u64>() as f64;
        let executing = sum(&|cycles| cycles[..files].iter().sum());
        let active = sum(&|cycles| cycles[cycles.len() - 1]);
        let is_active = |component: &str, state| component == PROCESSOR && state == ACTIVE;
        let entries = self.report.entries.iter();
        let entries = entries.filter(|entry| is_active(&entry.component, entry.state));
        let charge: u128 = entries.map(|entry| entry.charge.0).sum();
        charge as f64 / self.report.charge().0 as f64 * executing / active.max(1.0) * 100.0
    }

    fn life_years(&self, cell: &Cell) -> f64 {
        let hours = cell.life_h(self.report.mean()).unwrap_or(u64::MAX);
        hours as f64 / HOURS_A_YEAR as f64
    }
}

impl Rig<'_> {
    /// The cycles of a usual period; of the last one; of what is apart; then the largest share of the energy, and
    /// that of each variant.
    pub(super) fn overhead(
        &self,
        entry: &Overhead,
        on_work: OnWork,
    ) -> Result<Vec<Reading>, BenchError> {
        let cells = Cells::load(&self.tree.path("data/cell"));
        let cells = cells.map_err(|error| self.wrong(error.to_string()))?;
        let cell = cells.find(&entry.cell).map_err(|error| self.wrong(error.to_string()))?;
        let supply = &self.supply(cell);
        let mut variants = Vec::new();
        let mut features = Vec::new();
        for program in &entry.programs {
            let (image, parts) = self.build(program, on_work)?;
            features.extend(parts);
            variants.push(self.variant(entry, Arc::new(image))?);
        }
        let chosen = entry.programs.iter().position(|program| *program == entry.program);
        let chosen = chosen
            .ok_or_else(|| self.wrong(format!("`{}` is none of the `programs`", entry.program)))?;
        let mut readings = self.cycles(entry, &variants[chosen], features)?;
        readings.extend(self.shares(entry, &variants, supply)?);
        Ok(readings)
    }

    /// As many of the cells as it takes to feed the board.
    fn supply(&self, cell: &Cell) -> Supply {
        let least_mv = self.board.battery.as_ref().map(|battery| battery.least_mv);
        let count = least_mv.unwrap_or(0).div_ceil(cell.nominal_mv.max(1)).max(1);
        Supply { cell: cell.clone(), count, least_mv }
    }

    /// Runs a variant until everything has repeated once, and then observes the same again.
    fn variant(&self, entry: &Overhead, image: Arc<Image>) -> Result<Variant, BenchError> {
        let period_s = self.period_s(entry, &image)?;
        let quarter = Time::from_s(period_s) / 4;
        let begin = quarter * (4 * u64::from(entry.repeats) + IDLE_QUARTERS);
        let tables = Tables::load(&self.tree.path("data/current"));
        let mut account = Account::new(tables.map_err(|error| self.wrong(error.to_string()))?);
        let mut world = World::new();
        let mote = world.add(self.board.clone().with(entry.device.clone())?, Arc::clone(&image))?;
        world.run(begin, &mut Nobody)?;
        let at = world.mote(mote);
        account.add(at.board(), at.image(), at.chip(), at.running_thread().as_deref());
        world.tell_details();
        world.tell_activity();
        let counter = Arc::new(Mutex::new(Counter::new(entry, image)));
        world.observe(mote, counter.clone());
        let mut periods = Vec::new();
        let mut before: Cycles = Vec::new();
        for period in 1..=u64::from(entry.repeats) {
            world.run(begin + quarter * (4 * period), &mut account)?;
            let sums = &mut counter.lock().unwrap_or_else(PoisonError::into_inner).sums;
            sums.slept();
            before.resize(sums.cycles.len(), 0);
            let new = sums.cycles.iter().zip(&before).map(|(now, before)| now - before);
            periods.push(new.collect());
            before.clone_from(&sums.cycles);
        }
        let end = begin + quarter * (4 * u64::from(entry.repeats));
        let report = account.reports(|_| end).into_iter().next();
        let report = report.ok_or_else(|| self.wrong("there is no mote"))?;
        Ok(Variant { period_s, periods, report })
    }

    fn period_s(&self, entry: &Overhead, image: &Image) -> Result<u64, BenchError> {
        let name = &entry.period;
        let bytes = image
            .symbols()
            .find(name)
            .and_then(|symbol| image.initial_bytes_at(symbol.address, 2))
            .ok_or_else(|| self.wrong(format!("no constant `{name}` in {}", image.name())))?;
        match u64::from(u16::from_le_bytes([bytes[0], bytes[1]])) {
            0 => Err(self.wrong(format!("`{name}` is 0 in {}", image.name()))),
            period_s => Ok(period_s),
        }
    }

    fn cycles(
        &self,
        entry: &Overhead,
        variant: &Variant,
        features: Vec<String>,
    ) -> Result<Vec<Reading>, BenchError> {
        let files = entry.counted().count();
        let usual = variant.usual();
        let sum = |cycles: &Cycles| cycles[..files].iter().sum::<u64>();
        let median = {
            let last = variant.periods.len() - 1;
            let mut sums: Vec<u64> = variant.periods[..last].iter().map(sum).collect();
            sums.sort_unstable();
            sums[sums.len() / 2]
        };
        let last = variant.periods.last().map_or(0, sum).saturating_sub(median);
        let (least, most) = variant.range(files);
        let mut parts: Vec<String> = Vec::new();
        for (name, cycles) in entry.counted().zip(&usual) {
            parts.push(format!("{} {cycles}", name.trim_end_matches('/')));
        }
        let active = usual[usual.len() - 1];
        let detail = format!("of {active}, {least} to {most} in all periods: {}", parts.join(", "));
        let beside = |words: String, value: u64, detail| {
            self.reading(Some(Title::Beside(words)), value as f64, "cycles", detail, Vec::new())
        };
        let mut readings =
            vec![self.reading(entry.title(), median as f64, "cycles", detail, features)?];
        let words = format!("in addition once in {} periods", entry.repeats);
        readings.push(beside(words, last, String::new())?);
        for (name, cycles) in entry.apart.iter().zip(&usual[files..]) {
            readings.push(beside(format!("not in it: {name}"), *cycles, String::new())?);
        }
        Ok(readings)
    }

    fn shares(
        &self,
        entry: &Overhead,
        variants: &[Variant],
        supply: &Supply,
    ) -> Result<Vec<Reading>, BenchError> {
        let files = entry.counted().count();
        let share = |variant: &Variant| variant.share(files);
        let largest = variants.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
        let largest = largest.ok_or_else(|| self.wrong("an [[overhead]] needs programs"))?;
        let id = Some(Title::Id(entry.energy.clone()));
        let detail = format!(
            "the largest, with a period of {}{}",
            length(largest.period_s),
            unknown(&largest.report)
        );
        let mut first = self.reading(id, share(largest), "percent", detail, Vec::new())?;
        first.picture = Some(self.picture(entry, variants, supply));
        let mut readings = vec![first];
        for variant in variants {
            let words = format!("with a period of {}", length(variant.period_s));
            let detail = format!(
                "{} on average, {supply} last {:.1} years{}",
                variant.report.mean(),
                variant.life_years(&supply.cell),
                shelf_life(&supply.cell, variant.life_years(&supply.cell)),
            );
            let title = Some(Title::Beside(words));
            readings.push(self.reading(title, share(variant), "percent", detail, Vec::new())?);
        }
        Ok(readings)
    }

    fn picture(&self, entry: &Overhead, variants: &[Variant], supply: &Supply) -> Picture {
        let points = |of: &dyn Fn(&Variant) -> f64| {
            variants.iter().map(|variant| (variant.period_s as f64, of(variant))).collect()
        };
        let files = entry.counted().count();
        let chart = Chart {
            title: format!("{}, {}", entry.title, self.board.title),
            across: entry.axis.clone(),
            ticks: variants.iter().map(|v| (v.period_s as f64, length(v.period_s))).collect(),
            left: Curve {
                name: "share of the energy in percent".to_string(),
                points: points(&|variant| variant.share(files)),
            },
            right: Curve {
                name: format!("life with {supply} in years"),
                points: points(&|variant| variant.life_years(&supply.cell)),
            },
        };
        Picture { file: format!("{}-{}.svg", entry.picture, self.board.name), svg: chart.svg() }
    }
}

/// What draws an unknown current, and so is not in the energy.
fn unknown(report: &MoteReport) -> String {
    let mut parts: Vec<&str> =
        report.unknown.iter().map(|unknown| unknown.component.as_str()).collect();
    parts.sort_unstable();
    parts.dedup();
    match parts[..] {
        [] => String::new(),
        _ => format!("; without the unknown current of {}", parts.join(", ")),
    }
}

/// A period in words.
fn length(seconds: u64) -> String {
    match seconds {
        _ if seconds % 3_600 == 0 => format!("{} h", seconds / 3_600),
        _ if seconds % 60 == 0 => format!("{} min", seconds / 60),
        _ => format!("{seconds} s"),
    }
}

/// What is to be said of a life that is longer than the cell's.
fn shelf_life(cell: &Cell, years: f64) -> String {
    match years > f64::from(cell.shelf_life_years) {
        true => format!(", but their shelf life is {} years", cell.shelf_life_years),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_energy::{Charge, Entry};

    fn variant(periods: &[[u64; 3]]) -> Variant {
        let entry = |component: &str, state, charge| Entry {
            component: component.to_string(),
            state,
            time: Time::from_s(1),
            mean_hz: 0,
            charge: Charge(charge),
            estimate: false,
        };
        let entries = vec![
            entry(PROCESSOR, ACTIVE, 500),
            entry(PROCESSOR, "standby", 400),
            entry("sensor", ACTIVE, 100),
        ];
        let report = MoteReport { entries, ..MoteReport::default() };
        let periods = periods.iter().map(|cycles| cycles.to_vec()).collect();
        Variant { period_s: 60, periods, report }
    }

    #[test]
    fn a_share_is_of_what_the_processor_draws_while_it_executes() {
        // 40 of 80 cycles, of half of the charge.
        let variant = variant(&[[10, 1, 20], [10, 1, 20], [20, 1, 40]]);
        assert!((variant.share(1) - 25.0).abs() < 1e-9, "{}", variant.share(1));
    }

    #[test]
    fn a_usual_period_is_none_of_those_with_other_work() {
        let variant = variant(&[[10, 1, 20], [12, 1, 20], [11, 1, 20], [900, 1, 999]]);
        assert_eq!(variant.usual(), [11, 1, 20]);
        assert_eq!(variant.range(1), (10, 12));
        assert_eq!(variant.range(2), (11, 13));
    }

    #[test]
    fn what_serves_nobody_between_two_sleeps_is_not_counted() {
        let zeros = vec![0; 4];
        let mut sums =
            Sums { serving: 1..2, cycles: zeros.clone(), stretch: zeros, ..Sums::default() };
        sums.count(Some(1), 10);
        sums.count(Some(2), 20);
        sums.slept();
        assert_eq!(sums.cycles, [0, 0, 20, 30]);
        sums.count(Some(1), 10);
        sums.count(Some(0), 5);
        sums.count(None, 7);
        sums.count(Some(0), LONG_STALL_CYCLES + 1);
        sums.slept();
        assert_eq!(sums.cycles, [5, 10, 20, 52 + LONG_STALL_CYCLES + 1]);
    }

    #[test]
    fn parts_without_a_current_are_named_once() {
        let unknown_state = |component: &str, state| lichen_energy::Unknown {
            component: component.to_string(),
            state,
            time: Time::from_s(1),
            why: String::new(),
        };
        let mut report = MoteReport::default();
        assert_eq!(unknown(&report), "");
        report.unknown = vec![
            unknown_state("mts310", "on"),
            unknown_state("led0", "on"),
            unknown_state("mts310", "off"),
        ];
        assert_eq!(unknown(&report), "; without the unknown current of led0, mts310");
    }

    #[test]
    fn periods_have_the_unit_that_fits() {
        assert_eq!([10, 60, 300, 7_200].map(length), ["10 s", "1 min", "5 min", "2 h"]);
    }
}
