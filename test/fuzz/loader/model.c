/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "model.h"

#include <string.h>

#include <lichen/loader.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../host/host.h"
#include "load/error.h"
#include "load/place.h"

struct modelled model[KEYS];
uint16_t model_floors[NAMES];

void model_name(unsigned key, char *text)
{
    *text++ = (char)('a' + key / INSTANCES);
    if (key % INSTANCES != 0) {
        *text++ = '.';
        *text++ = '2';
    }
    *text = 0;
}

void model_erase(void)
{
    memset(model, 0, sizeof(model));
    memset(model_floors, 0, sizeof(model_floors));
}

/* -------- what is taken */

static bool flash_taken[MOTE_PAGES];
static bool ram_taken[MOTE_ARENA];

static void take_flash(const struct version *version)
{
    for (unsigned i = 0; version->is_there && i < version->pages; i++) {
        bool *page = &flash_taken[version->first_page - MOTE_BEGIN / 256 + i];

        require(!*page); /* no overlap */
        *page = true;
    }
}

static void take_ram(const struct version *version)
{
    if (version->is_there) {
        memset(ram_taken + version->low, 1, version->low_bytes);
        memset(ram_taken + version->data, 1, version->data_bytes);
    }
}

/* Maps all but the RAM of one key. */
static void take_all(unsigned but)
{
    memset(flash_taken, 0, sizeof(flash_taken));
    memset(ram_taken, 0, sizeof(ram_taken));
    for (unsigned key = 0; key < KEYS; key++) {
        take_flash(&model[key].program);
        take_flash(&model[key].kept);
        take_flash(&model[key].dead);
        if (key != but) {
            take_ram(&model[key].program);
            take_ram(&model[key].kept);
        }
    }
}

static bool is_free(const bool *taken, unsigned begin, unsigned count, unsigned end)
{
    if (begin + count > end) {
        return false;
    }
    while (count > 0 && !taken[begin]) {
        begin++;
        count--;
    }
    return count == 0;
}

static int find_places(unsigned key, struct version *version)
{
    unsigned at = 0;

    take_all(key);
    while (at < MOTE_PAGES && !is_free(flash_taken, at, version->pages, MOTE_PAGES)) {
        at++;
    }
    if (at == MOTE_PAGES) {
        return LOAD_FLASH_FULL;
    }
    version->first_page = (uint16_t)(MOTE_BEGIN / 256 + at);
    at = 0;
    while (at < MOTE_ARENA && !is_free(ram_taken, at, version->low_bytes, MOTE_ARENA)) {
        at += PLACE_ALIGN;
    }
    if (at >= MOTE_ARENA) {
        return LOAD_RAM_FULL;
    }
    version->low = (uint16_t)at;
    memset(ram_taken + at, 1, version->low_bytes);
    if (version->data_bytes > MOTE_ARENA) {
        return LOAD_RAM_FULL;
    }
    int down = (MOTE_ARENA - version->data_bytes) / (int)PLACE_ALIGN * (int)PLACE_ALIGN;

    while (down >= 0 && !is_free(ram_taken, (unsigned)down, version->data_bytes, MOTE_ARENA)) {
        down -= (int)PLACE_ALIGN;
    }
    if (down < 0) {
        return LOAD_RAM_FULL;
    }
    version->data = (uint16_t)down;
    return 0;
}

bool model_has_page(uint32_t page)
{
    take_all(KEYS);
    return page >= MOTE_BEGIN && flash_taken[(page - MOTE_BEGIN) / 256];
}

/* -------- what happens */

static unsigned rows_taken(void)
{
    unsigned rows = 0;

    for (unsigned key = 0; key < KEYS; key++) {
        rows += (unsigned)model[key].program.is_there + model[key].kept.is_there +
                model[key].dead.is_there;
    }
    return rows;
}

static void stop(struct modelled *of)
{
    of->is_started = of->runs = of->is_young = false;
}

static int start(struct modelled *of)
{
    int error = 0;

    while (of->program.is_there && of->program.is_on_trial && of->program.failures == 3) {
        error = LOAD_STATE;
        of->dead = of->program;
        of->program = of->kept;
        of->program.is_active = true;
        of->program.failures = 0;
        of->kept.is_there = false;
    }
    stop(of);
    if (of->program.is_there) {
        const uint16_t confirm_s = of->program.confirm_s;

        of->is_started = of->runs = of->is_young = true;
        of->was_confirmed = false;
        of->due = mote_now + (confirm_s != 0 ? confirm_s : LOADER_SURVIVAL_S) * TIME_US_PER_S;
        of->program.failures += of->program.is_on_trial;
    }
    return error;
}

