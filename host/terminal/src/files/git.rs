// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which files git tracks.

use super::identity::Identity;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether git tracks the file at `path`, by any of its `links` names in the repository around it. Without git, or
/// outside a repository, no file is tracked.
pub(super) fn tracks(path: &Path, identity: &Identity, links: u64) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
    if git(folder)
        .args(["ls-files", "--error-unmatch", "--"])
        .arg(name)
        .status()
        .is_ok_and(|it| it.success())
    {
        return true;
    }
    links > 1 && tracks_by_another_name(folder, identity)
}

fn tracks_by_another_name(folder: &Path, identity: &Identity) -> bool {
    let Ok(top) =
        git(folder).args(["rev-parse", "--show-toplevel"]).stdout(Stdio::piped()).output()
    else {
        return false;
    };
    let top = Path::new(OsStr::from_bytes(top.stdout.trim_ascii_end())).to_path_buf();
    if !top.is_dir() {
        return false;
    }
    let listed = git(&top).args(["ls-files", "-z"]).stdout(Stdio::piped()).output();
    let listed = listed.map(|listed| listed.stdout).unwrap_or_default();
    let mut names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.any(|name| {
        let found = std::fs::symlink_metadata(top.join(OsStr::from_bytes(name)));
        found.is_ok_and(|found| Identity::of_node(&found) == *identity)
    })
}

/// A call of git in `folder`, whoever owns the repository.
fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.args(["--literal-pathspecs", "-c", "safe.directory=*", "-C"]).arg(folder);
    git.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    git
}
