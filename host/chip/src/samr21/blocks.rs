// SPDX-License-Identifier: MIT OR Apache-2.0
//! All blocks of the chip.

use super::adc::Adc;
use super::dmac::Dmac;
use super::dsu::Dsu;
use super::eic::Eic;
use super::evsys::Evsys;
use super::gclk::Gclk;
use super::map::{BLOCKS, Block, ENTRIES};
use super::matrix::Matrix;
use super::nvmctrl::Nvmctrl;
use super::pac::Pac;
use super::part::Part;
use super::pm::Pm;
use super::port::Port;
use super::rtc::Rtc;
use super::sercom::Sercom;
use super::stub::Stub;
use super::sysctrl::{self, Sysctrl};
use super::tc::Tc;
use super::tcc::Tcc;
use super::wdt::Wdt;
use crate::samr21::peripheral::{Peripheral, Signal};
use crate::{Config, SupplyLimits, Time};

/// WPSET of PAC1 after reset: the DSU is protected.
const PAC1_RESET: u32 = 0x2;

/// The blocks, each with its own type if the chip does more with it than serve it.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Blocks {
    pub pacs: [Pac; 3],
    pub pm: Pm,
    pub sysctrl: Sysctrl,
    pub gclk: Gclk,
    pub wdt: Wdt,
    pub rtc: Rtc,
    pub eic: Eic,
    pub nvmctrl: Nvmctrl,
    pub port: Port,
    pub matrix: Matrix,
    pub dsu: Dsu,
    pub adc: Adc,
    pub dmac: Dmac,
    pub evsys: Evsys,
    pub usb: Stub,
    pub mtb: Stub,
    pub ac: Stub,
    pub dac: Stub,
    pub ptc: Stub,
    pub rfctrl: Stub,
    pub sercoms: [Sercom; 6],
    pub tcs: [Tc; 5],
    pub tccs: [Tcc; 3],
}

/// Evaluates an expression about the block at an index of [`ENTRIES`], with its own type.
macro_rules! with_block {
    ($blocks:expr, $index:expr, $block:ident => $what:expr) => {
        with_block! { $blocks, $index, $block => $what;
            Pac0(pacs[0]), Pac1(pacs[1]), Pac2(pacs[2]), Pm(pm), Sysctrl(sysctrl), Gclk(gclk),
            Wdt(wdt), Rtc(rtc), Eic(eic), Nvmctrl(nvmctrl), Port(port), Dsu(dsu), Dmac(dmac),
            Adc(adc), Evsys(evsys), Usb(usb), Mtb(mtb), Ac(ac), Dac(dac), Ptc(ptc),
            Rfctrl(rfctrl), Sercom0(sercoms[0]), Sercom1(sercoms[1]), Sercom2(sercoms[2]),
            Sercom3(sercoms[3]), Sercom4(sercoms[4]), Sercom5(sercoms[5]), Tc3(tcs[0]),
            Tc4(tcs[1]), Tc5(tcs[2]), Tc6(tcs[3]), Tc7(tcs[4]), Tcc0(tccs[0]), Tcc1(tccs[1]),
            Tcc2(tccs[2]), Matrix(matrix)
        }
    };
    ($blocks:expr, $index:expr, $block:ident => $what:expr; $($name:ident($($field:tt)+)),+) => {
        match ENTRIES[$index].block {
            $(Block::$name => {
                let $block = &mut $blocks.$($field)+;
                $what
            })+
        }
    };
}

impl Blocks {
    /// The blocks of a part on a board described by `config`.
    pub fn new(part: &Part, config: &Config) -> Blocks {
        Blocks {
            pacs: [Pac::new(0), Pac::new(PAC1_RESET), Pac::new(0)],
            pm: Pm::new(),
            sysctrl: Sysctrl::new(config),
            gclk: Gclk::new(),
            wdt: Wdt::new(),
            rtc: Rtc::new(),
            eic: Eic::new(),
            nvmctrl: Nvmctrl::new(part, config.serial_number),
            port: Port::new(),
            matrix: Matrix::new(),
            dsu: Dsu::new(part.device_id),
            dmac: Dmac::new(),
            adc: Adc::new(),
            evsys: Evsys::new(),
            usb: Stub::usb(),
            mtb: Stub::mtb(),
            ac: Stub::ac(),
            dac: Stub::dac(),
            ptc: Stub::ptc(),
            rfctrl: Stub::rfctrl(),
            sercoms: [0, 1, 2, 3, 4, 5].map(Sercom::new),
            tcs: [3, 4, 5, 6, 7].map(Tc::new),
            tccs: [0, 1, 2].map(Tcc::new),
        }
    }

    /// The block at an index of [`ENTRIES`].
    pub fn get(&mut self, index: usize) -> &mut dyn Peripheral {
        with_block!(self, index, block => block)
    }

    /// When that block is due, and the level of its interrupt request: what is asked after each of its calls.
    pub fn due_and_irq(&mut self, index: usize) -> (Time, bool) {
        with_block!(self, index, block => (block.due(), block.irq()))
    }

    /// Gives the blocks their settings from the user row.
    pub fn load_fuses(&mut self) {
        let fuses = self.nvmctrl.fuses();
        self.sysctrl.set_fuses(fuses);
        self.gclk.set_fuses(fuses);
        self.wdt.set_fuses(fuses);
    }

    /// What the supply must be for a start from the user row.
    pub fn limits_at_start(&self) -> SupplyLimits {
        sysctrl::limits_after_reset(self.nvmctrl.fuses())
    }

    /// Generic clock channels that blocks request in standby, one bit each.
    pub fn wanted_channels(&mut self) -> u64 {
        let mut wanted = 0;
        for (index, entry) in ENTRIES.iter().enumerate().take(BLOCKS) {
            for &channel in entry.channels {
                wanted |= u64::from(self.get(index).wants_clock(channel)) << channel;
            }
        }
        wanted
    }
}

/// The block that a pad's signal belongs to, if one takes input from it.
pub(crate) fn owner(signal: Signal) -> Option<Block> {
    const SERCOMS: [Block; 6] = [
        Block::Sercom0,
        Block::Sercom1,
        Block::Sercom2,
        Block::Sercom3,
        Block::Sercom4,
        Block::Sercom5,
    ];
    const TCS: [Block; 5] = [Block::Tc3, Block::Tc4, Block::Tc5, Block::Tc6, Block::Tc7];
    const TCCS: [Block; 3] = [Block::Tcc0, Block::Tcc1, Block::Tcc2];
    match signal {
        Signal::Sercom { instance, .. } => SERCOMS.get(usize::from(instance)).copied(),
        Signal::External(_) => Some(Block::Eic),
        Signal::Tc { instance, .. } => TCS.get(usize::from(instance).wrapping_sub(3)).copied(),
        Signal::Tcc { instance, .. } => TCCS.get(usize::from(instance)).copied(),
        Signal::GclkIo(_) => Some(Block::Gclk),
        Signal::Adc(_) => Some(Block::Adc),
        Signal::Other => None,
    }
}
