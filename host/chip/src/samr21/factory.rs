// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the factory writes into each chip: calibration, temperature log, default user row.
//!
//! The values are plausible for a typical chip, not those of a particular one. The models of the
//! analog parts take them as ideal, so that calibrated firmware gets nominal behaviour.

/// Coarse calibration of the DFLL48M for 48 MHz.
pub(crate) const DFLL_COARSE: u32 = 0x1F;
/// Its fine calibration.
pub(crate) const DFLL_FINE: u32 = 0x200;
/// Calibration of OSC32K.
pub(crate) const OSC32K_CALIB: u32 = 0x3F;
/// Calibration of OSC8M, loaded into its register by every reset.
pub(crate) const OSC8M_CALIB: u32 = 0x707;
/// Calibration of OSCULP32K, loaded into its register by every power-on.
pub(crate) const OSCULP32K_CALIB: u32 = 0x1F;

const ADC_LINEARITY: u32 = 0x7C;
const ADC_BIAS: u32 = 0x3;
const USB_TRANSN: u32 = 0x5;
const USB_TRANSP: u32 = 0x1D;
const USB_TRIM: u32 = 0x3;

/// NVM software calibration area, from address 0x0080_6020 (data sheet, "NVM Software Calibration
/// Area Mapping").
pub(crate) const CALIBRATION: [u32; 4] = [
    0x07FF_FFFF | ADC_LINEARITY << 27,
    ADC_LINEARITY >> 5
        | ADC_BIAS << 3
        | OSC32K_CALIB << 6
        | USB_TRANSN << 13
        | USB_TRANSP << 18
        | USB_TRIM << 23
        | DFLL_COARSE << 26,
    0xFFFF_FC00 | DFLL_FINE,
    0xFFFF_FFFF,
];

/// Temperature log, from address 0x0080_6030: the sensor read at 25 and at 85 degrees Celsius
/// against the 1 V reference (data sheet, "NVM Temperature Log Row": 0.667 V at 25 °C, 2.4 mV/°C).
pub(crate) const TEMPERATURE_LOG: [u32; 2] = [25 | 85 << 12, 2_731 << 8 | 3_321 << 20];

/// NVM user row as delivered: no bootloader, no emulated EEPROM, watchdog off, brown-out detector on
/// (data sheet, "NVM User Row Mapping").
pub(crate) const USER_ROW: [u32; 2] = [0xD8E0_C7FF, 0xFFFF_FC5D];
