// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the site consists of, and in which order: `doc/site/site.toml`.

use super::SiteError;
use lichen_project::{Place, Tree, tree};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The plan of the site.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    /// Parts of the navigation.
    #[serde(rename = "part")]
    pub(super) parts: Vec<Part>,
    /// Folders that have a page with their contents.
    #[serde(rename = "folder")]
    pub(super) folders: Vec<Folder>,
    /// Topics of the reference.
    #[serde(rename = "topic")]
    pub(super) topics: Vec<Topic>,
}

/// A part of the navigation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    pub(super) caption: String,
    /// Pages, such as `doc/install.md`; `Name <README.md>` gives one another name, and `FOLDER/*` is
    /// the others in a folder.
    pages: Vec<String>,
}

/// A folder that has a page with its contents.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Folder {
    pub(super) path: String,
    pub(super) title: String,
    pub(super) about: String,
}

/// A topic of the reference.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Topic {
    pub(super) title: String,
    pub(super) about: String,
    /// Names of its headers, without `lichen/` and `.h`.
    headers: Vec<Spanned<String>>,
}

/// The file of the plan.
const FILE: &str = "doc/site/site.toml";
/// The folder of the public headers.
pub(super) const HEADERS: &str = "os/include/lichen";

impl Plan {
    /// The plan of `tree`, which must have every page of `doc` and every public header.
    pub(super) fn read(tree: &Tree) -> Result<Plan, SiteError> {
        let (plan, text) = lichen_project::read_toml::<Plan>(&tree.path(FILE))?;
        for name in plan.topics.iter().flat_map(|topic| &topic.headers) {
            if !tree.path(HEADERS).join(name.get_ref()).with_extension("h").is_file() {
                return Err(SiteError::Plan {
                    place: Place::offset(FILE, &text, name.span().start),
                    message: format!("there is no header lichen/{}.h", name.get_ref()),
                });
            }
        }
        let pages = plan.pages(tree)?;
        let headers: Vec<_> = plan.topics.iter().flat_map(Topic::headers).collect();
        let is_in = |file: &Path| match file.extension().and_then(|end| end.to_str()) {
            Some("h") => file.file_stem().is_some_and(|stem| headers.iter().any(|h| stem == *h)),
            _ => pages.iter().any(|page| page == file),
        };
        let mut files = lichen_check::files(tree, "doc", &["md"])?;
        files.retain(|file| !file.starts_with(super::FOLDER));
        files.extend(lichen_check::files(tree, HEADERS, &["h"])?);
        match files.into_iter().find(|file| !is_in(file)) {
            Some(file) => Err(SiteError::Plan {
                place: Place::file(FILE),
                message: format!("{} is in no part of the site", file.display()),
            }),
            None => Ok(plan),
        }
    }

    /// The pages that are files of the tree, relative to it.
    pub(super) fn pages(&self, tree: &Tree) -> Result<Vec<PathBuf>, SiteError> {
        let mut pages = Vec::new();
        for part in &self.parts {
            for entry in part.entries(tree)? {
                let page = PathBuf::from(path_of(&entry));
                if tree.path(&page).is_file() {
                    pages.push(page);
                }
            }
        }
        for folder in &self.folders {
            pages.extend(pages_in(tree, Path::new(&folder.path))?);
        }
        Ok(pages)
    }
}

impl Part {
    /// Its entries in the navigation.
    pub(super) fn entries(&self, tree: &Tree) -> Result<Vec<String>, SiteError> {
        let mut entries: Vec<String> = Vec::new();
        for page in &self.pages {
            let Some(folder) = page.strip_suffix("/*") else {
                entries.push(page.clone());
                continue;
            };
            let pages = pages_in(tree, Path::new(folder))?;
            let others = pages.iter().map(|page| page.display().to_string());
            let others: Vec<_> = others.filter(|page| !self.names(page)).collect();
            entries.extend(others);
        }
        Ok(entries)
    }
}

impl Part {
    /// Whether it lists `page` by itself.
    fn names(&self, page: &str) -> bool {
        self.pages.iter().any(|entry| path_of(entry) == page)
    }
}

impl Topic {
    /// Names of its headers, without `lichen/` and `.h`.
    pub(super) fn headers(&self) -> impl Iterator<Item = &str> {
        self.headers.iter().map(|name| name.get_ref().as_str())
    }

    /// The name of its page.
    pub(super) fn page(&self) -> String {
        let title = self.title.to_lowercase();
        format!("topic-{}", title.replace(|c: char| !c.is_ascii_alphanumeric(), "-"))
    }
}

/// The page of an entry of the navigation.
fn path_of(entry: &str) -> &str {
    entry.split_once('<').map_or(entry, |(_, path)| path.trim_end_matches('>'))
}

/// The pages in `folder`, in the order of the numbers with which their names begin.
pub(super) fn pages_in(tree: &Tree, folder: &Path) -> Result<Vec<PathBuf>, SiteError> {
    let files = tree::list(&tree.path(folder))?;
    let is_page = |file: &PathBuf| file.extension().is_some_and(|end| end == "md");
    let pages = files.iter().filter(|file| is_page(file));
    let mut pages: Vec<PathBuf> = pages.map(|file| tree.shown(file).to_path_buf()).collect();
    pages.sort_by_key(|page| (number(page), page.clone()));
    Ok(pages)
}

/// The number with which the name of `page` begins; 0 without one.
fn number(page: &Path) -> u32 {
    let name = page.file_name().unwrap_or_default().to_string_lossy();
    let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = ["10-b.md", "2-a.md", "README.md", "x.svg"];
        let files = files.map(|name| (format!("doc/guide/{name}"), ""));
        let files = files.each_ref().map(|(name, text)| (name.as_str(), *text));
        let tree = Tree::of_files(folder.path(), &files).expect("a tree");
        let part = Part {
            caption: String::new(),
            pages: ["Start <README.md>", "doc/guide/README.md", "doc/guide/*"]
                .map(Into::into)
                .into(),
        };
        let wanted =
            ["Start <README.md>", "doc/guide/README.md", "doc/guide/2-a.md", "doc/guide/10-b.md"];
        assert_eq!(part.entries(&tree).expect("listed"), wanted);
        assert_eq!(path_of("Start <README.md>"), "README.md");
    }
}
