// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a run fails, and why: the first of these that holds.

use super::problem::SAME_ORDER;
use super::show::Show;
use super::{End, Noticed, Session};
use crate::watched::LOW_SUPPLY_REMEDY;
use lichen_project::Place;
use lichen_terminal::failure::Failure;
use lichen_world::{Halt, MoteId, Summary};

/// A mote and what it has done.
type Done = (MoteId, Summary);

impl Session<'_> {
    /// Judges a run that has ended, with what was noticed at its end.
    pub(super) fn judge(
        &self,
        show: &Show<'_>,
        noticed: &[Noticed],
        end: End,
    ) -> Result<(), Failure> {
        let motes: Vec<Done> = self.world.motes().map(|(id, mote)| (id, mote.summary())).collect();
        let failure = show
            .first_problem(&motes, self.record.strict)
            .or_else(|| self.warned(noticed))
            .or_else(|| self.deadlocked(&motes))
            .or_else(|| self.stuck())
            .or_else(|| self.hung())
            .or_else(|| self.locked_up(&motes, end))
            .or_else(|| self.not_printed(show, end))
            .or_else(|| self.lifeless(&motes, end));
        failure.map_or(Ok(()), Err)
    }

    /// Under `--strict`.
    fn warned(&self, noticed: &[Noticed]) -> Option<Failure> {
        let first = noticed.first().filter(|_| self.record.strict)?;
        Some(Failure::failed(format!("warning: {}", first.what)))
    }

    /// What is wrong with a mote, with its name if there are several.
    fn of_mote(&self, id: MoteId, what: String) -> Failure {
        Failure::failed(format!("{}{what}", self.who(id.0)))
    }

    fn deadlocked(&self, motes: &[Done]) -> Option<Failure> {
        let (id, (since, what)) =
            motes.iter().find_map(|(id, mote)| Some((*id, mote.deadlock.as_ref()?)))?;
        Some(self.of_mote(id, format!("{what}, since {since} s")).remedy(SAME_ORDER))
    }

    fn stuck(&self) -> Option<Failure> {
        let (id, what) = self.world.motes().find_map(|(id, mote)| Some((id, mote.stuck()?)))?;
        Some(self.of_mote(id, what).remedy(
            "no timer is armed and no interrupt is enabled: let a thread post what another one waits for, in \
             whatever order they run, or wait with a deadline: semaphore_wait_until",
        ))
    }

    fn hung(&self) -> Option<Failure> {
        let (id, what) = self.ending.hung(&self.world)?;
        Some(self.of_mote(id, what).remedy(
            "handlers and real-time tasks must return and leave time: do long work in a thread",
        ))
    }

    fn locked_up(&self, motes: &[Done], end: End) -> Option<Failure> {
        let locked_up = motes.iter().find(|(_, mote)| mote.locked_up);
        let mote = locked_up.map_or(self.mote, |(id, _)| *id);
        (end == End::Halt(Halt::Dead) || locked_up.is_some())
            .then(|| self.reported_by_processor(mote, "the processor is locked up"))
    }

    fn not_printed(&self, show: &Show<'_>, end: End) -> Option<Failure> {
        let text = self.record.until.as_ref().filter(|_| end != End::Halt(Halt::Text))?;
        let now = self.world.now();
        let what = format!("`{text}` was not printed in {now} s; {}", show.latest_words(now));
        let failure = self.reported_if_awake(self.mote, &what);
        Some(failure.or_remedy("compare with the console above, or run for longer: --for 60s"))
    }

    /// No mote has shown a sign of life.
    fn lifeless(&self, motes: &[Done], end: End) -> Option<Failure> {
        let now = self.world.now();
        if now > self.begin.time && motes.iter().all(|(_, mote)| mote.off == now) {
            let what = format!("no mote had power in {now} s");
            return Some(self.low_supply(&what).unwrap_or_else(|| {
                Failure::failed(what)
                    .remedy("run for longer (--for), or give them power: `start`, `!power on`")
            }));
        }
        if end == End::Interrupted {
            return None;
        }
        if motes.iter().all(|(_, mote)| mote.instructions == 0) {
            let what = format!("no instruction was executed in {now} s");
            return Some(self.low_supply(&what).unwrap_or_else(|| {
                Failure::failed(what).remedy(
                    "run for longer (--for): a chip starts some time after its power, 65 ms on a MICA",
                )
            }));
        }
        let is_silent = |mote: &Summary| mote.characters_out == 0 && !mote.has_lit;
        motes.iter().all(|(_, mote)| is_silent(mote)).then(|| {
            let what = format!("in {now} s it printed nothing and set no LED");
            self.reported_by_processor(self.mote, &what).or_remedy(
                "check --board (the console's pins differ), and the warnings above; --json FILE \
                 shows sleep and wake-ups",
            )
        })
    }

    /// A failure that says which mote has too low a supply, if one has.
    fn low_supply(&self, what: &str) -> Option<Failure> {
        let mut motes = self.world.motes();
        let (id, low) = motes.find_map(|(id, mote)| Some((id, mote.low_supply()?)))?;
        let what = format!("{what}; {}: {low}", self.names.long(id.0));
        Some(Failure::failed(what).remedy(LOW_SUPPLY_REMEDY))
    }

    /// A failure that says where the processor of `mote` is.
    fn reported_by_processor(&self, id: MoteId, what: &str) -> Failure {
        let mote = self.world.mote(id);
        if !mote.is_powered() {
            let what = format!("{what}; {} has no power", self.names.long(id.0));
            return match mote.low_supply() {
                Some(low) => Failure::failed(format!("{what}: {low}")).remedy(LOW_SUPPLY_REMEDY),
                None => Failure::failed(what),
            };
        }
        let pc = mote.chip().core().pc();
        let place = mote.image().symbols().place(pc).map(|place| format!(" ({place})"));
        let line = mote.image().locations(pc).into_iter().next();
        let failure = Failure::failed(format!(
            "{what}; the processor is at 0x{pc:08x}{}",
            place.unwrap_or_default()
        ));
        let place = line.and_then(|line| Some(Place::line(line.file?, line.line?)));
        failure.at(place.unwrap_or_else(|| Place::file(mote.image().name())))
    }

    /// The same, unless the processor sleeps: then it is where every sleep begins.
    fn reported_if_awake(&self, id: MoteId, what: &str) -> Failure {
        let mote = self.world.mote(id);
        let sleeps = mote.is_powered() && mote.chip().next_event() > mote.chip().now();
        if sleeps { Failure::failed(what) } else { self.reported_by_processor(id, what) }
    }
}
