/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that come over the air: one mote is sent a container, and all motes in reach of each
 * other install it.
 *
 *     LOADER(PRIORITY_HIGH);
 *     LOADER_SERIAL("base");
 *     LOADER_OVER_THE_AIR(0);
 *     LINK_FRAMES(3, DISSEMINATION_FRAME);
 *
 * makes an image take part: `lichen load FILE --to-all` at one mote is enough. The container is an
 * object of lichen/dissemination.h, which the loader's thread passes on, so the program declares no
 * DISSEMINATION of its own, and calls none of its functions.
 *
 * A mote installs an object once, and starts it, under these rules:
 *
 *   - The version that is installed is left alone, whether it runs or was stopped.
 *   - An older version is not installed, and neither is one below the floor. To go back, pack the
 *     old program with a higher version, or load it over serial.
 *   - A program that is removed or stopped by hand does not come back with the next start of the
 *     mote: only with another object, which is another `lichen load --to-all`.
 *   - What is for another kind of processor, or needs calls that this image lacks, is passed on.
 *   - What finds no room, no slots for its events, or its storage taken, is passed on. It is tried
 *     again when a program is removed, and after each start.
 *   - What is not genuine, by its CRC, its signature or its form, is forgotten, not passed on any
 *     longer, and not taken again until the next start. The signature is the last thing that is
 *     looked at: what a mote does not install for another reason it passes on unchecked, so use
 *     LINK_SECURED where others can send.
 *
 * The console says what came of an object, except if the mote has that version already.
 *
 * A host that vanishes before all is there changes nothing: after LOADER_PATIENCE_S, or with the
 * next one that begins, what it sent is forgotten.
 *
 * The loader's thread opens the link when it first runs. With LINK_SECURED a thread that is more
 * urgent sets the key before that, and the loader's needs more stack, since that image has storage:
 * LOADER_WITH. Leaves take part with DISSEMINATION_LEAF, when they poll their parent, which
 * declares DISSEMINATION_PARENT.
 *
 * Parts of an object are taken and passed on by the thread that installs programs, since the chip
 * fills one page of flash at a time. While a container arrives in another way, the mote takes no
 * part, and its neighbours wait.
 */
#ifndef LICHEN_LOADER_AIR_H
#define LICHEN_LOADER_AIR_H

#include <lichen/dissemination.h>
#include <lichen/link.h>
#include <lichen/loader.h>

/* Declares that the loader's thread does this, once in a program.
 * settings  those with which it opens the link (link_open), a constant; 0: the usual ones
 */
#define LOADER_OVER_THE_AIR(settings)                                                              \
    DISSEMINATION_WITHOUT_THREAD(loader_air_arrived, loader_air_came);                             \
    const struct link_settings *const loader_air_settings = (settings);                            \
    DECLARATION_NEEDS(load_air_serve)

/* Begins to put a container into the mote for all. What the mote had to pass on is given up, and so
 * is a container that is arriving in another way.
 * length    its bytes
 * returns   0, or an error of lichen/loader.h
 * context   thread
 * blocks    yes, for its turn, and for a page of flash
 */
MUST_CHECK int loader_air_begin(uint16_t length);

/* Takes its next bytes. Nothing for LOADER_PATIENCE_S ends it.
 * count     even, except for the last bytes
 * returns   0, or an error of lichen/loader.h
 * context   thread
 * blocks    yes, for its turn and flash
 */
MUST_CHECK int loader_air_feed(const void *bytes, uint16_t count);

/* Installs it here, and begins to pass it on. If only this mote does not install it, for example
 * since it has no room, the console says so.
 * returns   0, or why it is not genuine; then nobody gets it
 * context   thread
 * blocks    yes, as loader_end
 */
MUST_CHECK int loader_air_end(void);

/* Gives it up.
 * context   thread
 * blocks    yes, for its turn
 */
void loader_air_give_up(void);

/* Wake the loader's thread: an object is complete, and a frame has come. */
EVENT_EXTERN(loader_air_arrived);
EVENT_EXTERN(loader_air_came);

/* What the declaration makes. */
extern const struct link_settings *const loader_air_settings;

#endif
