// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cores that execute the functions of `data/functions.c`.

use lichen_image::Image;
use lichen_isa::armv6m::{self, FlashTiming};
use lichen_isa::avr8;

/// Bytes that functions work on, and where they are.
pub const BYTES: usize = 12;

/// Functions, and how many arguments are the bytes and their number.
pub const FUNCTIONS: [(&str, bool); 7] = [
    ("gcd", false),
    ("sort", true),
    ("crc", true),
    ("chosen", false),
    ("divided", false),
    ("smallest", true),
    ("count", false),
];

/// Where functions return to.
const RETURN: u32 = 0x4000;
const FLASH_BYTES: u32 = 0x8000;
/// Of RAM, and of the data space.
const ARM_BYTES: u32 = armv6m::RAM_BASE + 0x400;
const AVR_BYTES: u32 = 0x400;
const STACK: u32 = 0xFF0;

/// Random numbers: Marsaglia, "Xorshift RNGs".
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }
}

/// An image of the functions.
pub fn image(name: &str) -> Image {
    let path = format!("{}/tests/data/{name}.elf", env!("CARGO_MANIFEST_DIR"));
    Image::parse(name, std::fs::read(path).expect("there")).expect("an image")
}

/// A core with a function to execute.
pub trait Machine {
    fn number(&self, register: usize) -> u32;
    fn set(&mut self, register: usize, value: u32);
    fn pc(&self) -> u32;
    fn cycle(&self) -> u64;
    fn step(&mut self);
    /// What the function has made: its result, and all of RAM below the stack.
    fn made(&self) -> (u32, Vec<u8>);

    /// Executes the function to its end; `each` sees every instruction before it is executed.
    fn run(&mut self, mut each: impl FnMut(&mut Self)) -> u64
    where
        Self: Sized,
    {
        let begin = self.cycle();
        // A core that has locked up takes no time.
        let mut steps = 0;
        while self.pc() != RETURN {
            each(self);
            self.step();
            steps += 1;
            assert!(steps < 1_000_000, "it does not return");
        }
        self.cycle() - begin
    }
}

/// Arguments: two numbers, or how many of the bytes.
pub struct Input {
    pub numbers: Option<[u16; 2]>,
    pub bytes: [u8; BYTES],
    pub count: u16,
}

impl Input {
    pub fn random(random: &mut Random, of_bytes: bool) -> Input {
        let bytes = std::array::from_fn(|_| random.next() as u8);
        let few = |number: u32| if number & 0x100 == 0 { number % 10 } else { number % 300 } as u16;
        let numbers = [few(random.next()), few(random.next())];
        let count = (random.next() as usize % (BYTES + 1)) as u16;
        Input { numbers: (!of_bytes).then_some(numbers), bytes, count }
    }
}

pub struct Arm {
    core: armv6m::Core,
    memory: armv6m::Memory,
}

impl Arm {
    pub fn new(image: &Image, function: &str, input: &Input) -> Arm {
        let mut memory = armv6m::Memory::new(FLASH_BYTES as usize, 0x1000);
        for segment in image.segments() {
            memory.write(segment.address, &segment.bytes).expect("in flash");
        }
        memory.write(ARM_BYTES, &input.bytes).expect("in RAM");
        let mut core = armv6m::Core::new(armv6m::Options::default());
        let start = image.symbols().find(function).expect("there").address;
        let arguments = input.numbers.map(|[a, b]| [a.into(), b.into()]);
        let [a, b] = arguments.unwrap_or([ARM_BYTES, input.count.into()]);
        let registers = [(0, a), (1, b), (13, armv6m::RAM_BASE + STACK), (14, RETURN | 1)];
        for (register, value) in registers.into_iter().chain([(16, 1 << 24), (15, start)]) {
            core.set_register(register, value);
        }
        Arm { core, memory }
    }

    /// With wait states of flash.
    pub fn with(mut self, wait_states: u32, uncached: bool) -> Arm {
        self.memory.set_flash_timing(FlashTiming { wait_states, uncached });
        self
    }
}

impl Machine for Arm {
    fn number(&self, register: usize) -> u32 {
        self.core.register(register)
    }

    fn set(&mut self, register: usize, value: u32) {
        self.core.set_register(register, value);
    }

    fn pc(&self) -> u32 {
        self.core.register(15)
    }

    fn cycle(&self) -> u64 {
        self.core.cycle().0
    }

    fn step(&mut self) {
        self.core.step(&mut self.memory, &mut armv6m::NoDevices);
    }

    fn made(&self) -> (u32, Vec<u8>) {
        (self.core.register(0), self.memory.ram()[..STACK as usize / 2].to_vec())
    }
}

pub struct Avr {
    core: avr8::Core,
    memory: avr8::Memory,
}

impl Avr {
    pub fn new(image: &Image, function: &str, input: &Input) -> Avr {
        let mut memory = avr8::Memory::new(FLASH_BYTES, 0x1100);
        for segment in image.segments() {
            memory.write(segment.address, &segment.bytes).expect("in flash");
        }
        let data = |at: u32| avr8::DATA_BASE + at;
        memory.write(data(AVR_BYTES), &input.bytes).expect("in RAM");
        let [high, low] = (RETURN as u16 / 2).to_be_bytes();
        memory.write(data(STACK + 1), &[high, low]).expect("in RAM");
        let mut core = avr8::Core::new();
        core.reset(image.symbols().find(function).expect("there").address);
        let [a, b] = input.numbers.unwrap_or([AVR_BYTES as u16, input.count]);
        let ([a, c], [b, d]) = (a.to_le_bytes(), b.to_le_bytes());
        for (register, value) in [(24, a), (25, c), (22, b), (23, d), (1, 0)] {
            core.set_register(register, value.into());
        }
        core.set_register(avr8::SP, STACK);
        Avr { core, memory }
    }
}

impl Machine for Avr {
    fn number(&self, register: usize) -> u32 {
        self.core.register(register)
    }

    fn set(&mut self, register: usize, value: u32) {
        self.core.set_register(register, value);
    }

    fn pc(&self) -> u32 {
        self.core.pc()
    }

    fn cycle(&self) -> u64 {
        self.core.cycle().0
    }

    fn step(&mut self) {
        self.core.step(&mut self.memory, &mut avr8::NoDevices);
    }

    fn made(&self) -> (u32, Vec<u8>) {
        let result = self.core.register(24) | self.core.register(25) << 8;
        (result, self.memory.sram()[..STACK as usize / 2].to_vec())
    }
}
