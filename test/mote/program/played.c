/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "played.h"

struct played one, two;
step *volatile steps[2][2];
volatile unsigned starts, ends;
struct program *volatile ended;

static struct link_receiver receivers[2] = {{.queue = QUEUE_OF(packet_t, 2, 0)},
                                            {.queue = QUEUE_OF(packet_t, 2, 0)}};

/* In place of the loader's. */
void program_ended(struct program *program)
{
    ends++;
    ended = program;
}

static void do_step(unsigned program, unsigned thread)
{
    if (steps[program][thread] != 0) {
        steps[program][thread]();
    }
}

static void one_first(void *argument)
{
    (void)argument;
    do_step(0, 0);
}
static void one_second(void *argument)
{
    (void)argument;
    do_step(0, 1);
}
static void two_first(void *argument)
{
    (void)argument;
    do_step(1, 0);
}
static void two_second(void *argument)
{
    (void)argument;
    do_step(1, 1);
}

static void start(void)
{
    starts++;
}

static void command(struct shell_arguments *arguments)
{
    (void)arguments;
}

#define TEXT_OF(name, text) static const char name[] ARCH_TEXT_PLACED(name) = text
TEXT_OF(one_first_name, "one_first");
TEXT_OF(one_second_name, "one_second");
TEXT_OF(two_first_name, "two_first");
TEXT_OF(two_second_name, "two_second");
TEXT_OF(one_module, "one_module");
TEXT_OF(two_module, "two_module");
TEXT_OF(one_command, "one_command");
TEXT_OF(two_command, "two_command");
TEXT_OF(nothing, "");

/* Runs: the mutex to the semaphore stay 0 but for its count; then a repeated byte, and a literal in
 * the data, whose rest stays 0. */
#define RUN(kind, bytes) (uint8_t)(bytes), (uint8_t)((kind) << 6 | (bytes) >> 8)
#define ZEROS            (offsetof(struct objects, filled) + 1)
#define REST             (PLAYED_OBJECTS - ZEROS - 6)
#define INITIAL                                                                                    \
    {                                                                                              \
        RUN(1, ZEROS), RUN(2, 6), 0x5a, 0, RUN(1, REST), RUN(1, 3), RUN(0, 5), 1, 2, 3, 4, 5, 0    \
    }
#define INITIAL_BYTES 18

#define ROW(played, field, body, text, urgency, is_stopped, index)                                 \
    {                                                                                              \
        .thread = OBJECT(&(played), field), .entry = (body),                                       \
        .stack = (played).objects + PLAYED_OBJECTS + (index)*PLAYED_STACK, .name = (text),         \
        .stack_bytes = PLAYED_STACK, .priority = (urgency), .stopped = (is_stopped)                \
    }

#define IMAGE(played, number)                                                                      \
    static const struct image played##_image ARCH_FLASH_PLACED(played) = {                         \
        .header = {.magic = CONTAINER_MAGIC,                                                       \
                   .format = CONTAINER_FORMAT,                                                     \
                   .header_bytes = offsetof(struct image, threads),                                \
                   .constants_bytes =                                                              \
                       offsetof(struct image, initial) - offsetof(struct image, threads),          \
                   .initial_bytes = INITIAL_BYTES,                                                 \
                   .object_bytes = PLAYED_OBJECTS,                                                 \
                   .stack_bytes = 2 * PLAYED_STACK,                                                \
                   .data_bytes = PLAYED_DATA,                                                      \
                   .threads = 2,                                                                   \
                   .receivers = 1,                                                                 \
                   .modules = 1,                                                                   \
                   .commands = 1,                                                                  \
                   .starts = 1,                                                                    \
                   .mutexes = 1,                                                                   \
                   .name_bytes = 1},                                                               \
        .name = "a",                                                                               \
        .threads = {ROW(played, first, played##_first, played##_first_name, PRIORITY_APP + 1, 0,   \
                        1),                                                                        \
                    ROW(played, second, played##_second, played##_second_name, PRIORITY_APP + 2,   \
                        1, 0)},                                                                    \
        .takers = {{.receiver = &receivers[number], .what = LINK_TAKES_TYPE, .type = 7 + number}}, \
        .modules =                                                                                 \
            {{{.name = played##_module, .level = (int8_t *)(played).data, .ceiling = LOG_DEBUG}}}, \
        .commands =                                                                                \
            {{.name = played##_command, .usage = nothing, .help = nothing, .run = command}},       \
        .starts = {start},                                                                         \
        .initial = INITIAL,                                                                        \
    }

IMAGE(one, 0);
IMAGE(two, 1);

static void link_up(struct played *played, const ARCH_FLASH struct image *image)
{
    played->program.header = &image->header;
    played->program.code = (const ARCH_FLASH uint8_t *)image->threads;
    played->program.objects = played->objects;
    played->program.data = played->data;
    played->program.slot = played == &one ? 1 : 2;
}

void play(struct played *played, step *first, step *second)
{
    unsigned number = played == &one ? 0 : 1;

    steps[number][0] = first;
    steps[number][1] = second;
    link_up(&one, ARCH_FLASH_OF(&one_image));
    link_up(&two, ARCH_FLASH_OF(&two_image));
    expect_equal(program_fill(&played->program), LOAD_OK);
    expect_equal(program_run(&played->program), 0);
}
