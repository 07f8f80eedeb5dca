// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host at the other end of a mote's console line: it loads programs, lists, starts, stops and removes them
//! (`doc/spec/loading.md`).
//!
//! It looks at what the mote has sent once in a millisecond, as a host does behind USB. These moments depend on nothing but the simulated
//! time, so a run is the same however it is divided.

use crate::PROBE;
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;
use lichen_device::CONSOLE;
use lichen_load::{Client, Job, Next};
use lichen_trace::{Event, Kind, Place};
use std::collections::VecDeque;

/// Time between looks at the line, while there is a job.
const PERIOD: Time = Time::from_ms(1);

/// The host, with the jobs that it has.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Host {
    client: Option<Client>,
    /// When it next looks at the line.
    due: Time,
    waiting: VecDeque<Job>,
}

/// What it does.
pub(super) enum Does {
    /// It sends this.
    Sends(Vec<u8>),
    /// It reports this.
    Says(Vec<Kind>),
}

impl Host {
    /// Gives it a job, to be done behind those that it has.
    pub fn take(&mut self, now: Time, job: Job) {
        self.waiting.push_back(job);
        if self.client.is_none() {
            self.due = now;
            self.begin_next();
        }
    }

    fn begin_next(&mut self) {
        self.client = self.waiting.pop_front().map(Client::new);
    }

    /// When it next does something.
    pub fn due(&self) -> Time {
        if self.client.is_some() { self.due } else { Time::NEVER }
    }

    /// Takes what the mote sends.
    pub fn event(&mut self, event: &Event) {
        let (Some(client), Kind::Uart { port, dir: "out", data }) = (&mut self.client, &event.kind)
        else {
            return;
        };
        if matches!(port.as_ref(), CONSOLE | PROBE) {
            // Text is the event itself.
            let _ = client.byte(event.time, *data);
        }
    }

    /// Looks at the line.
    pub fn look(&mut self, now: Time) -> Option<Does> {
        let client = self.client.as_mut()?;
        self.due = PERIOD * (now.units() / PERIOD.units() + 1);
        match client.next(now) {
            Next::Send(bytes) => Some(Does::Sends(bytes)),
            Next::Wait(_) => None,
            Next::Over => {
                let said = said(client);
                self.begin_next();
                Some(Does::Says(said))
            }
        }
    }
}

fn said(client: &Client) -> Vec<Kind> {
    let job = client.job();
    match client.result() {
        Some(Ok(outcome)) => {
            job.done(outcome).into_iter().map(|what| Kind::Host { what }).collect()
        }
        Some(Err(error)) => {
            vec![Kind::Warning { what: format!("{job}: {error}"), place: Place::default() }]
        }
        None => Vec::new(),
    }
}
