// SPDX-License-Identifier: MIT OR Apache-2.0
//! Building a program for a board. CMake and Ninja do it; this module calls them, follows their
//! progress, and finds the place and the reason of a failure in their output.
//!
//! A build folder belongs to one program folder and one board. Two builds of it at the same time wait
//! for each other. The system's archives are built once per board and settings, and all its programs use them. All
//! programs of a folder get the kernel stack that they need.

mod again;
mod archive;
mod call;
pub mod calls;
mod clash;
mod configured;
mod coop;
mod editor;
mod equals;
mod fit;
mod full;
mod headers;
mod images;
pub mod kinds;
mod library;
mod linker;
mod loaded;
mod macros;
pub mod map;
mod message;
mod names;
mod ninja;
mod objects;
mod plain;
mod postable;
mod print;
mod remedy;
mod room;
mod shown;
pub mod size;
pub mod stack;
mod task;
pub mod vet;

pub use message::Message;

use archive::Archive;
use clash::Built;
use headers::Headers;
pub use headers::is_inner;
pub use images::{build_ahead, build_each, build_for_test, build_for_use};
use lichen_board::Board;
use lichen_project::tool::{self, Tool, ToolChain};
use lichen_project::{Explain, Place, Source, Tree};
pub use loaded::{Loaded, build_loaded};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a build has written.
#[derive(Clone, Debug)]
pub struct Artifacts {
    /// The build folder.
    pub folder: PathBuf,
    /// The image with symbols.
    pub elf: PathBuf,
    /// That of the ordinary link, if another one followed.
    pub ordinary: Option<PathBuf>,
    /// The bare image, as it is written to flash.
    pub bin: PathBuf,
    /// How each file was compiled, for editors.
    pub compile_commands: PathBuf,
}

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Steps done.
    pub done: u32,
    /// Steps in all.
    pub total: u32,
}

/// Why a build failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A tool is missing.
    #[error("{} is missing", tool.name)]
    MissingTool {
        /// The tool.
        tool: Tool,
    },
    /// A tool does not start, or a folder cannot be written.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// The file or folder it was tried on.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The disk is full.
    #[error("the disk is full")]
    NoRoom {
        /// A folder on it.
        folder: PathBuf,
    },
    /// The program's target has not the program's name.
    #[error("the target of the program `{name}` is called {}", listed(targets))]
    OtherTarget {
        /// Where it is defined.
        place: Place,
        /// The program.
        name: String,
        /// The targets that there are.
        targets: Vec<String>,
    },
    /// The tree has no such program.
    #[error("{name} is not a program of {board}")]
    NoProgram {
        /// Its folder in the tree, and its name.
        name: String,
        /// The board.
        board: String,
    },
    /// The second link would not do what the ordinary one does.
    #[error("{what}")]
    Differs {
        /// What would be different.
        what: String,
        /// The file that says so.
        file: PathBuf,
    },
    /// A tool found an error.
    #[error("{}", first_text(messages, step))]
    Failed {
        /// `configuring` or `building`.
        step: &'static str,
        /// The errors that have a place, in the order of the output.
        messages: Vec<Message>,
        /// What the tools printed, without their progress reports.
        output: String,
    },
}

impl BuildError {
    /// The same in the words of whoever wrote the program.
    fn in_plain_words(self, headers: &Headers) -> BuildError {
        match self {
            BuildError::Failed { step, messages, output } => BuildError::Failed {
                step,
                messages: plain::plain(messages, headers),
                output: shown::readable(&output),
            },
            other => other,
        }
    }

    /// Whether everything was compiled, and not linked.
    fn is_of_linker(&self) -> bool {
        matches!(self, BuildError::Failed { output, .. } if output.contains("ld returned "))
    }

    /// Whether RAM is full.
    fn is_of_full_ram(&self) -> bool {
        let BuildError::Failed { messages, .. } = self else { return false };
        messages.iter().any(Message::is_of_full_ram)
    }
}

fn first_text(messages: &[Message], step: &str) -> String {
    match messages.first() {
        Some(message) => message.text.clone(),
        None => format!("{step} failed"),
    }
}

fn listed(targets: &[String]) -> String {
    let quoted: Vec<String> = targets.iter().map(|target| format!("`{target}`")).collect();
    if quoted.is_empty() { "nothing: there is none".to_string() } else { quoted.join(", ") }
}

