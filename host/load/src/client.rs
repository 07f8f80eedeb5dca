// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's end of the line.

use crate::container::{Container, length};
use crate::error::{LoadError, MoteError};
use crate::frame::{Item, Separator};
use crate::job::{Job, Outcome, Program, Whom};
use crate::request::{self, Hello, Kind, PIECE, PROTOCOL, Request};
use lichen_chip::Time;

/// How often a request is sent at most.
const ATTEMPTS: u32 = 5;

/// What the client does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// It sends this.
    Send(Vec<u8>),
    /// It waits until then for what the mote sends.
    Wait(Time),
    /// Nothing: it has a result.
    Over,
}

/// A job under way. It reads no clock: every call says what time it is.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Client {
    job: Job,
    separator: Separator,
    request: Request,
    sequence: u8,
    /// When the request was sent last, and how often.
    sent: Option<Time>,
    attempts: u32,
    began: Option<Time>,
    repeated: u32,
    mote: Option<Hello>,
    groups: Vec<(u8, u16)>,
    programs: Vec<Program>,
    /// Rows of the mote's directory that are known.
    listed: u8,
    /// Bytes of the container that the mote has.
    done: usize,
    #[borsh(skip)]
    result: Option<Result<Outcome, LoadError>>,
}

impl Client {
    /// Begins a job.
    pub fn new(job: Job) -> Client {
        Client {
            job,
            separator: Separator::default(),
            request: Request::new(Kind::Hello, []),
            sequence: 0,
            sent: None,
            attempts: 0,
            began: None,
            repeated: 0,
            mote: None,
            groups: Vec::new(),
            programs: Vec::new(),
            listed: 0,
            done: 0,
            result: None,
        }
    }

    /// Takes a byte from the mote; returns the text that it completes.
    pub fn byte(&mut self, now: Time, byte: u8) -> Option<Vec<u8>> {
        match self.separator.byte(byte)? {
            Item::Text(text) => Some(text),
            Item::Frame(frame) => {
                let is_awaited = self.result.is_none() && self.sent.is_some();
                if is_awaited && self.request.is_answered(self.sequence, &frame) {
                    self.answered(now, &frame.payload);
                }
                None
            }
        }
    }

    /// What to do now. To be asked again after [`Client::byte`], and when a wait is over.
    pub fn next(&mut self, now: Time) -> Next {
        if self.result.is_some() {
            return Next::Over;
        }
        if let Some(sent) = self.sent {
            let until = sent + self.request.kind.patience();
            if now < until {
                return Next::Wait(until);
            }
            if self.attempts == ATTEMPTS {
                self.result = Some(Err(self.silence()));
                return Next::Over;
            }
            self.repeated += 1;
        }
        self.began.get_or_insert(now);
        self.sent = Some(now);
        self.attempts += 1;
        Next::Send(self.request.frame(self.sequence).bytes())
    }

    /// What came of the job, when that is known.
    pub fn result(&self) -> Option<&Result<Outcome, LoadError>> {
        self.result.as_ref()
    }

    /// What is wanted.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Bytes of a container that the mote has, and all of them; nothing before the first.
    pub fn progress(&self) -> Option<(usize, usize)> {
        match &self.job {
            Job::Load { container, .. } if self.done > 0 => Some((self.done, container.len())),
            _ => None,
        }
    }

    fn silence(&self) -> LoadError {
        match &self.job {
            _ if self.mote.is_none() => LoadError::Silent,
            Job::Load { container, .. } => {
                LoadError::Lost { kind: self.request.kind, done: self.done, all: container.len() }
            }
            _ => LoadError::Lost { kind: self.request.kind, done: 0, all: 0 },
        }
    }

    fn answered(&mut self, now: Time, payload: &[u8]) {
        let kind = self.request.kind;
        let step = match request::answered(payload) {
            None => Err(LoadError::Senseless(kind)),
            Some(Ok(rest)) => self.accepted(rest, now),
            Some(Err(_)) if kind == Kind::List => Ok(self.all_listed()),
            Some(Err((MoteError::STATE, _))) if matches!(kind, Kind::Data | Kind::End) => {
                Err(LoadError::Restarted { done: self.done, all: self.bytes().len() })
            }
            Some(Err((error, place))) => Err(self.refused(kind, error, place)),
        };
        match step {
            Ok(Step::Ask(request)) => {
                self.request = request;
                self.sequence = self.sequence.wrapping_add(1);
                self.sent = None;
                self.attempts = 0;
            }
            Ok(Step::Done(outcome)) => self.result = Some(Ok(outcome)),
            Err(error) => self.result = Some(Err(error)),
        }
    }

