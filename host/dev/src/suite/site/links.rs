// SPDX-License-Identifier: MIT OR Apache-2.0
//! The links of a site: where each leads, and whether that is there.

use lichen_site::{SiteError, all_files, normal};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What the pages of a site link to and can be linked at.
pub(super) struct Pages {
    /// All files, relative to the site.
    files: BTreeSet<PathBuf>,
    pages: BTreeMap<PathBuf, Page>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
    /// What a browser loads to show it.
    loaded: Vec<String>,
}

impl Pages {
    pub(super) fn read(site: &Path) -> Result<Pages, SiteError> {
        let mut found = Pages { files: BTreeSet::new(), pages: BTreeMap::new() };
        for file in all_files(site)? {
            let place = file.strip_prefix(site).unwrap_or(&file).to_path_buf();
            if place.extension().is_some_and(|end| end == "html") {
                let text = fs::read_to_string(&file).unwrap_or_default();
                found.pages.insert(place.clone(), Page::read(&text));
            }
            found.files.insert(place);
        }
        Ok(found)
    }

    /// Whether a page has the anchor `name`.
    pub(super) fn have_anchor(&self, name: &str) -> bool {
        self.pages.values().any(|page| page.anchors.contains(name))
    }

    /// Every link that leads nowhere, and everything that comes from a network.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (place, page) in &self.pages {
            let mut fault = |what: &str, link: &str| {
                faults.push(format!("{}: {what} `{link}`", place.display()));
            };
            for link in &page.loaded {
                if is_elsewhere(link) {
                    fault("loads from a network", link);
                }
            }
            for link in page.links.iter().chain(&page.loaded).filter(|link| !is_elsewhere(link)) {
                if !self.leads_somewhere(place, link) {
                    fault("nothing is at", link);
                }
            }
        }
        faults
    }

    fn leads_somewhere(&self, from: &Path, link: &str) -> bool {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let path = path.split('?').next().unwrap_or_default();
        let target = match path {
            "" => from.to_path_buf(),
            path => normal(&from.parent().unwrap_or(Path::new("")).join(path)),
        };
        if !self.files.contains(&target) {
            return false;
        }
        let page = self.pages.get(&target);
        anchor.is_empty() || page.is_some_and(|page| page.anchors.contains(anchor))
    }
}

impl Page {
    fn read(html: &str) -> Page {
        let mut page = Page::default();
        for tag in html.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
            let name = tag.split_whitespace().next().unwrap_or_default();
            page.anchors.extend(attribute(tag, "id"));
            match name {
                "link" | "script" | "img" | "iframe" | "source" => {
                    page.loaded.extend(attribute(tag, "href"));
                    page.loaded.extend(attribute(tag, "src"));
                }
                "a" => page.links.extend(attribute(tag, "href")),
                _ => {}
            }
        }
        page
    }
}

/// The value of an attribute of `tag`.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0.replace("&amp;", "&"))
}

/// Whether `link` leads out of the site.
fn is_elsewhere(link: &str) -> bool {
    let schemes = ["http:", "https:", "mailto:", "//"];
    schemes.iter().any(|scheme| link.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(index: &str) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let sub = folder.path().join("sub");
        fs::create_dir(&sub).expect("made");
        fs::write(sub.join("a.html"), "<h1 id=\"top\"><a href=\"../index.html\">")
            .expect("written");
        fs::write(folder.path().join("index.html"), index).expect("written");
        Pages::read(folder.path()).expect("read").faults()
    }

    #[test]
    fn links_that_lead_somewhere_are_good() {
        let good = "<p id=\"x\"><a href=\"sub/a.html#top\"><a href=\"#x\"><a href=\"https://x.y\">\
                    <a class=\"b\" href=\"sub/../index.html\">";
        assert!(faults(good).is_empty(), "{:?}", faults(good));
    }

    #[test]
    fn a_missing_page_and_a_missing_anchor_are_found() {
        assert_eq!(faults("<a href=\"b.html\">"), ["index.html: nothing is at `b.html`"]);
        assert_eq!(
            faults("<a href=\"sub/a.html#no\">"),
            ["index.html: nothing is at `sub/a.html#no`"]
        );
    }

    #[test]
    fn what_comes_from_a_network_is_found() {
        let found = faults("<script src=\"https://x.y/z.js\"></script>");
        assert_eq!(found, ["index.html: loads from a network `https://x.y/z.js`"]);
    }
}
