/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's I2C bus: transfers that take turns, and blocking calls, each of which is a transfer.
 *
 * Transfers wait in a list; the first one is under way. Its state is `job`, which is set at the
 * kernel level; from then on the interrupt writes it, until it has ended it and posts `i2c_ended`.
 * A transfer that does not end, or is cancelled, is given up: the port is started anew, and the
 * interrupt finds no job. A timer watches over a transfer only if the port cannot: arming one costs
 * more than all the rest.
 */
#include <lichen/i2c.h>

#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/power.h>
#include <lichen/syscall.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "chip/chip.h"
#include "chip/i2c.h"
#include "driver/i2c/wiring.h"

enum {
    BUS_HZ = 100000,
    ADDRESSES = 2, /* each as long as a byte */
    LAST_ADDRESS = 0x7f,
    PATIENCE_TICKS = TIME_TICKS_OF_US(50000),
    /* 0.98 ms, of which the bus takes 90 us; interrupts and the part may delay it. */
    BYTE_PATIENCE_TICKS = CHIP_TICK_HZ / 1024,
};
_Static_assert(BYTE_PATIENCE_TICKS > 0, "a byte takes less than a tick");

/* The transfer under way. */
struct job {
    const uint8_t *out;
    uint8_t *in;
    size_t out_left;
    size_t in_left;
    uint8_t address;
    bool addressed; /* the present address has been acknowledged */
    bool active;    /* the interrupt may go on with it */
    bool lost;      /* something else drives the bus, or a part may be in the middle of a byte */
    uint8_t result;
};

static struct job job;
static struct i2c_transfer *first; /* the list; kernel level */

POWER_LIMIT(transfer_limit);

EVENT_EXTERN(i2c_late);
static TIMER(patience, i2c_late);
static bool is_timed; /* the timer was armed for the transfer under way */

static void i2c_open(void)
{
    i2c_port_open(&board_i2c, BUS_HZ);
}
INIT_IN(DRIVERS, i2c_open);

/* Begins to read, or to write. */
static void address(size_t in_length)
{
    job.addressed = false;
    i2c_port_start(&board_i2c, job.address, job.in, in_length);
}

static void arm_patience(void)
{
    uint64_t bytes = (uint64_t)job.out_left + job.in_left + ADDRESSES;

    (void)!timer_arm_after_ticks(&patience, bytes * BYTE_PATIENCE_TICKS + PATIENCE_TICKS);
}

static void begin_first(void)
{
    const struct i2c_transfer *transfer = first;

    job.out = transfer->out;
    job.in = transfer->in;
    job.out_left = transfer->out_length;
    job.in_left = transfer->in_length;
    job.address = transfer->address;
    job.lost = false;
    job.active = true;
    power_limit(&transfer_limit, CHIP_SLEEP_MOVING);
    is_timed = !i2c_port_is_watched(&board_i2c);
    if (is_timed) {
        arm_patience();
    }
    address(job.out_left == 0 ? job.in_left : 0);
}

/* Takes the first transfer from the list. */
static struct i2c_transfer *take_first(int result)
{
    struct i2c_transfer *transfer = first;

    if (is_timed) {
        (void)timer_cancel(&patience);
    }
    power_unlimit(&transfer_limit);
    transfer->result = (uint8_t)result;
    transfer->active = false;
    first = transfer->next;
    if (first != 0) {
        begin_first();
    }
    return transfer;
}

static void end_first(int result)
{
    const struct i2c_transfer *transfer = take_first(result);

    if (transfer->call != 0) {
        syscall_end(transfer->call, result);
    } else if (transfer->ended != 0) {
        event_post(transfer->ended);
    }
}

/* As nobody else is master, who has taken the bus is a part that was left in the middle of a byte,
 * perhaps by a reset, or by a read that could not go on; or a line is held low. */
EVENT(i2c_ended)
{
    if (first != 0 && !job.active) {
        bool is_stuck = job.lost && !i2c_port_recover(&board_i2c, BUS_HZ);
        end_first(is_stuck ? ERR_TIMEOUT : job.result);
    }
}

/* The interrupt must not come in between. */
static void give_up(void)
{
    job.active = false;
    (void)i2c_port_recover(&board_i2c, BUS_HZ);
}

/* The event may be one of a transfer that has ended: then the timer has been armed again since, or
 * the one under way has none. */
EVENT(i2c_late)
{
    bool is_late = is_timed && patience.deadline.expire == 0;

    if (is_late && job.active) {
        give_up();
        end_first(ERR_TIMEOUT);
    }
}

static void end(int result)
{
    job.result = (uint8_t)result;
    job.active = false;
    event_post_from(&i2c_ended, LEVEL_DRIVER);
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

static void stop(int result)
{
    i2c_port_stop(&board_i2c);
    end(result);
}

void i2c_interrupt(void)
{
    unsigned pending = i2c_port_pending(&board_i2c);

    if (!job.active) {
        i2c_port_stop(&board_i2c);
    } else if (pending & I2C_ENDED) {
        end(0);
    } else if (pending & (I2C_LOST | I2C_LATE | I2C_FAULT)) {
        job.lost = true;
        stop(pending & I2C_LATE ? ERR_TIMEOUT : ERR_IO);
    } else if (pending & I2C_RECEIVED) {
        receive_next();
    } else if (pending & I2C_REFUSED) {
        stop(job.addressed ? ERR_IO : ERR_EMPTY);
    } else if (pending & I2C_SENT) {
        send_next();
    }
}

static int enter(void *transfer_)
{
    struct i2c_transfer *transfer = transfer_;
    struct i2c_transfer **link = &first;

    if (transfer->active) {
        return ERR_BUSY;
    }
    if (transfer->address > LAST_ADDRESS) {
        return ERR_INVALID;
    }
    transfer->active = true;
    transfer->next = 0;
    while (*link != 0) {
        link = &(*link)->next;
    }
    *link = transfer;
    if (first == transfer) {
        begin_first();
    }
    return 0;
}

/* Nobody is told. */
static int leave(void *transfer_)
{
    struct i2c_transfer *transfer = transfer_;
    struct i2c_transfer **link = &first;

    if (!transfer->active) {
        return ERR_EMPTY;
    }
    if (first == transfer) {
        give_up();
        (void)take_first(ERR_CANCELLED);
        return 0;
    }
    while (*link != transfer) {
        link = &(*link)->next;
    }
    *link = transfer->next;
    transfer->result = ERR_CANCELLED;
    transfer->active = false;
    return 0;
}

int i2c_start(struct i2c_transfer *transfer)
{
    return kernel_run(enter, transfer);
}

int i2c_cancel(struct i2c_transfer *transfer)
{
    return kernel_run(leave, transfer);
}

/* A thread's transfer. */
struct blocking {
    struct syscall syscall;
    struct i2c_transfer transfer;
};

/* The thread ends. */
static void abandon(struct syscall *call)
{
    (void)leave(&((struct blocking *)(void *)call)->transfer);
}

static int wait(void *call_)
{
    struct blocking *call = call_;
    int error = enter(&call->transfer);

    if (error != 0) {
        return error;
    }
    call->syscall.cancel = abandon;
    return syscall_wait(&call->syscall);
}

int i2c_write_read(uint8_t address, const void *out, size_t out_length, void *in, size_t in_length)
{
    struct blocking call;

    call.transfer.out = out;
    call.transfer.in = in;
    call.transfer.out_length = out_length;
    call.transfer.in_length = in_length;
    call.transfer.address = address;
    call.transfer.active = false;
    call.transfer.call = &call.syscall;
    return syscall_run(wait, &call.syscall);
}
