// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random orders never wedge the radio, and after a reset it works.

use super::*;
use crate::air::philox4x32;

const OPERATIONS: u32 = 100_000;

/// Random numbers, the same in each run.
struct Numbers(u32);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 += 1;
        philox4x32([self.0, 0, 0, 0], [42, 0])[0] % end
    }

    fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }

    fn bytes(&mut self, most: u32) -> Vec<u8> {
        (0..self.below(most)).map(|_| self.byte()).collect()
    }
}

fn level(numbers: &mut Numbers) -> Level {
    [Level::Low, Level::High, Level::Floating(Pull::None)][numbers.below(3) as usize]
}

/// Does something to one of the radios.
fn operate(rig: &mut Rig, numbers: &mut Numbers) {
    let mote = numbers.below(2) as usize;
    let bytes = match numbers.below(20) {
        0..6 => vec![numbers.byte() % 16],
        6..9 => vec![0x10 + numbers.byte() % 0x21, numbers.byte(), numbers.byte()],
        9 => vec![0x11, numbers.byte(), 0xE2 | numbers.byte()],
        10..12 => [&[0x3E, numbers.byte()][..], &numbers.bytes(140)].concat(),
        12..14 => [&[0x7F][..], &numbers.bytes(140)].concat(),
        14 => [&[0x80 | numbers.byte(), numbers.byte()][..], &numbers.bytes(40)].concat(),
        15 => numbers.bytes(10),
        16 => [&[0x3F][..], &numbers.bytes(20)].concat(),
        17 => {
            let frame = numbers.bytes(128);
            let power = -10_500 + numbers.below(6_000) as i32;
            let number = numbers.below(u32::MAX);
            rig.hears(mote, number, frame.len() as u8, &frame, power);
            return;
        }
        18 if numbers.below(4) == 0 => return listen(rig, mote),
        18 if numbers.below(10) == 0 => {
            let pin = [VREG_EN, RESET, SELECT][numbers.below(3) as usize];
            let level = level(numbers);
            return rig.drive(mote, pin, level);
        }
        _ => return rig.pass_us(numbers.below(2_000).into()),
    };
    rig.drive(mote, SELECT, Level::Low);
    rig.bytes(mote, &bytes);
    if numbers.below(50) > 0 {
        rig.drive(mote, SELECT, Level::High);
    }
}

/// A radio is reset, and listens.
fn listen(rig: &mut Rig, mote: usize) {
    for (pin, level) in
        [(SELECT, Level::High), (VREG_EN, Level::High), (RESET, Level::Low), (RESET, Level::High)]
    {
        rig.drive(mote, pin, level);
    }
    rig.pass_us(300);
    rig.strobe(mote, SXOSCON);
    rig.write(mote, MDMCTRL0, PLAIN);
    rig.pass_us(900);
    rig.strobe(mote, SRXON);
}

/// Both radios are reset, and exchange a frame.
fn recover(rig: &mut Rig) {
    rig.pass_us(10_000);
    (0..2).for_each(|mote| listen(rig, mote));
    rig.pass_us(400);
    rig.forget();
    rig.load(0, &[&[22], &data(20)[..]].concat());
    rig.strobe(0, STXONCCA);
    rig.pass_us(2_000);
    assert_eq!(rig.heard(1), [(Fate::Received, checked(&data(20)))]);
    assert_eq!(rig.unload(1, 23)[..21], [&[22], &data(20)[..]].concat());
}

#[test]
fn random_orders_never_wedge_it() {
    let mut rig = Rig::listening(2);
    let mut numbers = Numbers(0);
    let (mut sent, mut heard) = (0, 0);
    for operation in 1..=OPERATIONS {
        operate(&mut rig, &mut numbers);
        if operation % 5_000 == 0 {
            recover(&mut rig);
        }
        sent += rig.sent(0).len();
        heard += rig.heard(1).len();
        rig.forget();
    }
    assert!(sent > 200 && heard > 150, "{sent} sent, {heard} heard");
}
