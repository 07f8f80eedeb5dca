/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Containers that go from mote to mote: between dissemination and the installation, in the loader's
 * thread.
 *
 * All that writes flash has the turn: a part of an object is taken only while no container is being
 * installed, and an object is installed from its first byte to its last in one turn.
 *
 * What was done with an object is remembered beside it (dissemination_done), so that it is done
 * once.
 */
#include <lichen/loader_air.h>

#include <string.h>

#include <lichen/print.h>
#include <lichen/time.h>

#include "load/container.h"
#include "load/install.h"
#include "load/table.h"
#include "load/thread.h"
#include "load/turn.h"

enum { PIECE = 16 }; /* bytes; they are on the stack while a program is installed */

static volatile bool waits; /* an object, to be installed; set by events */
static bool is_open;        /* the link */

/* What came of the object that was tried last. */
static struct {
    bool is_open; /* nothing has followed yet */
    uint8_t error;
} tried;

/* A container that is put into this mote for all. */
static struct {
    uint64_t end; /* when it is given up */
    bool arrives;
} fed;

static void wait_for_work(void)
{
    waits = true;
    notify_post(&loader_work);
}

EVENT(loader_air_arrived)
{
    wait_for_work();
}

EVENT(loader_air_came)
{
    notify_post(&loader_work);
}

void load_air_retry(void)
{
    wait_for_work();
}

/* -------- installing */

/* The program of an object, as its header says; without a name if it is no container. */
struct title {
    char name[CONTAINER_NAME_MAX + 1];
    uint8_t bytes; /* of the name */
    uint16_t version;
};

/* Not inline, as all below whose memory is not on the stack while the program is installed, or
 * while text is printed. */
static __attribute__((noinline)) void read_title(struct title *title)
{
    struct dissemination_object object;
    struct container_header header;

    memset(title, 0, sizeof(*title));
    if (dissemination_look(&object) == 0 &&
        dissemination_read(&object, 0, &header, sizeof(header)) == 0 &&
        header.magic == CONTAINER_MAGIC && header.name_bytes <= CONTAINER_NAME_MAX &&
        dissemination_read(&object, sizeof(header), title->name, header.name_bytes) == 0) {
        title->bytes = header.name_bytes;
        title->version = header.version;
    }
}

static __attribute__((noinline)) bool is_older(void)
{
    struct directory_row row;
    struct title title;

    read_title(&title);
    return table_program(table_rows(title.name), &row) != DIRECTORY_NONE &&
           table_version(&row) > title.version;
}

static __attribute__((noinline)) enum load_error feed(const struct dissemination_object *object)
{
    uint8_t bytes[PIECE];
    enum load_error error = LOAD_OK;
    uint16_t offset = 0;

    install_begin(0);
    while (offset < object->length && error == LOAD_OK) {
        uint16_t left = (uint16_t)(object->length - offset);
        uint16_t count = left < PIECE ? left : (uint16_t)PIECE;

        if (dissemination_read(object, offset, bytes, count) != 0) {
            error = LOAD_STATE; /* it has gone: a program has called dissemination_begin */
        } else {
            error = install_feed(bytes, count);
        }
        offset += count;
    }
    return error;
}

static enum load_error install(const struct dissemination_object *object)
{
    if (is_older()) {
        return LOAD_DOWNGRADE;
    }
    enum load_error error = feed(object);

    if (error == LOAD_OK) {
        return loader_finish();
    }
    install_give_up();
    return error;
}

/* -------- what follows */

enum fate {
    FATE_DONE,    /* passed on */
    FATE_AGAIN,   /* the same, and tried again later */
    FATE_REFUSED, /* nobody can make anything of it */
};

static enum fate fate_of(enum load_error error)
{
    switch (error) {
    case LOAD_NOT_A_CONTAINER:
    case LOAD_HEADER:
    case LOAD_RECORD:
    case LOAD_CALL:
    case LOAD_TOKEN:
    case LOAD_ADDRESS:
    case LOAD_FIELD:
    case LOAD_LENGTH:
    case LOAD_CRC:
    case LOAD_MAC:
    case LOAD_INITIAL:
        return FATE_REFUSED;
    case LOAD_FLASH_FULL:
    case LOAD_RAM_FULL:
    case LOAD_DIRECTORY_FULL:
    case LOAD_EVENTS:
    case LOAD_PARTITION_TAKEN:
    case LOAD_WRITE:
    case LOAD_FUSES:
        return FATE_AGAIN;
    default:
        return FATE_DONE;
    }
}

