// SPDX-License-Identifier: MIT OR Apache-2.0
//! The radio's cipher, behind the addresses of its SRAM from 0x82 on (data sheet of the AT86RF233, "Security Module
//! (AES)").
//!
//! A block is written while the result of the one before is read, a byte later. The key for decryption is the last round
//! key of encryption, which can be read after a block was encrypted.

use aes::Aes128;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

const BLOCK: usize = 16;
type Block = [u8; BLOCK];

/// Its registers.
pub(super) const AES_STATUS: u8 = 0x82;
const AES_CTRL: u8 = 0x83;
const AES_STATE: u8 = 0x84;
const AES_CTRL_MIRROR: u8 = 0x94;

/// AES_CTRL.
const AES_REQUEST: u8 = 1 << 7;
const AES_DIR: u8 = 1 << 3;
/// AES_CTRL.AES_MODE.
const KEY: u8 = 1;
const CBC: u8 = 2;
/// AES_STATUS.
const AES_DONE: u8 = 1 << 0;
const AES_ER: u8 = 1 << 7;

/// How long a block takes.
const TAKES: Time = Time::from_us(21);

/// The cipher.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Cipher {
    control: u8,
    /// The key for encryption.
    key: Block,
    /// A key while it is written.
    entered: Block,
    /// What was written, and what came of the block before.
    state: Block,
    result: Block,
    /// Bytes written since the last request.
    written: u8,
    /// When the last block is done; nothing was asked for before.
    done: Option<Time>,
    is_wrong: bool,
}

impl Cipher {
    fn mode(&self) -> u8 {
        self.control >> 4 & 7
    }

    fn decrypts(&self) -> bool {
        self.control & AES_DIR != 0
    }

    /// Writes to an address from [`AES_STATUS`] on; the byte that comes out at the same time.
    pub fn write(&mut self, now: Time, address: u8, byte: u8) -> u8 {
        match address {
            AES_CTRL | AES_CTRL_MIRROR => {
                let before = self.result[BLOCK - 1];
                self.control = byte & !AES_REQUEST;
                if byte & AES_REQUEST != 0 {
                    self.request(now);
                }
                if address == AES_CTRL_MIRROR { before } else { 0 }
            }
            AES_STATE..AES_CTRL_MIRROR => {
                let index = usize::from(address - AES_STATE);
                self.enter(index, byte);
                index.checked_sub(1).map_or(0, |before| self.result[before])
            }
            _ => 0,
        }
    }

    fn enter(&mut self, index: usize, byte: u8) {
        if self.mode() != KEY {
            self.state[index] = byte;
            self.written = self.written.saturating_add(1);
            return;
        }
        self.entered[index] = byte;
        if index == BLOCK - 1 {
            self.key = if self.decrypts() { first_key(self.entered) } else { self.entered };
        }
    }

    /// A block is to be processed.
    fn request(&mut self, now: Time) {
        let is_under_way = self.done.is_some_and(|done| done > now);
        self.is_wrong = is_under_way || usize::from(self.written) < BLOCK || self.mode() == KEY;
        if is_under_way {
            return;
        }
        let mut block = self.state;
        if self.mode() == CBC && !self.decrypts() {
            block.iter_mut().zip(self.result).for_each(|(byte, before)| *byte ^= before);
        }
        let cipher = Aes128::new(&self.key.into());
        let mut block = block.into();
        match self.decrypts() {
            true => cipher.decrypt_block(&mut block),
            false => cipher.encrypt_block(&mut block),
        }
        self.result = block.into();
        (self.done, self.written) = (Some(now + TAKES), 0);
    }

    /// Reads from an address from [`AES_STATUS`] on.
    pub fn read(&self, now: Time, address: u8) -> u8 {
        match address {
            AES_STATUS => {
                let is_done = self.done.is_some_and(|done| done <= now);
                let error = if self.is_wrong { AES_ER } else { 0 };
                error | if is_done { AES_DONE } else { 0 }
            }
            AES_CTRL => self.control,
            AES_STATE..AES_CTRL_MIRROR => {
                let index = usize::from(address - AES_STATE);
                match (self.mode(), self.decrypts()) {
                    (KEY, true) => last_key(self.key)[index],
                    (KEY, false) => self.key[index],
                    _ => self.result[index],
                }
            }
            _ => 0,
        }
    }
}

/// The product of two numbers in the field of the cipher (FIPS 197, 4.2).
fn product(mut one: u8, mut other: u8) -> u8 {
    let mut sum = 0;
    while other != 0 {
        if other & 1 != 0 {
            sum ^= one;
        }
        one = one << 1 ^ if one & 0x80 != 0 { 0x1B } else { 0 };
        other >>= 1;
    }
    sum
}

/// The substitution of a byte (FIPS 197, 5.1.1): its inverse, and then an affine transformation.
fn substitute(byte: u8) -> u8 {
    let inverse = (1..=u8::MAX).find(|other| product(byte, *other) == 1).unwrap_or(0);
    (1..5).fold(inverse ^ 0x63, |sum, shift| sum ^ inverse.rotate_left(shift))
}

type Words = [[u8; 4]; 4];

fn words(key: Block) -> Words {
    std::array::from_fn(|word| std::array::from_fn(|byte| key[4 * word + byte]))
}

fn bytes(words: Words) -> Block {
    std::array::from_fn(|index| words[index / 4][index % 4])
}

fn sum(one: [u8; 4], other: [u8; 4]) -> [u8; 4] {
    std::array::from_fn(|index| one[index] ^ other[index])
}

