// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where registers and interrupt vectors are (data sheet, "Register Summary", "Interrupts"). Addresses are
//! those of the data space: an I/O address plus 0x20.

use borsh::{BorshDeserialize, BorshSerialize};

/// Declares registers: name, address, bits that exist, how they are written, and the blocks that have
/// bits in it.
macro_rules! registers {
    ($($name:ident $address:literal $mask:literal $access:ident [$($block:ident)+];)+) => {
        $(
            #[allow(dead_code, reason = "some are only registers of a block that has nothing else there")]
            pub(crate) const $name: u8 = $address;
        )+

        /// Every register that a block has.
        pub(super) static REGISTERS: &[Register] = &[$(Register {
            #[cfg(test)]
            name: stringify!($name),
            address: $address,
            mask: $mask,
            access: Access::$access,
            owners: &[$(Block::$block),+],
        }),+];
    };
}

/// A register in the I/O space.
pub(super) struct Register {
    /// Its name; the bytes of one of 16 bits end in `L` and `H`.
    #[cfg(test)]
    pub name: &'static str,
    pub address: u8,
    /// Bits that exist.
    pub mask: u8,
    pub access: Access,
    /// Blocks that have bits in it, in the order in which they take a write.
    pub owners: &'static [Block],
}

/// What a write to a register is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// A value to be kept. Other bits are reserved.
    Write,
    /// Ones clear flags; ones elsewhere are usual and harmless.
    Ones,
    /// Nothing.
    Read,
}

/// The blocks, in the order in which they are served at equal times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
pub(crate) enum Block {
    Mcu,
    Wdt,
    Exint,
    Timer0,
    Timer1,
    Timer2,
    Timer3,
    Usart0,
    Usart1,
    Spi,
    Twi,
    Adc,
    Ac,
    Eeprom,
    Boot,
    Port,
}

/// How many there are.
pub(super) const BLOCKS: usize = 16;

/// All of them.
pub(super) const ALL: [Block; BLOCKS] = [
    Block::Mcu,
    Block::Wdt,
    Block::Exint,
    Block::Timer0,
    Block::Timer1,
    Block::Timer2,
    Block::Timer3,
    Block::Usart0,
    Block::Usart1,
    Block::Spi,
    Block::Twi,
    Block::Adc,
    Block::Ac,
    Block::Eeprom,
    Block::Boot,
    Block::Port,
];

impl Block {
    /// Its name in the data sheet, short.
    pub fn name(self) -> &'static str {
        match self {
            Block::Mcu => "MCU",
            Block::Wdt => "WDT",
            Block::Exint => "EXINT",
            Block::Timer0 => "TIMER0",
            Block::Timer1 => "TIMER1",
            Block::Timer2 => "TIMER2",
            Block::Timer3 => "TIMER3",
            Block::Usart0 => "USART0",
            Block::Usart1 => "USART1",
            Block::Spi => "SPI",
            Block::Twi => "TWI",
            Block::Adc => "ADC",
            Block::Ac => "AC",
            Block::Eeprom => "EEPROM",
            Block::Boot => "FLASH",
            Block::Port => "PORT",
        }
    }
}

