// SPDX-License-Identifier: MIT OR Apache-2.0
//! The common start of all verbs that simulate: motes, what they run, and their input.

use crate::build::{build_program, check_budget};
use crate::plan::{self, Plan};
use clap::Args;
use lichen_board::Board;
use lichen_build::size::Sizes;
use lichen_chip::Time;
use lichen_image::{Image, Machine};
use lichen_project::{Place, Program, ProgramError, default_board};
use lichen_scenario::{Input, Origin, Output, Planned, Scenario, Setting, Warning};
use lichen_terminal::failure::Failure;
use lichen_terminal::files::InputFile;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};
use lichen_world::{Layout, MOST_MOTES, MoteId, Script, Space, Topology, World};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What to run, and on what.
#[derive(Clone, Debug, Args)]
pub struct MoteOptions {
    /// Name of a program under app/, path of a program's folder, an image (ELF, Intel HEX or
    /// S-records), or a scenario.
    #[arg(value_name = "APP|IMAGE.elf|SCENARIO.toml")]
    pub target: String,
    /// Board to run it on; if not given, `hamilton`, or the first one of the manifest.
    #[arg(long)]
    pub board: Option<String>,
    /// Script of what is typed and pressed, and when.
    #[arg(long, value_name = "FILE")]
    pub input: Option<InputFile>,
    /// Selects the deviation of the mote's oscillators, its serial number, and what differs from one power-up to the next; 0, with
    /// nominal oscillators, if not given.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// In place of a key of the scenario, take this value, as if the file had it: KEY is names with dots between them, and
    /// numbers or names of items, such as mote.0.program; VALUE is TOML, and a bare word is text. May be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<Setting>,
    /// Without what differs from one power-up to the next: memory holds the same each time, oscillators start in the same
    /// phase, and converters have no noise.
    #[arg(long)]
    pub no_noise: bool,
    /// Of several motes, the one that gets typed characters, --input and a debugger, and that is profiled,
    /// traced and drawn: its name or its number; 0, if not given.
    #[arg(long, value_name = "MOTE")]
    pub mote: Option<String>,
}

/// How programs are built that are given as source.
#[derive(Clone, Copy)]
pub struct Builder<'a> {
    /// Whether for a debugger.
    pub debug: bool,
    /// Where progress is shown.
    pub screen: &'a Screen,
}

/// Motes before their first instruction.
pub struct Motes {
    /// The world that they are in.
    pub world: World,
    /// The mote that is typed to and debugged.
    pub id: MoteId,
    /// What runs, for people.
    pub title: String,
    /// The file of that mote's image.
    pub elf: PathBuf,
    /// The input that will come to that mote; the world does not follow it yet.
    pub script: Option<Script>,
    /// How the motes are called.
    pub names: Names,
    /// Where the motes are, and what is between them.
    pub layout: Layout,
    /// How long the scenario lasts, if it says so.
    pub duration: Option<Time>,
    /// What the scenario wants to be written.
    pub output: Output,
    /// The files of all images.
    pub images: Vec<PathBuf>,
    /// What was printed of lines of inputs that were hardly meant.
    pub warnings: Vec<String>,
}

/// How motes are called: by their names in a scenario, or by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Names(Vec<String>);

impl Names {
    /// In a column.
    pub fn short(&self, mote: u32) -> String {
        self.0.get(mote as usize).cloned().unwrap_or_else(|| mote.to_string())
    }

    /// In a sentence.
    pub fn long(&self, mote: u32) -> String {
        self.0.get(mote as usize).cloned().unwrap_or_else(|| format!("mote {mote}"))
    }

    /// The names that a scenario has given; none without one.
    pub fn given(&self) -> &[String] {
        &self.0
    }

    /// Whether a scenario has given them.
    pub fn are_given(&self) -> bool {
        !self.0.is_empty()
    }

    /// Characters of the longest one.
    pub fn width(&self) -> usize {
        self.0.iter().map(String::len).max().unwrap_or(0).max(4)
    }

    fn find(&self, mote: Option<&str>, count: usize) -> Result<MoteId, Failure> {
        let Some(mote) = mote else { return Ok(MoteId(0)) };
        let named = self.0.iter().position(|name| name == mote);
        let numbered = || mote.parse().ok().filter(|number| *number < count);
        let found = named.or_else(numbered).map(|number| MoteId(number as u32));
        found.ok_or_else(|| {
            let numbers = format!("0 to {}", count - 1);
            let known = if self.are_given() { self.0.join(", ") } else { numbers };
            Failure::wrong(format!("there is no mote `{mote}`"))
                .remedy(format!("--mote takes: {known}"))
        })
    }
}