/// What is added to the first word of a round key (FIPS 197, 5.2).
fn scramble([a, b, c, d]: [u8; 4], constant: u8) -> [u8; 4] {
    [substitute(b) ^ constant, substitute(c), substitute(d), substitute(a)]
}

/// The constants of the ten rounds.
fn constants() -> Vec<u8> {
    std::iter::successors(Some(1), |constant| Some(product(*constant, 2))).take(10).collect()
}

/// The last round key that belongs to a key.
fn last_key(key: Block) -> Block {
    let step = |mut key: Words, constant: &u8| {
        key[0] = sum(key[0], scramble(key[3], *constant));
        (1..4).for_each(|word| key[word] = sum(key[word], key[word - 1]));
        key
    };
    bytes(constants().iter().fold(words(key), step))
}

/// The key that belongs to a last round key.
fn first_key(last: Block) -> Block {
    let step = |mut key: Words, constant: &u8| {
        (1..4).rev().for_each(|word| key[word] = sum(key[word], key[word - 1]));
        key[0] = sum(key[0], scramble(key[3], *constant));
        key
    };
    bytes(constants().iter().rev().fold(words(last), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 197, appendix A.1: a key, and its last round key.
    const FIRST: Block = 0x2b7e1516_28aed2a6_abf71588_09cf4f3c_u128.to_be_bytes();
    const LAST: Block = 0xd014f9a8_c9ee2589_e13f0cc8_b6630ca6_u128.to_be_bytes();
    /// The same, appendix B: what is encrypted with it, and what comes of it.
    const PLAIN: Block = 0x3243f6a8_885a308d_313198a2_e0370734_u128.to_be_bytes();
    const ENCRYPTED: Block = 0x3925841d_02dc09fb_dc118597_196a0b32_u128.to_be_bytes();

    /// Writes a block as a program does in one access; what comes out.
    fn access(cipher: &mut Cipher, now: Time, control: u8, block: Block) -> Block {
        cipher.write(now, AES_CTRL, control & !AES_REQUEST);
        let mut out: Vec<u8> = (0_u8..16)
            .map(|index| cipher.write(now, AES_STATE + index, block[usize::from(index)]))
            .collect();
        out.push(cipher.write(now, AES_CTRL_MIRROR, control));
        out[1..].try_into().expect("a block")
    }

    fn read(cipher: &mut Cipher, now: Time, control: u8) -> Block {
        cipher.write(now, AES_CTRL, control);
        std::array::from_fn(|index| cipher.read(now, AES_STATE + index as u8))
    }

    #[test]
    fn keys_of_both_directions_belong_together() {
        assert_eq!((last_key(FIRST), first_key(LAST)), (LAST, FIRST));
    }

    #[test]
    fn a_block_is_encrypted_and_decrypted_in_21_us() {
        let mut cipher = Cipher::default();
        let mut now = Time::from_us(100);
        access(&mut cipher, now, KEY << 4, FIRST);
        access(&mut cipher, now, AES_REQUEST, PLAIN);
        assert_eq!(cipher.read(now + Time::from_us(20), AES_STATUS), 0);
        now += TAKES;
        assert_eq!(cipher.read(now, AES_STATUS), AES_DONE);
        let dummy = [0; BLOCK];
        assert_eq!(access(&mut cipher, now, 0, dummy), ENCRYPTED, "while the next one is written");
        assert_eq!(read(&mut cipher, now, KEY << 4 | AES_DIR), LAST);
        access(&mut cipher, now, KEY << 4 | AES_DIR, LAST);
        access(&mut cipher, now, AES_REQUEST | AES_DIR, ENCRYPTED);
        assert_eq!(read(&mut cipher, now + TAKES, AES_DIR), PLAIN);
        assert_eq!(read(&mut cipher, now, KEY << 4), FIRST);
    }

    /// NIST SP 800-38A, F.2.1: the first block is XORed with the initial vector by the program.
    #[test]
    fn blocks_are_chained() {
        let mut cipher = Cipher::default();
        access(&mut cipher, Time::ZERO, KEY << 4, FIRST);
        let vector: u128 = 0x00010203_04050607_08090a0b_0c0d0e0f;
        let [first, second] = [
            0x6bc1bee2_2e409f96_e93d7e11_7393172a_u128 ^ vector,
            0xae2d8a57_1e03ac9c_9eb76fac_45af8e51,
        ];
        access(&mut cipher, Time::ZERO, AES_REQUEST, first.to_be_bytes());
        let now = TAKES;
        let chained = AES_REQUEST | CBC << 4;
        let out = access(&mut cipher, now, chained, second.to_be_bytes());
        assert_eq!(u128::from_be_bytes(out), 0x7649abac_8119b246_cee98e9b_12e9197d);
        let last = read(&mut cipher, now + TAKES, 0);
        assert_eq!(u128::from_be_bytes(last), 0x5086cb9b_507219ee_95db113a_917678b2);
    }

    #[test]
    fn a_request_too_early_is_an_error() {
        let mut cipher = Cipher::default();
        access(&mut cipher, Time::ZERO, AES_REQUEST, PLAIN);
        assert_eq!(cipher.read(TAKES, AES_STATUS), AES_DONE);
        cipher.write(TAKES, AES_CTRL_MIRROR, AES_REQUEST);
        assert_eq!(cipher.read(TAKES + TAKES, AES_STATUS), AES_DONE | AES_ER, "no block");
        access(&mut cipher, TAKES * 3, AES_REQUEST, PLAIN);
        access(&mut cipher, TAKES * 3, AES_REQUEST, PLAIN);
        assert_eq!(cipher.read(TAKES * 4, AES_STATUS), AES_DONE | AES_ER, "under way");
    }
}
