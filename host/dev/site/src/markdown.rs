// SPDX-License-Identifier: MIT OR Apache-2.0
//! Markdown pages of the tree as pages of the site: their links are checked, and lead to where the
//! site has what they name.

use std::path::{Component, Path, PathBuf};

/// What a link leads to.
pub(super) enum Target {
    /// A page or a file at this place in the site.
    Site(String),
    /// Nothing.
    Nothing,
}

/// A link that leads nowhere.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// Its line, from 1.
    pub(super) line: u32,
    pub(super) link: String,
}

/// `text`, the page at `page`, with links that `find` has resolved; it is given paths relative to the
/// tree.
pub(super) fn relink(
    text: &str,
    page: &Path,
    mut find: impl FnMut(&Path) -> Target,
) -> Result<String, Broken> {
    let mut written = String::with_capacity(text.len());
    let mut fence = None;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let mark = line.trim_start().get(..3).filter(|mark| matches!(*mark, "```" | "~~~"));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if fence.is_some() || line.starts_with("    ") {
            written.push_str(line);
            continue;
        }
        let relinked = relink_line(line, page, &mut find);
        written.push_str(&relinked.map_err(|link| Broken { line: number, link })?);
    }
    Ok(written)
}

fn relink_line(
    line: &str,
    page: &Path,
    find: &mut impl FnMut(&Path) -> Target,
) -> Result<String, String> {
    let mut written = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((link, behind)) = after.split_once(')') else { break };
        written.push_str(before);
        written.push_str("](");
        written.push_str(&resolved(link, page, find)?);
        written.push(')');
        rest = behind;
    }
    Ok(written + rest)
}

/// Where `link` of `page` leads in the site.
fn resolved(
    link: &str,
    page: &Path,
    find: &mut impl FnMut(&Path) -> Target,
) -> Result<String, String> {
    if link.contains("://") || link.starts_with(['#', '<']) || link.starts_with("mailto:") {
        return Ok(link.to_string());
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(p, a)| (p, Some(a)));
    let path = normal(&page.parent().unwrap_or(Path::new("")).join(path));
    match (find(&path), anchor) {
        (Target::Nothing, _) => Err(link.to_string()),
        (Target::Site(place), None) => Ok(format!("/{place}")),
        (Target::Site(place), Some(anchor)) => Ok(format!("/{place}#{anchor}")),
    }
}

/// `path` without `.` and `..`.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Result<String, Broken> {
        relink(text, Path::new("doc/guide/1.md"), |path| match path.to_str() {
            Some("doc/spec/a.md") => Target::Site("doc/spec/a.md".to_string()),
            Some("os/time.h") => Target::Site("reference/time.rst".to_string()),
            _ => Target::Nothing,
        })
    }

    #[test]
    fn links_lead_to_pages_of_the_site() {
        let text = "see [a](../spec/a.md#b), [t](../../os/time.h), [w](https://x.y) and [h](#h)\n";
        let wanted =
            "see [a](/doc/spec/a.md#b), [t](/reference/time.rst), [w](https://x.y) and [h](#h)\n";
        assert_eq!(found(text).expect("good"), wanted);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let broken = Broken { line: 2, link: "../no.md".to_string() };
        assert_eq!(found("# A\n[x](../no.md)\n"), Err(broken));
    }

    #[test]
    fn code_is_left_alone() {
        let text = "```\n[x](no.md)\n```\n    a[0](no)\n";
        assert_eq!(found(text).expect("good"), text);
    }
}
