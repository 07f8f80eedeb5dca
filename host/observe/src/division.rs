// SPDX-License-Identifier: MIT OR Apache-2.0
//! Divisions by zero, of which the processors say nothing: they have no instruction that divides, and the compiler's
//! library returns some number.

use lichen_chip::Chip;
use lichen_image::Image;
use std::ops::Range;

/// What the library of compilers for ARM calls instead of a division by zero.
const BY_ZERO: [&str; 2] = ["__aeabi_idiv0", "__aeabi_ldiv0"];
/// What divides in the library of compilers for AVR, and the registers of the divisor (libgcc, `lib1funcs.S`).
const DIVISIONS: [(&str, Range<usize>); 12] = [
    ("__udivmodqi4", 22..23),
    ("__divmodqi4", 22..23),
    ("__udivmodhi4", 22..24),
    ("__divmodhi4", 22..24),
    ("__udivmodpsi4", 18..21),
    ("__divmodpsi4", 18..21),
    ("__udivmodsi4", 18..22),
    ("__divmodsi4", 18..22),
    ("__udivdi3", 10..18),
    ("__divdi3", 10..18),
    ("__umoddi3", 10..18),
    ("__moddi3", 10..18),
];

/// A function that divides, or that is called instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// Its first instruction.
    pub address: u32,
    /// The registers of the divisor; none if it is zero whenever the function is called.
    divisor: Range<usize>,
}

impl Division {
    /// Those of `image`.
    pub fn find(image: &Image) -> Vec<Division> {
        let named = |name: &str, divisor| {
            let symbol = image.symbols().find(name).filter(|symbol| symbol.function)?;
            let architecture = lichen_isa::architecture(image.machine().number())?;
            Some(Division { address: architecture.instruction_address(symbol.address), divisor })
        };
        let always = BY_ZERO.iter().map(|name| (*name, 0..0));
        always.chain(DIVISIONS).filter_map(|(name, divisor)| named(name, divisor)).collect()
    }

    /// Whether the divisor is zero; the processor is before the function's first instruction.
    pub fn is_by_zero(&self, chip: &dyn Chip) -> bool {
        self.divisor.clone().all(|register| chip.core().register(register) == 0)
    }
}
