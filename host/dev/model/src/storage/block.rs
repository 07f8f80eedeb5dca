// SPDX-License-Identifier: MIT OR Apache-2.0
//! Volumes (`lichen/block.h`): bytes, of which each page has, after a cut, a state that it had since
//! it was synchronized.

use super::{Given, Medium, ROOM};
use crate::error;
use std::ops::Range;

/// Calls on a volume: its index, an offset, a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockCall {
    /// `block_read`.
    Read(usize, u32, u32),
    /// `block_write`: and what is written to all of these bytes.
    Write(usize, u32, u32, u8),
    /// `block_sync`.
    Sync(usize),
    /// `block_erase`.
    Erase(usize),
    /// `block_crc`.
    Crc(usize, u32, u32),
}

impl BlockCall {
    fn volume(self) -> usize {
        let (BlockCall::Read(volume, ..)
        | BlockCall::Write(volume, ..)
        | BlockCall::Sync(volume)
        | BlockCall::Erase(volume)
        | BlockCall::Crc(volume, ..)) = self;
        volume
    }
}

type Bytes = Vec<u8>;

/// A page of a volume.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Page {
    /// What it has: one of these.
    now: Vec<Bytes>,
    /// What storage may have of it.
    stored: Vec<Bytes>,
    /// It may be that it cannot be read any more, and that what is stored of it cannot.
    is_doubtful: bool,
    is_stored_doubtful: bool,
    /// Power was cut since it was synchronized: the first call writes it again.
    is_cut: bool,
}

impl Page {
    fn erased() -> Page {
        let bytes = vec![vec![0xff; ROOM]];
        Page {
            now: bytes.clone(),
            stored: bytes,
            is_doubtful: false,
            is_stored_doubtful: false,
            is_cut: false,
        }
    }

    fn doubt(&mut self) {
        (self.is_doubtful, self.is_stored_doubtful) = (true, true);
    }

    fn may_be_stored(&mut self) {
        self.stored.extend(self.now.iter().cloned());
        distinct(&mut self.stored);
    }

    fn write(&mut self, range: &Range<usize>, byte: u8) {
        self.now.iter_mut().for_each(|bytes| bytes[range.clone()].fill(byte));
        distinct(&mut self.now);
        self.may_be_stored();
    }
}

fn distinct(all: &mut Vec<Bytes>) {
    all.sort();
    all.dedup();
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Volume {
    size: u32,
    /// The first of its pages.
    place: usize,
    pages: Vec<Page>,
    /// It was called since the start. The first call writes the page in RAM, as another page would.
    is_open: bool,
}

/// All volumes of a program: they share the page in RAM.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Volumes {
    volumes: Vec<Volume>,
    /// The page that was written last, if it is not synchronized: volume and page.
    kept: Option<(usize, usize)>,
    /// Its place does not keep it, which a caller knows.
    is_reported: bool,
}

impl Volumes {
    /// Erased volumes: the bytes of each, and the place of its first page among those of all.
    pub fn new(sizes: &[(u32, usize)]) -> Volumes {
        let volume = |&(size, place): &(u32, usize)| {
            let pages = vec![Page::erased(); (size as usize).div_ceil(ROOM)];
            Volume { size, place, pages, is_open: false }
        };
        Volumes { volumes: sizes.iter().map(volume).collect(), kept: None, is_reported: false }
    }

    fn parts(&self, volume: usize, offset: u32, length: u32) -> Option<Vec<(usize, Range<usize>)>> {
        let (mut at, end) = (offset as usize, offset as usize + length as usize);
        let mut parts = Vec::new();
        while at < end && end <= self.volumes[volume].size as usize {
            let (page, from) = (at / ROOM, at % ROOM);
            let to = ROOM.min(from + end - at);
            parts.push((page, from..to));
            at += to - from;
        }
        (end <= self.volumes[volume].size as usize).then_some(parts)
    }

    fn is_worn(&self, (volume, page): (usize, usize), medium: Medium) -> bool {
        medium.worn >> (self.volumes[volume].place + page) & 1 != 0
    }

    /// All states in which they may be after a call that returned this.
    pub fn follow(&self, call: BlockCall, given: Given<'_>, medium: Medium) -> Vec<Volumes> {
        let opened = self.opened(call.volume(), medium);
        opened.follow_open(call, given, medium)
    }

    /// The first call of a volume writes again what was not written to its end.
    fn opened(&self, volume: usize, medium: Medium) -> Volumes {
        let mut next = self.clone();
        for page in 0..next.volumes[volume].pages.len() {
            let is_worn = next.is_worn((volume, page), medium);
            let page = &mut next.volumes[volume].pages[page];
            if is_worn && page.is_cut {
                page.doubt();
            }
        }
        next
    }

