// SPDX-License-Identifier: MIT OR Apache-2.0
//! The second link of a program, in which the compiler sees all its code at once (`os/again.cmake`): of the files that the
//! ordinary link took from the system's archive, as its map says, neither more nor less.

use super::archive::Archive;
use super::map::{Included, included};
use super::ninja::Rules;
use super::{BuildError, Progress, compile, system};
use lichen_image::GlobalNames;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Where the images of the ordinary link are, below the build folder.
const ONCE: &str = "once/";

/// Names by which tools find what a program has (`host/observe`, `host/world`), and what it counts. The program itself may
/// never read that.
const READ_BY_TOOLS: [&str; 12] = [
    "console_lost_receiving",
    "console_lost_sending",
    "coop_run",
    "kernel_watchdog",
    "link_headers_losses",
    "link_losses",
    "radio_state",
    "syslog_lost",
    "thread_create",
    "thread_start_service",
    "threads_created",
    "threads_start",
];

/// The image of the ordinary link of a program that is linked again.
pub(super) fn ordinary(name: &str) -> String {
    format!("{ONCE}{name}")
}

/// The program of an image of either link.
pub(super) fn program(image: &str) -> &str {
    image.strip_prefix(ONCE).unwrap_or(image)
}

/// Whether the image is of an ordinary link that another one follows.
pub(super) fn is_ordinary(image: &str) -> bool {
    image.starts_with(ONCE)
}