static __attribute__((noinline)) void say(enum load_error error)
{
    const char *text = error == LOAD_OK ? TEXT("installed") : loader_error_text(error);
    struct title title;

    read_title(&title);
    print("over the air: %s %u: %s\n", title.bytes == 0 ? TEXT("?") : title.name, title.version,
          text);
}

/* Installs the object, if it is complete and that was not done. Returns why it is refused. */
static enum load_error install_object(void)
{
    struct dissemination_object object;

    waits = false;
    if (dissemination_look(&object) != 0 || !object.complete || object.done) {
        return LOAD_OK;
    }
    tried.error = (uint8_t)install(&object);
    tried.is_open = true;
    return fate_of((enum load_error)tried.error) == FATE_REFUSED ? (enum load_error)tried.error
                                                                 : LOAD_OK;
}

static __attribute__((noinline)) void remember(enum fate fate)
{
    struct dissemination_object object;

    if (dissemination_look(&object) != 0) {
        return;
    }
    if (fate == FATE_REFUSED) {
        dissemination_refuse(&object);
    } else if (fate == FATE_DONE) {
        dissemination_done(&object);
    }
}

/* Ends what install_object began. It is not a part of that, since the stack is deep there if a
 * frame of the serial console asked for it. */
static void settle(void)
{
    enum load_error error = (enum load_error)tried.error;

    tried.is_open = false;
    if (error != LOAD_EXISTS) {
        say(error);
    }
    remember(fate_of(error));
}

/* -------- what is put into this mote */

static enum load_error error_of(int error, enum load_error invalid)
{
    if (error == 0) {
        return LOAD_OK;
    }
    return error == ERR_INVALID ? invalid : LOAD_FUSES;
}

static void be_patient(void)
{
    fed.end = time_now_us() + LOADER_PATIENCE_S * TIME_US_PER_S;
}

/* It is forgotten, even if no byte is missing: nobody has said that this is all. */
static void give_up(void)
{
    if (fed.arrives) {
        fed.arrives = false;
        (void)!dissemination_begin(0, 1);
        (void)!dissemination_end();
    }
}

int loader_air_begin(uint16_t length)
{
    turn_begin();
    install_give_up();
    enum load_error error = error_of(dissemination_begin(0, length), LOAD_FLASH_FULL);
    fed.arrives = error == LOAD_OK;
    be_patient();
    notify_post(&loader_work);
    return turn_end(error);
}

static enum load_error take(const void *bytes, uint16_t count)
{
    if (!fed.arrives || install_is_busy()) {
        return LOAD_STATE;
    }
    be_patient();
    return error_of(dissemination_feed(bytes, count), LOAD_LENGTH);
}

int loader_air_feed(const void *bytes, uint16_t count)
{
    turn_begin();
    return turn_end(take(bytes, count));
}

static enum load_error finish(void)
{
    if (!fed.arrives || install_is_busy()) {
        return LOAD_STATE;
    }
    fed.arrives = false;
    enum load_error error = error_of(dissemination_end(), LOAD_LENGTH);
    return error == LOAD_OK ? install_object() : error;
}

int loader_air_end(void)
{
    turn_begin();
    enum load_error error = finish();
    notify_post(&loader_work);
    return turn_end(error);
}

/* The thread does it, when nobody else fills a page. */
void loader_air_give_up(void)
{
    turn_begin();
    fed.end = 0;
    notify_post(&loader_work);
    (void)turn_end(LOAD_OK);
}

/* -------- the thread */

static void open_link(void)
{
    if (!is_open) {
        int error = link_open(loader_air_settings);

        is_open = true;
        if (error != 0) {
            print("over the air: the link: %s\n", error_name(error));
        }
    }
}

/* Nobody else fills a page. Whoever is installing wakes the thread at its end. */
static uint64_t serve(void)
{
    if (install_is_busy()) {
        return TIME_NEVER;
    }
    if (fed.arrives && time_now_us() >= fed.end) {
        give_up();
    }
    if (waits) {
        (void)install_object();
    }
    if (tried.is_open) {
        settle();
    }
    return dissemination_step();
}

uint64_t load_air_serve(void)
{
    open_link();
    turn_begin();
    uint64_t next = serve();
    (void)turn_end(LOAD_OK);
    return next;
}
