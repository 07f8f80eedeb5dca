/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's I2C bus: blocking calls as lichen/syscall.h describes them.
 *
 * A thread fills in `job` and starts the bus at the kernel level; from then on the interrupt writes
 * `job`, until it has ended it and posts `i2c_ended`. `turn` lets one thread at a time do so. A
 * transfer that does not end, or whose thread ends, is given up: the port is started anew, and the
 * interrupt finds no job.
 */
#include <lichen/i2c.h>

#include <stdbool.h>

#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/mutex.h>
#include <lichen/power.h>
#include <lichen/syscall.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "chip/i2c.h"
#include "driver/i2c/wiring.h"

enum {
    BUS_HZ = 100000,
    ADDRESSES = 2, /* each as long as a byte */
    LAST_ADDRESS = 0x7f,
    PATIENCE_US = INT32_C(50000),
    BYTE_PATIENCE_US = 1000, /* of which the bus takes 90; interrupts and the part may delay it */
};

/* The transfer under way. */
struct job {
    const uint8_t *out;
    uint8_t *in;
    size_t out_left;
    size_t in_left;
    uint8_t address;
    bool addressed; /* the present address has been acknowledged */
    bool active;    /* the interrupt may go on with it */
    bool lost;      /* something else drives the bus */
    int result;
};

struct transfer {
    struct syscall syscall;
    struct job job;
};

static struct job job;
static struct syscall *waiting; /* the call of the transfer under way; kernel level */

static MUTEX(turn);
POWER_LIMIT(transfer_limit);

static void i2c_open(void)
{
    i2c_port_open(&board_i2c, BUS_HZ);
}
INIT_IN(DRIVERS, i2c_open);

/* The interrupt has ended the job. As nobody else is master, who has taken the bus is a part that
 * was left in the middle of a byte, perhaps by a reset. */
EVENT(i2c_ended)
{
    if (waiting != 0 && !job.active) {
        if (job.lost) {
            i2c_port_recover(&board_i2c, BUS_HZ);
        }
        power_unlimit(&transfer_limit);
        syscall_end(waiting, job.result);
        waiting = 0;
    }
}

static void end(int result)
{
    job.result = result;
    job.active = false;
    event_post_from(&i2c_ended, LEVEL_DRIVER);
}

/* Begins to read `length` bytes, or to write. */
static void address(size_t length)
{
    job.addressed = false;
    i2c_port_start(&board_i2c, job.address, length);
}

/* An address or a byte has been acknowledged. */
static void send_next(void)
{
    job.addressed = true;
    if (job.out_left > 0) {
        job.out_left--;
        i2c_port_send(&board_i2c, *job.out++);
    } else if (job.in_left > 0) {
        address(job.in_left);
    } else {
        i2c_port_stop(&board_i2c);
        end(0);
    }
}

static void receive_next(void)
{
    job.in_left--;
    *job.in++ = i2c_port_receive(&board_i2c, job.in_left);
    if (job.in_left == 0) {
        end(0);
    }
}

void i2c_interrupt(void)
{
    unsigned pending = i2c_port_pending(&board_i2c);

    if (!job.active) {
        i2c_port_stop(&board_i2c);
    } else if (pending & I2C_LOST) {
        i2c_port_stop(&board_i2c);
        job.lost = true;
        end(ERR_IO);
    } else if (pending & I2C_RECEIVED) {
        receive_next();
    } else if (pending & I2C_REFUSED) {
        i2c_port_stop(&board_i2c);
        end(job.addressed ? ERR_IO : ERR_EMPTY);
    } else if (pending & I2C_SENT) {
        send_next();
    }
}

/* The transfer takes too long, or its thread has ended. The interrupt must not come in between. */
static void give_up(struct syscall *call)
{
    (void)call;
    waiting = 0;
    job.active = false;
    i2c_port_recover(&board_i2c, BUS_HZ);
    power_unlimit(&transfer_limit);
}

static int begin(void *call)
{
    struct transfer *transfer = call;

    job = transfer->job;
    waiting = &transfer->syscall;
    waiting->cancel = give_up;
    power_limit(&transfer_limit, CHIP_SLEEP_SENDING);
    address(job.out_left == 0 ? job.in_left : 0);
    return syscall_wait_after(call);
}

int i2c_write_read(uint8_t address, const void *out, size_t out_length, void *in, size_t in_length)
{
    struct transfer transfer = {
        .job = {.out = out,
                .in = in,
                .out_left = out_length,
                .in_left = in_length,
                .address = address,
                .active = true},
    };
    uint64_t bytes = (uint64_t)out_length + in_length + ADDRESSES;
    uint64_t patience = bytes * BYTE_PATIENCE_US + PATIENCE_US;

    if (address > LAST_ADDRESS) {
        return ERR_INVALID;
    }
    (void)mutex_lock(&turn); /* a transfer whose thread has ended was given up */
    int error = syscall_run_until(begin, &transfer.syscall, patience);
    mutex_unlock(&turn);
    return error;
}
