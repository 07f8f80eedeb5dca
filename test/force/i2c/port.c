/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "port.h"

#include "chip/i2c.h"
#include "driver/i2c/wiring.h"
#include "played_interrupt.h"

struct i2c_port {
    uint8_t unused;
};
const ARCH_FLASH struct i2c_port board_i2c = {0};

/* What the bus does: nothing, also after a read by DMA; a step; or it waits for the driver. Written
 * at the kernel level and in the port's interrupt: `phase` last where a step begins, and first
 * where it is broken off. */
enum phase { IDLE, MOVING, HELD };

static struct {
    volatile uint8_t phase;
    uint8_t step;                /* the condition in which the present step ends */
    volatile uint8_t conditions; /* those that have arisen */
    volatile uint8_t answer;     /* in which the present step is to end; written at any level */
    bool is_addressed;
    uint8_t transfer; /* whose the present step is */
    uint8_t *in;      /* where DMA writes */
    uint8_t numbers;
    force_ticks_t asked; /* when the driver asked whether the bus is watched */
} port;

static struct port_manner manner;
struct port_record port_records[PORT_TRANSFERS];

void port_prepare(const struct port_manner *as)
{
    played_interrupt_enable();
    manner = *as;
    port.phase = IDLE;
    port.conditions = 0;
    port.answer = PORT_IS_SILENT;
    port.numbers = 0;
    for (unsigned transfer = 0; transfer < PORT_TRANSFERS; transfer++) {
        port_records[transfer] = (struct port_record){.said = PORT_SAYS_NOTHING};
    }
}

/* The bytes come in before the port says so. */
static void read_by_dma(void)
{
    for (unsigned index = 0; index < PORT_IN_BYTES; index++) {
        port.in[index] = port_byte(port.transfer, index);
    }
}

static void say(uint8_t result)
{
    port_records[port.transfer].said = result;
}

static void end_step(enum port_answer answer)
{
    port.phase = port.step == I2C_ENDED && answer == PORT_GOES_ON ? IDLE : HELD;
    if (answer == PORT_IS_LOST) {
        port.conditions = I2C_LOST;
        say(ERR_IO);
    } else if (answer == PORT_REFUSES) {
        port.conditions = I2C_SENT | I2C_REFUSED;
        say(port.is_addressed ? ERR_IO : ERR_EMPTY);
    } else {
        port.conditions = port.step;
        if (port.step == I2C_ENDED) {
            read_by_dma();
            say(0);
        }
    }
}

PLAYED_INTERRUPT()
{
    uint8_t answer = port.answer;

    port.answer = PORT_IS_SILENT;
    if (answer != PORT_IS_SILENT && port.phase == MOVING) {
        end_step(answer);
    }
    i2c_interrupt();
}

void port_answer(enum port_answer answer)
{
    if (port.phase == MOVING) {
        port.answer = (uint8_t)answer;
    }
    played_interrupt();
}

static void begin_step(uint8_t ends_in)
{
    port.step = ends_in;
    port.conditions = 0;
    port.phase = MOVING;
    if (manner.answers_at_once) {
        port_answer(PORT_GOES_ON);
    }
}

static void break_off(void)
{
    port.phase = IDLE;
    port.conditions = 0;
}

/* -------- what the driver calls */

void i2c_port_open(const ARCH_FLASH struct i2c_port *which __attribute__((unused)),
                   uint32_t hz __attribute__((unused)))
{
}

/* The driver asks this when it begins a transfer. */
bool i2c_port_is_watched(const ARCH_FLASH struct i2c_port *which __attribute__((unused)))
{
    port.asked = force_ticks();
    return manner.is_watched;
}

static void begin_transfer(unsigned transfer)
{
    struct port_record *record = &port_records[transfer];

    force_expect(record->number == 0);
    record->number = ++port.numbers;
    record->begun = port.asked;
    port.transfer = (uint8_t)transfer;
}

void i2c_port_start(const ARCH_FLASH struct i2c_port *which __attribute__((unused)),
                    uint8_t address, void *in, size_t length)
{
    unsigned transfer = address - PORT_FIRST_ADDRESS;

    if (port.phase == IDLE) {
        begin_transfer(transfer);
    }
    force_expect(port.phase != MOVING && port.transfer == transfer);
    force_expect(length == 0 || length == PORT_IN_BYTES);
    port.is_addressed = false;
    port.in = in;
    begin_step(length == 0 ? I2C_SENT : manner.reads_by_bytes ? I2C_RECEIVED : I2C_ENDED);
}

unsigned i2c_port_pending(const ARCH_FLASH struct i2c_port *which __attribute__((unused)))
{
    uint8_t conditions = port.conditions;

    /* DMA tells once. */
    if (conditions == I2C_ENDED) {
        port.conditions = 0;
    }
    return conditions;
}

void i2c_port_send(const ARCH_FLASH struct i2c_port *which __attribute__((unused)), uint8_t byte)
{
    struct port_record *record = &port_records[port.transfer];

    force_expect(port.phase == HELD && record->sent < PORT_OUT_BYTES);
    force_expect(byte == port_byte(port.transfer, record->sent));
    record->sent++;
    port.is_addressed = true;
    begin_step(I2C_SENT);
}

uint8_t i2c_port_receive(const ARCH_FLASH struct i2c_port *which __attribute__((unused)),
                         size_t left)
{
    struct port_record *record = &port_records[port.transfer];
    uint8_t byte = port_byte(port.transfer, record->received);

    force_expect(port.phase == HELD);
    record->received++;
    if (left > 0) {
        begin_step(I2C_RECEIVED);
    } else {
        force_expect(record->received == PORT_IN_BYTES);
        say(0);
        break_off();
    }
    return byte;
}

/* A transfer that only writes ends like this, after its bytes have been acknowledged. */
void i2c_port_stop(const ARCH_FLASH struct i2c_port *which __attribute__((unused)))
{
    const struct port_record *record = &port_records[port.transfer];

    if (port.phase == HELD && port.conditions == I2C_SENT && record->sent == PORT_OUT_BYTES) {
        say(0);
    }
    break_off();
}

bool i2c_port_recover(const ARCH_FLASH struct i2c_port *which __attribute__((unused)),
                      uint32_t hz __attribute__((unused)))
{
    break_off();
    return true;
}
