// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `structure`: one test per structural rule.

use super::{Context, Listener, Report, Verdict};
use lichen_check::{CHECKS, Violation};

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let wanted: Vec<_> = CHECKS.iter().filter(|check| context.wants(check.name)).collect();
    if wanted.is_empty() {
        return;
    }
    let rules = match lichen_check::rules(context.tree()) {
        Ok(rules) => rules,
        Err(error) => {
            return context.tell(listener, "rules", Verdict::Failed(Report::of(&error)));
        }
    };
    for check in wanted {
        listener.working(context.group, check.name);
        let verdict = match (check.run)(context.tree(), &rules) {
            Ok(violations) => verdict(&violations),
            Err(error) => Verdict::Failed(Report::of(&error)),
        };
        context.tell(listener, check.name, verdict);
    }
}

/// The first violation as the message, the others as output above it.
fn verdict(violations: &[Violation]) -> Verdict {
    let Some((first, others)) = violations.split_first() else { return Verdict::Passed };
    let line = |v: &Violation| format!("{}: {} ({})\n", v.place, v.message, v.remedy);
    Verdict::Failed(Report {
        place: Some(first.place.clone()),
        message: first.message.clone(),
        remedy: Some(first.remedy.clone()),
        output: (!others.is_empty()).then(|| others.iter().map(line).collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_project::Place;

    #[test]
    fn no_violation_passes_and_the_first_of_several_is_the_message() {
        let violation = |line| Violation {
            place: Place::line("a.c", line),
            message: "wrong".to_string(),
            remedy: "right".to_string(),
        };
        assert_eq!(verdict(&[]), Verdict::Passed);
        let Verdict::Failed(report) = verdict(&[violation(1), violation(2)]) else {
            panic!("must fail");
        };
        assert_eq!(report.place, Some(Place::line("a.c", 1)));
        assert_eq!(report.output.as_deref(), Some("a.c:2: wrong (right)\n"));
    }
}
