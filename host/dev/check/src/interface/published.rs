// SPDX-License-Identifier: MIT OR Apache-2.0
//! The record of groups that were published: `os/load/published.toml`. Rows are added, and never changed.

use super::violation;
use crate::{CheckError, Violation};
use lichen_project::interface::{self, Architecture, Group, Interface};
use lichen_project::{FileError, Tree, read_toml};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The path of the record in the tree.
pub(super) const PATH: &str = "os/load/published.toml";

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    avr8: BTreeMap<String, String>,
    armv6m: BTreeMap<String, String>,
}

/// Number and fingerprint of each group by name.
pub(super) type Record = [(Architecture, BTreeMap<String, String>); 2];

/// What was published.
pub(super) fn record(tree: &Tree) -> Result<Record, FileError> {
    let path = tree.path(PATH);
    let written = if path.exists() { read_toml::<Written>(&path)?.0 } else { Written::default() };
    Ok([(Architecture::Avr8, written.avr8), (Architecture::Armv6m, written.armv6m)])
}

/// A group as the record has it.
pub(super) fn row(group: &Group, architecture: Architecture) -> String {
    format!("{:02x} {:04x}", group.number, group.fingerprint(architecture))
}

/// Groups that are not as they were published, or were not.
pub(super) fn check(tree: &Tree, interface: &Interface) -> Result<Vec<Violation>, CheckError> {
    let mut found = Vec::new();
    for (architecture, rows) in record(tree)? {
        let name = architecture.name();
        for (group, was) in &rows {
            let is = interface.group(group, architecture);
            let (line, message) = match is {
                None => {
                    (1, format!("`{group}` was published for {name} as {was}, and there is none"))
                }
                Some(is) if row(is, architecture) != *was => {
                    let is_now = row(is, architecture);
                    let message =
                        format!("`{group}` was published for {name} as {was}, and is {is_now}");
                    (is.line, message)
                }
                Some(_) => continue,
            };
            let remedy = "leave it as it was: programs that are in use call it; add a new group";
            found.push(violation(Path::new(interface::PATH), line, message, remedy));
        }
        for group in interface.groups.iter().filter(|group| group.is_on(architecture)) {
            if !rows.contains_key(&group.name) {
                let message = format!("`{}` is not published for {name}", group.name);
                found.push(violation(
                    Path::new(interface::PATH),
                    group.line,
                    message,
                    "run ./lichen generate and commit it",
                ));
            }
        }
    }
    Ok(found)
}
