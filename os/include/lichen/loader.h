/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that arrive while the mote runs.
 *
 *     LOADER(PRIORITY_LOW);
 *
 * makes an image take programs: a thread starts the programs that are installed, and the calls
 * below install, start, stop and remove them. A program comes as a container (`lichen pack`), whose
 * bytes are handed over as they arrive:
 *
 *     int error = loader_begin(0);
 *     while (error == 0 && there is more) {
 *         error = loader_feed(bytes, count);
 *     }
 *     if (error == 0) {
 *         error = loader_end();
 *     }
 *
 * A program that is linked as it is must have been packed under the key of the image, `load_key`,
 * which the build defines: the manifest names its file, `[programs] key`.
 *
 * It is installed beside all that is there. Until loader_end writes the directory, in one page,
 * nothing of an older version is touched; a power cut leaves the old program or the new one, whole.
 *
 * A program has a name, and an installation may give it an instance, 1 to 255: "blink" is instance
 * 0, "blink.2" is instance 2. Each instance is a program of its own with its own copy in flash,
 * since a copy is linked to its place in RAM. A container with the name of an installed program
 * replaces it if its version is another one, also a lower one that is not below the floor of
 * versions. The new version is on trial if its container says how soon it calls program_confirm
 * (lichen/program.h): the old one is kept until then. A start fails that does not end in a
 * confirmation within that time, because the mote or the program restarts or does nothing. After
 * three failed starts the old version runs again, and the new one is dead. The two are never run at
 * once and share their RAM.
 *
 * A program that is not on trial, and after whose start the mote crashes within that time, or
 * within LOADER_SURVIVAL_S if its container says none, three times in a row, is not started at boot
 * any more, until loader_start. A crash is a panic or the watchdog's reset; who cuts the power,
 * pulls the reset pin or asks for a restart is not counted. It is of the program whose start
 * functions or thread ran, if that is known; else of all whose time is not over, or of one that is
 * on trial.
 *
 * A program that is linked as it is can do anything, so its container must be signed with the key
 * of the image, `load_key`, which the build makes of the file that `key` of `[programs]` in the
 * manifest names. An image without a key refuses all programs.
 *
 * All calls return 0 or what loader_error_text has a text for. They wait for each other. While a
 * container arrives, the others that change something are refused; a container of which nothing
 * comes for LOADER_PATIENCE_S is given up.
 *
 * Each change of the directory is one page of flash: 8.2 ms on the ATmega128, 16 ms on the SAM R21,
 * in which the processor stands still (chip/code.h). Two pages take turns, so 10,000 erasures of a
 * page are 20,000 changes. Starting a program at boot is none, except while it is on trial, or
 * after a crash.
 */
#ifndef LICHEN_LOADER_H
#define LICHEN_LOADER_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/print.h>
#include <lichen/thread.h>

enum loader_limit {
    LOADER_PROGRAMS = 8,    /* the most that are installed at once, old versions included */
    LOADER_NAME_BYTES = 20, /* "name.255" and 0 */
    LOADER_FAILURES = 3,    /* starts that fail until the old version comes back, or none */
    LOADER_SURVIVAL_S = 30, /* without a crash of the mote; more than a watchdog may wait */
    LOADER_PATIENCE_S = 10, /* without a byte of a container */
};

/* For the loader's thread, which runs nothing of a program: what `lichen build` computes, 377 and
 * 552 bytes, and some room. */
#define LOADER_STACK (ARCH_FLASH_IS_APART ? 400u : 576u)

/* Declares the loader's thread, once in a program.
 * urgency   its priority
 * stack     bytes, if LOADER_STACK does not suffice, as with LOADER_OVER_THE_AIR beside storage:
 *           `lichen build` says how many
 */
#define LOADER(urgency) LOADER_WITH(LOADER_STACK, urgency)
#define LOADER_WITH(stack, urgency)                                                                \
    THREAD(loader, stack, urgency)                                                                 \
    {                                                                                              \
        loader_run();                                                                              \
    }                                                                                              \
    _Static_assert(1, "")

