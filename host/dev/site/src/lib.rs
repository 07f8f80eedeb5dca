// SPDX-License-Identifier: MIT OR Apache-2.0
//! The documentation as a site: the reference, made from the public headers, and the pages of the
//! tree. `doc/site` has its plan, its start page and its looks; Sphinx makes it of prepared pages in
//! `build/doc/source`.

mod enumeration;
mod inline;
mod markdown;
mod plan;
mod reference;

use inline::Names;
use lichen_project::python::{Environment, PythonError};
use lichen_project::{Explain, FileError, Place, Tree, TreeError};
use markdown::Target;
pub use markdown::normal;
use plan::{Folder, Plan};
use reference::Named;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Where what the site is made of is written, besides the pages.
const FOLDER: &str = "doc/site";
/// Where everything is made.
const BUILD: &str = "build/doc";

/// What the start page has where the topics of the reference go.
const TOPICS: &str = "<!-- topics -->\n";

/// A site.
#[derive(Clone, Debug)]
pub struct Site {
    /// Its folder.
    pub folder: PathBuf,
    /// Its start page.
    pub index: PathBuf,
    /// Number of pages.
    pub pages: usize,
    /// Number of names that the reference has entries for.
    pub names: usize,
}

/// Why there is no site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The plan cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A folder cannot be listed.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// What makes the site cannot be installed.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// The plan names what is not there, or lacks what is.
    #[error("{message}")]
    Plan {
        /// Where.
        place: Place,
        /// What.
        message: String,
    },
    /// A link of a page leads nowhere.
    #[error("the link `{link}` leads nowhere")]
    Link {
        /// Where.
        place: Place,
        /// What it names.
        link: String,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Sphinx finds errors.
    #[error("{message}")]
    Sphinx {
        /// Where the first one is.
        place: Option<Place>,
        /// What it is.
        message: String,
        /// All of them.
        output: String,
    },
}

impl Explain for SiteError {
    fn place(&self) -> Option<Place> {
        match self {
            SiteError::File(error) => error.place(),
            SiteError::Tree(error) => error.place(),
            SiteError::Python(error) => error.place(),
            SiteError::Plan { place, .. } | SiteError::Link { place, .. } => Some(place.clone()),
            SiteError::Unwritable { file, .. } => Some(Place::file(file)),
            SiteError::Sphinx { place, .. } => place.clone(),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            SiteError::File(error) => error.remedy(),
            SiteError::Tree(error) => error.remedy(),
            SiteError::Python(error) => error.remedy(),
            SiteError::Plan { .. } => Some("correct doc/site/site.toml".to_string()),
            SiteError::Link { .. } => Some("write a path from the page's own folder".to_string()),
            SiteError::Unwritable { .. } => Some("check the permissions of the folder".to_string()),
            SiteError::Sphinx { .. } => Some(
                "correct that line; a page of build/doc/source/reference is made from the comments of \
                 its header"
                    .to_string(),
            ),
        }
    }
}

impl SiteError {
    /// What tools have printed.
    pub fn output(&self) -> Option<&str> {
        match self {
            SiteError::Python(error) => error.output(),
            SiteError::Sphinx { output, .. } => Some(output),
            _ => None,
        }
    }
}

/// Makes the site of `tree`; tells `step` what is under way.
pub fn build(tree: &Tree, step: &mut dyn FnMut(&str)) -> Result<Site, SiteError> {
    step("reading headers and pages");
    let prepared = Prepared::read(tree)?;
    let source = tree.path(BUILD).join("source");
    if write(&source, &prepared.files)? {
        // A page that is gone would stay.
        forget(tree)?;
    }
    step("installing Sphinx");
    let requirements = format!("{FOLDER}/requirements.txt");
    let venv = tree.path(BUILD).join("venv");
    let environment = Environment::install(&venv, &tree.path(&requirements), &requirements)?;
    step(&format!("laying out {} pages", prepared.pages));
    let folder = tree.path(BUILD).join("html");
    run_sphinx(tree, &environment, &source, &folder)?;
    let index = folder.join("index.html");
    Ok(Site { folder, index, pages: prepared.pages, names: prepared.names })
}

