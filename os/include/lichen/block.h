/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Volumes: bytes in the board's storage that are read and written anywhere, and survive power cuts.
 *
 *     VOLUME(settings, 1024);
 *
 *     int error = block_write(&settings, 16, &interval, sizeof(interval));
 *     if (error == 0) {
 *         error = block_sync(&settings);
 *     }
 *
 * What block_sync has returned 0 for is safe against power cuts and resets. If power fails before,
 * each 248 bytes of a volume (0 to 247, 248 to 495, ...) are as they were at some moment since the
 * last block_sync, never a mixture; the order in which they are written is not defined. Bytes that
 * were never written read as 0xff.
 *
 * The page that was written last is kept in RAM, one for all volumes, until another one is written
 * or block_sync is called, or another volume is called for the first time after a start: that call
 * returns what block_write would, even if it only reads. A page is written twice: to a journal, a
 * ring of pages at the end of the volume, and to its place. So small writes far from each other are
 * slow; for data that comes one after the other, a log (lichen/log.h) is better. A page wears with
 * each write; the pages of the journal wear evenly.
 *
 * lichen/log.h says how threads wait for each other, what a destroyed thread leaves, and what waits
 * while the SAM R21 writes its flash.
 *
 * The volume of a loaded program is the partition of that name that its image has
 * (lichen/partition.h): PROGRAM_VOLUME. It has all bytes of the partition's pages.
 */
#ifndef LICHEN_BLOCK_H
#define LICHEN_BLOCK_H

#include <lichen/storage.h>

/* A volume. The fields are its own. */
struct volume {
    const uint8_t *places; /* STORAGE_TAKE: pages, then the journal's */
    uint32_t size;         /* bytes */
    uint32_t next;         /* number of the next page that is written */
    uint16_t count;        /* of places */
    uint8_t epoch;         /* of `next` (driver/storage/lock.h) */
};

/* Pages of the journal of a volume: its wear is that of eight pages at most. */
#define VOLUME_JOURNAL(pages) ((pages) / 8u + 2u)

/* Pages of a volume with its journal; and without it, of so many with it. */
#define VOLUME_PLACES(pages) ((pages) + VOLUME_JOURNAL(pages))
#define VOLUME_PAGES(places) ((places)-2u - ((places)-2u) / 9u)
_Static_assert(VOLUME_PAGES(VOLUME_PLACES(7u)) == 7 && VOLUME_PAGES(VOLUME_PLACES(8u)) == 8 &&
                   VOLUME_PAGES(VOLUME_PLACES(16u)) == 16,
               "one is the other's inverse");

/* Declares a volume. RAM: 16 bytes, and 267 for all volumes together. */
#define VOLUME(name, bytes)                                                                        \
    STORAGE_TAKE(name, VOLUME_PLACES(STORAGE_PAGES(bytes)));                                       \
    struct volume name = {.places = name##_places, .size = (bytes), .count = sizeof(name##_places)}

/* Reads bytes.
 * returns   0; ERR_INVALID: not all of them are in the volume; ERR_CORRUPT: a page of them cannot
 *           be read any more; ERR_IO: the part does not answer
 *           after an error, `bytes` may be partly filled
 * context   thread
 * blocks    yes, for its turn
 *           cost  on the MICAs 20 us a byte, and 6 ms for another page than the last time
 */
MUST_CHECK int block_read(struct volume *volume, uint32_t offset, void *bytes, size_t length);

/* Writes bytes.
 * returns   0; ERR_INVALID as block_read; ERR_CORRUPT: a page that is to be changed in part cannot
 *           be read any more; ERR_IO: the part does not answer, or a page does not keep what is
 *           written to it. That may be the page that was written before: it is lost then, and the
 *           others can be used
 *           after an error, some of the bytes may be written
 * context   thread
 * blocks    yes, if another page is kept in RAM: 84 ms on the MICAs, 34 ms on the SAM R21
 */
MUST_CHECK int block_write(struct volume *volume, uint32_t offset, const void *bytes,
                           size_t length);

/* Makes safe what was written.
 * returns   0; ERR_IO as block_write, and it may be tried again
 * context   thread
 * blocks    yes, if there is something to write, as block_write
 */
MUST_CHECK int block_sync(struct volume *volume);

/* Erases the volume: all bytes read as 0xff. If power fails meanwhile, some pages may be as they
 * were, and one may give ERR_CORRUPT.
 * returns   0; ERR_IO: the part does not answer
 * context   thread
 * blocks    yes, 10 ms for each page, on the SAM R21 6 ms
 */
MUST_CHECK int block_erase(struct volume *volume);

/* Continues a CRC (CRC-16/CCITT-FALSE: polynomial 0x1021, most significant bit first) over bytes of
 * the volume.
 * crc       in: 0xffff to begin, or the CRC of what comes before; out: the CRC
 * returns   as block_read; after an error `crc` is undefined
 * context   thread
 * blocks    yes, for its turn
 */
MUST_CHECK int block_crc(struct volume *volume, uint32_t offset, size_t length, uint16_t *crc);

#endif
