/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Executes programs on simavr's ATmega128, one instruction after the other, and says what they did.
 * avr8.py builds and feeds it.
 *
 * The I/O registers are plain memory here: what is compared is the core. So simavr's peripherals
 * are disconnected, and its interrupts, timers and sleep never run.
 *
 * Standard input, in hexadecimal:
 *   flash BYTES                     all of flash
 *   data BYTES                      the data space, from 0 on
 *   run START END MOST CODE STATE   a program: addresses of bytes, how many instructions at most,
 *                                   what is at START, r0 to r31, SREG, SPL, SPH, RAMPZ
 * Standard output, for each program, with the bytes of the data space that changed:
 *   STATE PC CYCLES INSTRUCTIONS ADDRESS:VALUE...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

enum {
    REGISTERS = 32,
    STATE_BYTES = REGISTERS + 4,
    RAMPZ = 0x5B,
    LONGEST_LINE = 1 << 19,
    MOST_CODE = 1 << 12,
};

static uint8_t flash[128 * 1024];
static uint8_t data[0x1100];

static void fail(const char *why)
{
    fprintf(stderr, "simavr: %s\n", why);
    exit(1);
}

/* Bytes of the hexadecimal digits at `text`, at most `room`; returns their number. */
static size_t bytes(const char *text, uint8_t *into, size_t room)
{
    size_t count = 0;
    unsigned byte;
    while (count < room && sscanf(text + 2 * count, "%2x", &byte) == 1)
        into[count++] = (uint8_t)byte;
    return count;
}

static avr_t *make(void)
{
    avr_t *avr = avr_make_mcu_by_name("atmega128");
    if (!avr || avr_init(avr) != 0)
        fail("there is no ATmega128");
    avr->log = LOG_NONE;
    for (int i = 0; i < MAX_IOs; i++)
        memset(&avr->io[i], 0, sizeof avr->io[i]);
    avr->codeend = avr->flashend;
    return avr;
}

static void load(avr_t *avr, const uint8_t *state)
{
    memcpy(avr->data, data, sizeof data);
    memcpy(avr->data, state, REGISTERS);
    for (int bit = 0; bit < 8; bit++)
        avr->sreg[bit] = state[REGISTERS] >> bit & 1;
    avr->data[R_SPL] = state[REGISTERS + 1];
    avr->data[R_SPH] = state[REGISTERS + 2];
    avr->data[RAMPZ] = state[REGISTERS + 3];
    avr->state = cpu_Running;
    avr->interrupt_state = 0;
    avr->cycle = 0;
}

static void print_state(const avr_t *avr)
{
    unsigned sreg = 0;
    for (int bit = 0; bit < 8; bit++)
        sreg |= (unsigned)avr->sreg[bit] << bit;
    for (int i = 0; i < REGISTERS; i++)
        printf("%02x", avr->data[i]);
    printf("%02x%02x%02x%02x", sreg, avr->data[R_SPL], avr->data[R_SPH], avr->data[RAMPZ]);
}

/* Whether simavr keeps something at this address that `print_state` shows. */
static int is_state(int address)
{
    return address < REGISTERS || address == R_SPL || address == R_SPH || address == R_SREG ||
           address == RAMPZ;
}

static void run(avr_t *avr, char *line)
{
    static char code_text[2 * MOST_CODE + 1], state_text[2 * STATE_BYTES + 1];
    uint8_t code[MOST_CODE], state[STATE_BYTES];
    unsigned start, end, most, executed = 0;
    if (sscanf(line, "run %x %x %x %8192s %72s", &start, &end, &most, code_text, state_text) != 5 ||
        bytes(state_text, state, sizeof state) != sizeof state)
        fail("cannot read a program");
    size_t length = bytes(code_text, code, sizeof code);
    memcpy(avr->flash + start, code, length);
    load(avr, state);
    avr->pc = start;
    for (; executed < most && avr->pc != end; executed++) {
        avr_flashaddr_t pc = avr->pc;
        avr->pc = avr_run_one(avr);
        /* Nothing wakes it: SLEEP does nothing. */
        if (avr->state == cpu_Sleeping)
            avr->state = cpu_Running;
        if (avr->state != cpu_Running) {
            fprintf(stderr, "simavr: state %d after 0x%x of %s", avr->state, (unsigned)pc, line);
            exit(1);
        }
    }
    print_state(avr);
    printf(" %x %lx %x", (unsigned)avr->pc, (unsigned long)avr->cycle, executed);
    for (int i = 0; i < (int)sizeof data; i++)
        if (avr->data[i] != data[i] && !is_state(i))
            printf(" %x:%x", i, avr->data[i]);
    printf("\n");
    memcpy(avr->flash + start, flash + start, length);
}

int main(void)
{
    static char line[LONGEST_LINE];
    avr_t *avr = make();
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "flash ", 6) == 0 && bytes(line + 6, flash, sizeof flash) == sizeof flash)
            memcpy(avr->flash, flash, sizeof flash);
        else if (strncmp(line, "data ", 5) == 0 &&
                 bytes(line + 5, data, sizeof data) == sizeof data)
            continue;
        else
            run(avr, line);
    }
    return 0;
}
