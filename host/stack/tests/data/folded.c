/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two functions that the compiler may find to be the same: the debug information has one of their
 * prototypes, and not that of the function that the kernel calls. Built with the case `folded` of
 * cases.S:
 *
 *     arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -nostdlib -Wl,-n -Dfolded -Os -g \
 *         -ffile-prefix-map=$PWD= -Wa,--debug-prefix-map,$PWD= -T cases.ld cases.S folded.c -o folded.elf
 *
 * The line below makes it the kernel's: only then its pointers are known by their prototypes.
 */
#line 1 "os/kernel/folded.c"
struct syscall {
    void (*cancel)(struct syscall *);
};
struct other;

void syscall_cancel(struct syscall *call);

__attribute__((noinline)) static void other(struct other *it)
{
    __asm__ volatile("sub sp, #24\n\tadd sp, #24" : : "r"(it));
}

/* As folding makes it. */
__attribute__((alias("other"))) void cancelled(struct syscall *call);

struct syscall waits = {cancelled};

void syscall_cancel(struct syscall *call)
{
    call->cancel(call);
}