/// How many motes a program runs on, and where they are.
#[derive(Debug, Default, Args)]
pub struct Many {
    /// Simulate this many motes with the program.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_MOTES as i64))]
    pub motes: Option<u32>,
    /// Where the motes are, and who hears whom: full (everybody, which is the default), line, grid, random or office.
    #[arg(long, value_name = "NAME")]
    pub topology: Option<Topology>,
    /// Metres between neighbours of a line or a grid, or on average in a random field.
    #[arg(long, value_name = "METRES", value_parser = metres)]
    #[arg(allow_hyphen_values = true)]
    pub spacing: Option<f64>,
}

impl MoteOptions {
    /// Refuses an option together with a setting of the same key.
    pub fn check_once(&self, option: &str, is_given: bool, key: &str) -> Result<(), Failure> {
        match is_given && self.settings.iter().any(|setting| setting.key == key) {
            true => {
                Err(Failure::wrong(format!("both {option} and --set {key} say what `{key}` is"))
                    .remedy("leave one of them out"))
            }
            false => Ok(()),
        }
    }
}

impl Many {
    /// Refuses what has no effect.
    pub fn check(&self) -> Result<(), Failure> {
        if self.motes.is_none() && (self.topology.is_some() || self.spacing.is_some()) {
            return Err(Failure::wrong("one mote has no place among others")
                .remedy("say how many there are: --motes N"));
        }
        let topology = self.topology.unwrap_or(Topology::Full);
        match topology.without_spacing() {
            Some(why) if self.spacing.is_some() => {
                let name = topology.name();
                Err(Failure::wrong(format!("--spacing has no effect with {name}: {why}"))
                    .remedy("leave it out, or take --topology line, grid or random"))
            }
            _ => Ok(()),
        }
    }
}

/// A distance above zero.
fn metres(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("`{text}` is no distance: use a number of metres above 0"))
}

impl Motes {
    /// Builds what is given as source, and loads it into so many motes, or into those of the scenario.
    pub fn new(
        options: &MoteOptions,
        many: &Many,
        here: &Here,
        builder: Builder<'_>,
        plan: Plan,
    ) -> Result<Motes, Failure> {
        match plan.scenario {
            Some(scenario) => Motes::of_scenario(options, scenario, here, builder),
            None => Motes::alike(options, many, here, builder),
        }
    }

    /// So many motes with one program.
    fn alike(
        options: &MoteOptions,
        many: &Many,
        here: &Here,
        builder: Builder<'_>,
    ) -> Result<Motes, Failure> {
        let count = many.motes.unwrap_or(1);
        let program = Program::find(&here.tree, &here.folder, &options.target).ok();
        let boards = program.map(|program| program.manifest.boards).unwrap_or_default();
        let name = options.board.as_deref().unwrap_or(default_board(&boards));
        here.tree.board_file(name)?;
        let board = Arc::new(Board::find(&here.tree.path("board"), name)?);
        let input = options.input.as_deref();
        let read = input.map(|file| Input::load(&here.path(file), &board)).transpose()?;
        let Input { script, warnings } = read.unwrap_or_default();
        let warnings = warn_of_input(builder.screen, &warnings);
        let names = Names::default();
        let id = names.find(options.mote.as_deref(), count as usize)?;
        let (elf, image) = image(here, &options.target, name, builder)?;
        let image = Arc::new(image);
        let mut world = World::with_seed(options.seed.unwrap_or(0));
        if !options.no_noise {
            world.make_noisy();
        }
        for _ in 0..count {
            world.add(Arc::clone(&board), Arc::clone(&image))?;
        }
        let seed = options.seed.unwrap_or(0);
        let topology = many.topology.unwrap_or(Topology::Full);
        let layout = topology.layout(count as usize, many.spacing, seed);
        world.set_medium(Box::new(Space::new(layout.clone(), seed)));
        let shown = here.tree.shown(&elf).display();
        let title = match count {
            1 => format!("{shown} on {name}"),
            _ => format!("{shown} on {count} motes {name}"),
        };
        let (duration, output) = (None, Output::default());
        let images = vec![elf.clone()];
        let script = input.map(|_| script);
        Ok(Motes {
            world,
            id,
            title,
            elf,
            script,
            names,
            layout,
            duration,
            output,
            images,
            warnings,
        })
    }

