// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether what is expected has happened.

use super::Shortfall;
use super::case::{Expectation, Source};
use super::record::{Done, Moment};
use crate::pattern::matches;
use lichen_chip::Time;
use std::collections::BTreeMap;

/// What is missing of the expectations. Those of one mote and one source, without a count, are met in the order
/// in which they are written.
pub(super) fn check(motes: &[Done], expectations: &[Expectation], end: Time) -> Vec<Shortfall> {
    let mut reached: BTreeMap<(usize, &Source), usize> = BTreeMap::new();
    let mut missing = Vec::new();
    for expectation in expectations {
        let moments = of_source(&motes[expectation.mote], &expectation.source);
        if let Some(count) = expectation.count {
            missing.extend(counted(expectation, &moments, count));
            continue;
        }
        let from = reached.entry((expectation.mote, &expectation.source)).or_default();
        match met(expectation, &moments, *from) {
            Some(next) => *from = next,
            None => {
                missing.push(shortfall(expectation, reported(expectation, &moments, *from, end)))
            }
        }
    }
    missing
}

fn of_source<'a>(mote: &'a Done, source: &Source) -> Vec<&'a Moment> {
    mote.moments.iter().filter(|moment| moment.source == *source).collect()
}

fn shortfall(expectation: &Expectation, what: String) -> Shortfall {
    let message = format!("expected {}; {what}", expectation.words);
    Shortfall { place: expectation.place.clone(), message }
}

fn is_in(window: (Time, Time), moment: &Moment) -> bool {
    window.0 <= moment.time && moment.time <= window.1
}

/// Whether an expectation of one thing is met by what said `text` at `time`.
pub(super) fn is_met_by(expectation: &Expectation, time: Time, text: &str) -> bool {
    let (from, until) = expectation.window;
    from <= time && time <= until && matches(&expectation.patterns[0], text)
}

/// Whether the expectation is met by the moments that begin at this one.
fn begins(expectation: &Expectation, moments: &[&Moment]) -> bool {
    let patterns = &expectation.patterns;
    patterns.len() <= moments.len()
        && patterns.iter().zip(moments).all(|(pattern, moment)| matches(pattern, &moment.text))
}

/// The moment behind those that meet the expectation, the earliest from `from` on.
fn met(expectation: &Expectation, moments: &[&Moment], from: usize) -> Option<usize> {
    let length = expectation.patterns.len();
    let all_in =
        |at: usize| moments[at..at + length].iter().all(|moment| is_in(expectation.window, moment));
    let found =
        (from..moments.len()).find(|at| begins(expectation, &moments[*at..]) && all_in(*at));
    found.map(|at| at + length)
}

fn counted(
    expectation: &Expectation,
    moments: &[&Moment],
    (least, most): (u32, u32),
) -> Option<Shortfall> {
    let found: Vec<&&Moment> =
        moments.iter().filter(|moment| is_met_by(expectation, moment.time, &moment.text)).collect();
    let count = found.len();
    if (least as usize..=most as usize).contains(&count) {
        return None;
    }
    let times = if count == 1 { "once".to_string() } else { format!("{count} times") };
    let what = match (found.first(), found.last()) {
        (Some(first), Some(last)) if count > 1 => {
            format!("it came {times}, first at {} s, last at {} s", first.time, last.time)
        }
        (Some(first), _) => format!("it came {times}, at {} s", first.time),
        _ => "it never came".to_string(),
    };
    Some(shortfall(expectation, what))
}

/// What came instead.
fn reported(expectation: &Expectation, moments: &[&Moment], from: usize, end: Time) -> String {
    let at = |range: std::ops::Range<usize>| {
        range.into_iter().find(|at| begins(expectation, &moments[*at..])).map(|at| moments[at])
    };
    if let Some(moment) = at(from..moments.len()) {
        return format!("it came at {} s", moment.time);
    }
    if let Some(moment) = at(0..from) {
        return format!("it came at {} s only, before what the test expects above", moment.time);
    }
    if let Some(near) = nearest_line(expectation, &moments[from..]) {
        return format!("it never came; the nearest line was `{}` at {} s", near.text, near.time);
    }
    let next = moments[from..].iter().find(|moment| moment.time >= expectation.window.0);
    let what = match expectation.source {
        Source::Console => "line",
        Source::Pin(_) => "change",
        Source::Event(_) => "such event",
    };
    match (next, moments.last()) {
        (Some(next), _) => {
            format!("it never came; the next {what} was `{}` at {} s", next.text, next.time)
        }
        (None, Some(last)) => {
            format!("it never came; the last {what} was `{}` at {} s", last.text, last.time)
        }
        (None, None) => format!("no {what} came at all in {end} s"),
    }
}

