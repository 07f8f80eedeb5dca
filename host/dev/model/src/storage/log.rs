// SPDX-License-Identifier: MIT OR Apache-2.0
//! Logs (`lichen/log.h`): records in order, of which the synchronized ones survive.

use super::{Given, Medium, ROOM};
use crate::error;
use std::collections::VecDeque;

/// How many pages less a ring may keep for a page that is worn: its own, and those that wanted its
/// place for a copy, or the place of their copy.
const LOST: usize = 3;
/// The largest record.
const RECORD_MAX: u32 = ROOM as u32 - 1;

/// A record. Its bytes follow from its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// No two records have the same.
    pub number: u32,
    /// Bytes.
    pub length: u32,
}

impl Record {
    /// What is appended.
    pub fn bytes(self) -> Vec<u8> {
        (0..self.length).map(|index| (self.number * 31 + index * 7 + (index >> 5)) as u8).collect()
    }
}

/// Where the reader is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seek {
    /// `LOG_OLDEST`.
    Oldest,
    /// `LOG_NEWEST`.
    Newest,
    /// The position that `log_tell` has given this many times before.
    Told(usize),
}

/// Calls on a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogCall {
    /// `log_append`.
    Append(Record),
    /// `log_sync`.
    Sync,
    /// `log_read`, with so much room.
    Read(u32),
    /// `log_seek`.
    Seek(Seek),
    /// `log_tell`.
    Tell,
    /// `log_erase`.
    Erase,
}

/// A page of records; `first` counts all records before it, ever.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Page {
    first: u64,
    records: Vec<Record>,
}

impl Page {
    fn has_room(&self, record: Record) -> bool {
        let used: u32 = self.records.iter().map(|record| record.length + 1).sum();
        ((used + record.length) as usize) < ROOM
    }

    fn end(&self) -> u64 {
        self.first + self.records.len() as u64
    }
}

/// A log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Log {
    is_circular: bool,
    /// Complete pages for which it has room.
    room: usize,
    /// Those that may be there, the oldest first. The last one is being filled.
    pages: VecDeque<Page>,
    /// Records before this one are safe, unless they are old.
    safe: u64,
    /// Records before this one may be missing, since an erasure has failed.
    erased: u64,
    /// A page of these may be torn.
    is_torn: bool,
    /// The last page may have been written as a complete one, although that has failed.
    is_complete: bool,
    /// The next record that is read; an older one than the oldest means that.
    reader: u64,
    /// The positions that were told, and their records; none if that was lost.
    told: Vec<(u32, Option<u64>)>,
}

impl Log {
    /// An empty log with room for so many pages.
    pub fn new(is_circular: bool, room: usize) -> Log {
        let pages = VecDeque::from([Page::default()]);
        Log {
            is_circular,
            room,
            pages,
            safe: 0,
            erased: 0,
            is_torn: false,
            is_complete: false,
            reader: 0,
            told: Vec::new(),
        }
    }

    /// How many positions were told.
    pub fn told(&self) -> usize {
        self.told.len()
    }

    /// A position that was told, if its record was not lost since.
    pub fn position(&self, told: usize) -> Option<u32> {
        self.told[told].1.map(|_| self.told[told].0)
    }

    fn end(&self) -> u64 {
        self.pages.back().map_or(0, Page::end)
    }

    /// How many pages may be missing at the front, at most: a ring drops its oldest, one more for
    /// each page that is worn.
    fn droppable(&self, medium: Medium) -> usize {
        let complete = self.pages.len() - 1;
        let kept = if self.is_circular { self.room } else { complete };
        let dropped = complete.saturating_sub(kept.saturating_sub(LOST * medium.worn_pages()));
        let dropped = if self.is_circular { dropped } else { 0 };
        let erased = self.pages.iter().take_while(|page| page.end() <= self.erased).count();
        dropped.max(erased.min(complete))
    }

    /// The same log without some of the pages that may be missing; one for each record that may be
    /// the next one.
    fn positions(&self, medium: Medium) -> Vec<(u64, Log)> {
        let mut all: Vec<(u64, Log)> = Vec::new();
        for dropped in 0..=self.droppable(medium) {
            let next = self.reader.max(self.pages[dropped].first);
            if all.iter().all(|(known, _)| *known != next) {
                let mut log = self.clone();
                log.pages.drain(..dropped);
                all.push((next, log));
            }
        }
        all
    }

