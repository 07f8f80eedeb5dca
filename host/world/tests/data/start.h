/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The least that an image for the SAM R21 needs: vectors, and registers by their addresses (SAM R21
 * data sheet, "Product Mapping"). RAM is not initialised.
 */
#include <stdint.h>

#define REG8(address)  (*(volatile uint8_t *)(address))
#define REG16(address) (*(volatile uint16_t *)(address))
#define REG32(address) (*(volatile uint32_t *)(address))

#define PM_APBCMASK      REG32(0x40000420)
#define GCLK_CLKCTRL     REG16(0x40000C02)
#define SYSCTRL_OSC8M    REG32(0x40000820)
#define PORT_DIRSET      REG32(0x41004408)
#define PORT_OUTTGL      REG32(0x4100441C)
#define PORT_PMUX        (&REG8(0x41004430))
#define PORT_PINCFG      (&REG8(0x41004440))
#define SERCOM0          0x42000800
#define SERCOM0_CTRLA    REG32(SERCOM0 + 0x00)
#define SERCOM0_CTRLB    REG32(SERCOM0 + 0x04)
#define SERCOM0_BAUD     REG16(SERCOM0 + 0x0C)
#define SERCOM0_INTENSET REG8(SERCOM0 + 0x16)
#define SERCOM0_INTFLAG  REG8(SERCOM0 + 0x18)
#define SERCOM0_SYNCBUSY REG32(SERCOM0 + 0x1C)
#define SERCOM0_DATA     REG16(SERCOM0 + 0x28)
#define NVIC_ISER        REG32(0xE000E100)
#define SYST_CSR         REG32(0xE000E010)
#define SYST_RVR         REG32(0xE000E014)
#define SYST_CVR         REG32(0xE000E018)

#define LED (1u << 19)

extern uint32_t stack_top;
void reset_handler(void);
void hard_fault_handler(void);
void systick_handler(void);
void sercom0_handler(void);

__attribute__((section(".vectors"), used)) static void *const vectors[32] = {
    [0] = &stack_top,
    [1] = (void *)reset_handler,
    [3] = (void *)hard_fault_handler,
    [15] = (void *)systick_handler,
    [25] = (void *)sercom0_handler,
};

/* OSC8M at 8 MHz, the console of the samr21-xpro at `baud` register value, transmitter on PA04,
 * receiver on PA05.
 */
static inline void console_open(uint16_t baud)
{
    SYSCTRL_OSC8M &= ~(3u << 8);
    PM_APBCMASK |= 1u << 2;
    GCLK_CLKCTRL = 1u << 14 | 20;
    PORT_PMUX[2] = 0x33;
    PORT_PINCFG[4] = 1;
    PORT_PINCFG[5] = 3;
    SERCOM0_BAUD = baud;
    SERCOM0_CTRLB = 1u << 17 | 1u << 16;
    while (SERCOM0_SYNCBUSY)
        ;
    SERCOM0_CTRLA = 1u << 30 | 1u << 20 | 1u << 2 | 1u << 1;
    while (SERCOM0_SYNCBUSY)
        ;
}

static inline void print(const char *text)
{
    for (; *text; text++) {
        while (!(SERCOM0_INTFLAG & 1))
            ;
        SERCOM0_DATA = *text;
    }
}

/* 115200 baud of 8 MHz, arithmetic: 65536 * (1 - 16 * 115200 / 8000000). */
#define BAUD_115200 50436
/* 100000 baud, which no terminal offers. */
#define BAUD_100000 52429
