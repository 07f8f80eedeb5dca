// SPDX-License-Identifier: MIT OR Apache-2.0
//! The operating system of this machine, as far as it decides how a tool is installed: which package
//! manager it has, and what its packages are called.
//!
//! `doc/install.md` has the same names as lines to type; a test compares the two.

use std::fs;
use std::sync::OnceLock;

/// A family of systems that share a package manager and the names of its packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Debian and what is derived from it.
    Debian,
    /// Ubuntu and what is derived from it: Debian's names, except for Rust and Chromium.
    Ubuntu,
    /// Fedora.
    Fedora,
    /// Arch Linux and what is derived from it.
    Arch,
    /// NixOS: `flake.nix` provides all tools.
    NixOs,
    /// macOS with Homebrew.
    MacOs,
    /// Any other: Debian's names are the best hint.
    Other,
}

/// Names of the packages that contain a tool. No name: the tool has another source there.
struct Packages {
    tool: &'static str,
    fedora: &'static str,
    arch: &'static str,
    brew: &'static str,
}

const fn row(
    tool: &'static str,
    fedora: &'static str,
    arch: &'static str,
    brew: &'static str,
) -> Packages {
    Packages { tool, fedora, arch, brew }
}

/// By the tool's name. Debian's are in the tool itself.
const PACKAGES: &[Packages] = &[
    row("arm-none-eabi-gcc", "arm-none-eabi-gcc-cs", "arm-none-eabi-gcc", "gcc-arm-embedded"),
    row("newlib-nano", "arm-none-eabi-newlib", "arm-none-eabi-newlib", "gcc-arm-embedded"),
    row(
        "arm-none-eabi-objcopy",
        "arm-none-eabi-binutils-cs",
        "arm-none-eabi-binutils",
        "gcc-arm-embedded",
    ),
    row("avr-gcc", "avr-gcc", "avr-gcc", "osx-cross/avr/avr-gcc"),
    row("avr-libc", "avr-libc", "avr-libc", "osx-cross/avr/avr-gcc"),
    row("avr-objcopy", "avr-binutils", "avr-binutils", "osx-cross/avr/avr-binutils"),
    row("avr-gdb", "avr-gdb", "avr-gdb", "osx-cross/avr/avr-gdb"),
    row("cmake", "cmake", "cmake", "cmake"),
    row("ninja", "ninja-build", "ninja", "ninja"),
    row("cc", "gcc", "gcc", ""),
    row("gdb-multiarch", "arm-none-eabi-gdb", "arm-none-eabi-gdb", "gcc-arm-embedded"),
    row("shellcheck", "ShellCheck", "shellcheck", "shellcheck"),
    row("python3", "python3", "python", "python"),
    row("libsimavr", "simavr-devel", "simavr", "osx-cross/avr/simavr"),
    row("chromium", "chromium", "chromium", "chromium"),
    row("tshark", "wireshark-cli", "wireshark-cli", "wireshark"),
    row("gtkwave", "gtkwave", "gtkwave", "gtkwave"),
    row("openocd", "openocd", "openocd", "open-ocd"),
    row("avrdude", "avrdude", "avrdude", "avrdude"),
];

/// Tools that come from elsewhere on systems without a package of theirs.
const ELSEWHERE: &[(&str, &str)] = &[
    ("cargo", "install Rust with rustup: https://rustup.rs"),
    ("cargo-fmt", "rustup component add rustfmt"),
    ("cargo-clippy", "rustup component add clippy"),
    ("clang-format", "pipx install clang-format==14.0.6"),
    ("cc", "xcode-select --install"),
    ("chromium", "snap install chromium"),
];

impl System {
    /// That of this machine.
    pub fn here() -> System {
        static HERE: OnceLock<System> = OnceLock::new();
        *HERE.get_or_init(|| {
            if cfg!(target_os = "macos") {
                return System::MacOs;
            }
            let text = fs::read_to_string("/etc/os-release")
                .or_else(|_| fs::read_to_string("/usr/lib/os-release"));
            System::of_os_release(&text.unwrap_or_default())
        })
    }

    /// That of a machine whose `os-release` has this text: its `ID`, or else the first one of
    /// `ID_LIKE` that is known.
    pub fn of_os_release(text: &str) -> System {
        let ids = value_of(text, "ID")
            .into_iter()
            .chain(value_of(text, "ID_LIKE").into_iter().flat_map(str::split_whitespace));
        ids.filter_map(System::of_id).next().unwrap_or(System::Other)
    }

    fn of_id(id: &str) -> Option<System> {
        match id {
            "debian" => Some(System::Debian),
            "ubuntu" => Some(System::Ubuntu),
            "fedora" => Some(System::Fedora),
            "arch" => Some(System::Arch),
            "nixos" => Some(System::NixOs),
            _ => None,
        }
    }