impl Explain for BuildError {
    fn place(&self) -> Option<Place> {
        match self {
            BuildError::MissingTool { .. } | BuildError::NoProgram { .. } => None,
            BuildError::System { file, .. } | BuildError::NoRoom { folder: file } => {
                Some(Place::file(file))
            }
            BuildError::Differs { file, .. } => Some(Place::file(file)),
            BuildError::OtherTarget { place, .. } => Some(place.clone()),
            BuildError::Failed { messages, .. } => messages.first().and_then(|m| m.place.clone()),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            BuildError::MissingTool { tool } => Some(tool.remedy()),
            BuildError::System { source, .. } => Some(match source.kind() {
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                    "let HOME or XDG_CACHE_HOME name a folder in which you can write".to_string()
                }
                _ => "check permissions and space of the folder".to_string(),
            }),
            BuildError::NoRoom { .. } => Some("make room there, and build again".to_string()),
            BuildError::Differs { .. } => {
                Some("link it once: leave `lto` out of the program's lichen.toml".to_string())
            }
            BuildError::OtherTarget { name, .. } => Some(format!("write lichen_app({name})")),
            BuildError::NoProgram { .. } => Some(
                "its folder, or its row in programs.cmake of its room, says what it is made of: test/rows.cmake".to_string(),
            ),
            BuildError::Failed { messages, .. } => Some(remedy::remedy(messages)),
        }
    }
}

