/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Oscillators, generators and the processor's clock.
 *
 * After reset everything runs from OSC8M divided by 8 (SAM R21 data sheet, section Clock System).
 * OSC8M stays on demand and may run in standby: it starts in microseconds when a start bit arrives
 * on a serial port and stops when nothing requests it.
 *
 * 48 MHz come from the DFLL in open loop with the factory's coarse value. That is ready within
 * microseconds, where a loop locked to 32 kHz takes hundreds, and nothing that must be exact runs
 * from it. Flash needs a wait state above 24 MHz, so that one is set before the clock rises and
 * removed after it has fallen.
 *
 * Each generator is started by a file of its own, which its users make the linker include.
 */
#include "clock.h"

#include "arch/arch.h"
#include "arch/armv6m/cycles_awake.h"
#include "chip/chip.h"
#include "reg/gclk.h"
#include "reg/nvmctrl.h"
#include "reg/sysctrl.h"

enum {
    DFLL_HZ = 48000000,
    DFLL_COARSE_UNPROGRAMMED = (1 << NVM_CALIBRATION_DFLL48M_COARSE_BITS) - 1,
    DFLL_MIDDLE_COARSE = 31,
    DFLL_MIDDLE_FINE = 512,
};

static void gclk_wait(void)
{
    while (GCLK->STATUS & GCLK_STATUS_SYNCBUSY) {
    }
}

/* May be called by an interrupt while another write is still crossing: hence the first wait. */
void clock_generator_run(enum clock_generator generator, unsigned source)
{
    gclk_wait();
    GCLK->GENCTRL = (uint32_t)generator << GCLK_GENCTRL_ID_Pos | source << GCLK_GENCTRL_SRC_Pos |
                    GCLK_GENCTRL_GENEN;
    gclk_wait();
}

void clock_generator_start(enum clock_generator generator, unsigned source, unsigned divider)
{
    gclk_wait();
    GCLK->GENDIV = (uint32_t)generator << GCLK_GENDIV_ID_Pos | divider << GCLK_GENDIV_DIV_Pos;
    clock_generator_run(generator, source);
}

void clock_generator_stop(enum clock_generator generator)
{
    gclk_wait();
    GCLK->GENCTRL = (uint32_t)generator << GCLK_GENCTRL_ID_Pos;
}

void clock_connect(unsigned gclk_id, enum clock_generator generator)
{
    GCLK->CLKCTRL = (uint16_t)(gclk_id << GCLK_CLKCTRL_ID_Pos |
                               (unsigned)generator << GCLK_CLKCTRL_GEN_Pos | GCLK_CLKCTRL_CLKEN);
    gclk_wait();
}

void clock_disconnect(unsigned gclk_id)
{
    gclk_wait();
    GCLK->CLKCTRL = (uint16_t)(gclk_id << GCLK_CLKCTRL_ID_Pos);
    gclk_wait();
}

/* Flash wait states, with manual page writes (after reset any store to flash would program it) and
 * without the flash's power saving in sleep: errata of the SAM D21 family, which has the same flash
 * controller, say that it can keep the chip from waking. */
static void flash_wait_states(unsigned count)
{
    NVMCTRL->CTRLB =
        NVMCTRL_CTRLB_MANW | NVMCTRL_CTRLB_SLEEPPRM_DISABLED | count << NVMCTRL_CTRLB_RWS_Pos;
}

/* The coarse value that the factory found for 48 MHz. */
static uint32_t dfll_coarse(void)
{
    uint32_t coarse =
        NVM_CALIBRATION[NVM_CALIBRATION_DFLL48M_COARSE_WORD] >> NVM_CALIBRATION_DFLL48M_COARSE_Pos;

    return coarse == DFLL_COARSE_UNPROGRAMMED ? DFLL_MIDDLE_COARSE : coarse;
}

static void dfll_wait(void)
{
    while (!(SYSCTRL->PCLKSR & SYSCTRL_PCLKSR_DFLLRDY)) {
    }
}

/* Leaves on-demand mode first: a write to another register of a DFLL that is not requested can
 * freeze the chip (errata). The value stays while the DFLL is off, so it is written once; later
 * nothing waits here: a generator waits for its source. */
static void dfll_start(void)
{
    static bool is_calibrated;

    SYSCTRL->DFLLCTRL = SYSCTRL_DFLLCTRL_ENABLE;
    if (!is_calibrated) {
        dfll_wait();
        SYSCTRL->DFLLVAL = dfll_coarse() << SYSCTRL_DFLLVAL_COARSE_Pos |
                           (uint32_t)DFLL_MIDDLE_FINE << SYSCTRL_DFLLVAL_FINE_Pos;
        dfll_wait();
        is_calibrated = true;
    }
}

volatile enum chip_clock clock_processor = CHIP_CLOCK_8_MHZ;

/* What the processor runs at. */
static const uint32_t clock_hz[] = {
    [CHIP_CLOCK_4_MHZ] = CLOCK_8M_HZ / 2,
    [CHIP_CLOCK_8_MHZ] = CLOCK_8M_HZ,
    [CHIP_CLOCK_48_MHZ] = DFLL_HZ,
};

/* Only 4 MHz need a divider. Writing it would take as long as the source. */
static void processor_from(unsigned source, enum chip_clock clock)
{
    if (clock_processor == CHIP_CLOCK_4_MHZ || clock == CHIP_CLOCK_4_MHZ) {
        clock_generator_start(CLOCK_PROCESSOR, source, clock == CHIP_CLOCK_4_MHZ ? 2 : 1);
    } else {
        clock_generator_run(CLOCK_PROCESSOR, source);
    }
}

void clock_begin(enum chip_clock clock)
{
    if (clock == CHIP_CLOCK_48_MHZ) {
        flash_wait_states(1);
        dfll_start();
        processor_from(GCLK_SRC_DFLL48M, clock);
    } else {
        processor_from(GCLK_SRC_OSC8M, clock);
        SYSCTRL->DFLLCTRL = 0;
        flash_wait_states(0);
    }
    clock_processor = clock;
}

static void clock_changes(uint32_t hz)
{
    if (kernel_clock_changes != 0) {
        kernel_clock_changes(hz);
    }
}

/* A change takes several steps; two changes at once could leave a third frequency, or no clock. */
static int change(void *clock_, void *unused)
{
    (void)unused;
    enum chip_clock clock = (enum chip_clock)(uintptr_t)clock_;
    uint32_t hz = clock_hz[clock];
    bool faster = hz > chip_clock_hz();
    cycles_awake_stop();
    if (!faster) {
        clock_changes(hz);
    }
    clock_begin(clock);
    if (faster) {
        clock_changes(hz);
    }
    return 0;
}

/* If the clock is what it shall be, another caller's change comes before this call, or after it. */
void chip_clock_set(enum chip_clock clock)
{
    if (clock_processor != clock) {
        (void)arch_run_exclusive((void *)(uintptr_t)clock, 0, change);
    }
}

uint32_t chip_clock_hz(void)
{
    return clock_hz[clock_processor];
}

void clock_start_watchdog(void)
{
    clock_generator_start(CLOCK_1K, GCLK_SRC_OSCULP32K, 32);
    clock_connect(GCLK_ID_WDT, CLOCK_1K);
}

void clock_init(void)
{
    flash_wait_states(0);
    SYSCTRL->OSC8M = SYSCTRL_OSC8M_ENABLE | SYSCTRL_OSC8M_RUNSTDBY | SYSCTRL_OSC8M_ONDEMAND;
}