/// Names that the reference must have entries for, with the headers that declare them.
pub fn functions(tree: &Tree) -> Result<Vec<(String, String)>, SiteError> {
    let mut found = Vec::new();
    for file in lichen_check::files(tree, plan::HEADERS, &["h"])? {
        let header = lichen_check::header::read(&text_of(tree, &file)?);
        let is_function = |item: &lichen_check::header::Item| {
            matches!(item.kind, lichen_check::header::Kind::Function(_))
                && !item.name.ends_with('_')
        };
        let functions = header.items.into_iter().filter(is_function);
        found.extend(functions.map(|item| (item.name, file.display().to_string())));
    }
    Ok(found)
}

/// The files that Sphinx reads.
struct Prepared {
    /// By their paths below the folder of sources.
    files: BTreeMap<PathBuf, Vec<u8>>,
    pages: usize,
    names: usize,
}

impl Prepared {
    fn read(tree: &Tree) -> Result<Prepared, SiteError> {
        let plan = Plan::read(tree)?;
        let headers = plan.topics.iter().flat_map(|topic| topic.headers());
        let headers = headers.map(|name| {
            let file = Path::new(plan::HEADERS).join(name).with_extension("h");
            Ok(Named::read(name, &text_of(tree, &file)?))
        });
        let headers = headers.collect::<Result<Vec<_>, SiteError>>()?;
        let mut names = Names::default();
        let pages = plan.pages(tree)?;
        names.pages = pages.iter().map(|page| page.display().to_string()).collect();
        for named in &headers {
            named.name_all(&mut names);
        }
        let mut prepared = Prepared { files: BTreeMap::new(), pages: 0, names: names.roles.len() };
        prepared.add_reference(&plan, &headers, &names);
        for folder in &plan.folders {
            prepared.add_folder(tree, folder)?;
        }
        for page in &pages {
            prepared.add_page(tree, &plan, page, page)?;
        }
        prepared.add_start(tree, &plan)?;
        for (file, place) in [("conf.py", "conf.py"), ("lichen.css", "static/lichen.css")] {
            prepared.copy(tree, &Path::new(FOLDER).join(file), Path::new(place))?;
        }
        Ok(prepared)
    }

    fn add_reference(&mut self, plan: &Plan, headers: &[Named], names: &Names) {
        self.page("reference/index.rst", reference::index(&plan.topics, names));
        for topic in &plan.topics {
            let page = reference::topic_page(topic, headers, names);
            self.page(format!("reference/{}.rst", topic.page()), page);
        }
        for named in headers {
            self.page(format!("reference/{}.rst", named.name), named.page(names));
        }
    }

    /// The page with the contents of a folder.
    fn add_folder(&mut self, tree: &Tree, folder: &Folder) -> Result<(), SiteError> {
        let path = Path::new(&folder.path);
        let mut text =
            format!("# {}\n\n{}\n\n```{{toctree}}\n:maxdepth: 1\n\n", folder.title, folder.about);
        for page in plan::pages_in(tree, path)? {
            text += &format!("/{}\n", page.display());
        }
        self.page(path.join("index.md"), text + "```\n");
        Ok(())
    }

