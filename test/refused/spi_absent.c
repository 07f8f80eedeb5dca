/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A board whose connector has no SPI bus.
 *
 * on: hamilton
 * error: undefined reference to `spi_board'
 * help: this board has no such SPI bus: lichen/spi.h says which boards have one
 */
#include <lichen/gpio.h>
#include <lichen/spi.h>
#include <lichen/thread.h>

static const struct spi_device part = {
    .bus = &spi_board, .hz = 1000000, .select = GPIO_PIN('A', 8)};

THREAD(asks, 384, PRIORITY_APP)
{
    spi_open(&part);
}
