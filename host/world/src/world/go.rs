// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run of a world.
//!
//! Motes run side by side up to a *bound*, the earliest moment at which one of them can reach another.
//! What they have sent by then is carried in order, and arrives with the next bound. A mote's run depends on
//! what reaches it and on nothing else, so the number of threads does not matter, nor do the bounds.

use super::World;
use super::node::{Node, Pending};
use crate::{Error, Halt, MoteId};
use lichen_chip::Time;
use lichen_trace::Sink;

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
        let mut ran = Vec::new();
        if let Some(mote) = stepping {
            let node = self.node(mote);
            node.step(bound);
            bound = bound.min(node.mote.now());
            ran.push(mote.0 as usize);
        }
        let mut due = self.due.take(bound);
        due.retain(|index| !ran.contains(index));
        // Where a debugger may halt a mote, the others do not run ahead.
        let (debugged, others): (Vec<_>, Vec<_>) =
            due.into_iter().partition(|index| self.nodes[*index].mote.has_breakpoints());
        for index in debugged {
            let node = &mut self.nodes[index];
            node.run(bound);
            if node.halted.is_some() {
                bound = bound.min(node.mote.now());
            }
            ran.push(index);
        }
        self.workers.run(&mut self.nodes, &others, bound);
        ran.extend(others);
        ran.sort_unstable();
        self.conclude(&ran, bound)
    }

    /// Up to when no mote can reach another.
    fn bound(&mut self, until: Time) -> Time {
        let start = self.due.first().max(self.now).min(until);
        let waiting = self.air.first().map_or(Time::NEVER, |(time, ..)| *time);
        let reached = self.sends.first().min(waiting).max(self.now + Time::UNIT);
        let may_end = self.text.is_some() || self.stops.warning || self.stops.fault;
        let longest = if may_end { LONGEST_BEFORE_END } else { LONGEST };
        until.min(start + longest).min(reached)
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
        self.sort_pending();
        self.now = now;
        self.carry(bound);
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
        self.air.extend(node.transmissions.drain(..).map(|(time, sent)| (time, mote, sent)));
        self.due.set(index, node.due());
        self.sends.set(index, node.sends_at_earliest());
    }

    /// Hands the medium what was sent by `bound`; it arrives with the next bound at the earliest.
    fn carry(&mut self, bound: Time) {
        self.air.sort_by_key(|(time, sender, _)| (*time, *sender));
        let sent = self.air.partition_point(|(time, ..)| *time <= bound);
        let Some(medium) = &mut self.medium else {
            self.air.drain(..sent);
            return;
        };
        let mut reached = Vec::new();
        for (time, sender, transmission) in self.air.drain(..sent) {
            debug_assert!(time >= bound, "a device sends earlier than it says (Device::reach)");
            medium.carry(sender, time, &transmission, &mut |mote, arrives, reception| {
                let Some(node) = self.nodes.get_mut(mote.0 as usize) else { return };
                self.arrivals += 1;
                node.inbox.insert((arrives.max(time), self.arrivals), reception);
                reached.push(mote);
            });
        }
        reached.sort_unstable();
        reached.dedup();
        reached.into_iter().for_each(|mote| self.collect(mote));
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