    /// The start page, which has the whole navigation behind its text.
    fn add_start(&mut self, tree: &Tree, plan: &Plan) -> Result<(), SiteError> {
        self.add_page(tree, plan, &Path::new(FOLDER).join("index.md"), Path::new("index.md"))?;
        let mut navigation = String::new();
        for part in &plan.parts {
            navigation += &format!("\n```{{toctree}}\n:hidden:\n:caption: {}\n\n", part.caption);
            navigation += &(part.entries(tree)?.join("\n") + "\n```\n");
        }
        let mut topics = String::new();
        for topic in &plan.topics {
            topics += &format!("- [**{}**](/reference/{}.rst)\n\n", topic.title, topic.page());
            topics += &format!("  {}\n\n", topic.about);
        }
        if let Some(start) = self.files.get_mut(Path::new("index.md")) {
            let text = String::from_utf8_lossy(start).replace(TOPICS, &topics);
            *start = (text + &navigation).into_bytes();
        }
        Ok(())
    }

    /// The Markdown in `file` as the page at `place`, with the files that it links to.
    fn add_page(
        &mut self,
        tree: &Tree,
        plan: &Plan,
        file: &Path,
        place: &Path,
    ) -> Result<(), SiteError> {
        let text = text_of(tree, file)?;
        let mut linked = Vec::new();
        let find = |path: &Path| target(tree, plan, path, &mut linked);
        let text = markdown::relink(&text, file, find).map_err(|broken| SiteError::Link {
            place: Place::line(file, broken.line),
            link: broken.link,
        })?;
        self.page(place, text);
        for file in linked {
            self.copy(tree, &file, &file)?;
        }
        Ok(())
    }

    fn page(&mut self, place: impl Into<PathBuf>, text: String) {
        self.pages += 1;
        self.files.insert(place.into(), text.into_bytes());
    }

    fn copy(&mut self, tree: &Tree, file: &Path, place: &Path) -> Result<(), SiteError> {
        let bytes = fs::read(tree.path(file)).map_err(|source| unreadable(tree, file, source))?;
        self.files.insert(place.to_path_buf(), bytes);
        Ok(())
    }
}

/// What a link to `path` leads to; a file that is no page is added to those that are `linked`.
fn target(tree: &Tree, plan: &Plan, path: &Path, linked: &mut Vec<PathBuf>) -> Target {
    let at = |place: String| Target::Site(place);
    if let Ok(header) = path.strip_prefix(plan::HEADERS) {
        let page = if header.as_os_str().is_empty() { Path::new("index") } else { header };
        return at(Path::new("reference").join(page).with_extension("rst").display().to_string());
    }
    if path.starts_with("reference") {
        return at(path.display().to_string());
    }
    let full = tree.path(path);
    if full.is_dir() {
        let has_index = plan.folders.iter().any(|folder| path == Path::new(&folder.path));
        let index = path.join(if has_index { "index.md" } else { "README.md" });
        let is_there = has_index || tree.path(&index).is_file();
        return if is_there { at(index.display().to_string()) } else { Target::Nothing };
    }
    if !full.is_file() {
        return Target::Nothing;
    }
    if path.extension().is_none_or(|end| end != "md") {
        linked.push(path.to_path_buf());
    }
    at(path.display().to_string())
}

fn text_of(tree: &Tree, file: &Path) -> Result<String, SiteError> {
    fs::read_to_string(tree.path(file)).map_err(|source| unreadable(tree, file, source))
}

fn unreadable(tree: &Tree, file: &Path, source: std::io::Error) -> SiteError {
    FileError::Unreadable { file: tree.path(file), source }.into()
}

/// Makes `folder` contain just `files`, and touches only those that differ. Whether others were
/// removed.
fn write(folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) -> Result<bool, SiteError> {
    for (place, bytes) in files {
        let file = folder.join(place);
        if fs::read(&file).is_ok_and(|found| found == *bytes) {
            continue;
        }
        let unwritable = |source| SiteError::Unwritable { file: file.clone(), source };
        fs::create_dir_all(file.parent().unwrap_or(folder)).map_err(unwritable)?;
        fs::write(&file, bytes).map_err(unwritable)?;
    }
    let mut removed = false;
    for file in all_files(folder)? {
        let place = file.strip_prefix(folder).unwrap_or(&file);
        if !files.contains_key(place) {
            let unwritable = |source| SiteError::Unwritable { file: file.clone(), source };
            fs::remove_file(&file).map_err(unwritable)?;
            removed = true;
        }
    }
    Ok(removed)
}

