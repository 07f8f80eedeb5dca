/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages about what a program does, with levels, modules and times, to the console:
 *
 *     SYSLOG_MODULE(radio, LOG_INFO);
 *     ... syslog(LOG_WARNING, "retry %u of %u", retry, RETRIES);
 *
 *     [12.345678] radio: warning: retry 1 of 3
 *
 * (Records in the board's storage are lichen/log.h.)
 *
 * What is left out. A message is in the image if its level is not beyond that of its module, nor
 * beyond that of the program: `[build] syslog = "warning"` in lichen.toml (CMake: LICHEN_SYSLOG).
 * Any other leaves neither code nor text, and its arguments are not evaluated. A program without
 * messages links nothing of this.
 *
 * Who may call. A thread's message is whole, and the thread waits while the console's ring is full.
 * An event's message is put into the ring whole, or dropped: with its prefix and line end it must
 * fit into the free part of CONSOLE_SEND_RING bytes, and it may appear in the middle of a thread's.
 * Interrupts and real-time tasks cannot print; they post messages declared by SYSLOG_RT, each with
 * a number, and an event prints them. Nothing is lost silently: dropped messages of events are
 * counted, and 50 ms later, when there is room, a message reports the count; posts that arrive
 * before the first of them is printed are counted in its line.
 *
 * The time is what is known without waiting for the slow clock, in microseconds (time_known of
 * lichen/time.h): exact to a tick if an alarm woke the mote, and right after an earlier message;
 * else as old as the last alarm or message.
 *
 * The first message adds 1,010 bytes of flash to a program that prints and sleeps, 1,560 on AVR,
 * and 360 bytes of RAM, 260, most of them of the kernel's stack, on which events format; each
 * further one 20 to 40 and its text [bench console/one_message]. A thread that writes messages
 * needs some 60 bytes of stack more than one that prints.
 */
#ifndef LICHEN_SYSLOG_H
#define LICHEN_SYSLOG_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/loaded.h>
#include <lichen/print.h>

/* The levels of POSIX, the most important first. LOG_NONE, of a module, leaves out everything. */
enum syslog_level {
    LOG_NONE = -1,
    LOG_EMERG = 0,   /* the mote cannot continue */
    LOG_ALERT = 1,   /* action must be taken at once */
    LOG_CRIT = 2,    /* a part of the mote has failed */
    LOG_ERR = 3,     /* something has failed */
    LOG_WARNING = 4, /* something is going to fail, or has been worked around */
    LOG_NOTICE = 5,  /* normal, but worth knowing */
    LOG_INFO = 6,    /* what happens */
    LOG_DEBUG = 7,   /* why it happens */
};

/* A message as it stands in the source; in flash. */
struct syslog_place {
    const char *module; /* texts: lichen/print.h */
    const char *format;
    uint8_t level;
};

/* A module whose level can be changed; in flash. */
struct syslog_module {
    const char *name;
    int8_t *level;  /* messages beyond it are not written */
    int8_t ceiling; /* messages beyond it are not in the image */
};

/* Declares the module of a file. Several files may have modules of one name.
 * name      of the module, in each of its messages
 * level     its last level: LOG_NONE to LOG_DEBUG
 */
#define SYSLOG_MODULE(name, level)                                                                 \
    SYSLOG_MODULE_(name, level);                                                                   \
    static inline __attribute__((always_inline, unused)) int syslog_level_now(void)                \
    {                                                                                              \
        return LOG_DEBUG;                                                                          \
    }                                                                                              \
    _Static_assert(1, "")

/* Declares the module of a file, whose level can be changed while the program runs (syslog_adjust,
 * and the command `log` of lichen/shell.h). Takes a byte of RAM and 13 bytes of flash, 6 on AVR,
 * and a comparison at each message.
 * level     the last level that it can be changed to
 * first     the level after start-up
 */
#define SYSLOG_MODULE_ADJUSTABLE(name_, level_, first)                                             \
    SYSLOG_MODULE_(name_, level_);                                                                 \
    __asm__(".global syslog_level_text"); /* os/driver/console/syslog_level.c */                   \
    static int8_t syslog_level_byte = (first);                                                     \
    static const struct syslog_module syslog_module_entry LOADED_EVEN                              \
        __attribute__((section(".lichen.syslog." #name_), used)) = {                               \
            .name = syslog_module_name, .level = &syslog_level_byte, .ceiling = syslog_ceiling};   \
    static inline __attribute__((always_inline, unused)) int syslog_level_now(void)                \
    {                                                                                              \
        return syslog_level_byte;                                                                  \
    }                                                                                              \
    _Static_assert((first) <= LOG_DEBUG,                                                           \
                   "first level of module " #name_ " is not LOG_NONE to LOG_DEBUG")

/* LICHEN_SYSLOG is the level of the program. */
#define SYSLOG_MODULE_(name, level)                                                                \
    _Static_assert((level) >= LOG_NONE && (level) <= LOG_DEBUG, "level of module " #name);         \
    enum { syslog_ceiling = (level) < LICHEN_SYSLOG ? (level) : LICHEN_SYSLOG };                   \
    static const char syslog_module_name[] ARCH_TEXT_PLACED(syslog_##name)                         \
        __attribute__((unused)) = #name

/* Writes a message, a line without its end.
 * level     LOG_EMERG to LOG_DEBUG, a constant
 * format    a literal, as print has it (lichen/print.h); the compiler checks the arguments, also of
 *           messages that are left out
 * context   event, thread
 * blocks    yes in a thread, for room in the ring; an event never waits
 *           cost  10,400 cycles for 40 characters, 24,300 on AVR, of which 3,200 and 7,100 are
 *           print's; 6 and 17 where the level of an adjustable module leaves it out [bench
 *           console/syslog]
 */
#define syslog(level_, format_, ...)                                                               \
    do {                                                                                           \
        _Static_assert((level_) >= LOG_EMERG && (level_) <= LOG_DEBUG, "level of a message");      \
        if ((level_) <= (int)syslog_ceiling && (level_) <= syslog_level_now()) {                   \
            syslog_put(SYSLOG_PLACE(level_, format_), ##__VA_ARGS__);                              \
        }                                                                                          \
        if (0) {                                                                                   \
            (print)(format_, ##__VA_ARGS__);                                                       \
        }                                                                                          \
    } while (0)

#define SYSLOG_PLACE(level_, format_)                                                              \
    __extension__({                                                                                \
        static const char syslog_format_[] ARCH_TEXT_PLACED(__LINE__) = format_;                   \
        static const ARCH_FLASH struct syslog_place place_ LOADED_EVEN = {                         \
            .module = syslog_module_name, .format = syslog_format_, .level = (level_)};            \
        &place_;                                                                                   \
    })

/* The function behind syslog.
 * context   event, thread
 * blocks    yes in a thread, for room in the ring
 */
void syslog_put(const ARCH_FLASH struct syslog_place *place, ...);

/* A message of an interrupt or a real-time task. Can only be made by SYSLOG_RT. */
struct syslog_rt {
    struct event event;
    const ARCH_FLASH struct syslog_place *place;
    volatile uint32_t value;      /* of the last post that was not only counted */
    volatile arch_index_t posted; /* posts ever made, modulo; written by the one level that posts */
    arch_index_t printed;         /* those that are printed */
};

/* The most posts that can wait to be printed; if there are more, this many "or more" are shown. */
#define SYSLOG_RT_MAX ((arch_index_t)-1)

/* Declares a message for interrupts and real-time tasks, at a level and with a number:
 *
 *     SYSLOG_RT(overrun, LOG_WARNING, "samples lost");
 *     ... syslog_post_from(overrun, lost, LEVEL_DRIVER);
 *
 *     [12.345678] adc: warning: samples lost: 17
 *     [12.645678] adc: warning: samples lost: 29, the last of 3
 *
 * It is an event (lichen/event.h) of 16 bytes of RAM more, if its level is not left out.
 */
#define SYSLOG_RT(name, level_, text)                                                              \
    _Static_assert((level_) >= LOG_EMERG && (level_) <= LOG_DEBUG, "level of message " #name);     \
    enum { name##_syslog_level = (level_) };                                                       \
    static const char name##_syslog_text[] ARCH_TEXT_PLACED(syslog_##name)                         \
        __attribute__((unused)) = text ": %lu%s";                                                  \
    static const ARCH_FLASH struct syslog_place name##_syslog_place __attribute__((unused)) = {    \
        .module = syslog_module_name, .format = name##_syslog_text, .level = (level_)};            \
    static struct syslog_rt name EVENT_PLACED(syslog_rt, name) __attribute__((unused)) = {         \
        .event = {.run = syslog_rt_print}, .place = &name##_syslog_place};                         \
    NOT_LOADED(SYSLOG_RT, name)

/* Posts such a message.
 * message   name of a SYSLOG_RT of this file; one level posts it
 * value     32 bits, printed as an unsigned number
 * level     the level of the running handler, a constant; in a real-time task rt_level
 * context   rt (and drivers' interrupts, of that level)
 * blocks    no       cost  48 cycles, 61 on AVR [bench console/post]
 */
#define syslog_post_from(message, value, level)                                                    \
    do {                                                                                           \
        if ((int)message##_syslog_level <= (int)syslog_ceiling &&                                  \
            (int)message##_syslog_level <= syslog_level_now()) {                                   \
            SYSLOG_RT_COUNT(message);                                                              \
            syslog_rt_post(&message, (value), (level));                                            \
        }                                                                                          \
    } while (0)

/* EVENT_COUNT_ONE where the message is posted, once: so one that is left out is not counted. */
#define SYSLOG_RT_COUNT(message)                                                                   \
    __asm__ volatile(".ifndef syslog_counted_" #message "\n"                                       \
                     ".set syslog_counted_" #message ", 1\n"                                       \
                     ".global kernel_level\n"                                                      \
                     ".pushsection .lichen.postable,\"\",%%progbits\n.byte 0\n.popsection\n"       \
                     ".endif" ::)

/* The part of syslog_post_from that is no macro. A post is dropped if SYSLOG_RT_MAX wait.
 * context   rt (and drivers' interrupts, of that level)
 * blocks    no
 */
static inline __attribute__((always_inline)) void syslog_rt_post(struct syslog_rt *message,
                                                                 uint32_t value, unsigned level)
{
    if ((arch_index_t)(message->posted - message->printed) != SYSLOG_RT_MAX) {
        message->value = value;
        message->posted = (arch_index_t)(message->posted + 1u);
    }
    event_post_from(&message->event, level);
}

/* The handler of every SYSLOG_RT.
 * context   event
 * blocks    no
 */
void syslog_rt_print(struct event *event);

/* Messages that were dropped since start-up, because an event found no room; of a SYSLOG_RT, all
 * posts for which the message would have stood.
 * returns   modulo 2^16
 * context   event, thread
 * blocks    no
 */
uint16_t syslog_dropped(void);

/* Changes the level of the adjustable modules of a name.
 * module    text; in RAM or a TEXT
 * level     LOG_NONE to LOG_DEBUG
 * returns   0; ERR_EMPTY: there is none; ERR_INVALID: that level is not in the image, and nothing
 *           changes
 * context   event, thread
 * blocks    no
 */
MUST_CHECK int syslog_adjust(const char *module, int level);

/* The adjustable modules, by name.
 * index     from 0 on
 * returns   the module, or 0 after the last one
 * context   any
 * blocks    no
 */
const ARCH_FLASH struct syslog_module *syslog_module_at(unsigned index);

/* The word of a level: "warning".
 * returns   constant text
 * context   any
 * blocks    no
 */
const char *syslog_level_text(int level);

/* The longest message of a sink. */
#define SYSLOG_SINK_MAX 96u

/* Opens the definition of a second place for messages of threads, called with each one as it stands
 * on the console, without the line's end:
 *
 *     LOG_CIRCULAR(messages, 4096);
 *     SYSLOG_SINK(text, length, missed)
 *     {
 *         lost += log_append(&messages, text, length) != 0;
 *         of_events += missed;
 *     }
 *
 * It runs in the thread, may block, and must not call syslog or print. What is beyond
 * SYSLOG_SINK_MAX characters is cut. Messages of events are on the console only: `missed` counts
 * those since the last call. Takes 102 bytes of RAM.
 */
#define SYSLOG_SINK(text, length, missed)                                                          \
    NOT_LOADED(SYSLOG_SINK, );                                                                     \
    DECLARATION_NEEDS(syslog_has_sink);                                                            \
    void syslog_sink(const char *text, size_t length, uint16_t missed __attribute__((unused)))

/* The sink of the program.
 * text      not terminated; the caller's again on return
 * context   thread
 * blocks    yes, if it does
 */
void syslog_sink(const char *text, size_t length, uint16_t missed);

#endif