/// The line that is most like the first one that is expected.
fn nearest_line<'m>(expectation: &Expectation, moments: &[&'m Moment]) -> Option<&'m Moment> {
    let lines = moments.iter().filter(|_| expectation.source == Source::Console);
    let near = lichen_project::nearest(
        &expectation.patterns[0],
        lines.clone().map(|it| it.text.as_str()),
    )?;
    lines.copied().find(|moment| moment.text == near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_project::Place;

    fn expectation(line: u32, patterns: &[&str], window: (u64, u64)) -> Expectation {
        Expectation {
            place: Place::line("t.toml", line),
            mote: 0,
            source: Source::Console,
            patterns: patterns.iter().map(|pattern| pattern.to_string()).collect(),
            window: (Time::from_ms(window.0), Time::from_ms(window.1)),
            count: None,
            words: format!("`{}`", patterns.join("`, `")),
        }
    }

    /// A mote that has printed these lines, at 1 s, 2 s and so on.
    fn printed(lines: &[&str]) -> Vec<Done> {
        let moments = lines.iter().zip(1..).map(|(line, s)| Moment {
            time: Time::from_s(s),
            source: Source::Console,
            text: line.to_string(),
        });
        let mut done = Done::default();
        done.moments.extend(moments);
        vec![done]
    }

    fn missing(lines: &[&str], expectations: &[Expectation]) -> Vec<String> {
        let missing = check(&printed(lines), expectations, Time::from_s(9));
        missing.into_iter().map(|one| format!("{}: {}", one.place, one.message)).collect()
    }

    const ALWAYS: (u64, u64) = (0, 9_000);

    #[test]
    fn lines_are_expected_in_order_with_others_between() {
        let of = |a: &str, b: &str| {
            missing(
                &["one", "two", "three"],
                &[expectation(1, &[a], ALWAYS), expectation(2, &[b], ALWAYS)],
            )
        };
        assert!(of("one", "three").is_empty());
        assert!(of("t[...]o", "[...]").is_empty());
        let wrong = of("three", "one");
        assert_eq!(
            wrong,
            [
                "t.toml:2: expected `one`; it came at 1.000000 s only, before what the test expects above"
            ]
        );
        let wrong = of("two", "four");
        assert!(wrong[0].ends_with("the next line was `three` at 3.000000 s"), "{wrong:?}");
        let wrong = of("three", "three");
        assert!(wrong[0].contains("before what"), "one line does not meet two: {wrong:?}");
    }

    #[test]
    fn a_list_is_of_lines_one_after_another() {
        let lines = ["one", "two", "three"];
        assert!(missing(&lines, &[expectation(1, &["two", "three"], ALWAYS)]).is_empty());
        assert_eq!(missing(&lines, &[expectation(1, &["one", "three"], ALWAYS)]).len(), 1);
        assert_eq!(missing(&lines, &[expectation(1, &["three", "four"], ALWAYS)]).len(), 1);
    }

    #[test]
    fn a_line_at_another_time_is_reported_with_its_time() {
        let lines = ["tick", "tick", "tock"];
        assert!(missing(&lines, &[expectation(1, &["tick"], (1_500, 2_000))]).is_empty());
        let wrong = missing(&lines, &[expectation(1, &["tock"], (0, 2_999))]);
        assert_eq!(wrong, ["t.toml:1: expected `tock`; it came at 3.000000 s"]);
    }

    #[test]
    fn a_count_is_exact_and_independent_of_order() {
        let lines = ["tick", "tock", "tick"];
        let count = |count| {
            let one = Expectation { count: Some(count), ..expectation(1, &["tick"], ALWAYS) };
            missing(&lines, &[expectation(1, &["tock"], ALWAYS), one])
        };
        assert!(count((2, 2)).is_empty() && count((1, 5)).is_empty());
        assert!(
            count((3, 3))[0].ends_with("it came 2 times, first at 1.000000 s, last at 3.000000 s")
        );
        assert!(count((0, 0))[0].contains("came 2 times"));
    }

    #[test]
    fn silence_is_reported() {
        let wrong = missing(&[], &[expectation(1, &["x"], ALWAYS)]);
        assert_eq!(wrong, ["t.toml:1: expected `x`; no line came at all in 9.000000 s"]);
    }
}
