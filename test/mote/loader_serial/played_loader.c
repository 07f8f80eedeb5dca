/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The loader's calls (lichen/loader.h) without flash, and an image's groups. */
#include "played_loader.h"

#include <lichen/loader.h>
#include <lichen/time.h>

#include <string.h>

#include "load/error.h"
#include "load/groups.h"
#include "load/thread.h"

struct played played;
int played_result;
uint8_t played_delay_ms;

NOTIFY(loader_work);

_Noreturn void loader_run(void)
{
    for (;;) {
        load_serial_serve();
        notify_wait(&loader_work);
    }
}

static uint8_t state; /* of the one program that can be there */

int loader_begin(uint8_t instance)
{
    played.begun++;
    played.instance = instance;
    played.count = 0;
    return 0;
}

int loader_feed(const void *bytes, uint16_t count)
{
    played.fed++;
    if (played_delay_ms > 0) {
        sleep_ms(played_delay_ms);
    }
    if (played_result == 0 && played.count + count <= PLAYED_BYTES) {
        memcpy(&played.bytes[played.count], bytes, count);
        played.count = (uint8_t)(played.count + count);
    }
    return played_result;
}

uint32_t loader_position(void)
{
    return played.count;
}

int loader_end(void)
{
    played.ended++;
    state = LOADER_ACTIVE;
    return 0;
}

void loader_give_up(void)
{
    played.given_up++;
}

static int named(const char *name, uint8_t to)
{
    played.named++;
    strcpy(played.name, name);
    if (strcmp(name, "sense") != 0 || state == LOADER_FREE) {
        return LOAD_NONE;
    }
    state = to;
    return 0;
}

int loader_start(const char *name)
{
    return named(name, LOADER_ACTIVE);
}

int loader_stop(const char *name)
{
    return named(name, LOADER_VERIFIED);
}

int loader_remove(const char *name)
{
    return named(name, LOADER_FREE);
}

int loader_set_floor(const char *name)
{
    return named(name, state);
}

void loader_look(uint8_t index, struct loader_program *program)
{
    memset(program, 0, sizeof(*program));
    if (index == 2 && state != LOADER_FREE) {
        strcpy(program->name, "sense");
        program->state = state;
        program->version = 0x0203;
        program->runs = state == LOADER_ACTIVE;
        program->threads = program->runs ? 3 : 0;
        program->flash_bytes = 1024;
        program->low_bytes = 200;
        program->data_bytes = 60;
    }
}

void loader_look_room(struct loader_room *room)
{
    *room = (struct loader_room){.flash_hole = 0x1100, .ram_hole = 0x0311};
}

bool load_group(uint8_t index, struct load_group *group)
{
    group->number = index;
    group->fingerprint = 0x1000 + index;
    return index < 20;
}