    fn follow_open(&self, call: BlockCall, given: Given<'_>, medium: Medium) -> Vec<Volumes> {
        let mut next = self.make(call, given, medium);
        if !self.volumes[call.volume()].is_open
            && let Some(kept) = self.kept
        {
            let is_told = self.is_worn(kept, medium) && !self.is_reported;
            let mut others = self.clone();
            others.evict(medium);
            match given.result {
                error::IO if is_told => next.push(others),
                _ if is_told => {}
                _ => next.extend(others.make(call, given, medium)),
            }
        }
        if given.result != error::IO {
            for volumes in &mut next {
                let volume = &mut volumes.volumes[call.volume()];
                volume.is_open = true;
                volume.pages.iter_mut().for_each(|page| page.is_cut = false);
            }
        }
        if matches!(call, BlockCall::Erase(_)) {
            next.iter_mut().for_each(|next| next.volumes[call.volume()].is_open = false);
        }
        next
    }

    fn make(&self, call: BlockCall, given: Given<'_>, medium: Medium) -> Vec<Volumes> {
        let one = |next: Option<Volumes>| next.into_iter().collect();
        let parts = match call {
            BlockCall::Sync(volume) => return self.sync(volume, given.result, medium),
            BlockCall::Erase(volume) => return one(self.erase(volume, given.result, medium)),
            BlockCall::Read(volume, offset, length)
            | BlockCall::Write(volume, offset, length, _)
            | BlockCall::Crc(volume, offset, length) => self.parts(volume, offset, length),
        };
        let Some(parts) = parts else { return one(self.refused(given, medium)) };
        match call {
            BlockCall::Write(volume, _, _, byte) => {
                self.write(volume, &parts, byte, given.result, medium)
            }
            BlockCall::Crc(..) => one(self.crc(call.volume(), &parts, given, medium)),
            _ => one(self.read(call.volume(), &parts, given, medium)),
        }
    }

    fn refused(&self, given: Given<'_>, medium: Medium) -> Option<Volumes> {
        let agrees = given.result == error::INVALID || given.result == error::IO && medium.fails;
        agrees.then(|| self.clone())
    }

    /// What a call that changes nothing may return besides 0.
    fn fails(&self, volume: usize, pages: &[usize], result: i32, medium: Medium) -> bool {
        let is_doubtful = |page: &usize| self.volumes[volume].pages[*page].is_doubtful;
        match result {
            error::IO => medium.fails,
            error::CORRUPT => pages.iter().any(is_doubtful),
            _ => false,
        }
    }

    fn read(
        &self,
        volume: usize,
        parts: &[(usize, Range<usize>)],
        given: Given<'_>,
        medium: Medium,
    ) -> Option<Volumes> {
        let mut next = self.clone();
        if given.result != error::NONE {
            let pages: Vec<usize> = parts.iter().map(|(page, _)| *page).collect();
            return self.fails(volume, &pages, given.result, medium).then_some(next);
        }
        let mut at = 0;
        for (page, range) in parts {
            let page = &mut next.volumes[volume].pages[*page];
            let seen = &given.bytes[at..at + range.len()];
            page.now.retain(|bytes| bytes[range.clone()] == *seen);
            at += range.len();
            if page.now.is_empty() {
                return None;
            }
        }
        Some(next)
    }

    fn crc(
        &self,
        volume: usize,
        parts: &[(usize, Range<usize>)],
        given: Given<'_>,
        medium: Medium,
    ) -> Option<Volumes> {
        if given.result != error::NONE {
            let pages: Vec<usize> = parts.iter().map(|(page, _)| *page).collect();
            return self.fails(volume, &pages, given.result, medium).then(|| self.clone());
        }
        let mut sums = vec![0xffff];
        for (page, range) in parts {
            let now = &self.volumes[volume].pages[*page].now;
            let go_on = |sum| now.iter().map(move |bytes| crc(sum, &bytes[range.clone()]));
            sums = sums.into_iter().flat_map(go_on).collect();
        }
        sums.contains(&(given.value as u16)).then(|| self.clone())
    }

    /// The page that was written before is written to storage, and may be lost in that.
    fn evict(&mut self, medium: Medium) {
        if let Some((volume, page)) = self.kept.take() {
            let is_worn = self.is_worn((volume, page), medium);
            let page = &mut self.volumes[volume].pages[page];
            if is_worn {
                page.doubt();
                page.now = page.stored.clone();
            }
        }
        self.is_reported = false;
    }

