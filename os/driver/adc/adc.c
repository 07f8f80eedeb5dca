/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Analog inputs.
 *
 * Everything but the interrupt happens at the kernel level, so requests of threads and events are
 * in one queue and need no lock. The interrupt takes a result and posts `adc_converted`, which
 * begins the request's second conversion, that of the supply, or ends it and begins the next one.
 *
 * A thread that ends takes its request out of the queue. If that is the one under way, its
 * conversion runs to its end for nobody.
 */
#include <lichen/adc.h>

#include <stdbool.h>

#include <lichen/arch.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/power.h>
#include <lichen/syscall.h>

#include "chip/adc.h"
#include "chip/chip.h"
#include "driver/adc/wiring.h"

enum {
    MEAN_MASK = 0x0f,
    MEAN_LAST = ADC_MEAN_OF_1024,
    IS_LIMIT = CHIP_SLEEP_CONVERTING < CHIP_SLEEP_MODES - 1, /* some modes are too deep */
    KNOWN_OPTIONS = MEAN_MASK | ADC_OF_REFERENCE | ADC_IN_MILLIVOLTS,
};

/* adc_request.stage */
enum stage {
    STAGE_INPUT = 0,
    STAGE_SUPPLY = 1,
    STAGE_OF_CALL = 1 << 7, /* the request is one of a blocking call */
};

struct adc_call {
    struct syscall syscall;
    struct adc_request request;
};

static bool is_busy;                /* a conversion is under way */
static struct adc_request *current; /* its request; 0: that of a thread that has ended */
static struct adc_request *waiting; /* the requests after it, the next one first */
static uint16_t taken;              /* the result; the interrupt's until it posts */

POWER_LIMIT(conversion_limit);

INIT_IN(DRIVERS, adc_open);

static bool is_own(uint8_t input)
{
    return input >= ADC_SUPPLY;
}

static bool is_boards(uint8_t pin)
{
    for (uint8_t i = 0; i < board_analog_pin_count; i++) {
        if (board_analog_pins[i] == pin) {
            return true;
        }
    }
    return false;
}

/* The conversion of the input. */
static int describe(const struct adc_request *request, struct adc_conversion *conversion)
{
    conversion->samples_log2 = request->options & MEAN_MASK;
    conversion->of_reference = request->options & ADC_OF_REFERENCE;
    if (request->options & ~KNOWN_OPTIONS || conversion->samples_log2 > MEAN_LAST) {
        return ERR_INVALID;
    }
    if (is_own(request->input)) {
        return adc_convert_own(request->input, conversion);
    }
    if (!is_boards(request->input)) {
        return ERR_INVALID;
    }
    return adc_convert_channel(adc_channel_of_pin(request->input), conversion);
}

/* Begins a conversion of a request, which becomes the current one. */
static int convert(struct adc_request *request, const struct adc_conversion *conversion)
{
    int error = adc_begin(conversion);

    if (error == 0) {
        if (IS_LIMIT) {
            power_limit(&conversion_limit, CHIP_SLEEP_CONVERTING);
        }
        is_busy = true;
        current = request;
    }
    return error;
}

static int begin(struct adc_request *request, const struct adc_conversion *conversion)
{
    int error = is_own(request->input) ? 0 : adc_connect(request->input);

    return error != 0 ? error : convert(request, conversion);
}

/* The request goes on with the supply. */
static int begin_supply(struct adc_request *request)
{
    struct adc_conversion conversion = {.samples_log2 = request->options & MEAN_MASK};

    request->stage |= STAGE_SUPPLY;
    (void)adc_convert_own(ADC_SUPPLY, &conversion);
    return convert(request, &conversion);
}

/* Tells who has made the request. */
static void end(struct adc_request *request, int error)
{
    request->error = (uint8_t)error;
    if (request->stage & STAGE_OF_CALL) {
        struct adc_call *call =
            (struct adc_call *)(void *)((uint8_t *)request - offsetof(struct adc_call, request));
        syscall_end(&call->syscall, error);
    } else if (request->done != 0) {
        event_post(request->done);
    }
}

