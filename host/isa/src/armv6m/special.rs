// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers and names of special registers, as MRS and MSR have them (ARMv6-M Architecture Reference
//! Manual, B5.2.1).

/// Number of the active exception, 0 in Thread mode.
pub const IPSR: u8 = 5;
/// The main stack pointer.
pub const MSP: u8 = 8;
/// The process stack pointer.
pub const PSP: u8 = 9;
/// Masks interrupts.
pub const PRIMASK: u8 = 16;
/// Chooses the stack pointer of Thread mode, and privilege.
pub const CONTROL: u8 = 20;

/// CONTROL: Thread mode is unprivileged.
pub const CONTROL_NPRIV: u32 = 1 << 0;
/// CONTROL: Thread mode uses the process stack.
pub const CONTROL_SPSEL: u32 = 1 << 1;

/// Whether it is APSR, alone or with other parts of xPSR: it has the flags.
pub fn has_flags(special: u8) -> bool {
    special < 4
}

/// Whether it is IPSR, alone or with other parts of xPSR.
pub(super) fn has_exception(special: u8) -> bool {
    special < 8 && special & 1 != 0
}

/// The assembler's name of a special register.
pub fn name(special: u8) -> Option<&'static str> {
    Some(match special {
        0 => "apsr",
        1 => "iapsr",
        2 => "eapsr",
        3 => "xpsr",
        IPSR => "ipsr",
        6 => "epsr",
        7 => "iepsr",
        MSP => "msp",
        PSP => "psp",
        PRIMASK => "primask",
        CONTROL => "control",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_has_what_its_name_says() {
        for special in 0..=u8::MAX {
            let is_one_of =
                |names: &[&str]| name(special).is_some_and(|name| names.contains(&name));
            let flags = is_one_of(&["apsr", "iapsr", "eapsr", "xpsr"]);
            let exception = is_one_of(&["ipsr", "iapsr", "iepsr", "xpsr"]);
            assert_eq!((has_flags(special), has_exception(special)), (flags, exception));
        }
    }
}