/// Builds `source` for `board`, calling `progress` as steps are done.
pub fn build(
    tree: &Tree,
    source: &Source,
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Artifacts, BuildError> {
    if images::has_row(tree, source) {
        let artifacts = images::build(tree, source, board, progress)?;
        gather_compile_commands(tree, &[&images::folder(tree, board, source.debug)]);
        return Ok(artifacts);
    }
    let artifacts = build_alone(tree, source, board, progress)?;
    let archive = Archive::of(&artifacts.folder).map(|archive| archive.folder);
    let folders = archive.iter().chain([&artifacts.folder]).map(PathBuf::as_path);
    gather_compile_commands(tree, &folders.collect::<Vec<_>>());
    if !source.folder.starts_with(tree.root()) {
        editor::serve(&source.folder, &artifacts);
    }
    Ok(artifacts)
}

/// Refuses a program whose target has another name: the image of its own name, if there is one, is
/// left from an earlier build.
pub fn check_target(tree: &Tree, source: &Source, artifacts: &Artifacts) -> Result<(), BuildError> {
    if images::has_row(tree, source) {
        return Ok(());
    }
    let rules = rules(&artifacts.folder)?;
    let targets = targets(&rules);
    if targets.contains(&source.name.as_str()) {
        return Ok(());
    }
    let file = source.folder.join("CMakeLists.txt");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let line = text.lines().zip(1..).find(|(line, _)| line.trim().starts_with("lichen_app"));
    Err(BuildError::OtherTarget {
        place: line.map_or_else(|| Place::file(&file), |(_, line)| Place::line(&file, line)),
        name: source.name.clone(),
        targets: targets.into_iter().map(str::to_string).collect(),
    })
}

/// Ninja's rules of a build folder.
fn rules(folder: &Path) -> Result<String, BuildError> {
    let rules = folder.join("build.ninja");
    std::fs::read_to_string(&rules)
        .map_err(|source| system("cannot read what Ninja builds", &rules, source))
}

/// Names of the programs that Ninja's rules link, each once: `build NAME.elf NAME.bin | …: …`.
fn targets(rules: &str) -> Vec<&str> {
    let outputs = rules.lines().filter_map(|line| line.strip_prefix("build ")?.split(' ').next());
    let images = outputs.filter_map(|output| output.strip_suffix(".elf"));
    images.filter(|image| !again::is_ordinary(image)).collect()
}

/// Builds the programs of `source`'s folder for `board`, in a build folder of their own.
fn build_alone(
    tree: &Tree,
    source: &Source,
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Artifacts, BuildError> {
    find_tools(tree, board)?;
    let folder = tree.build_folder(board, &source.label);
    let shared = format!("-DLICHEN_SYSTEM={}", Archive::usual(tree, board).folder.display());
    let root = format!("-DLICHEN_ROOT={}", tree.root().display());
    let debug = format!("-DLICHEN_DEBUG={}", if source.debug { "ON" } else { "OFF" });
    let settings = [&shared, &root, &debug].map(String::as_str);
    in_folder(&source.folder, board, &folder, &settings, &mut || {
        loop {
            let archive = Archive::of(&folder);
            let ready = archive.iter().try_for_each(|archive| archive.build(tree, board, progress));
            let built = match ready {
                Ok(()) => {
                    let built =
                        fit::recover(&folder).and_then(|()| fit::build(&folder, &[], progress));
                    let system = archive.as_ref().map_or(&folder, |archive| &archive.folder);
                    without_clashes(built, || {
                        Built::read(tree.root(), &folder)
                            .map(|built| built.clashes(system))
                            .unwrap_or_default()
                    })
                }
                // What asked for it may have been corrected since: CMake is called if so.
                Err(error) => compile(&folder, &["build.ninja"], progress).and(Err(error)),
            };
            // Ninja calls CMake first if a manifest has changed, and CMake may name another archive.
            if Archive::of(&folder) == archive {
                return built;
            }
        }
    })
    .map_err(|error| error.in_plain_words(&Headers::read(tree.root())))?;
    Ok(artifacts(&folder, &source.name))
}

/// Refuses programs that define names of the system's, which is what `clashes` finds. What the linker says of such a
/// program is a consequence, if it says anything.
fn without_clashes<T>(
    built: Result<T, BuildError>,
    clashes: impl FnOnce() -> Vec<Message>,
) -> Result<T, BuildError> {
    if built.as_ref().is_err_and(|error| !error.is_of_linker()) {
        return built;
    }
    let messages = clashes();
    if messages.is_empty() {
        return built;
    }
    Err(BuildError::Failed { step: "building", messages, output: String::new() })
}

/// Whether everything is there that builds for `board`.
fn find_tools(tree: &Tree, board: &str) -> Result<(), BuildError> {
    let board_facts = Board::find(&tree.path("board"), board).ok();
    let chain = board_facts.and_then(|board| ToolChain::of_chip(&board.chip));
    let compilers = chain.map_or(&[][..], |chain| chain.build);
    let missing = |tool: &&Tool| tool.path().is_none();
    match [tool::CMAKE, tool::NINJA].iter().chain(compilers).find(missing) {
        Some(tool) => Err(BuildError::MissingTool { tool: *tool }),
        None => Ok(()),
    }
}

/// Does `work` in the build folder of `source`, which is configured with `settings` besides the board, and which nobody
/// else builds meanwhile.
fn in_folder(
    source: &Path,
    board: &str,
    folder: &Path,
    settings: &[&str],
    work: &mut dyn FnMut() -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    create_folder(folder)?;
    let mut lock = fd_lock::RwLock::new(open_lock(folder)?);
    let _guard = lock.write().map_err(|source| system("cannot lock the build", folder, source))?;
    configure(source, board, folder, settings)?;
    work()
}

fn system(what: &str, file: &Path, source: std::io::Error) -> BuildError {
    if room::is_of_room(&source) {
        return BuildError::NoRoom { folder: file.to_path_buf() };
    }
    BuildError::System { what: what.to_string(), file: file.to_path_buf(), source }
}

fn create_folder(folder: &Path) -> Result<(), BuildError> {
    std::fs::create_dir_all(folder)
        .map_err(|source| system("cannot create the build folder", folder, source))
}

/// The lock lies beside the folder, because the folder may be emptied.
fn open_lock(folder: &Path) -> Result<File, BuildError> {
    let file = folder.with_extension("lock");
    File::create(&file).map_err(|source| system("cannot create the build's lock", &file, source))
}

fn artifacts(folder: &Path, name: &str) -> Artifacts {
    let ordinary = folder.join(format!("{}.elf", again::ordinary(name)));
    Artifacts {
        folder: folder.to_path_buf(),
        elf: folder.join(format!("{name}.elf")),
        ordinary: ordinary.is_file().then_some(ordinary),
        bin: folder.join(format!("{name}.bin")),
        compile_commands: folder.join("compile_commands.json"),
    }
}

/// Runs CMake, unless the folder is configured for this source already: Ninja calls CMake again by
/// itself when its inputs change.
fn configure(
    source: &Path,
    board: &str,
    folder: &Path,
    settings: &[&str],
) -> Result<(), BuildError> {
    let source = source.display().to_string();
    let is_of_source = configured_for(folder).is_some_and(|configured| configured == source);
    let is_usable = is_in_place(folder) && !is_for_host(folder);
    if is_of_source && is_usable && folder.join("build.ninja").is_file() {
        return Ok(());
    }
    std::fs::remove_dir_all(folder)
        .map_err(|source| system("cannot empty the build folder", folder, source))?;
    create_folder(folder)?;
    let mut command = Command::new("cmake");
    command.args(["-G", "Ninja", "-S", &source, "-B"]).arg(folder);
    command.arg(format!("-DBOARD={board}")).args(settings);
    let configured = run(&mut command, "configuring", folder, &mut |_| {});
    if configured.is_err() {
        // A half-made cache would preserve the error: the next call starts from scratch.
        let _ = std::fs::remove_file(folder.join("CMakeCache.txt"));
    }
    configured
}

/// The source folder that `folder` was configured for.
fn configured_for(folder: &Path) -> Option<String> {
    cached(folder, "CMAKE_HOME_DIRECTORY:INTERNAL=")
}

/// Whether `folder` is where it was configured: the tree may have been moved with all that was built in it.
fn is_in_place(folder: &Path) -> bool {
    let configured = cached(folder, "CMAKE_CACHEFILE_DIR:INTERNAL=");
    let same = |configured: String| {
        folder.canonicalize().ok() == Path::new(&configured).canonicalize().ok()
    };
    configured.is_some_and(same)
}

/// Whether CMake has found a compiler by itself, the host's, since the source named none: it would keep to that.
fn is_for_host(folder: &Path) -> bool {
    cached(folder, "CMAKE_C_COMPILER:FILEPATH=").is_some()
}

/// What CMake has kept of a build folder.
fn cached(folder: &Path, key: &str) -> Option<String> {
    let cache = std::fs::read_to_string(folder.join("CMakeCache.txt")).ok()?;
    cache.lines().find_map(|line| line.strip_prefix(key)).map(str::to_string)
}

fn compile(
    folder: &Path,
    targets: &[&str],
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BuildError> {
    run(&mut ninja(folder, targets), "building", folder, progress)
}

fn ninja(folder: &Path, targets: &[&str]) -> Command {
    let mut command = Command::new("ninja");
    // Of several programs each is built, even if another one cannot be.
    let keep_going = if targets.len() > 1 { "-k0" } else { "-k1" };
    command.arg("-C").arg(folder).arg(keep_going).args(targets);
    command
}

/// Runs `command` and returns its errors as an error.
fn run(
    command: &mut Command,
    step: &'static str,
    folder: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BuildError> {
    match output_of_failed(command, step, folder, progress)? {
        None => Ok(()),
        Some(output) => Err(failure(step, folder, &output)),
    }
}

/// Runs `command`, and if it fails, returns what it printed besides its progress.
fn output_of_failed(
    command: &mut Command,
    step: &'static str,
    folder: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<Option<String>, BuildError> {
    let start = |source| BuildError::System {
        what: format!("cannot start {}", command_name(step)),
        file: folder.to_path_buf(),
        source,
    };
    let mut child = command
        .env("LC_ALL", "C")
        .env("NINJA_STATUS", "[%f/%t] ")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(start)?;
    let errors = child.stderr.take().map(read_aside);
    let mut output = String::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            match message::progress(&line) {
                Some(step) => progress(step),
                None => output.push_str(&format!("{line}\n")),
            }
        }
    }
    let status =
        child.wait().map_err(|source| system("cannot wait for the build", folder, source))?;
    if let Some(errors) = errors {
        output.push_str(&errors.join().unwrap_or_default());
    }
    Ok((!status.success()).then_some(output))
}

/// What the output of a build in `folder` means.
fn failure(step: &'static str, folder: &Path, output: &str) -> BuildError {
    if let Some(full) = room::missing(folder, output) {
        // What was written in part would be taken for whole: the next call starts from scratch.
        let _ = std::fs::remove_file(folder.join("CMakeCache.txt"));
        return BuildError::NoRoom { folder: full };
    }
    let configured = configured_for(folder).unwrap_or_default();
    let source = source_of_failed(Path::new(&configured), output);
    let counted = postable::message(output, folder, &source);
    let missed = library::message(output, folder, &source);
    let mut found = message::messages(output, &source);
    full::name_largest(&mut found, output, folder, &source);
    let output = message::without_commands(output);
    let messages = counted.into_iter().chain(missed).chain(found).collect();
    BuildError::Failed { step, messages, output }
}

/// The folder of the program that was not linked. CMake was called for this folder, `configured`, or for the one of all
/// programs of the tree, whose images lie in folders of the same names as theirs.
fn source_of_failed(configured: &Path, output: &str) -> PathBuf {
    let image = postable::failed(output).map(again::program);
    let below = image.and_then(|image| Some(image.rsplit_once('/')?.0));
    match configured.parent().zip(below) {
        Some((root, below)) => root.join(below),
        None => configured.to_path_buf(),
    }
}

fn command_name(step: &str) -> &'static str {
    if step == "configuring" { "cmake" } else { "ninja" }
}

/// Reads a pipe to its end on a thread of its own, so that neither pipe can fill up.
fn read_aside(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // The output read before an error is still worth showing.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Puts the latest compile commands of `folders` where editors look for them. This is only a
/// convenience: if a file system does not allow it, the build does not fail.
fn gather_compile_commands(tree: &Tree, folders: &[&Path]) {
    let commands = |folder: &&Path| -> Vec<serde_json::Value> {
        let file = std::fs::read(folder.join("compile_commands.json")).unwrap_or_default();
        serde_json::from_slice(&file).unwrap_or_default()
    };
    let all: Vec<_> = folders.iter().flat_map(commands).collect();
    let to = tree.built().join("compile_commands.json");
    let Ok(lock) = open_lock(&to) else { return };
    let mut lock = fd_lock::RwLock::new(lock);
    let _guard = lock.write();
    let _ = std::fs::remove_file(&to); // a link to a build folder, from earlier builds
    let _ = serde_json::to_vec(&all).map(|text| std::fs::write(&to, text));
}
