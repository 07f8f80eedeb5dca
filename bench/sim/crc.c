/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Simulator benchmark: CRC-32 of a buffer, bit by bit and by table.
 *
 * Shifts, exclusive or and tight loops: the work of checksums and small ciphers. Never ends; the
 * length of the run is given in time. */

#include <stdint.h>

#define POLYNOMIAL   0xEDB88320u
#define BUFFER_BYTES 1024

/* Completed rounds, for an observer. */
volatile uint32_t rounds;
/* The result of the latest round, so that the work is not optimised away. */
volatile uint32_t result;

static uint8_t buffer[BUFFER_BYTES];
static uint32_t table[256];

static uint32_t crc_bitwise(const uint8_t *data, uint32_t len_bytes)
{
    uint32_t crc = ~0u;
    while (len_bytes-- > 0) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
        }
    }
    return ~crc;
}

static void table_fill(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
        }
        table[i] = crc;
    }
}

static uint32_t crc_by_table(const uint8_t *data, uint32_t len_bytes)
{
    uint32_t crc = ~0u;
    while (len_bytes-- > 0) {
        crc = (crc >> 8) ^ table[(crc ^ *data++) & 0xFF];
    }
    return ~crc;
}

int main(void)
{
    table_fill();
    for (uint32_t i = 0; i < BUFFER_BYTES; i++) {
        buffer[i] = (uint8_t)(i * 7 + (i >> 3));
    }
    for (;;) {
        result = crc_bitwise(buffer, BUFFER_BYTES) - crc_by_table(buffer, BUFFER_BYTES);
        rounds++;
        buffer[rounds % BUFFER_BYTES] ^= 1;
    }
}
