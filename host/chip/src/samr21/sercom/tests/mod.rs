mod i2c;
mod spi;
mod usart;
