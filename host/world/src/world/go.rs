// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run of a world.
//!
//! Motes run side by side up to a *bound*, the earliest moment at which one of them can reach another.
//! What they have decided to send by then is carried in order, and arrives when it takes effect ([`AHEAD`]). A mote's run
//! depends on what reaches it and on nothing else, so the number of threads does not matter, nor do the bounds.

use super::World;
use super::node::{Node, Pending};
use crate::{Error, Halt, MoteId, translate};
use lichen_chip::Time;
use lichen_device::air::{AHEAD, OnAir, Passage, Reception};
use lichen_trace::{Event, Meets, Sink};

/// Most simulated time between two bounds: events wait for as long.
const LONGEST: Time = Time::from_s(1);
/// The same if something that a mote does may end the run: the others are later by as much at most.
const LONGEST_BEFORE_END: Time = Time::from_us(100);

impl World {
    /// Runs all motes, or steps one and lets the others keep up.
    pub(super) fn go(
        &mut self,
        until: Time,
        stepping: Option<MoteId>,
        sink: &mut dyn Sink,
    ) -> Result<Halt, Error> {
        let executed = stepping.map(|mote| (mote, self.mote(mote).chip().instructions()));
        let mut halted = None;
        self.now = self.now();
        self.sort_pending();
        let halt = loop {
            if let Some(halt) = self.deliver(sink)? {
                break halt;
            }
            if let Some(halt) = halted {
                break halt;
            }
            if executed.is_some_and(|(mote, was)| self.mote(mote).chip().instructions() != was) {
                break Halt::Reached;
            }
            if self.is_dead() {
                break Halt::Dead;
            }
            if self.now >= until {
                break Halt::Reached;
            }
            halted = self.advance(until, stepping);
        };
        let now = self.now;
        if halt != Halt::Dead {
            self.nodes.iter_mut().for_each(|node| node.catch_up(now));
        }
        Ok(halt)
    }

    /// Whether every core is locked up for good.
    fn is_dead(&mut self) -> bool {
        self.due.first() == Time::NEVER && self.nodes.iter().all(Node::is_dead)
    }

    /// Runs the motes up to the next bound. Returns whether one is at a breakpoint.
    fn advance(&mut self, until: Time, stepping: Option<MoteId>) -> Option<Halt> {
        let mut bound = self.bound(until);
        let mut ran = std::mem::take(&mut self.ran);
        let mut due = std::mem::take(&mut self.running);
        if let Some(mote) = stepping {
            let node = self.node(mote);
            node.step(bound);
            bound = bound.min(node.mote.now());
            ran.push(mote.0 as usize);
        }
        self.due.due(bound, &mut due);
        due.retain(|index| !ran.contains(index));
        // Where a debugger may halt a mote, the others do not run ahead.
        due.retain(|index| {
            let node = &mut self.nodes[*index];
            let is_debugged = node.mote.has_breakpoints();
            if is_debugged {
                node.run(bound);
                if node.halted.is_some() {
                    bound = bound.min(node.mote.now());
                }
                ran.push(*index);
            }
            !is_debugged
        });
        self.workers.run(&mut self.nodes, &due, bound);
        ran.append(&mut due);
        ran.sort_unstable();
        let halted = self.conclude(&ran, bound);
        ran.clear();
        (self.ran, self.running) = (ran, due);
        halted
    }

    /// Up to when no mote can reach another.
    fn bound(&mut self, until: Time) -> Time {
        let start = self.due.first().max(self.now).min(until);
        let may_end = self.text.is_some() || self.stops.warning || self.stops.fault;
        let longest = if may_end { LONGEST_BEFORE_END } else { LONGEST };
        let bound = until.min(start + longest);
        self.interfere(bound);
        bound.min(self.reached_at_earliest())
    }

    /// Takes from the medium what comes from no mote and begins before `bound`.
    fn interfere(&mut self, bound: Time) {
        let Some(medium) = &mut self.medium else { return };
        let seed = medium.seed();
        let reached = &mut self.reached;
        medium.interfere(bound, &mut |sender, burst, mote, power| {
            let Some(node) = self.nodes.get_mut(mote.0 as usize) else { return };
            let passage = Passage { seed, sender, receiver: mote.0 };
            let what = OnAir::Begins(burst.clone());
            // After what motes send at that very time, however far ahead it is announced.
            let place = u64::from(sender) << 32 | u64::from(burst.number);
            node.inbox.insert((burst.begin, place), Reception { passage, what, power });
            reached.push(mote);
        });
        self.collect_reached();
    }