/// The files in `folder` and below.
pub fn all_files(folder: &Path) -> Result<Vec<PathBuf>, SiteError> {
    let mut files = Vec::new();
    for entry in lichen_project::tree::list(folder)? {
        if entry.is_dir() {
            files.extend(all_files(&entry)?);
        } else {
            files.push(entry);
        }
    }
    Ok(files)
}

/// Removes what Sphinx has made, and remembers of earlier calls.
fn forget(tree: &Tree) -> Result<(), SiteError> {
    for folder in ["html", "known"] {
        let file = tree.path(BUILD).join(folder);
        if file.exists() {
            fs::remove_dir_all(&file).map_err(|source| SiteError::Unwritable { file, source })?;
        }
    }
    Ok(())
}

fn run_sphinx(
    tree: &Tree,
    environment: &Environment,
    source: &Path,
    folder: &Path,
) -> Result<(), SiteError> {
    let mut sphinx = environment.python();
    sphinx.args(["-m", "sphinx", "--builder", "html", "--quiet", "--jobs", "auto"]);
    sphinx.args(["--fail-on-warning", "--no-color", "--doctree-dir"]);
    sphinx.arg(tree.path(BUILD).join("known")).arg(source).arg(folder);
    let failed = |output: String| {
        let output = output.replace(&format!("{}/", source.display()), "");
        let (place, message) = first_warning(&output);
        SiteError::Sphinx { place, message, output }
    };
    match sphinx.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            // It reports what it finds on a page only when it reads the page.
            forget(tree)?;
            Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()))
        }
        Err(error) => Err(failed(format!("Sphinx cannot be called: {error}"))),
    }
}

/// The place and the text of the first warning in what Sphinx has printed: `file:line: WARNING: text`.
fn first_warning(output: &str) -> (Option<Place>, String) {
    let warning = output.lines().find_map(|line| {
        let (place, text) =
            line.split_once(": WARNING: ").or_else(|| line.split_once(": ERROR: "))?;
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let place = match line.parse() {
            Ok(line) => Place::line(file, line),
            Err(_) => Place::file(place),
        };
        Some((Some(place), text.to_string()))
    });
    warning.unwrap_or((None, "Sphinx fails".to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_has_its_place() {
        let output = "Running\ndoc/a.md:7: WARNING: no such id [myst.xref_missing]\n";
        let (place, message) = first_warning(output);
        assert_eq!(place, Some(Place::line("doc/a.md", 7)));
        assert_eq!(message, "no such id [myst.xref_missing]");
        let (place, _) = first_warning("doc/a.md: WARNING: in no toctree\n");
        assert_eq!(place, Some(Place::file("doc/a.md")));
        assert_eq!(first_warning("Traceback"), (None, "Sphinx fails".to_string()));
    }

    #[test]
    fn only_what_differs_is_written_and_the_rest_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = |names: &[&str]| -> BTreeMap<PathBuf, Vec<u8>> {
            names.iter().map(|name| (PathBuf::from(name), b"x".to_vec())).collect()
        };
        assert!(!write(folder.path(), &files(&["a", "b/c"])).expect("written"));
        assert!(write(folder.path(), &files(&["b/c"])).expect("written"));
        assert_eq!(all_files(folder.path()).expect("listed"), [folder.path().join("b/c")]);
    }

    #[test]
    fn the_plan_has_every_page_and_header() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");
        let tree = Tree::at(root).expect("a tree");
        let prepared = Prepared::read(&tree).expect("prepared");
        for page in ["index.md", "doc/guide/1-first-run.md", "reference/time.rst"] {
            assert!(prepared.files.contains_key(Path::new(page)), "{page}");
        }
    }
}