    /// The mote has refused. If it has no room, how much there is, is known.
    fn refused(&self, kind: Kind, error: MoteError, place: u32) -> LoadError {
        let lacks = match (&self.mote, self.container()) {
            (Some(mote), Ok(container)) if error.is_of_room() => container.fits(mote).err(),
            _ => None,
        };
        let container = self.container().ok();
        let storage = container.map_or(Vec::new(), |it| it.storage(error, place as usize));
        let refused = LoadError::Refused { kind, error, place, storage };
        lacks.map_or(refused, LoadError::Container)
    }

    /// The mote has done what was asked.
    fn accepted(&mut self, rest: &[u8], now: Time) -> Result<Step, LoadError> {
        let kind = self.request.kind;
        let senseless = LoadError::Senseless(kind);
        match kind {
            Kind::Hello => {
                let mote = Hello::read(rest).ok_or(senseless)?;
                if mote.protocol != PROTOCOL {
                    return Err(LoadError::Protocol(mote.protocol));
                }
                self.mote = Some(mote);
                self.first()
            }
            Kind::Groups => {
                let groups = request::groups(rest).ok_or(senseless)?;
                let came = groups.len();
                self.groups.extend(groups);
                if came == 0 { self.begin() } else { self.first() }
            }
            Kind::Begin | Kind::ToAll => Ok(self.data()),
            Kind::Data => {
                self.done += self.request.payload.len() - 4;
                Ok(self.data())
            }
            Kind::End => Ok(self.loaded(now)),
            Kind::List => {
                self.listed = self.listed.checked_add(1).ok_or(LoadError::Senseless(kind))?;
                self.programs.extend(request::program(rest).ok_or(senseless)?);
                Ok(self.list())
            }
            Kind::Start | Kind::Stop | Kind::Remove | Kind::Floor => Ok(Step::Done(Outcome::Done)),
        }
    }

    /// What comes after `hello`.
    fn first(&mut self) -> Result<Step, LoadError> {
        let groups = self.mote.as_ref().map_or(0, |mote| usize::from(mote.groups));
        match &self.job {
            Job::Load { .. } if self.groups.len() < groups => {
                Ok(ask(Kind::Groups, [self.groups.len() as u8]))
            }
            Job::Load { .. } => self.begin(),
            Job::List => Ok(self.list()),
            Job::Start(name) => Ok(ask(Kind::Start, name.as_bytes())),
            Job::Stop(name) => Ok(ask(Kind::Stop, name.as_bytes())),
            Job::Remove(name) => Ok(ask(Kind::Remove, name.as_bytes())),
            Job::Floor(name) => Ok(ask(Kind::Floor, name.as_bytes())),
        }
    }

    fn bytes(&self) -> &[u8] {
        if let Job::Load { container, .. } = &self.job { container } else { &[] }
    }

    fn container(&self) -> Result<Container, LoadError> {
        Ok(Container::read(self.bytes())?)
    }

    /// Begins to send the container, if the mote has the calls of its program.
    fn begin(&self) -> Result<Step, LoadError> {
        let Some(mote) = &self.mote else { return Err(LoadError::Silent) };
        self.container()?.check(mote, &self.groups)?;
        let Job::Load { whom, .. } = self.job else { return Err(LoadError::Silent) };
        Ok(match whom {
            Whom::Instance(instance) => ask(Kind::Begin, [instance]),
            Whom::All => ask(Kind::ToAll, length(self.bytes())?.to_le_bytes()),
        })
    }

    /// The next piece of the container, or its end.
    fn data(&self) -> Step {
        let left = &self.bytes()[self.done..];
        if left.is_empty() {
            return ask(Kind::End, []);
        }
        let piece = &left[..left.len().min(PIECE)];
        ask(Kind::Data, [&(self.done as u32).to_le_bytes(), piece].concat())
    }

    fn list(&self) -> Step {
        ask(Kind::List, [self.listed])
    }

    fn all_listed(&self) -> Step {
        let programs = self.programs.clone();
        match self.mote.clone() {
            Some(mote) => Step::Done(Outcome::Listed { mote, programs }),
            None => Step::Done(Outcome::Done),
        }
    }

    fn loaded(&self, now: Time) -> Step {
        let (name, version) = match self.container() {
            Ok(container) => (container.name().to_string(), container.version()),
            Err(_) => (String::new(), 0),
        };
        let took = now - self.began.unwrap_or(now);
        let (bytes, repeated) = (self.done, self.repeated);
        Step::Done(Outcome::Loaded { name, version, bytes, took, repeated })
    }
}

/// What follows from an answer.
enum Step {
    Ask(Request),
    Done(Outcome),
}

fn ask(kind: Kind, payload: impl Into<Vec<u8>>) -> Step {
    Step::Ask(Request::new(kind, payload))
}
