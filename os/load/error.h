/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Why a container is refused. */
#ifndef LOAD_ERROR_H
#define LOAD_ERROR_H

enum load_error {
    LOAD_OK = 0,
    LOAD_NOT_A_CONTAINER, /* magic or format */
    LOAD_MACHINE,         /* for another instruction set */
    LOAD_HEADER,          /* a field of the header is out of its bounds */
    LOAD_RECORD,          /* an unknown record, or one that does not end where it says */
    LOAD_GROUP,           /* calls that the image does not have, or has in another form */
    LOAD_CALL,            /* a call of a group that the program does not declare, or no call */
    LOAD_TOKEN,           /* no such kind, or behind the end of the program */
    LOAD_ADDRESS,         /* outside the program's blocks */
    LOAD_FIELD,           /* what is patched is not the instruction that the token claims */
    LOAD_LENGTH,          /* cut short, or more than the header says */
    LOAD_CRC,             /* damaged on its way */
    LOAD_MAC,             /* not signed with the image's key, or not at all */
    LOAD_INITIAL,         /* initial values lie outside the blocks */
    LOAD_FLASH_FULL,      /* no room in flash */
    LOAD_RAM_FULL,        /* no room in RAM */
    LOAD_DIRECTORY_FULL,  /* as many programs as the directory holds */
    LOAD_EXISTS,          /* a program of that name and version is there */
    LOAD_DOWNGRADE,       /* below the floor of versions */
    LOAD_WRITE,           /* what was written is not what is read back */
    LOAD_NONE,            /* no program of that name */
    LOAD_STATE,           /* not in this state of the program */
    LOAD_FUSES,           /* the chip's fuses do not let it write its flash */
    LOAD_EVENTS,          /* more events than the image has free slots for */
    LOAD_EVENT_STACK,     /* an event needs more of the stack than the image keeps for it */
    LOAD_PARTITION,       /* the image does not have the storage that it names, or less of it */
    LOAD_PARTITION_TAKEN, /* another installed program has that storage */
    LOAD_ALONE,           /* the image passes nothing on */
    LOAD_ERRORS,
};

#endif