    fn of_scenario(
        options: &MoteOptions,
        scenario: Scenario,
        here: &Here,
        builder: Builder<'_>,
    ) -> Result<Motes, Failure> {
        let path = &here.path(Path::new(&options.target));
        let names = Names(scenario.motes.iter().map(|mote| mote.name.clone()).collect());
        let id = names.find(options.mote.as_deref(), scenario.motes.len())?;
        let mut images: BTreeMap<(String, String), (PathBuf, Arc<Image>)> = BTreeMap::new();
        let seed = options.seed.unwrap_or(scenario.seed);
        let mut world = World::with_seed(seed);
        if scenario.noise && !options.no_noise {
            world.make_noisy();
        }
        let layout = scenario.air.layout(seed);
        world.set_medium(Box::new(Space::new(layout.clone(), seed)));
        for mote in &scenario.motes {
            let key = (mote.program.clone(), mote.board.name.clone());
            if !images.contains_key(&key) {
                let (elf, image) = image_of(mote, path, here, builder)?;
                images.insert(key.clone(), (elf, Arc::new(image)));
            }
            let number = world.add_with(
                Arc::clone(&mote.board),
                Arc::clone(&images[&key].1),
                mote.setup(),
            )?;
            world.follow(number, mote.script.clone())?;
        }
        let warnings = scenario.motes.iter().flat_map(|mote| &mote.warnings);
        let warnings = warn_of_input(builder.screen, warnings);
        let chosen = &scenario.motes[id.0 as usize];
        let elf = images[&(chosen.program.clone(), chosen.board.name.clone())].0.clone();
        let unit = if scenario.motes.len() == 1 { "mote" } else { "motes" };
        let title = format!("{}, {} {unit}", here.tree.shown(path).display(), scenario.motes.len());
        let Scenario { duration, output, .. } = scenario;
        let images = images.into_values().map(|(elf, _)| elf).collect();
        let script = None;
        Ok(Motes {
            world,
            id,
            title,
            elf,
            script,
            names,
            layout,
            duration,
            output,
            images,
            warnings,
        })
    }
}

/// Prints each warning once.
fn warn_of_input<'a>(
    screen: &Screen,
    warnings: impl IntoIterator<Item = &'a Warning>,
) -> Vec<String> {
    let warnings: BTreeSet<String> = warnings.into_iter().map(Warning::to_string).collect();
    for warning in &warnings {
        out!("{} {warning}", screen.yellow("warning:"));
    }
    warnings.into_iter().collect()
}

/// The image of a mote of the scenario in the file `scenario`: paths are relative to its folder.
fn image_of(
    mote: &Planned,
    scenario: &Path,
    here: &Here,
    builder: Builder<'_>,
) -> Result<(PathBuf, Image), Failure> {
    let given = plan::program_of(mote, scenario);
    let Origin { file, line } = &mote.program_origin;
    let line = match line {
        Some(line) => Place::line(scenario, *line as u32),
        None => Place::file(file),
    };
    image(here, &given, &mote.board.name, builder).map_err(|failure| match &failure.place {
        // What is no program is wrong here, and what is wrong in a program is wrong there.
        Some(place) if place.file.is_dir() => {
            let remedy = "name a program, or give the path of its folder or of an image";
            let message = format!("`program`: {}", failure.message);
            Failure { message, ..failure }.at(line).remedy(remedy)
        }
        Some(_) => failure,
        None => failure.at(line),
    })
}

/// The given image, or that of the program, and its file.
pub fn image(
    here: &Here,
    given: &str,
    board: &str,
    builder: Builder<'_>,
) -> Result<(PathBuf, Image), Failure> {
    let Builder { debug, screen } = builder;
    let programs = here.tree.build_folder(board, "");
    let path = here.path(Path::new(given));
    if path.is_file() {
        if debug {
            return Err(Failure::wrong(
                "--debug does not apply to an image, which is built already",
            )
            .at(Place::file(given))
            .remedy("name the program, or leave --debug out"));
        }
        let image = match machine_of(here, board) {
            Some(machine) => Image::load_for(machine, &path)?,
            None => Image::load(&path)?,
        };
        return Ok((path, image.with_programs(programs)));
    }
    if given.ends_with(".elf") {
        return Err(Failure::wrong("there is no such image")
            .at(Place::file(given))
            .remedy("check the path; ./lichen run PROGRAM builds a program's image itself"));
    }
    let program = Program::find(&here.tree, &here.folder, given).map_err(or_an_image)?;
    let (artifacts, image) = build_program(here, &program, board, debug, screen)?;
    check_budget(&program, board, debug, &Sizes::of(&image))?;
    Ok((artifacts.elf, image.with_programs(programs)))
}

/// The machine of a board's chip; `None` if there is no such board or chip, as will be said later.
fn machine_of(here: &Here, board: &str) -> Option<Machine> {
    let board = Board::find(&here.tree.path("board"), board).ok()?;
    let chip = lichen_chip::by_part(&board.chip, &board.config()).ok()?;
    let number = chip.core().architecture().elf_machine;
    Machine::ALL.into_iter().find(|machine| machine.number() == number)
}

/// What is not a program could also have been an image.
fn or_an_image(error: ProgramError) -> Failure {
    let is_unknown = matches!(error, ProgramError::Unknown { .. });
    let failure = Failure::from(error);
    match failure.remedy.clone() {
        Some(remedy) if is_unknown => failure.remedy(format!("{remedy} or of an ELF file")),
        _ => failure,
    }
}