void model_boot(void)
{
    for (unsigned key = 0; key < KEYS; key++) {
        stop(&model[key]);
        if (model[key].program.is_there && model[key].program.is_active) {
            start(&model[key]);
        }
    }
}

static bool is_suspect(unsigned key, unsigned named)
{
    return model[key].is_young && (named == KEYS || !model[named].is_young || key == named);
}

void model_crash(unsigned named)
{
    bool is_counted = true;

    for (unsigned key = 0; key < KEYS; key++) {
        is_counted &= !(is_suspect(key, named) && model[key].program.is_on_trial);
    }
    for (unsigned key = 0; key < KEYS; key++) {
        if (is_counted && is_suspect(key, named)) {
            model[key].program.is_active = ++model[key].program.failures < 3;
        }
    }
    model_boot();
}

void model_serve(void)
{
    for (unsigned key = 0; key < KEYS; key++) {
        struct modelled *of = &model[key];

        if (of->is_young && of->program.is_on_trial && of->was_confirmed) {
            of->program.is_on_trial = false;
            of->program.failures = 0;
            of->kept.is_there = false;
        }
        if (of->is_young && mote_now >= of->due && of->program.is_on_trial) {
            start(of);
        } else if (of->is_young && mote_now >= of->due) {
            of->is_young = false;
            of->program.failures = 0;
        }
    }
}

static struct version version_of(const struct mote_container *container)
{
    struct version version = {
        .is_there = true,
        .is_active = true,
        .is_on_trial = container->confirm_s != 0,
        .version = container->version,
        .confirm_s = container->confirm_s,
        .pages = (uint16_t)((container->block_bytes + 255u) / 256u),
        .low_bytes =
            (uint16_t)(THREAD_STACK_ROUND(sizeof(struct loaded) + container->object_bytes) +
                       container->stack_bytes),
        .data_bytes = container->data_bytes,
        .block_bytes = container->block_bytes,
    };

    memcpy(version.block, container->block, container->block_bytes);
    return version;
}

int model_install(unsigned key, const struct mote_container *container)
{
    struct modelled *of = &model[key];
    struct version version = version_of(container);

    if (version.version < model_floors[key / INSTANCES]) {
        return LOAD_DOWNGRADE;
    }
    if ((of->program.is_there && of->program.version == version.version) ||
        (of->kept.is_there && of->kept.version == version.version)) {
        return LOAD_EXISTS;
    }
    if (rows_taken() == ROWS) {
        return LOAD_DIRECTORY_FULL;
    }
    int error = find_places(key, &version);

    if (error != 0) {
        return error;
    }
    if (!version.is_on_trial) {
        of->kept.is_there = false;
    } else if (!of->kept.is_there) {
        of->kept = of->program;
        of->kept.is_active = false;
    }
    of->dead.is_there = false;
    of->program = version;
    require(start(of) == 0);
    return 0;
}

static bool is_empty(const struct modelled *of)
{
    return !of->program.is_there && !of->kept.is_there && !of->dead.is_there;
}

int model_start(unsigned key)
{
    struct modelled *of = &model[key];

    if (is_empty(of)) {
        return LOAD_NONE;
    }
    if (!of->program.is_there || of->runs) {
        return LOAD_STATE;
    }
    if (!of->program.is_active && !of->program.is_on_trial) {
        of->program.failures = 0;
    }
    of->program.is_active = true;
    return start(of);
}

int model_stop(unsigned key)
{
    struct modelled *of = &model[key];

    if (is_empty(of)) {
        return LOAD_NONE;
    }
    if (!of->program.is_there || !of->program.is_active) {
        return LOAD_STATE;
    }
    of->program.is_active = false;
    if (!of->program.is_on_trial) {
        of->program.failures = 0;
    }
    stop(of);
    return 0;
}

int model_remove(unsigned key)
{
    if (is_empty(&model[key])) {
        return LOAD_NONE;
    }
    memset(&model[key], 0, sizeof(model[key]));
    return 0;
}

int model_set_floor(unsigned key)
{
    const struct modelled *of = &model[key];
    uint16_t *floor = &model_floors[key / INSTANCES];
    unsigned used = 0;

    if (is_empty(of)) {
        return LOAD_NONE;
    }
    if (!of->program.is_there || of->program.is_on_trial) {
        return LOAD_STATE;
    }
    for (unsigned name = 0; name < NAMES; name++) {
        used += model_floors[name] != 0;
    }
    if (*floor == 0 && used == 8) {
        return LOAD_DIRECTORY_FULL;
    }
    if (of->program.version < *floor) {
        return LOAD_DOWNGRADE;
    }
    *floor = of->program.version;
    return 0;
}