registers! {
    PINF 0x20 0xFF Read [Port];
    PINE 0x21 0xFF Read [Port];
    DDRE 0x22 0xFF Write [Port];
    PORTE 0x23 0xFF Write [Port];
    ADCL 0x24 0xFF Read [Adc];
    ADCH 0x25 0xFF Read [Adc];
    ADCSRA 0x26 0xFF Write [Adc Ac];
    ADMUX 0x27 0xFF Write [Adc Ac];
    ACSR 0x28 0xFF Write [Ac];
    UBRR0L 0x29 0xFF Write [Usart0];
    UCSR0B 0x2A 0xFF Write [Usart0];
    UCSR0A 0x2B 0xFF Write [Usart0];
    UDR0 0x2C 0xFF Write [Usart0];
    SPCR 0x2D 0xFF Write [Spi];
    SPSR 0x2E 0xC1 Write [Spi];
    SPDR 0x2F 0xFF Write [Spi];
    PIND 0x30 0xFF Read [Port];
    DDRD 0x31 0xFF Write [Port];
    PORTD 0x32 0xFF Write [Port];
    PINC 0x33 0xFF Read [Port];
    DDRC 0x34 0xFF Write [Port];
    PORTC 0x35 0xFF Write [Port];
    PINB 0x36 0xFF Read [Port];
    DDRB 0x37 0xFF Write [Port];
    PORTB 0x38 0xFF Write [Port];
    PINA 0x39 0xFF Read [Port];
    DDRA 0x3A 0xFF Write [Port];
    PORTA 0x3B 0xFF Write [Port];
    EECR 0x3C 0x0F Write [Eeprom];
    EEDR 0x3D 0xFF Write [Eeprom];
    EEARL 0x3E 0xFF Write [Eeprom];
    EEARH 0x3F 0x0F Write [Eeprom];
    SFIOR 0x40 0x8F Write [Timer0 Timer1 Timer2 Timer3 Ac Port];
    WDTCR 0x41 0x1F Write [Wdt];
    OCDR 0x42 0xFF Write [Mcu];
    OCR2 0x43 0xFF Write [Timer2];
    TCNT2 0x44 0xFF Write [Timer2];
    TCCR2 0x45 0xFF Write [Timer2];
    ICR1L 0x46 0xFF Write [Timer1];
    ICR1H 0x47 0xFF Write [Timer1];
    OCR1BL 0x48 0xFF Write [Timer1];
    OCR1BH 0x49 0xFF Write [Timer1];
    OCR1AL 0x4A 0xFF Write [Timer1];
    OCR1AH 0x4B 0xFF Write [Timer1];
    TCNT1L 0x4C 0xFF Write [Timer1];
    TCNT1H 0x4D 0xFF Write [Timer1];
    TCCR1B 0x4E 0xDF Write [Timer1];
    TCCR1A 0x4F 0xFF Write [Timer1];
    ASSR 0x50 0x0F Write [Timer0];
    OCR0 0x51 0xFF Write [Timer0];
    TCNT0 0x52 0xFF Write [Timer0];
    TCCR0 0x53 0xFF Write [Timer0];
    MCUCSR 0x54 0x9F Write [Mcu];
    MCUCR 0x55 0xFF Write [Mcu];
    TIFR 0x56 0xFF Ones [Timer0 Timer1 Timer2];
    TIMSK 0x57 0xFF Write [Timer0 Timer1 Timer2];
    EIFR 0x58 0xFF Ones [Exint];
    EIMSK 0x59 0xFF Write [Exint];
    EICRB 0x5A 0xFF Write [Exint];
    XDIV 0x5C 0xFF Write [Mcu];
    DDRF 0x61 0xFF Write [Port];
    PORTF 0x62 0xFF Write [Port];
    PING 0x63 0x1F Read [Port];
    DDRG 0x64 0x1F Write [Port];
    PORTG 0x65 0x1F Write [Port];
    SPMCSR 0x68 0xDF Write [Boot];
    EICRA 0x6A 0xFF Write [Exint];
    XMCRB 0x6C 0x87 Write [Mcu];
    XMCRA 0x6D 0x7E Write [Mcu];
    OSCCAL 0x6F 0xFF Write [Mcu];
    TWBR 0x70 0xFF Write [Twi];
    TWSR 0x71 0xFB Write [Twi];
    TWAR 0x72 0xFF Write [Twi];
    TWDR 0x73 0xFF Write [Twi];
    TWCR 0x74 0xFD Write [Twi];
    OCR1CL 0x78 0xFF Write [Timer1];
    OCR1CH 0x79 0xFF Write [Timer1];
    TCCR1C 0x7A 0xE0 Write [Timer1];
    ETIFR 0x7C 0x3F Ones [Timer1 Timer3];
    ETIMSK 0x7D 0x3F Write [Timer1 Timer3];
    ICR3L 0x80 0xFF Write [Timer3];
    ICR3H 0x81 0xFF Write [Timer3];
    OCR3CL 0x82 0xFF Write [Timer3];
    OCR3CH 0x83 0xFF Write [Timer3];
    OCR3BL 0x84 0xFF Write [Timer3];
    OCR3BH 0x85 0xFF Write [Timer3];
    OCR3AL 0x86 0xFF Write [Timer3];
    OCR3AH 0x87 0xFF Write [Timer3];
    TCNT3L 0x88 0xFF Write [Timer3];
    TCNT3H 0x89 0xFF Write [Timer3];
    TCCR3B 0x8A 0xDF Write [Timer3];
    TCCR3A 0x8B 0xFF Write [Timer3];
    TCCR3C 0x8C 0xE0 Write [Timer3];
    UBRR0H 0x90 0x0F Write [Usart0];
    UCSR0C 0x95 0x7F Write [Usart0];
    UBRR1H 0x98 0x0F Write [Usart1];
    UBRR1L 0x99 0xFF Write [Usart1];
    UCSR1B 0x9A 0xFF Write [Usart1];
    UCSR1A 0x9B 0xFF Write [Usart1];
    UDR1 0x9C 0xFF Write [Usart1];
    UCSR1C 0x9D 0x7F Write [Usart1];
}

/// First address of the extended I/O space, which the ATmega103 does not have.
pub(super) const EXTENDED: u16 = 0x60;
/// First address after it.
pub(super) const IO_END: u16 = 0x100;

/// Number of the row of each address; 0xFF for none.
static ROWS: [u8; IO_END as usize] = rows();

const fn rows() -> [u8; IO_END as usize] {
    let mut rows = [0xFF; IO_END as usize];
    let mut row = 0;
    while row < REGISTERS.len() {
        rows[REGISTERS[row].address as usize] = row as u8;
        row += 1;
    }
    rows
}

/// The register at a data address.
#[inline]
pub(super) fn register(address: u16) -> Option<&'static Register> {
    REGISTERS.get(usize::from(*ROWS.get(usize::from(address))?))
}