    /// The packages that contain the tool with this name, which is in `debian` on Debian; none if it
    /// comes from elsewhere here.
    pub fn packages(self, tool: &str, debian: &'static str) -> Option<&'static str> {
        let row = PACKAGES.iter().find(|row| row.tool == tool);
        let name = match self {
            System::Debian | System::Other => debian,
            System::Ubuntu => match tool {
                "cargo" | "cargo-fmt" | "cargo-clippy" | "chromium" => "",
                _ => debian,
            },
            System::Fedora => row.map_or("", |row| row.fedora),
            System::Arch => row.map_or("", |row| row.arch),
            System::MacOs => row.map_or("", |row| row.brew),
            System::NixOs => "",
        };
        (!name.is_empty()).then_some(name)
    }

    /// How to get the tool with this name, which is in `debian` on Debian.
    pub fn remedy(self, tool: &str, debian: &'static str) -> String {
        let packages = self.packages(tool, debian);
        let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == tool);
        match (self, packages, elsewhere) {
            (System::NixOs, ..) => "call `nix develop` in the source tree: flake.nix has it".into(),
            (System::Other, Some(packages), _) => {
                format!("install it (Debian's name: {packages}), or put its folder on PATH")
            }
            (_, Some(packages), _) => {
                format!("install it: {} {packages} (or put its folder on PATH)", self.installer())
            }
            (_, None, Some((_, how))) => format!("get it: {how} (or put its folder on PATH)"),
            (_, None, None) => "install it, and put its folder on PATH".into(),
        }
    }

    /// The start of the line that installs packages.
    fn installer(self) -> &'static str {
        match self {
            System::Debian | System::Ubuntu | System::Other => "apt-get install",
            System::Fedora => "dnf install",
            System::Arch => "pacman -S",
            System::NixOs => "nix develop",
            System::MacOs => "brew install",
        }
    }
}

/// The value of a variable in the text of an `os-release`, without its quotes.
fn value_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let value = text.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix('='))?;
    let quoted = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    Some(quoted('"').or_else(|| quoted('\'')).unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool;

    #[test]
    fn a_system_is_known_by_its_id() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
        assert_eq!(System::of_os_release(debian), System::Debian);
        let fedora =
            "NAME=\"Fedora Linux\"\nVERSION_ID=41\nID=fedora\nPLATFORM_ID=\"platform:f41\"\n";
        assert_eq!(System::of_os_release(fedora), System::Fedora);
        assert_eq!(System::of_os_release("NAME=\"Arch Linux\"\nID=arch\n"), System::Arch);
        assert_eq!(System::of_os_release("ID=nixos\nVERSION_CODENAME=uakari\n"), System::NixOs);
    }

    #[test]
    fn the_own_id_goes_before_those_that_it_is_like() {
        let ubuntu = "NAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian\n";
        assert_eq!(System::of_os_release(ubuntu), System::Ubuntu);
        let mint = "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n";
        assert_eq!(System::of_os_release(mint), System::Ubuntu);
        assert_eq!(System::of_os_release("ID_LIKE=debian\nID=raspbian\n"), System::Debian);
        assert_eq!(System::of_os_release("ID='manjaro'\nID_LIKE='arch'\n"), System::Arch);
    }

    #[test]
    fn any_other_text_is_another_system() {
        assert_eq!(System::of_os_release(""), System::Other);
        assert_eq!(System::of_os_release("ID=slackware\n"), System::Other);
        assert_eq!(System::of_os_release("ID=\"\nVERSION_ID=debian\n# ID=debian\n"), System::Other);
    }

    #[test]
    fn each_system_names_its_own_packages() {
        let on = |system: System| tool::ARM_GCC.remedy_on(system);
        assert!(on(System::Debian).contains("apt-get install gcc-arm-none-eabi "));
        assert!(on(System::Ubuntu).contains("apt-get install gcc-arm-none-eabi "));
        assert!(on(System::Fedora).contains("dnf install arm-none-eabi-gcc-cs "));
        assert!(on(System::Arch).contains("pacman -S arm-none-eabi-gcc "));
        assert!(on(System::NixOs).contains("nix develop"));
        assert!(on(System::MacOs).contains("brew install gcc-arm-embedded "));
        assert!(on(System::Other).contains("Debian's name: gcc-arm-none-eabi"));
    }

    #[test]
    fn rust_comes_from_rustup_where_the_packages_are_too_old_or_absent() {
        assert!(tool::CARGO.remedy_on(System::Debian).contains("cargo-web"));
        assert!(tool::CARGO.remedy_on(System::Ubuntu).contains("rustup.rs"));
        assert!(tool::CLIPPY.remedy_on(System::MacOs).contains("rustup component add clippy"));
    }

    #[test]
    fn a_tool_without_a_package_has_its_source_everywhere() {
        for system in [System::Debian, System::NixOs, System::MacOs, System::Other] {
            assert!(tool::EDBG.remedy_on(system).contains("github.com/ataradov/edbg"));
        }
    }

    #[test]
    fn every_tool_has_a_remedy_on_every_system() {
        let known = |tool: &&tool::Tool| {
            PACKAGES.iter().any(|row| row.tool == tool.name)
                || ELSEWHERE.iter().any(|(name, _)| *name == tool.name)
                || tool.source.is_some()
        };
        for tool in tool::ALL {
            assert!(known(&tool), "{} is in neither table", tool.name);
        }
    }

    #[test]
    fn the_page_on_installing_has_the_same_names() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../doc/install.md");
        let page = std::fs::read_to_string(page).expect("the page");
        let words: Vec<&str> = page.split(|c: char| c.is_whitespace() || c == '`').collect();
        for tool in tool::ALL {
            for system in [System::Debian, System::Fedora, System::Arch, System::MacOs] {
                let packages = system.packages(tool.name, tool.package);
                for name in packages.into_iter().flat_map(str::split_whitespace) {
                    assert!(words.contains(&name), "{name} of {system:?} is not on the page");
                }
            }
        }
    }
}