    /// The earliest moment at which a mote can reach another.
    fn reached_at_earliest(&mut self) -> Time {
        let waiting = self.air.first().map_or(Time::NEVER, |(time, ..)| *time);
        let decided = self.sends.first().min(waiting).max(self.now);
        if decided == Time::NEVER || !self.is_shared() { Time::NEVER } else { decided + AHEAD }
    }

    /// Whether what a mote does on the air can reach another.
    fn is_shared(&self) -> bool {
        self.medium.is_some() && self.nodes.len() > 1
    }

    /// Collects what the motes have done that ran to `bound`, and carries what they sent.
    fn conclude(&mut self, ran: &[usize], bound: Time) -> Option<Halt> {
        let mut halted = None;
        let mut now = bound;
        for index in ran {
            let node = &mut self.nodes[*index];
            if let Some(halt) = node.halted.take() {
                now = now.min(node.mote.now());
                halted = halted.or(Some(halt).filter(|halt| matches!(halt, Halt::Breakpoint(_))));
            }
            self.collect(MoteId(*index as u32));
        }
        self.now = now;
        self.carry(bound);
        self.sort_pending();
        if self.is_dead() {
            self.now = self.nodes.iter().map(|node| node.mote.now()).max().unwrap_or(now);
        }
        halted
    }

    fn sort_pending(&mut self) {
        self.pending.sort_by_key(|pending| (pending.event.time, pending.event.mote));
    }

    /// Takes over what a mote has done, and when it goes on.
    pub(super) fn collect(&mut self, mote: MoteId) {
        let index = mote.0 as usize;
        let node = &mut self.nodes[index];
        node.halted = None;
        self.pending.append(&mut node.events);
        self.air.extend(node.radioed.drain(..).map(|(time, what)| (time, mote, what)));
        let due = node.due();
        self.due.set(index, due);
        self.sends.set(index, node.mote.acts_on_air(due));
    }

    /// The same of the motes that something will reach.
    fn collect_reached(&mut self) {
        let mut reached = std::mem::take(&mut self.reached);
        reached.sort_unstable();
        reached.dedup();
        reached.drain(..).for_each(|mote| self.collect(mote));
        self.reached = reached;
    }

    /// Hands the medium what takes effect when no mote can do something earlier any more.
    fn carry(&mut self, bound: Time) {
        let is_shared = self.is_shared();
        let Some(medium) = self.medium.as_mut().filter(|_| is_shared) else {
            return self.air.clear();
        };
        self.air.sort_by_key(|(time, sender, _)| (*time, *sender));
        let last = self.sends.first().max(bound);
        let decided = self.air.partition_point(|(time, ..)| *time < last);
        let seed = medium.seed();
        let reached = &mut self.reached;
        for (time, sender, what) in self.air.drain(..decided) {
            let time = time + AHEAD;
            debug_assert!(
                time >= bound,
                "a device acts earlier than it says (Device::acts_on_air)"
            );
            if let (OnAir::Begins(transmission), true) = (&what, self.tells_arrivals) {
                medium.fades(sender, time, transmission, &mut |mote, power| {
                    let sent = (sender.0, transmission);
                    let kind = translate::arrival(sent, power, Meets::Faded);
                    let event = Event { time, cycle: 0, mote: mote.0, kind };
                    self.pending.push(Pending { event, halt: None });
                });
            }
            medium.carry(sender, time, &what, &mut |mote, power| {
                let Some(node) = self.nodes.get_mut(mote.0 as usize) else { return };
                self.arrivals += 1;
                let passage = Passage { seed, sender: sender.0, receiver: mote.0 };
                let reception = Reception { passage, what: what.clone(), power };
                node.inbox.insert((time, self.arrivals), reception);
                reached.push(mote);
            });
        }
        self.collect_reached();
    }

    /// Passes to `sink` all events that no mote can precede any more.
    fn deliver(&mut self, sink: &mut dyn Sink) -> Result<Option<Halt>, Error> {
        let next =
            self.due.first_entry().map_or((Time::NEVER, 0), |(time, mote)| (time, mote as u32));
        let is_ready = |Pending { event, .. }: &Pending| {
            event.time <= self.now || (event.time, event.mote) <= next
        };
        let ready = self.pending.partition_point(is_ready);
        let mut passed = 0;
        let mut end = Ok(None);
        for Pending { event, halt } in &self.pending[..ready] {
            passed += 1;
            end = sink.event(event).map(|()| *halt).map_err(Error::from);
            if !matches!(end, Ok(None)) {
                break;
            }
        }
        self.pending.drain(..passed);
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mote_that_reaches_no_other_sets_no_bound() {
        let mut world = World::new();
        world.sends.set(0, Time::from_ms(1));
        assert_eq!(world.reached_at_earliest(), Time::NEVER);
    }
}
