// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of the matrix as the programs' sources write them: a filter that matches none builds
//! nothing.

use super::super::{Context, Match, sources};
use super::ROOM;
use std::collections::BTreeSet;

/// Parts of a cell's name, and of a test's, that no program defines.
const FIXED: [&str; 4] = ["force", "thread", "event", "mutants"];

/// Whether `part` of a name may match a test or a cell of this group. If not, the names are noted as
/// those of others.
pub(super) fn may_match(context: &Context<'_>, part: &str) -> bool {
    let mutants = part.strip_prefix("force/").unwrap_or(part).split_once("mutants/");
    if mutants.is_some_and(|(before, _)| before.is_empty() || before.ends_with('/')) {
        return true;
    }
    let programs = context.tree().programs(ROOM).unwrap_or_default();
    let folders = programs.iter().map(|program| context.tree().path(ROOM).join(program));
    let texts = folders.flat_map(|folder| sources::texts(&folder, "c"));
    let mut names: BTreeSet<String> = texts.flat_map(|text| named(&text)).collect();
    names.extend(programs);
    names.extend(context.tree().boards().unwrap_or_default());
    names.extend(FIXED.map(str::to_string));
    let may = consists_of(part, &names, context.matching);
    if !may {
        names.iter().for_each(|name| context.pass_over(name));
    }
    may
}

/// The names that a source gives to operations and states: `.name = "post"`.
fn named(text: &str) -> Vec<String> {
    let after = text.split(".name = \"").skip(1);
    after.filter_map(|after| Some(after.split('"').next()?.to_string())).collect()
}

/// Whether each of the pieces of `part` is a level or within one of `names`.
fn consists_of(part: &str, names: &BTreeSet<String>, matching: Match) -> bool {
    let known = |piece: &str| {
        piece.bytes().all(|byte| byte.is_ascii_digit())
            || names
                .iter()
                .any(|name| matching == Match::Part && name.contains(piece) || name == piece)
    };
    part.split(['/', '.', '@']).all(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_consists_of_names_and_levels() {
        let text = "{.name = \"post\", .in_thread = a}; {.name = \"take_until\"}";
        let mut names: BTreeSet<String> = named(text).into_iter().collect();
        names.extend(["kernel", "force", "thread"].map(str::to_string));
        assert!(consists_of("force/kernel/post.thread/take_until.2", &names, Match::Whole));
        assert!(
            consists_of("st.thr", &names, Match::Part)
                && consists_of("kernel/", &names, Match::Part)
        );
        assert!(!consists_of("kernel/past", &names, Match::Part));
    }
}
