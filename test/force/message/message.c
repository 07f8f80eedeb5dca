/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A message of an interrupt (SYSLOG_RT), which may come again while the message is printed. What
 * prints it is the program.
 *
 * Laws: each post is printed or counted, once; what is printed is the value of the last of those
 * that are counted with it.
 */
#include <lichen/syslog.h>

#include <stdarg.h>

#include "driver/console/syslog.h"
#include "force.h"
#include "played_interrupt.h"

SYSLOG_MODULE(force, LOG_DEBUG);
SYSLOG_RT(overrun, LOG_WARNING, "overrun");

static volatile uint8_t posted, printed;

/* The value of a post is its number, and not right if half of it is. */
static uint32_t value_of(uint8_t number)
{
    return UINT32_C(0x01010101) * number;
}

PLAYED_INTERRUPT()
{
    posted++;
    syslog_post_from(overrun, value_of(posted), LEVEL_DRIVER);
}

void syslog_put_for(const ARCH_FLASH struct syslog_place *place __attribute__((unused)),
                    unsigned count, ...)
{
    va_list arguments;

    va_start(arguments, count);
    printed = (uint8_t)(printed + count);
    force_expect(va_arg(arguments, unsigned long) == value_of(printed));
    va_end(arguments);
}

static void post(unsigned actor __attribute__((unused)))
{
    played_interrupt();
}

static void prepare(void)
{
    played_interrupt_enable();
    posted = printed = 0;
}

static void check(void)
{
    force_expect(posted > 0 && printed == posted);
    force_check_event(&overrun.event);
}

static const struct force_object object = {.prepare = prepare, .check = check};

static const struct force_operation op_post = {.name = "post",
                                               .object = &object,
                                               .in_thread = post,
                                               .in_event = post,
                                               .in_interrupt = FORCE_ALL_LEVELS(post)};
const struct force_operation *const force_operations[] = {&op_post};