    /// Page by page: where it fails, the pages before have been written.
    fn write(
        &self,
        volume: usize,
        parts: &[(usize, Range<usize>)],
        byte: u8,
        result: i32,
        medium: Medium,
    ) -> Vec<Volumes> {
        let (mut next, mut failed, mut corrupt) = (self.clone(), Vec::new(), Vec::new());
        for (page, range) in parts {
            let here = (volume, *page);
            if medium.fails {
                failed.push(next.clone());
                failed.push(next.losing_worn(medium));
            }
            if let Some(kept) = next.kept.filter(|kept| *kept != here) {
                let is_told = next.is_worn(kept, medium) && !next.is_reported;
                next.evict(medium);
                if is_told {
                    failed.push(next);
                    return failed_as(result, failed, corrupt);
                }
            }
            let page = &next.volumes[volume].pages[*page];
            if page.is_doubtful && range.len() < ROOM {
                corrupt.push(next.clone());
            }
            let page = &mut next.volumes[volume].pages[here.1];
            page.is_doubtful &= range.len() < ROOM;
            page.write(range, byte);
            (next.kept, next.is_reported) = (Some(here), false);
        }
        if result == error::NONE { vec![next] } else { failed_as(result, failed, corrupt) }
    }

    /// Any page that is worn may be lost, and a caller knows that one was.
    fn losing_worn(&self, medium: Medium) -> Volumes {
        let mut next = self.clone();
        for volume in 0..self.volumes.len() {
            for page in 0..self.volumes[volume].pages.len() {
                if self.is_worn((volume, page), medium) {
                    let page = &mut next.volumes[volume].pages[page];
                    page.doubt();
                    page.now.extend(page.stored.iter().cloned());
                    distinct(&mut page.now);
                    next.is_reported = true;
                }
            }
        }
        next
    }

    fn sync(&self, volume: usize, result: i32, medium: Medium) -> Vec<Volumes> {
        let mut next = self.clone();
        let is_worn = self.kept.is_some_and(|kept| kept.0 == volume && self.is_worn(kept, medium));
        match result {
            error::NONE if is_worn => Vec::new(),
            error::NONE => {
                for page in &mut next.volumes[volume].pages {
                    page.stored = page.now.clone();
                    page.is_stored_doubtful = page.is_doubtful;
                }
                next.kept = self.kept.filter(|kept| kept.0 != volume);
                vec![next]
            }
            // Either operation may be the one that has failed.
            error::IO => {
                next.is_reported = true;
                let worn = is_worn.then_some(next);
                worn.into_iter().chain(medium.fails.then(|| self.clone())).collect()
            }
            _ => Vec::new(),
        }
    }

    fn erase(&self, volume: usize, result: i32, medium: Medium) -> Option<Volumes> {
        let mut next = self.clone();
        if self.kept.is_some_and(|kept| kept.0 == volume) {
            (next.kept, next.is_reported) = (None, false);
        }
        let pages = &mut next.volumes[volume].pages;
        match result {
            error::NONE => pages.iter_mut().for_each(|page| *page = Page::erased()),
            error::IO if medium.fails => pages.iter_mut().for_each(erased_in_part),
            _ => return None,
        }
        Some(next)
    }

    /// All states in which they may be when power comes back after it was cut.
    pub fn cut(&self) -> Vec<Volumes> {
        let mut next = self.clone();
        for volume in 0..next.volumes.len() {
            for page in 0..next.volumes[volume].pages.len() {
                let page = &mut next.volumes[volume].pages[page];
                page.is_cut = page.stored.len() > 1;
                page.is_doubtful = page.is_stored_doubtful;
                page.now = page.stored.clone();
            }
            next.volumes[volume].is_open = false;
        }
        (next.kept, next.is_reported) = (None, false);
        vec![next]
    }

    /// The same, if it was cut within a call.
    pub fn cut_within(&self, call: BlockCall) -> Vec<Volumes> {
        let mut next = self.clone();
        let volume = call.volume();
        match call {
            BlockCall::Write(_, offset, length, byte) => {
                for (page, range) in self.parts(volume, offset, length).unwrap_or_default() {
                    next.volumes[volume].pages[page].write(&range, byte);
                }
            }
            BlockCall::Erase(_) => {
                next.volumes[volume].pages.iter_mut().for_each(erased_in_part);
            }
            _ => {}
        }
        next.cut()
    }

    /// A page was damaged at rest.
    pub fn rot(&mut self, place: usize) {
        for volume in &mut self.volumes {
            if let Some(page) = place.checked_sub(volume.place) {
                volume.pages.get_mut(page).into_iter().for_each(Page::doubt);
            }
        }
    }
}

fn failed_as(result: i32, failed: Vec<Volumes>, corrupt: Vec<Volumes>) -> Vec<Volumes> {
    match result {
        error::IO => failed,
        error::CORRUPT => corrupt,
        _ => Vec::new(),
    }
}

/// An erasure was cut: a page is as it was, or erased, or torn.
fn erased_in_part(page: &mut Page) {
    page.stored.push(vec![0xff; ROOM]);
    distinct(&mut page.stored);
    page.now = page.stored.clone();
    page.doubt();
}

/// CRC-16/CCITT-FALSE.
fn crc(begin: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(begin, |sum, byte| {
        (0..8).fold(sum ^ u16::from(*byte) << 8, |sum, _| {
            if sum & 0x8000 != 0 { sum << 1 ^ 0x1021 } else { sum << 1 }
        })
    })
}
