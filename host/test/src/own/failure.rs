// SPDX-License-Identifier: MIT OR Apache-2.0
//! What no test expects unless it says so: panics, faults, warnings and resets.

use super::case::{Case, EventKind, Limit, Source};
use super::expect;
use super::record::{Failure, Record};
use crate::Report;
use lichen_chip::Time;

/// A warning of an access comes so long before the fault that the access leads to.
const AT_ONCE: Time = Time::from_ms(1);

/// What the warning of a stack that overflows begins with.
const OVERFLOW: &str = "stack overflow: ";

/// The worst that the test does not expect, and what it leads to with it: panics say most, and overflows of stacks as
/// much.
pub(super) fn unexpected(case: &Case, record: &Record) -> Option<Report> {
    let motes = record.motes.iter().enumerate();
    motes.into_iter().find_map(|(index, done)| {
        let worst = of_mote(case, index, &done.failures).into_iter().min_by_key(|it| rank(it));
        let report = worst?.report.clone();
        let message = match record.motes.len() {
            1 => report.message,
            _ => format!("{}: {}", case.scenario.motes[index].name, report.message),
        };
        Some(Report { message, ..report })
    })
}

fn rank(failure: &Failure) -> u8 {
    match failure.kind {
        EventKind::Panic => 0,
        EventKind::Warning if failure.text.starts_with(OVERFLOW) => 0,
        EventKind::Fault => 1,
        EventKind::Warning => 2,
        _ => 3,
    }
}

/// The failures of a mote that the test does not expect, in their order. An expected fault may have been warned of,
/// and may lead to a panic; that, and an expected panic, to a reset.
pub(super) fn of_mote<'a>(case: &Case, mote: usize, failures: &'a [Failure]) -> Vec<&'a Failure> {
    let mut unexpected = Vec::new();
    // The last fault or panic that was expected, since it was reset.
    let mut cause = None;
    for (index, failure) in failures.iter().enumerate() {
        let follows = match failure.kind {
            EventKind::Fault | EventKind::Panic => cause == Some(EventKind::Fault),
            EventKind::Reset => cause.is_some(),
            _ => leads_to_fault(case, mote, &failures[index..]),
        };
        if !follows && !is_expected(case, mote, failure) {
            unexpected.push(failure);
            continue;
        }
        match failure.kind {
            EventKind::Fault | EventKind::Panic => cause = Some(failure.kind),
            EventKind::Reset => cause = None,
            _ => {}
        }
    }
    unexpected
}

/// Whether the first of `failures`, a warning, is of an access that leads to an expected fault.
fn leads_to_fault(case: &Case, mote: usize, failures: &[Failure]) -> bool {
    let next = failures.iter().find(|failure| failure.kind != EventKind::Warning);
    next.is_some_and(|next| {
        next.kind == EventKind::Fault
            && next.time - failures[0].time <= AT_ONCE
            && is_expected(case, mote, next)
    })
}

/// Whether the test states a limit for such a failure, or expects just this.
fn is_expected(case: &Case, mote: usize, failure: &Failure) -> bool {
    let is_limited = |limit: &Limit| limit.motes.contains(&mote) && allows(limit, failure.kind);
    case.limits.iter().any(is_limited)
        || case.expectations.iter().any(|expectation| {
            expectation.mote == mote
                && expectation.source == Source::Event(failure.kind)
                && expectation.count != Some((0, 0))
                && expect::is_met_by(expectation, failure.time, &failure.text)
        })
}

fn allows(limit: &Limit, kind: EventKind) -> bool {
    let most = match kind {
        EventKind::Panic => limit.most.panics,
        EventKind::Fault => limit.most.faults,
        EventKind::Warning => limit.most.warnings,
        EventKind::Reset => limit.most.resets,
        _ => None,
    };
    most.is_some_and(|most| most > 0)
}