/* What an installed program is. */
enum loader_state {
    LOADER_FREE = 0,     /* there is none */
    LOADER_VERIFIED = 1, /* whole, and not started at boot: stopped, or the old version */
    LOADER_ACTIVE = 2,   /* started at boot */
    LOADER_DEAD = 3,     /* never started: it failed, or is linked to another image */
};

struct loader_program {
    char name[LOADER_NAME_BYTES]; /* with its instance, ends with 0 */
    uint16_t version;
    uint16_t flash_bytes; /* whole pages */
    uint16_t low_bytes;   /* of RAM: objects and stacks */
    uint16_t data_bytes;  /* of RAM */
    uint8_t state;        /* enum loader_state */
    uint8_t failures;     /* starts on trial that were not confirmed yet; else crashes in a row of
                             the mote, because of LOADER_FAILURES of which it is not started */
    uint8_t threads;      /* that have not ended */
    uint8_t failed;       /* why it has ended: enum panic_reason; 0 if it has not failed */
    bool runs;            /* its threads have not all ended, or it has none */
    bool is_on_trial;     /* program_confirm is awaited */
    bool is_old;          /* kept until a newer version is confirmed */
};

/* What is free. A program takes whole pages of flash, and two pieces of RAM: it may be refused
 * though there is enough in all, if no hole is large enough. */
struct loader_room {
    uint32_t flash_bytes;
    uint32_t flash_hole; /* the largest piece */
    uint16_t ram_bytes;
    uint16_t ram_hole;
    uint8_t programs; /* rows of the directory */
};

/* Begins to install a program. A container that is arriving is given up.
 * instance  0, or a number that makes it another program than the one of its name
 * returns   0
 * context   thread
 * blocks    yes, for its turn
 */
MUST_CHECK int loader_begin(uint8_t instance);

/* Takes the next bytes of the container.
 * returns   0 or why it is refused, and then again until loader_begin
 * context   thread
 * blocks    yes, for its turn, and for a page of flash for every 256 bytes of the program
 */
MUST_CHECK int loader_feed(const void *bytes, uint16_t count);

/* Installs the program whose container has arrived, stops its older version, and starts it.
 * returns   0: it is installed; or why it is refused
 * context   thread
 * blocks    yes, for its turn, for the threads of the older version, and for a page of flash
 */
MUST_CHECK int loader_end(void);

/* How many bytes of the container were taken; after an error, without the one that it was found at.
 * returns   bytes since loader_begin
 * context   thread
 * blocks    no
 */
uint32_t loader_position(void);

/* Gives up the container that is arriving, if there is one.
 * context   thread
 * blocks    yes, for its turn
 */
void loader_give_up(void);

/* Starts a program, now and at each boot.
 * name      in memory: "blink" or "blink.2"
 * returns   0 or an error
 * context   thread
 * blocks    yes, for its turn, and for a page of flash
 */
MUST_CHECK int loader_start(const char *name);

/* Stops a program, until it is started again.
 * name      as above
 * returns   0 or an error
 * context   thread
 * blocks    yes, for its turn, for its threads, and for a page of flash
 */
MUST_CHECK int loader_stop(const char *name);

/* Removes a program, its old version and dead ones.
 * name      as above
 * returns   0 or an error
 * context   thread
 * blocks    yes, for its turn, for its threads, and for a page of flash
 */
MUST_CHECK int loader_remove(const char *name);

/* Forbids versions of a program below the installed one, for ever and for all its instances.
 * name      as above
 * returns   0 or an error, also if it is on trial
 * context   thread
 * blocks    yes, for its turn, and for a page of flash
 */
MUST_CHECK int loader_set_floor(const char *name);

/* Looks at installed programs.
 * index     0 to LOADER_PROGRAMS - 1; the directory's row
 * context   thread
 * blocks    yes, for its turn
 */
void loader_look(uint8_t index, struct loader_program *program);

/* Looks at what is free.
 * context   thread
 * blocks    yes, for its turn
 */
void loader_look_room(struct loader_room *room);

/* What an error says.
 * returns   text (lichen/print.h): "a program of that name and version is there"
 * context   any
 * blocks    no
 */
const char *loader_error_text(int error);

/* The body of the thread that LOADER declares.
 * context   thread
 * blocks    yes
 */
_Noreturn void loader_run(void);

#endif
