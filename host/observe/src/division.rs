// SPDX-License-Identifier: MIT OR Apache-2.0
//! Divisions by zero, of which the processors say nothing: they have no instruction that divides, and the compiler's
//! library returns some number.

use lichen_chip::Chip;
use lichen_image::Image;

/// What the library of compilers for ARM calls instead of a division by zero.
const BY_ZERO: [&str; 2] = ["__aeabi_idiv0", "__aeabi_ldiv0"];
/// What divides in the library of compilers for AVR, and the bytes of the divisor, which is the second argument.
const DIVISIONS: [(&str, u32); 6] = [
    ("__udivmodqi4", 1),
    ("__divmodqi4", 1),
    ("__udivmodhi4", 2),
    ("__divmodhi4", 2),
    ("__udivmodsi4", 4),
    ("__divmodsi4", 4),
];

/// A function that divides, or that is called instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// Its first instruction.
    pub address: u32,
    /// Bytes of the divisor; nothing if it is zero whenever the function is called.
    divisor: Option<u32>,
}

impl Division {
    /// Those of `image`.
    pub fn find(image: &Image) -> Vec<Division> {
        let named = |name: &str, divisor| {
            let symbol = image.symbols().find(name).filter(|symbol| symbol.function)?;
            let architecture = lichen_isa::architecture(image.machine().number())?;
            Some(Division { address: architecture.instruction_address(symbol.address), divisor })
        };
        let divisions = DIVISIONS.iter().map(|(name, bytes)| (*name, Some(*bytes)));
        let all = BY_ZERO.iter().map(|name| (*name, None)).chain(divisions);
        all.filter_map(|(name, divisor)| named(name, divisor)).collect()
    }

    /// Whether the divisor is zero; the processor is before the function's first instruction.
    pub fn is_by_zero(&self, chip: &dyn Chip) -> bool {
        self.divisor.is_none_or(|bytes| {
            let arguments = chip.core().arguments(&[bytes, bytes]);
            let significant = u32::MAX >> (u32::BITS - bytes * 8);
            arguments.get(1).is_some_and(|divisor| divisor & significant == 0)
        })
    }
}