/* The requests that wait, until one begins. */
static void begin_next(void)
{
    while (!is_busy && waiting != 0) {
        struct adc_request *request = waiting;
        struct adc_conversion conversion;
        waiting = request->next;
        (void)describe(request, &conversion);
        int error = begin(request, &conversion);
        if (error != 0) {
            end(request, error);
        }
    }
    if (IS_LIMIT && !is_busy) {
        power_unlimit(&conversion_limit);
    }
}

static uint16_t millivolts_of(uint16_t raw, uint16_t full_scale_mv)
{
    return (uint16_t)(((uint32_t)raw * full_scale_mv + ADC_FULL_SCALE / 2) / ADC_FULL_SCALE);
}

/* A result has come. Returns whether the request needs another one, the supply's. */
static bool needs_supply(struct adc_request *request)
{
    struct adc_conversion conversion;

    if (request->stage & STAGE_SUPPLY) {
        request->millivolts = millivolts_of(request->raw, adc_supply_mv(taken));
        return false;
    }
    request->raw = taken;
    if (!(request->options & ADC_IN_MILLIVOLTS)) {
        return false;
    }
    if (request->input == ADC_SUPPLY) {
        request->millivolts = adc_supply_mv(taken);
        return false;
    }
    (void)describe(request, &conversion);
    if (conversion.of_reference) {
        request->millivolts = millivolts_of(taken, adc_reference_mv());
        return false;
    }
    return true;
}

EVENT(adc_converted)
{
    struct adc_request *request = current;

    current = 0;
    is_busy = false;
    if (request != 0) {
        bool goes_on = needs_supply(request);
        int error = goes_on ? begin_supply(request) : 0;
        if (!goes_on || error != 0) {
            end(request, error);
        }
    }
    begin_next();
}

void adc_interrupt(void)
{
    if (adc_take(&taken)) {
        event_post_from(&adc_converted, LEVEL_DRIVER);
    }
}

/* Begins a request, or queues it. At the kernel level. */
static int submit(void *request_, void *stage)
{
    struct adc_request *request = request_;
    struct adc_conversion conversion;

    request->stage = (uint8_t)(uintptr_t)stage;
    request->next = 0;
    request->error = ERR_BUSY;
    int error = describe(request, &conversion);
    if (error == 0 && !is_busy) {
        error = begin(request, &conversion);
    } else if (error == 0) {
        struct adc_request **link = &waiting;
        while (*link != 0) {
            link = &(*link)->next;
        }
        *link = request;
    }
    if (error != 0) {
        request->error = (uint8_t)error;
    }
    return error;
}

int adc_start(struct adc_request *request)
{
    return arch_kernel_run(request, (void *)(uintptr_t)STAGE_INPUT, submit);
}

/* The calling thread has ended. */
static void forget(struct syscall *syscall)
{
    struct adc_request *request = &((struct adc_call *)(void *)syscall)->request;
    struct adc_request **link = &waiting;

    if (current == request) {
        current = 0;
        return;
    }
    while (*link != request) {
        link = &(*link)->next;
    }
    *link = request->next;
}

static int start_call(void *argument)
{
    struct adc_call *call = argument;
    int error = submit(&call->request, (void *)(uintptr_t)STAGE_OF_CALL);

    if (error != 0) {
        return error;
    }
    call->syscall.cancel = forget;
    return syscall_wait(&call->syscall);
}

static int run(struct adc_call *call, uint8_t input, unsigned options)
{
    call->request.input = input;
    call->request.options = (uint8_t)options;
    return options > UINT8_MAX ? ERR_INVALID : syscall_run(start_call, &call->syscall);
}

int adc_read(uint8_t input, unsigned options, uint16_t *raw)
{
    struct adc_call call;
    int error = run(&call, input, options);

    if (error == 0) {
        *raw = call.request.raw;
    }
    return error;
}

int adc_read_mv(uint8_t input, unsigned options, uint16_t *millivolts)
{
    struct adc_call call;
    int error = run(&call, input, options | ADC_IN_MILLIVOLTS);

    if (error == 0) {
        *millivolts = call.request.millivolts;
    }
    return error;
}

int adc_read_temperature(int16_t *centidegrees)
{
    uint16_t raw;
    int error = adc_read(ADC_TEMPERATURE, ADC_MEAN_OF_16, &raw);

    return error != 0 ? error : adc_temperature(raw, centidegrees);
}