/// Vector numbers.
pub(crate) const INT0: u32 = 1;
pub(crate) const TIMER2_COMPARE: u32 = 9;
pub(crate) const TIMER2_OVERFLOW: u32 = 10;
pub(crate) const TIMER1_CAPTURE: u32 = 11;
pub(crate) const TIMER1_COMPARE_A: u32 = 12;
pub(crate) const TIMER1_COMPARE_B: u32 = 13;
pub(crate) const TIMER1_OVERFLOW: u32 = 14;
pub(crate) const TIMER0_COMPARE: u32 = 15;
pub(crate) const TIMER0_OVERFLOW: u32 = 16;
pub(crate) const SPI_COMPLETE: u32 = 17;
pub(crate) const USART0_RECEIVE: u32 = 18;
pub(crate) const ADC_COMPLETE: u32 = 21;
pub(crate) const EEPROM_READY: u32 = 22;
pub(crate) const COMPARATOR: u32 = 23;
pub(crate) const TIMER1_COMPARE_C: u32 = 24;
pub(crate) const TIMER3_CAPTURE: u32 = 25;
pub(crate) const TIMER3_COMPARE_A: u32 = 26;
pub(crate) const TIMER3_COMPARE_B: u32 = 27;
pub(crate) const TIMER3_COMPARE_C: u32 = 28;
pub(crate) const TIMER3_OVERFLOW: u32 = 29;
pub(crate) const USART1_RECEIVE: u32 = 30;
pub(crate) const TWI_EVENT: u32 = 33;
pub(crate) const SPM_READY: u32 = 34;

/// INT0 to INT7, as bits by vector number.
pub(super) const EXTERNAL_INTERRUPTS: u64 = 0xFF << INT0;

/// The names of the vectors.
static VECTORS: [&str; 35] = [
    "RESET",
    "INT0",
    "INT1",
    "INT2",
    "INT3",
    "INT4",
    "INT5",
    "INT6",
    "INT7",
    "TIMER2_COMP",
    "TIMER2_OVF",
    "TIMER1_CAPT",
    "TIMER1_COMPA",
    "TIMER1_COMPB",
    "TIMER1_OVF",
    "TIMER0_COMP",
    "TIMER0_OVF",
    "SPI_STC",
    "USART0_RX",
    "USART0_UDRE",
    "USART0_TX",
    "ADC",
    "EE_READY",
    "ANALOG_COMP",
    "TIMER1_COMPC",
    "TIMER3_CAPT",
    "TIMER3_COMPA",
    "TIMER3_COMPB",
    "TIMER3_COMPC",
    "TIMER3_OVF",
    "USART1_RX",
    "USART1_UDRE",
    "USART1_TX",
    "TWI",
    "SPM_READY",
];

/// Name of the interrupt with a vector number.
pub(super) fn vector_name(vector: u32) -> &'static str {
    VECTORS.get(vector as usize).copied().unwrap_or("")
}

/// The block that a vector belongs to.
pub(super) fn vector_block(vector: u32) -> Option<Block> {
    Some(match vector {
        1..=8 => Block::Exint,
        9..=10 => Block::Timer2,
        11..=14 | 24 => Block::Timer1,
        15..=16 => Block::Timer0,
        17 => Block::Spi,
        18..=20 => Block::Usart0,
        21 => Block::Adc,
        22 => Block::Eeprom,
        23 => Block::Ac,
        25..=29 => Block::Timer3,
        30..=32 => Block::Usart1,
        33 => Block::Twi,
        34 => Block::Boot,
        _ => return None,
    })
}

/// The vectors of a block, as bits by number.
pub(super) const fn vectors(block: Block) -> u64 {
    match block {
        Block::Exint => 0xFF << INT0,
        Block::Timer2 => 3 << TIMER2_COMPARE,
        Block::Timer1 => 0xF << TIMER1_CAPTURE | 1 << TIMER1_COMPARE_C,
        Block::Timer0 => 3 << TIMER0_COMPARE,
        Block::Spi => 1 << SPI_COMPLETE,
        Block::Usart0 => 7 << USART0_RECEIVE,
        Block::Adc => 1 << ADC_COMPLETE,
        Block::Eeprom => 1 << EEPROM_READY,
        Block::Ac => 1 << COMPARATOR,
        Block::Timer3 => 0x1F << TIMER3_CAPTURE,
        Block::Usart1 => 7 << USART1_RECEIVE,
        Block::Twi => 1 << TWI_EVENT,
        Block::Boot => 1 << SPM_READY,
        Block::Mcu | Block::Wdt | Block::Port => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_in_the_order_of_their_numbers_and_own_their_vectors() {
        for (index, block) in ALL.into_iter().enumerate() {
            assert_eq!(block as usize, index);
            for vector in 0..64 {
                let owns = vectors(block) >> vector & 1 != 0;
                assert_eq!(owns, vector_block(vector) == Some(block), "{} {vector}", block.name());
            }
        }
    }

    #[test]
    fn a_register_is_found_at_its_address_and_nothing_elsewhere() {
        for row in REGISTERS {
            let found = register(row.address.into()).expect("a register");
            assert_eq!(found.name, row.name);
        }
        let found = (0..=0x1FF).filter(|address| register(*address).is_some()).count();
        assert_eq!(found, REGISTERS.len());
    }
}
