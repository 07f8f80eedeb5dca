// SPDX-License-Identifier: MIT OR Apache-2.0
//! The modes of the cipher (data sheet of the CC2420, "MAC Security Operations"; IEEE 802.15.4-2003, 7.6).

use aes::Aes128;
use aes::cipher::{BlockCipherEncrypt, KeyInit};

/// Bytes of a block.
const BLOCK: usize = 16;
type Block = [u8; BLOCK];

pub(super) struct Cipher(Aes128);

/// What one frame is encrypted or authenticated with.
#[derive(Clone, Copy)]
pub(super) struct Nonce {
    /// The block that is kept in RAM, with its most significant byte first.
    pub block: Block,
    /// SECCTRL0.SEC_M.
    pub m: u8,
}

impl Nonce {
    /// Bits of its flags are those of the counter's blocks, of the first block to be authenticated, and the length of
    /// the counter (figure 26).
    fn length_bits(self) -> u8 {
        self.block[0] & 7
    }

    /// A block of the key stream.
    fn counter(self, counter: u16) -> Block {
        let mut block = self.block;
        block[0] = (self.block[0] << 1 & 0xC0) | self.length_bits();
        [block[14], block[15]] = counter.to_be_bytes();
        block
    }

    /// The counter of the first block that is encrypted.
    fn first(self) -> u16 {
        u16::from_be_bytes([self.block[14], self.block[15]])
    }

    /// The first block of CCM's authentication.
    fn head(self, length: usize) -> Block {
        let mut block = self.block;
        block[0] = (self.block[0] << 3 & 0xC0) | self.m << 3 | self.length_bits();
        [block[14], block[15]] = (length as u16).to_be_bytes();
        block
    }
}

impl Cipher {
    pub fn new(key: Block) -> Cipher {
        Cipher(Aes128::new(&key.into()))
    }

    pub fn encrypt(&self, block: Block) -> Block {
        let mut block = block.into();
        self.0.encrypt_block(&mut block);
        block.into()
    }

    /// CTR: encrypts, and decrypts.
    pub fn ctr(&self, nonce: Nonce, bytes: &mut [u8]) {
        for (index, chunk) in bytes.chunks_mut(BLOCK).enumerate() {
            let stream = self.encrypt(nonce.counter(nonce.first().wrapping_add(index as u16)));
            chunk.iter_mut().zip(stream).for_each(|(byte, key)| *byte ^= key);
        }
    }

    /// CBC-MAC of some parts, each of which is filled up to blocks with zeros.
    fn cbc_mac(&self, parts: &[&[u8]]) -> Block {
        let chunks = parts.iter().flat_map(|part| part.chunks(BLOCK));
        chunks.fold([0; BLOCK], |mut state, chunk| {
            state.iter_mut().zip(chunk).for_each(|(state, byte)| *state ^= byte);
            self.encrypt(state)
        })
    }

    /// CBC-MAC of a frame, with its length before it if `has_head`.
    pub fn authenticate(&self, bytes: &[u8], has_head: bool) -> Block {
        let mut all = Vec::with_capacity(bytes.len() + 1);
        all.extend(has_head.then_some(bytes.len() as u8));
        all.extend(bytes);
        self.cbc_mac(&[&all])
    }

    /// CCM: the tag of `header`, which stays as it is, and of `plain`.
    pub fn ccm_tag(&self, nonce: Nonce, header: &[u8], plain: &[u8]) -> Block {
        let mut authenticated = Vec::with_capacity(header.len() + 2);
        if !header.is_empty() {
            authenticated.extend((header.len() as u16).to_be_bytes());
            authenticated.extend(header);
        }
        let mut tag = self.cbc_mac(&[&nonce.head(plain.len()), &authenticated, plain]);
        let stream = self.encrypt(nonce.counter(0));
        tag.iter_mut().zip(stream).for_each(|(byte, key)| *byte ^= key);
        tag
    }
}

/// How many blocks go through the cipher.
pub(super) fn blocks(bytes: usize) -> u64 {
    bytes.div_ceil(BLOCK) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex<const N: usize>(text: &str) -> [u8; N] {
        std::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hex"))
    }

    /// FIPS 197, C.1.
    #[test]
    fn a_block_is_encrypted() {
        let cipher = Cipher::new(hex("000102030405060708090a0b0c0d0e0f"));
        let plain = hex("00112233445566778899aabbccddeeff");
        assert_eq!(cipher.encrypt(plain), hex("69c4e0d86a7b0430d8cdb78070b4c55a"));
    }

    /// RFC 3610, packet vector 1.
    #[test]
    fn ccm_is_that_of_rfc_3610() {
        let cipher = Cipher::new(hex("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"));
        let nonce = Nonce { block: hex("0900000003020100a0a1a2a3a4a50001"), m: 3 };
        let header: [u8; 8] = hex("0001020304050607");
        let mut bytes: [u8; 23] = hex("08090a0b0c0d0e0f101112131415161718191a1b1c1d1e");
        let tag = cipher.ccm_tag(nonce, &header, &bytes);
        assert_eq!(tag[..8], hex::<8>("17e8d12cfdf926e0"));
        cipher.ctr(nonce, &mut bytes);
        assert_eq!(bytes, hex("588c979a61c663d2f066d0c2c0f989806d5f6b61dac384"));
    }

    /// NIST SP 800-38A, F.2.1, first block: CBC with an initial vector of zeros is the same as of the block xor the vector.
    #[test]
    fn cbc_mac_chains_blocks() {
        let cipher = Cipher::new(hex("2b7e151628aed2a6abf7158809cf4f3c"));
        let first: Block = hex("6bc0bce12a459991e134741a7f9e1925");
        assert_eq!(cipher.authenticate(&first, false), hex("7649abac8119b246cee98e9b12e9197d"));
        let second: Block = hex("ae2d8a571e03ac9c9eb76fac45af8e51");
        let both = [first, second].concat();
        assert_eq!(cipher.authenticate(&both, false), hex("5086cb9b507219ee95db113a917678b2"));
        assert_ne!(cipher.authenticate(&both, true), cipher.authenticate(&both, false));
    }
}
