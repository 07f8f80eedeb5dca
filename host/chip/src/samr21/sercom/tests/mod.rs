// SPDX-License-Identifier: MIT OR Apache-2.0
mod i2c;
mod spi;
mod usart;
