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
use crate::{Config, SupplyLimits};

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
        match ENTRIES[index].block {
            Block::Pac0 => &mut self.pacs[0],
            Block::Pac1 => &mut self.pacs[1],
            Block::Pac2 => &mut self.pacs[2],
            Block::Pm => &mut self.pm,
            Block::Sysctrl => &mut self.sysctrl,
            Block::Gclk => &mut self.gclk,
            Block::Wdt => &mut self.wdt,
            Block::Rtc => &mut self.rtc,
            Block::Eic => &mut self.eic,
            Block::Nvmctrl => &mut self.nvmctrl,
            Block::Port => &mut self.port,
            Block::Dsu => &mut self.dsu,
            Block::Dmac => &mut self.dmac,
            Block::Adc => &mut self.adc,
            Block::Evsys => &mut self.evsys,
            Block::Usb => &mut self.usb,
            Block::Mtb => &mut self.mtb,
            Block::Ac => &mut self.ac,
            Block::Dac => &mut self.dac,
            Block::Ptc => &mut self.ptc,
            Block::Rfctrl => &mut self.rfctrl,
            Block::Sercom0 => &mut self.sercoms[0],
            Block::Sercom1 => &mut self.sercoms[1],
            Block::Sercom2 => &mut self.sercoms[2],
            Block::Sercom3 => &mut self.sercoms[3],
            Block::Sercom4 => &mut self.sercoms[4],
            Block::Sercom5 => &mut self.sercoms[5],
            Block::Tc3 => &mut self.tcs[0],
            Block::Tc4 => &mut self.tcs[1],
            Block::Tc5 => &mut self.tcs[2],
            Block::Tc6 => &mut self.tcs[3],
            Block::Tc7 => &mut self.tcs[4],
            Block::Tcc0 => &mut self.tccs[0],
            Block::Tcc1 => &mut self.tccs[1],
            Block::Tcc2 => &mut self.tccs[2],
            Block::Matrix => &mut self.matrix,
        }
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
