// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the tests read that call tools: compilers, Cargo, the commands.

use super::Context;
use lichen_project::tool::{self, State};
use lichen_test::{Code, Inputs};
use std::sync::OnceLock;

/// The folders that commands and tests of commands use.
pub(super) const ROOMS: [&str; 10] =
    ["app", "bench", "board", "data", "doc", "host", "os", "scenario", "test", "README.md"];

/// The firmware, without programs.
pub(super) const SYSTEM: [&str; 3] = ["os", "board", "data"];

/// What makes programs of rows.
pub(super) const ROWS: [&str; 3] = ["test/CMakeLists.txt", "test/rows.cmake", "test/frames.cmake"];

/// What the test `name` reads: `paths`, of the tree, `code`, and the tools in the versions that are found.
pub(super) fn with_tools<'a>(
    context: &Context<'a>,
    name: &str,
    paths: &[&str],
    code: Code,
) -> Inputs<'a> {
    let inputs = Inputs::new(context.suite.tree, name, code);
    let inputs = inputs.words(context.suite.long).words(tools());
    paths.iter().fold(inputs, |inputs, path| inputs.path(path))
}

/// Where each tool is found, in which version.
fn tools() -> &'static str {
    static TOOLS: OnceLock<String> = OnceLock::new();
    TOOLS.get_or_init(|| {
        let found = tool::ALL.iter().map(|tool| match tool::probe(tool) {
            State::Found { version } | State::Unfit { version, .. } => {
                format!("{} {version} at {:?}\n", tool.name, tool.path())
            }
            State::Missing => String::new(),
        });
        found.collect()
    })
}
