/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What errors say to people. */
#include <lichen/loader.h>

#include "load/error.h"

const char *loader_error_text(int error)
{
    switch ((enum load_error)error) {
    case LOAD_OK:
        return TEXT("no error");
    case LOAD_NOT_A_CONTAINER:
        return TEXT("not a container of this format");
    case LOAD_MACHINE:
        return TEXT("for another kind of processor");
    case LOAD_HEADER:
        return TEXT("a field of the header is out of its bounds");
    case LOAD_RECORD:
        return TEXT("a record of the header is not known or not whole");
    case LOAD_GROUP:
        return TEXT("this image does not have its calls, or has them in another form");
    case LOAD_CALL:
        return TEXT("a call that it does not declare, or that there is not");
    case LOAD_TOKEN:
        return TEXT("a token of no kind, or behind the program's end");
    case LOAD_ADDRESS:
        return TEXT("an address outside the program");
    case LOAD_FIELD:
        return TEXT("an address in another instruction than its token says");
    case LOAD_LENGTH:
        return TEXT("cut short, or longer than its header says");
    case LOAD_CRC:
        return TEXT("damaged: its checksum is wrong");
    case LOAD_MAC:
        return TEXT("not signed with this image's key");
    case LOAD_INITIAL:
        return TEXT("initial values outside the program's RAM");
    case LOAD_FLASH_FULL:
        return TEXT("no piece of flash is large enough");
    case LOAD_RAM_FULL:
        return TEXT("no piece of RAM is large enough");
    case LOAD_DIRECTORY_FULL:
        return TEXT("as many programs, or floors of versions, as there can be");
    case LOAD_EXISTS:
        return TEXT("a program of that name and version is there");
    case LOAD_DOWNGRADE:
        return TEXT("no version as old as this one is taken here");
    case LOAD_WRITE:
        return TEXT("flash does not keep what is written");
    case LOAD_NONE:
        return TEXT("no program of that name");
    case LOAD_STATE:
        return TEXT("not in this state");
    case LOAD_FUSES:
        return TEXT("the fuses or lock bits keep this chip from writing its flash");
    case LOAD_EVENTS:
        return TEXT("this image has too few free slots for its events");
    case LOAD_EVENT_STACK:
        return TEXT("an event of it needs more stack than this image keeps for events");
    case LOAD_PARTITION:
        return TEXT("storage that this image lacks");
    case LOAD_PARTITION_TAKEN:
        return TEXT("storage that another program has");
    case LOAD_ALONE:
        return TEXT("this image passes nothing on");
    default:
        return TEXT("no error of the loader");
    }
}
