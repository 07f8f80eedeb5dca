// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `site`: the documentation as a site, which is built, examined file by file, and looked
//! at in a browser. `test/site` has the script that drives the browser.

mod links;

use super::scripts::{attempt, environment};
use super::{Context, Listener, Report, Verdict};
use lichen_project::tool;
use lichen_project::{Explain, Place};
use lichen_site::Site;
use links::Pages;

const BUILD: &str = "build";
const LINKS: &str = "links";
const REFERENCE: &str = "reference";
const BROWSER: &str = "browser";

/// A test; anything but a pass is an error.
type Test = fn(&Context<'_>, &Site) -> Result<(), Verdict>;

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    if !context.may_fetch() {
        return;
    }
    let tests: [(&str, Test); 4] =
        [(BUILD, |_, _| Ok(())), (LINKS, links), (REFERENCE, reference), (BROWSER, browser)];
    let wanted: Vec<_> = tests.into_iter().filter(|(name, _)| context.wants(name)).collect();
    if wanted.is_empty() {
        return;
    }
    let group = context.group;
    let site = match lichen_site::build(context.tree(), &mut |step| listener.working(group, step)) {
        Ok(site) => site,
        Err(error) => {
            let output = error.output().map(str::to_string);
            let report = Report { output, ..Report::of(&error) };
            return context.tell(listener, BUILD, Verdict::Failed(report));
        }
    };
    for (name, test) in wanted {
        listener.working(group, name);
        let verdict = test(context, &site).err().unwrap_or(Verdict::Passed);
        context.tell(listener, name, verdict);
    }
}

/// Every link leads to a page or file of the site, and to an anchor that is there; nothing is
/// fetched from elsewhere.
fn links(_: &Context<'_>, site: &Site) -> Result<(), Verdict> {
    let pages = Pages::read(&site.folder).map_err(|error| failed(&error))?;
    let faults = pages.faults();
    let Some(first) = faults.first() else { return Ok(()) };
    Err(Verdict::Failed(Report {
        message: first.clone(),
        remedy: Some("correct the page, or the templates of doc/site".to_string()),
        output: (faults.len() > 1).then(|| faults[1..].join("\n") + "\n"),
        place: None,
    }))
}

/// Every public function has an entry, and the search knows it.
fn reference(context: &Context<'_>, site: &Site) -> Result<(), Verdict> {
    let functions = lichen_site::functions(context.tree()).map_err(|error| failed(&error))?;
    let pages = Pages::read(&site.folder).map_err(|error| failed(&error))?;
    let index = site.folder.join("searchindex.js");
    let index = std::fs::read_to_string(&index).unwrap_or_default();
    let is_missing = |name: &str| {
        !pages.have_anchor(&format!("c.{name}")) || !index.contains(&format!("\"{name}\""))
    };
    match functions.iter().find(|(name, _)| is_missing(name)) {
        Some((name, header)) => Err(Verdict::Failed(Report {
            place: Some(Place::file(header)),
            ..Report::saying(format!("`{name}` has no entry in the reference"))
        })),
        None if functions.len() < FEWEST => {
            let message = format!("the headers declare only {} functions", functions.len());
            Err(Verdict::Failed(Report::saying(message)))
        }
        None => Ok(()),
    }
}

/// Public functions that there are at least: fewer mean that the headers were not read.
const FEWEST: usize = 200;

/// What `test/site/browser.py` examines.
fn browser(context: &Context<'_>, site: &Site) -> Result<(), Verdict> {
    let Some(chromium) = tool::CHROMIUM.path() else {
        return Err(Verdict::Skipped(format!("chromium: {}", tool::CHROMIUM.remedy())));
    };
    let folder = context.tree().path("build/doc/browser");
    let environment = environment(context, &folder, "test/site/requirements.txt")?;
    let mut script = environment.python();
    script.arg(context.tree().path("test/site/browser.py")).arg(chromium).arg(&site.folder);
    script.arg(context.tree().path("build/doc/screenshot"));
    let remedy = "look at build/doc/screenshot, and correct doc/site or the page";
    attempt("a browser does not show the site as it should", remedy, script)
}

fn failed(error: &dyn Explain) -> Verdict {
    Verdict::Failed(Report::of(error))
}