    fn record(&self, index: u64) -> Option<Record> {
        let page = self.pages.iter().find(|page| (page.first..page.end()).contains(&index))?;
        Some(page.records[(index - page.first) as usize])
    }

    fn complete(&mut self) {
        self.is_complete = false;
        let first = self.end();
        self.pages.push_back(Page { first, records: Vec::new() });
    }

    fn has_room(&self, record: Record) -> bool {
        self.pages.back().is_some_and(|page| page.has_room(record))
    }

    fn add(&mut self, record: Record) {
        if !self.has_room(record) {
            self.complete();
        }
        if let Some(page) = self.pages.back_mut() {
            page.records.push(record);
        }
    }

    fn empty(&mut self) {
        let first = self.end();
        self.pages = VecDeque::from([Page { first, records: Vec::new() }]);
        (self.safe, self.erased, self.reader) = (first, first, first);
        (self.is_torn, self.is_complete) = (false, false);
    }

    /// All states in which it may be after a call that returned this.
    pub fn follow(&self, call: LogCall, given: Given<'_>, medium: Medium) -> Vec<Log> {
        let mut log = self.clone();
        match (call, given.result) {
            (LogCall::Erase, error::IO) if medium.fails => return self.erased_in_part(),
            (LogCall::Seek(_), error::IO) if medium.fails => {
                let all = self.pages[0].first..=self.end();
                return all.map(|reader| Log { reader, ..self.clone() }).collect();
            }
            (LogCall::Append(record), result) if !(1..=RECORD_MAX).contains(&record.length) => {
                return (result == error::INVALID).then_some(log).into_iter().collect();
            }
            (_, error::IO) => {
                log.tears(call, medium);
                log.is_complete |=
                    matches!(call, LogCall::Append(record) if !self.has_room(record));
                return medium.fails.then_some(log).into_iter().collect();
            }
            (LogCall::Append(record), error::FULL) => return self.full(Some(record), medium),
            (LogCall::Sync, error::FULL) if medium.worn != 0 => return self.full(None, medium),
            (LogCall::Append(record), error::NONE) => log.add(record),
            (LogCall::Sync, error::NONE) => log.safe = log.end(),
            (LogCall::Read(_), error::CORRUPT) if self.is_torn => return self.behind_torn(),
            (LogCall::Read(room), _) => return self.read(room, given, medium),
            (LogCall::Seek(Seek::Oldest), error::NONE) => log.reader = 0,
            (LogCall::Seek(Seek::Newest), error::NONE) => log.reader = log.end(),
            (LogCall::Seek(Seek::Told(told)), error::NONE) => return self.seek(told, medium),
            (LogCall::Tell, error::NONE) => return self.tell(given.value, medium),
            (LogCall::Erase, error::NONE) => log.empty(),
            _ => return Vec::new(),
        }
        vec![log]
    }

    /// A log that is no ring refuses a record only if as many pages are complete as it has room
    /// for, not counting those that are worn.
    fn full(&self, record: Option<Record>, medium: Medium) -> Vec<Log> {
        let completes = record.is_none_or(|record| !self.has_room(record));
        let complete = self.pages.len() - 1 + usize::from(completes);
        if self.is_circular || complete + LOST * medium.worn_pages() < self.room {
            return Vec::new();
        }
        let mut with_page = self.clone();
        if completes && record.is_some() {
            with_page.complete();
        }
        vec![self.clone(), with_page]
    }

    fn read(&self, room: u32, given: Given<'_>, medium: Medium) -> Vec<Log> {
        let mut next = Vec::new();
        for (reader, mut log) in self.positions(medium) {
            log.reader = reader;
            let agrees = match log.record(reader) {
                None => given.result == error::EMPTY,
                Some(record) if record.length > room => {
                    given.result == error::FULL && given.value == record.length
                }
                Some(record) => {
                    log.reader += 1;
                    let length = record.length as usize;
                    given.result == error::NONE
                        && given.value == record.length
                        && given.bytes[..length] == record.bytes()
                }
            };
            if agrees {
                next.push(log);
            }
        }
        next
    }