/// Hands what the ordinary links of the programs `names` took of the system to their second ones, compiled for it.
pub(super) fn prepare(
    folder: &Path,
    names: &[String],
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BuildError> {
    let mut systems = Systems::default();
    let mut members = Vec::new();
    for name in names {
        members.push(systems.members(folder, name)?);
    }
    systems.compile(&members, progress)?;
    let rules = Rules::read(folder);
    for (name, members) in names.iter().zip(members) {
        rules.as_ref().map_or(Ok(()), |rules| means_the_same(rules, folder, name))?;
        let mut kept = rules.as_ref().map(|rules| called(rules, folder, name)).unwrap_or_default();
        kept.extend(read_by_tools(&folder.join(format!("{}.elf", ordinary(name)))));
        hand_over(folder, name, &members, &kept)?;
    }
    Ok(())
}

/// Refuses what only the linker knows. The compiler sees the C files alone: it does not know that another file, such as
/// assembly, has the strong definition of a weak name, or the weak one of a strong name, nor which names the linker wraps.
fn means_the_same(rules: &Rules, folder: &Path, name: &str) -> Result<(), BuildError> {
    let image = format!("{}.elf", ordinary(name));
    if rules.flags(&image).iter().any(|flag| flag.contains("--wrap")) {
        let what = "the linker is told --wrap, which `lto = true` would ignore".to_string();
        return Err(BuildError::Differs { what, file: folder.join(&image) });
    }
    let is_c = |source: &Path| source.extension().is_some_and(|it| it == "c");
    let objects = rules
        .linked(&image)
        .into_iter()
        .filter(|(it, _)| it.extension().is_some_and(|it| it != "a"));
    let files: Vec<(PathBuf, GlobalNames)> = objects
        .filter_map(|(object, source)| Some((source, names(&folder.join(object))?)))
        .collect();
    let (c, others): (Vec<_>, Vec<_>) = files.iter().partition(|(source, _)| is_c(source));
    for ((file, one), (other, two)) in c.iter().flat_map(|c| others.iter().map(move |it| (*c, *it)))
    {
        let differs = |name: &&String| one.weak.contains(*name) != two.weak.contains(*name);
        if let Some(name) = one.defined.intersection(&two.defined).find(differs) {
            let other = other.display();
            let what = format!(
                "{other} defines `{name}`, too, and one of them is weak: with `lto = true`, the wrong one would be called"
            );
            return Err(BuildError::Differs { what, file: file.clone() });
        }
    }
    Ok(())
}

/// What the program's own files refer to, of the system and of each other: this stays as it is called in the source, for
/// debuggers, traces and messages.
fn called(rules: &Rules, folder: &Path, name: &str) -> BTreeSet<String> {
    let objects = rules.linked(&format!("{}.elf", ordinary(name))).into_iter();
    let names = objects.filter_map(|(object, _)| names(&folder.join(object)));
    names.flat_map(|names| names.needed).collect()
}

/// Those names that the image has.
fn read_by_tools(elf: &Path) -> impl Iterator<Item = String> {
    let has = names(elf).unwrap_or_default().defined;
    READ_BY_TOOLS.into_iter().filter(move |name| has.contains(*name)).map(str::to_string)
}

fn names(object: &Path) -> Option<GlobalNames> {
    GlobalNames::parse(&std::fs::read(object).ok()?)
}

/// An object of the system, and where its build folder has it.
struct Member {
    folder: PathBuf,
    object: String,
}

impl Member {
    fn path(&self) -> PathBuf {
        self.folder.join(&self.object)
    }
}

/// The archives' objects, by their folders.
#[derive(Default)]
struct Systems {
    objects: BTreeMap<PathBuf, Vec<PathBuf>>,
    names: BTreeMap<PathBuf, BTreeSet<String>>,
}

impl Systems {
    /// What the ordinary link of `name` took from the system's archive.
    fn members(&mut self, folder: &Path, name: &str) -> Result<Vec<Member>, BuildError> {
        let file = folder.join(format!("{}.map", ordinary(name)));
        let map = std::fs::read_to_string(&file)
            .map_err(|source| system("cannot read the linker's map", &file, source))?;
        let members = included(&map).filter_map(|it| {
            let (archive, member) = it.member.strip_suffix(')')?.split_once("/liblichen.a(")?;
            self.object(Path::new(archive), member, &it)
        });
        Ok(members.collect())
    }

    /// The object that the archive in the build folder `archive` has as `member`. Several may be called so: it is the one
    /// that defines what was asked for.
    fn object(&mut self, archive: &Path, member: &str, why: &Included<'_>) -> Option<Member> {
        let all = self.objects.entry(archive.to_path_buf()).or_insert_with(|| objects(archive));
        let is_called = |object: &&PathBuf| object.file_name().is_some_and(|it| it == member);
        let called: Vec<PathBuf> = all.iter().filter(is_called).cloned().collect();
        let found = match called.as_slice() {
            [only] => only.clone(),
            several => several.iter().find(|it| self.defines(it, why.symbol))?.clone(),
        };
        let found = found.display().to_string();
        let at = found.find("/CMakeFiles/")?;
        Some(Member { folder: PathBuf::from(&found[..at]), object: for_again(&found[at + 1..]) })
    }

    fn defines(&mut self, object: &Path, symbol: &str) -> bool {
        let of = |object| names(object).unwrap_or_default().defined;
        self.names.entry(object.to_path_buf()).or_insert_with(|| of(object)).contains(symbol)
    }

    /// Has the objects compiled that are not there, or older than their sources.
    fn compile(
        &self,
        members: &[Vec<Member>],
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), BuildError> {
        let mut wanted: BTreeMap<&Path, BTreeSet<&str>> = BTreeMap::new();
        for member in members.iter().flatten().filter(|member| is_for_again(&member.object)) {
            wanted.entry(&member.folder).or_default().insert(&member.object);
        }
        for (folder, objects) in wanted {
            let objects: Vec<&str> = objects.into_iter().collect();
            Archive::locked(folder, &mut || compile(folder, &objects, progress))?;
        }
        Ok(())
    }
}

/// Absolute paths of the objects of the archive in a build folder.
fn objects(archive: &Path) -> Vec<PathBuf> {
    let rules = Rules::read(archive);
    let linked = rules.map(|rules| rules.linked("liblichen.a")).unwrap_or_default();
    linked.into_iter().map(|(object, _)| archive.join(object)).collect()
}

/// The object that is compiled for the second link of the same file; assembly is the same.
fn for_again(object: &str) -> String {
    match object.ends_with(".c.obj") {
        true => object.replacen(".dir/", "+lto.dir/", 1),
        false => object.to_string(),
    }
}

fn is_for_again(object: &str) -> bool {
    object.contains("+lto.dir/")
}

/// Writes the list of members for the compiler, and which names it keeps. It is written anew where one of them is younger,
/// so that Ninja has the code made again.
fn hand_over(
    folder: &Path,
    name: &str,
    members: &[Member],
    kept: &BTreeSet<String>,
) -> Result<(), BuildError> {
    let file = folder.join("members").join(name);
    let paths: Vec<PathBuf> = members.iter().map(Member::path).collect();
    let paths_text = paths.iter().map(|path| format!("\"{}\"\n", path.display()));
    let text: String =
        paths_text.chain(kept.iter().map(|name| format!("-Wl,-u,{name}\n"))).collect();
    let date = |file: &Path| file.metadata().and_then(|file| file.modified()).ok();
    let is_older = |path: &PathBuf| date(path) > date(&file);
    if std::fs::read_to_string(&file).is_ok_and(|was| was == text) && !paths.iter().any(is_older) {
        return Ok(());
    }
    let below = file.parent().unwrap_or(folder);
    std::fs::create_dir_all(below)
        .and_then(|()| std::fs::write(&file, text))
        .map_err(|source| system("cannot write what is linked", &file, source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    fn date(file: &Path, second: u64) {
        let file = File::options().write(true).open(file).expect("there");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(second)).expect("dated");
    }

    fn dated(file: &Path) -> SystemTime {
        file.metadata().and_then(|file| file.modified()).expect("dated")
    }

    #[test]
    fn the_list_of_members_is_written_anew_where_one_is_younger() {
        let folder = tempfile::tempdir().expect("a folder");
        let member = Member { folder: folder.path().to_path_buf(), object: "one.obj".into() };
        let (path, members) = (member.path(), [member]);
        let hand_over =
            || hand_over(folder.path(), "blink", &members, &BTreeSet::new()).expect("written");
        fs::write(&path, "").expect("written");
        hand_over();
        let list = folder.path().join("members/blink");
        date(&path, 1);
        date(&list, 2);
        let kept = dated(&list);
        hand_over();
        assert_eq!(dated(&list), kept, "nothing has changed");
        date(&path, 3);
        hand_over();
        assert!(dated(&list) > dated(&path));
    }
}
