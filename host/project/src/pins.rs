// SPDX-License-Identifier: MIT OR Apache-2.0
//! `pins.h`: what the firmware needs to know about a board, generated from the board's file, which
//! the simulator reads, too.

use crate::{Explain, Place, Tree};
use lichen_device::board::{
    Active, Board, Button, Console, Error, Fitting, I2c, Interface, Led, PullBy, Spi, Wire,
};
use std::fmt::Write;
use std::path::PathBuf;

/// Why a header cannot be generated, or is wrong.
#[derive(Debug, thiserror::Error)]
pub enum PinsError {
    /// The board file has an error.
    #[error(transparent)]
    Board(#[from] Error),
    /// The committed header differs from the one generated from the board file.
    #[error("pins.h differs from what is generated from {}", board.display())]
    Stale {
        /// The header.
        header: PathBuf,
        /// The board file.
        board: PathBuf,
        /// First line that differs, from 1.
        line: u32,
    },
    /// The header cannot be read or written.
    #[error("{source}")]
    System {
        /// The header.
        header: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl Explain for PinsError {
    fn place(&self) -> Option<Place> {
        match self {
            PinsError::Board(_) => None,
            PinsError::Stale { header, line, .. } => Some(Place::line(header, *line)),
            PinsError::System { header, .. } => Some(Place::file(header)),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            PinsError::Board(_) => None,
            PinsError::Stale { .. } => Some("run ./lichen generate and commit it".to_string()),
            PinsError::System { .. } => Some("check that the folder may be written".to_string()),
        }
    }
}

/// The path of the header of `board`.
fn header_of(tree: &Tree, board: &str) -> PathBuf {
    tree.path("os/board").join(board).join("pins.h")
}

/// Writes the header of `board` if it differs from the one generated from its file; returns whether
/// it did.
pub fn write(tree: &Tree, board: &str) -> Result<bool, PinsError> {
    match check(tree, board) {
        Ok(()) => return Ok(false),
        Err(PinsError::Board(error)) => return Err(PinsError::Board(error)),
        Err(PinsError::Stale { .. } | PinsError::System { .. }) => {}
    }
    let header = header_of(tree, board);
    let system = |source| PinsError::System { header: header.clone(), source };
    if let Some(folder) = header.parent() {
        std::fs::create_dir_all(folder).map_err(system)?;
    }
    std::fs::write(&header, text(&load(tree, board)?)).map_err(system)?;
    Ok(true)
}

/// Compares the committed header of `board` with the one generated from its file.
pub fn check(tree: &Tree, board: &str) -> Result<(), PinsError> {
    let wanted = text(&load(tree, board)?);
    let header = header_of(tree, board);
    let found = std::fs::read_to_string(&header)
        .map_err(|source| PinsError::System { header: header.clone(), source })?;
    if found == wanted {
        return Ok(());
    }
    let same = found.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
    let board = PathBuf::from(format!("board/{board}.toml"));
    Err(PinsError::Stale { header, board, line: same as u32 + 1 })
}

fn load(tree: &Tree, board: &str) -> Result<Board, Error> {
    Board::find(&tree.path("board"), board)
}

/// The header of `board`.
fn text(board: &Board) -> String {
    let mut blocks = vec![
        format!(
            "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
             /* Generated from board/{}.toml by `./lichen generate`. Do not edit. */\n\
             #ifndef BOARD_PINS_H\n#define BOARD_PINS_H\n",
            board.name
        ),
        "#include <lichen/gpio.h>\n".to_string(),
        defines("", &[("NAME", quoted(&board.name)), ("TITLE", quoted(&board.title))]),
        "/* 32 kHz crystal: frequency in Hz, 0 if there is none. */\n".to_string()
            + &defines("", &[("XOSC32K_HZ", board.crystal.xosc32k_hz.unwrap_or(0).to_string())]),
    ];
    blocks.extend(board.crystal.xosc_hz.map(main_crystal_block));
    let leds = board.leds.len().to_string();
    blocks.push("/* LEDs */\n".to_string() + &defines("LED_", &[("COUNT", leds)]));
    blocks.extend(board.leds.iter().enumerate().map(|(i, led)| led_block(i, led)));
    let buttons = board.buttons.len().to_string();
    blocks.push("/* Buttons */\n".to_string() + &defines("BUTTON_", &[("COUNT", buttons)]));
    blocks.extend(board.buttons.iter().enumerate().map(|(i, b)| button_block(i, b)));
    blocks.extend(board.console.as_ref().map(console_block));
    blocks.extend(board.i2c.as_ref().map(i2c_block));
    blocks.extend(board.spi.as_ref().map(spi_block));
    blocks.extend(board.fittings.iter().filter_map(select_block));
    blocks.push("#endif\n".to_string());
    blocks.join("\n")
}

/// `#define BOARD_<prefix><name> <value>`, the values aligned, as the formatter requires.
fn defines(prefix: &str, entries: &[(impl AsRef<str>, String)]) -> String {
    let width = entries.iter().map(|(name, _)| name.as_ref().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value) in entries {
        let name = name.as_ref();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "#define BOARD_{prefix}{name:<width$} {value}");
    }
    text
}

fn main_crystal_block(hz: u32) -> String {
    "/* Main crystal: frequency in Hz. */\n".to_string()
        + &defines("", &[("XOSC_HZ", hz.to_string())])
}

fn led_block(index: usize, led: &Led) -> String {
    let entries =
        [("NAME", quoted(&led.name)), ("PIN", pin(led.pin.0)), ("ON_LEVEL", level(led.active))];
    defines(&format!("LED{index}_"), &entries)
}

fn button_block(index: usize, button: &Button) -> String {
    let pull = match (button.pull, button.active) {
        (PullBy::External, _) => "GPIO_PULL_NONE",
        (PullBy::Internal, Active::Low) => "GPIO_PULL_UP",
        (PullBy::Internal, Active::High) => "GPIO_PULL_DOWN",
    };
    let entries = [
        ("NAME", quoted(&button.name)),
        ("PIN", pin(button.pin.0)),
        ("ON_LEVEL", level(button.active)),
        ("PULL", pull.to_string()),
    ];
    defines(&format!("BUTTON{index}_"), &entries)
}

fn console_block(console: &Console) -> String {
    let mut entries = interface(console.interface());
    entries.extend(wire("TX", console.tx));
    entries.extend(wire("RX", console.rx));
    entries.push(("BAUD".to_string(), console.baud.to_string()));
    "/* Console */\n".to_string() + &defines("CONSOLE_", &entries)
}

fn i2c_block(i2c: &I2c) -> String {
    let mut entries = interface(i2c.interface());
    // The pads are always PAD[0] and PAD[1], or the chip has none.
    entries.extend(wire("SDA", Wire { pad: None, ..i2c.sda }));
    entries.extend(wire("SCL", Wire { pad: None, ..i2c.scl }));
    "/* I2C */\n".to_string() + &defines("I2C_", &entries)
}

fn spi_block(spi: &Spi) -> String {
    let mut entries = interface(spi.interface());
    for (name, of_bus) in [("MOSI", spi.mosi), ("SCK", spi.sck), ("MISO", spi.miso)] {
        entries.extend(wire(name, of_bus));
    }
    "/* SPI */\n".to_string() + &defines("SPI_", &entries)
}

/// The pin that selects a part.
fn select_block(fitting: &Fitting) -> Option<String> {
    let select = fitting.select?;
    let name = fitting.name().to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let entries = [(format!("{name}_SELECT_PIN"), pin(select.0))];
    Some(format!("/* {} */\n", fitting.part) + &defines("", &entries))
}

/// The interface of the chip. Its absence is an error of the file, which is not read then.
fn interface(interface: Option<Interface>) -> Vec<(String, String)> {
    let entry = |name: &str, value: String| (name.to_string(), value);
    match interface {
        Some(Interface::Sercom { number, function }) => {
            vec![entry("SERCOM", number.to_string()), entry("FUNCTION", format!("'{function}'"))]
        }
        Some(Interface::Usart(number)) => vec![entry("USART", number.to_string())],
        Some(Interface::Spi(number)) => vec![entry("SPI", number.to_string())],
        Some(Interface::Twi(number)) => vec![entry("TWI", number.to_string())],
        Some(Interface::BitBanged) | None => Vec::new(),
    }
}

fn wire(name: &str, wire: Wire) -> Vec<(String, String)> {
    let pin = (format!("{name}_PIN"), pin(wire.pin.0));
    let pad = wire.pad.map(|pad| (format!("{name}_PAD"), pad.to_string()));
    std::iter::once(pin).chain(pad).collect()
}

fn pin(pin: lichen_chip::PinId) -> String {
    format!("GPIO_PIN('{}', {})", (b'A' + pin.port) as char, pin.bit)
}

fn level(active: Active) -> String {
    match active {
        Active::Low => "0",
        Active::High => "1",
    }
    .to_string()
}

/// A C string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = r#"
name = "toy"
title = "A \"toy\""
chip = "ATSAMR21E18A"
[[led]]
name = "red"
pin = "PA19"
active = "high"
[[led]]
name = "green"
pin = "PB02"
active = "low"
[[button]]
name = "go"
pin = "PA18"
active = "low"
pull = "internal"
"#;

    fn header() -> String {
        text(&Board::parse("toy.toml", BOARD).expect("a good board"))
    }

    #[test]
    fn leds_are_numbered_with_pin_and_level() {
        let header = header();
        assert!(header.contains("#define BOARD_LED_COUNT 2\n"), "{header}");
        assert!(header.contains("#define BOARD_LED1_PIN      GPIO_PIN('B', 2)\n"), "{header}");
        assert!(header.contains("#define BOARD_LED1_ON_LEVEL 0\n"), "{header}");
    }

    #[test]
    fn a_button_that_pulls_low_needs_the_pins_pull_up() {
        assert!(header().contains("#define BOARD_BUTTON0_PULL     GPIO_PULL_UP\n"));
    }

    #[test]
    fn a_board_without_console_has_none_in_its_header() {
        assert!(!header().contains("CONSOLE"));
    }

    #[test]
    fn an_avr_has_a_usart_whose_pins_have_no_pads() {
        let console = "[console]\nusart = 0\ntx = \"PE1\"\nrx = \"PE0\"\nbaud = 57600\n\
                       [crystal]\nxosc_hz = 7372800\n";
        let board = Board::parse("toy.toml", &format!("{BOARD}{console}")).expect("a good board");
        let header = text(&board);
        let block = "/* Console */\n\
                     #define BOARD_CONSOLE_USART  0\n\
                     #define BOARD_CONSOLE_TX_PIN GPIO_PIN('E', 1)\n\
                     #define BOARD_CONSOLE_RX_PIN GPIO_PIN('E', 0)\n\
                     #define BOARD_CONSOLE_BAUD   57600\n";
        assert!(header.contains(block), "{header}");
        assert!(header.contains("#define BOARD_XOSC_HZ 7372800\n"), "{header}");
    }

    #[test]
    fn a_bus_that_is_driven_bit_by_bit_has_pins_and_so_have_the_parts_on_it() {
        let memory = "[spi]\nbit_banged = true\nmosi = \"PD3\"\nsck = \"PD5\"\nmiso = \"PD2\"\n\
                      [[device]]\npart = \"AT45DB041B\"\nbus = \"spi\"\nselect = \"PA3\"\n";
        let avr = "name = \"toy\"\ntitle = \"Toy\"\nchip = \"ATmega128\"\n";
        let board = Board::parse("toy.toml", &format!("{avr}{memory}")).expect("a good board");
        let header = text(&board);
        let block = "/* SPI */\n\
                     #define BOARD_SPI_MOSI_PIN GPIO_PIN('D', 3)\n\
                     #define BOARD_SPI_SCK_PIN  GPIO_PIN('D', 5)\n\
                     #define BOARD_SPI_MISO_PIN GPIO_PIN('D', 2)\n\n\
                     /* AT45DB041B */\n\
                     #define BOARD_AT45DB041B_SELECT_PIN GPIO_PIN('A', 3)\n";
        assert!(header.contains(block), "{header}");
    }

    #[test]
    fn titles_are_escaped() {
        assert!(header().contains(r#"#define BOARD_TITLE "A \"toy\"""#));
    }
}