    /// The reader is behind the page that is torn, which may have had no records.
    fn behind_torn(&self) -> Vec<Log> {
        let pages = self.pages.iter().map(|page| page.first).filter(|first| *first > self.reader);
        let readers = pages.chain([self.reader, self.end()]);
        readers.map(|reader| Log { reader, ..self.clone() }).collect()
    }

    /// A page that is worn gives its records new positions.
    fn seek(&self, told: usize, medium: Medium) -> Vec<Log> {
        let Some(index) = self.told[told].1 else { return Vec::new() };
        let of_page = self.pages.iter().map(|page| page.first).rfind(|first| *first <= index);
        let first = of_page.filter(|_| medium.worn != 0);
        let readers = [Some(index), first.filter(|first| *first != index)];
        readers.into_iter().flatten().map(|reader| Log { reader, ..self.clone() }).collect()
    }

    /// Later records have larger positions. A reader before the oldest record may be in the page
    /// that was there.
    fn tell(&self, position: u32, medium: Medium) -> Vec<Log> {
        let mut next = Vec::new();
        for (reader, mut log) in self.positions(medium) {
            let agrees = log.told.iter().all(|(other, record)| match record {
                Some(record) if *record < reader && reader > self.reader => *other <= position,
                Some(record) if *record < reader => *other < position,
                Some(record) if *record > reader => *other > position,
                _ => true,
            });
            let agrees = agrees || medium.worn != 0;
            log.reader = reader;
            log.told.push((position, Some(reader)));
            if agrees {
                next.push(log);
            }
        }
        next
    }

    /// All states in which it may be when power comes back after it was cut.
    pub fn cut(&self) -> Vec<Log> {
        let mut after = Vec::new();
        for end in self.safe.max(self.pages[0].first)..=self.end() {
            let mut log = self.clone();
            while log.pages.len() > 1 && log.pages.back().is_some_and(|page| page.first > end) {
                log.pages.pop_back();
            }
            if let Some(page) = log.pages.back_mut() {
                page.records.truncate((end - page.first) as usize);
            }
            log.told.iter_mut().for_each(|(_, record)| *record = record.filter(|at| *at <= end));
            (log.safe, log.reader, log.is_complete) = (end, 0, false);
            // Whether a page was written as a complete one shows only when a ring drops it.
            if log.pages.len() > 1 && log.pages.back().is_some_and(|page| page.records.is_empty()) {
                let mut open = log.clone();
                open.pages.pop_back();
                after.push(open);
            }
            after.push(log);
        }
        if self.is_complete {
            let whole: Vec<Log> =
                after.iter().filter(|log| log.end() == self.end()).cloned().collect();
            after.extend(whole.into_iter().map(|mut log| {
                log.complete();
                log
            }));
        }
        after
    }

    /// A write that fails, or is cut, may tear the oldest page, if that was to be dropped since
    /// another one is worn.
    fn tears(&mut self, call: LogCall, medium: Medium) {
        let writes = matches!(call, LogCall::Append(_) | LogCall::Sync);
        self.is_torn |= writes && medium.worn != 0;
    }

    /// The same, if it was cut within a call.
    pub fn cut_within(&self, call: LogCall, medium: Medium) -> Vec<Log> {
        let mut after = self.cut();
        match call {
            LogCall::Append(record) => {
                let mut log = self.clone();
                log.add(record);
                after.extend(log.cut());
            }
            LogCall::Erase => after.extend(self.erased_in_part()),
            _ => {}
        }
        after.iter_mut().for_each(|log| log.tears(call, medium));
        after
    }

    /// The newest records may still be there.
    fn erased_in_part(&self) -> Vec<Log> {
        let mut empty = self.clone();
        empty.empty();
        let mut after = vec![empty];
        after.extend(self.cut().into_iter().map(|mut log| {
            log.erased = log.pages.back().map_or(0, |page| page.first);
            log
        }));
        after.iter_mut().for_each(|log| log.is_torn = true);
        after
    }
}
