// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of an instruction on control flow, as far as its encoding shows.

/// The effect of an instruction on control flow.
pub(super) enum Flow {
    /// The next one follows.
    On,
    /// Either the next one or the target.
    Maybe(u32),
    /// The target.
    To(u32),
    /// A function at the target, then the next one.
    Call(u32),
    /// A kernel call.
    Service,
    /// Unknown.
    End,
}

/// ARMv6-M ARM, A5.2.
pub(super) fn flow_16(address: u32, code: u16) -> Flow {
    let next = address.wrapping_add(4);
    match code >> 8 {
        0xde => Flow::End,
        0xdf => Flow::Service,
        0xd0..=0xdd => {
            let offset = i32::from(code as u8 as i8) * 2;
            Flow::Maybe(next.wrapping_add_signed(offset))
        }
        0xe0..=0xe7 => {
            let offset = i32::from((code << 5) as i16 >> 5) * 2;
            Flow::To(next.wrapping_add_signed(offset))
        }
        0xbd => Flow::End,                               // pop {…, pc}
        0x47 if code & 0x80 == 0 => Flow::End,           // bx
        0x44 | 0x46 if code & 0x87 == 0x87 => Flow::End, // add pc, mov pc
        _ => Flow::On,
    }
}

/// `mrs rd, ipsr`, as in `arch_in_thread` (ARMv6-M ARM, B4.2.2).
pub(super) fn asks_where_it_runs(first: u16, second: u16) -> bool {
    first == 0xf3ef && second & 0xf0ff == 0x8005
}

/// ARMv6-M ARM, A6.7.13.
pub(super) fn call_target(address: u32, first: u16, second: u16) -> u32 {
    let bit = |code: u16, at: u32| u32::from(code >> at & 1);
    let sign = bit(first, 10);
    let upper = |j: u32| 1 ^ (j ^ sign);
    let offset = sign << 24
        | upper(bit(second, 13)) << 23
        | upper(bit(second, 11)) << 22
        | u32::from(first & 0x3ff) << 12
        | u32::from(second & 0x7ff) << 1;
    let extended = (offset << 7) as i32 >> 7;
    address.wrapping_add(4).wrapping_add_signed(extended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_go_where_the_manual_says() {
        assert!(matches!(flow_16(0x100, 0xe7fe), Flow::To(0x100)), "b .");
        assert!(matches!(flow_16(0x100, 0xd0fe), Flow::Maybe(0x100)), "beq .");
        assert!(matches!(flow_16(0x100, 0xe000), Flow::To(0x104)));
        assert!(matches!(flow_16(0x100, 0x4770), Flow::End), "bx lr");
        assert!(matches!(flow_16(0x100, 0x4798), Flow::On), "blx r3: where to is not known");
        assert!(matches!(flow_16(0x100, 0x4687), Flow::End), "mov pc, r0");
        assert!(matches!(flow_16(0x100, 0xdf00), Flow::Service));
    }

    #[test]
    fn only_a_look_at_the_exception_number_asks_where_it_runs() {
        assert!(asks_where_it_runs(0xf3ef, 0x8305), "mrs r3, ipsr");
        assert!(!asks_where_it_runs(0xf3ef, 0x8309), "mrs r3, psp");
    }

    #[test]
    fn calls_go_forward_and_back() {
        assert_eq!(call_target(0x1000, 0xf000, 0xf800), 0x1004);
        assert_eq!(call_target(0x1000, 0xf7ff, 0xfffe), 0x1000);
        assert_eq!(call_target(0x1022, 0xf000, 0xfdbd), 0x1ba0);
    }
}
