// SPDX-License-Identifier: MIT OR Apache-2.0
//! Headers that are generated from facts that the host reads, too: `pins.h`, what the firmware needs to know about
//! a board, and the tables that convert what a part puts out.

use crate::interface::Made;
use lichen_board::conversion::{self, Conversion};
use lichen_board::{
    Active, Analog, Board, Button, Console, Error, Fitting, I2c, Interface, Led, Pin, PullBy, Spi,
    Uart, Wire,
};
use lichen_project::{Explain, Place, Tree, interface};
use std::fmt::Write;
use std::path::PathBuf;

/// Why a header cannot be generated, or is wrong.
#[derive(Debug, thiserror::Error)]
pub enum PinsError {
    /// The board file has an error.
    #[error(transparent)]
    Board(#[from] Error),
    /// The committed header differs from the one generated from the facts.
    #[error("the header differs from what is generated from {}", facts.display())]
    Stale {
        /// The header.
        header: PathBuf,
        /// The file with the facts.
        facts: PathBuf,
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
    let wanted = text(&load(tree, board)?);
    write_header(header_of(tree, board), &wanted)
}

/// Compares the committed header of `board` with the one generated from its file.
pub fn check(tree: &Tree, board: &str) -> Result<(), PinsError> {
    let wanted = text(&load(tree, board)?);
    check_header(header_of(tree, board), &wanted, format!("board/{board}.toml"))
}

/// Writes the header of a part's conversion, as [`write`].
pub fn write_conversion(tree: &Tree, conversion: &Conversion) -> Result<bool, PinsError> {
    write_header(tree.path(conversion.header_path()), &conversion.header())
}

/// Compares the committed header of a part's conversion, as [`check`].
pub fn check_conversion(tree: &Tree, conversion: &Conversion) -> Result<(), PinsError> {
    let header = tree.path(conversion.header_path());
    check_header(header, &conversion.header(), conversion.facts_path())
}

/// Writes the sums with which a test compares the firmware's conversions, as [`write`].
pub fn write_sums(tree: &Tree) -> Result<bool, PinsError> {
    write_header(tree.path(conversion::EXPECTED_PATH), &conversion::expected())
}

/// Compares the committed sums, as [`check`].
pub fn check_sums(tree: &Tree) -> Result<(), PinsError> {
    let header = tree.path(conversion::EXPECTED_PATH);
    check_header(header, &conversion::expected(), "data/conversion".into())
}

/// Writes a file that is made of the interface of programs, as [`write`].
pub fn write_made(tree: &Tree, made: &Made) -> Result<bool, PinsError> {
    write_header(tree.path(&made.path), &made.text)
}

/// Compares such a file, as [`check`].
pub fn check_made(tree: &Tree, made: &Made) -> Result<(), PinsError> {
    check_header(tree.path(&made.path), &made.text, interface::PATH.into())
}

fn write_header(header: PathBuf, wanted: &str) -> Result<bool, PinsError> {
    let system = |source| PinsError::System { header: header.clone(), source };
    if std::fs::read_to_string(&header).is_ok_and(|found| found == wanted) {
        return Ok(false);
    }
    if let Some(folder) = header.parent() {
        std::fs::create_dir_all(folder).map_err(system)?;
    }
    std::fs::write(&header, wanted).map_err(system)?;
    Ok(true)
}

fn check_header(header: PathBuf, wanted: &str, facts: String) -> Result<(), PinsError> {
    let found = std::fs::read_to_string(&header)
        .map_err(|source| PinsError::System { header: header.clone(), source })?;
    if found == wanted {
        return Ok(());
    }
    let same = found.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
    Err(PinsError::Stale { header, facts: facts.into(), line: same as u32 + 1 })
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
    blocks.extend(board.uart.as_ref().map(uart_block));
    blocks.extend(board.analog.as_ref().map(analog_block));
    blocks.extend(board.i2c.as_ref().map(i2c_block));
    blocks.extend(board.spi.as_ref().map(spi_block));
    blocks.extend(board.fittings.iter().filter_map(part_block));
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

fn uart_block(uart: &Uart) -> String {
    let mut entries = interface(uart.interface());
    entries.extend(wire("TX", uart.tx));
    entries.extend(wire("RX", uart.rx));
    "/* Second serial port */\n".to_string() + &defines("UART_", &entries)
}

fn analog_block(analog: &Analog) -> String {
    let entry = |(i, of): (usize, &Pin)| (format!("ANALOG{i}_PIN"), pin(of.0));
    let pins: Vec<_> = analog.pins.iter().enumerate().map(entry).collect();
    let count = analog.pins.len().to_string();
    format!(
        "/* Analog pins */\n{}\n{}",
        defines("ANALOG_", &[("COUNT", count)]),
        defines("", &pins)
    )
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

/// Where a part is connected, and by which pins.
fn part_block(fitting: &Fitting) -> Option<String> {
    let name = fitting.name().to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let address = fitting.address.map(|address| ("ADDRESS", format!("{address:#04x}")));
    let pins = [
        ("SELECT_PIN", fitting.select),
        ("PIN", fitting.pin),
        ("IRQ_PIN", fitting.irq),
        ("SHUTDOWN_PIN", fitting.shutdown),
    ];
    let pins = pins.into_iter().filter_map(|(of, wire)| Some((of, pin(wire?.0))));
    let entries: Vec<_> = address.into_iter().chain(pins).collect();
    let block = || format!("/* {} */\n", fitting.part) + &defines(&format!("{name}_"), &entries);
    (!entries.is_empty()).then(block)
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
pin = "PA08"
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
        assert!(header.contains("#define BOARD_LED1_PIN      GPIO_PIN('A', 8)\n"), "{header}");
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
        let avr = "name = \"toy\"\ntitle = \"Toy\"\nchip = \"ATmega128\"\n";
        let board = Board::parse("toy.toml", &format!("{avr}{console}")).expect("a good board");
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
    fn analog_pins_are_numbered() {
        let board = format!("{BOARD}[analog]\npins = [\"PA06\", \"PA08\"]\n");
        let header = text(&Board::parse("toy.toml", &board).expect("a good board"));
        let block = "/* Analog pins */\n\
                     #define BOARD_ANALOG_COUNT 2\n\n\
                     #define BOARD_ANALOG0_PIN GPIO_PIN('A', 6)\n\
                     #define BOARD_ANALOG1_PIN GPIO_PIN('A', 8)\n";
        assert!(header.contains(block), "{header}");
    }

    #[test]
    fn a_part_has_its_address_and_its_pins() {
        let parts = "[i2c]\nsercom = 3\nfunction = \"D\"\n\
                     sda = { pin = \"PA16\", pad = 0 }\nscl = { pin = \"PA17\", pad = 1 }\n\
                     [[device]]\npart = \"TMP102\"\nbus = \"i2c\"\naddress = 0x05\nirq = \"PA24\"\n\
                     [[device]]\npart = \"APDS-9007\"\nbus = \"analog\"\npin = \"PA09\"\n\
                     shutdown = \"PA28\"\n";
        let header = text(&Board::parse("toy.toml", &format!("{BOARD}{parts}")).expect("good"));
        let block = "/* TMP102 */\n\
                     #define BOARD_TMP102_ADDRESS 0x05\n\
                     #define BOARD_TMP102_IRQ_PIN GPIO_PIN('A', 24)\n\n\
                     /* APDS-9007 */\n\
                     #define BOARD_APDS_9007_PIN          GPIO_PIN('A', 9)\n\
                     #define BOARD_APDS_9007_SHUTDOWN_PIN GPIO_PIN('A', 28)\n";
        assert!(header.contains(block), "{header}");
    }

    #[test]
    fn a_part_on_a_one_wire_line_has_a_pin() {
        let part = "[[device]]\npart = \"DS2401\"\nbus = \"one-wire\"\npin = \"PA4\"\n";
        let avr = "name = \"toy\"\ntitle = \"Toy\"\nchip = \"ATmega128\"\n";
        let board = Board::parse("toy.toml", &format!("{avr}{part}")).expect("a good board");
        let block = "/* DS2401 */\n#define BOARD_DS2401_PIN GPIO_PIN('A', 4)\n";
        assert!(text(&board).contains(block), "{}", text(&board));
    }

    #[test]
    fn a_second_serial_port_is_like_the_console_without_a_rate() {
        let port = "[uart]\nusart = 1\ntx = \"PD3\"\nrx = \"PD2\"\n";
        let avr = "name = \"toy\"\ntitle = \"Toy\"\nchip = \"ATmega128\"\n";
        let board = Board::parse("toy.toml", &format!("{avr}{port}")).expect("a good board");
        let block = "/* Second serial port */\n\
                     #define BOARD_UART_USART  1\n\
                     #define BOARD_UART_TX_PIN GPIO_PIN('D', 3)\n\
                     #define BOARD_UART_RX_PIN GPIO_PIN('D', 2)\n";
        assert!(text(&board).contains(block), "{}", text(&board));
    }

    #[test]
    fn titles_are_escaped() {
        assert!(header().contains(r#"#define BOARD_TITLE "A \"toy\"""#));
    }
}
