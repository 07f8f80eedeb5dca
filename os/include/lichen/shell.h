/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A shell on the console: typed lines are commands.
 *
 *     SHELL(SHELL_STACK, PRIORITY_LOW);
 *     SHELL_USE(ps);
 *     SHELL_USE(uptime);
 *
 *     SHELL_COMMAND(led, "LIGHT STATE", "Switches a light: off or on.")
 *     {
 *         int32_t light;
 *         int on;
 *         if (shell_number(arguments, 1, 0, (int32_t)led_count() - 1, &light) == 0 &&
 *             shell_choice(arguments, 2, TEXT("off|on"), &on) == 0) {
 *             ...
 *         }
 *     }
 *
 *     led 7 on
 *     led: LIGHT must be 0 to 2, not '7'
 *
 * SHELL declares a thread; a program without it links nothing of the shell. `help` is always there;
 * the commands that SHELL_USE names and that the program declares are linked, and listed by `help`
 * in the order of names:
 *
 *     energy   how often each sleep mode was chosen, and for how long if CPU time is counted
 *     ps       threads: state, priority, use of their stacks, CPU time if it is counted
 *     uptime   time since start-up, and what started the mote
 *     reboot   restarts the mote
 *     panic    the record of the last panic
 *     log      levels of modules that can be changed (lichen/syslog.h)
 *     sensors  readings of the board's sensors (lichen/sensor.h); links the drivers of all
 *
 * A command of a driver or service is declared in a file of its own, so that SHELL_USE links it.
 *
 * A line is words between spaces or tabs. Quotes, single or double, keep them in a word, and a
 * backslash keeps the next character as it is, though not in single quotes. Backspace works as in
 * console_read_line, and nothing is echoed: terminals do that themselves. A line that is too long,
 * has a quote without end, or that may have lost characters, because the console's ring was full,
 * is not executed but reported.
 *
 * Between characters the thread waits, and the mote sleeps as deep as the console lets it.
 *
 * A shell with `help` adds 1,780 bytes of flash to a program that prints and sleeps, 3,260 on AVR,
 * and 110 bytes of RAM beside its stack [bench console/shell]; all other commands 2,500 to 4,100.
 * Of their stack, 512 and 286 bytes were used at most.
 */
#ifndef LICHEN_SHELL_H
#define LICHEN_SHELL_H

#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/print.h>
#include <lichen/thread.h>

/* The longest line, and the most words in it, the command included. */
#define SHELL_LINE_MAX  80u
#define SHELL_WORDS_MAX 8u

/* A stack for all commands that are listed above, THREAD_STACK_MIN included, and some 100 bytes for
 * those of a program [test mote/shell]. */
#define SHELL_STACK (ARCH_FLASH_IS_APART ? 448u : 640u)

struct shell_command;

/* The words of a line. Valid until the command returns. */
struct shell_arguments {
    const ARCH_FLASH struct shell_command *command;
    uint8_t count;                   /* words, the command included */
    char *word[SHELL_WORDS_MAX + 1]; /* word[0] is the command's; word[count] is 0 */
};

/* A command; in flash. */
struct shell_command {
    const char *name;  /* texts: lichen/print.h */
    const char *usage; /* its arguments */
    const char *help;
    void (*run)(struct shell_arguments *arguments);
};

/* Declares the shell's thread, once in a program.
 * bytes     of its stack; it runs the commands: SHELL_STACK, or more
 * urgency   its priority
 */
#define SHELL(bytes, urgency)                                                                      \
    THREAD(shell, bytes, urgency)                                                                  \
    {                                                                                              \
        shell_run();                                                                               \
    }                                                                                              \
    _Static_assert(1, "")

/* Links a command of the system. The section is not loaded; through it the linker reports a command
 * that does not exist. */
#define SHELL_USE(name)                                                                            \
    __asm__(".pushsection .lichen.uses, \"\", %progbits\n\t"                                       \
            ".long shell_command_" #name "\n\t"                                                    \
            ".popsection")

/* Declares a command and opens its body, which has `arguments` and runs in the shell's thread.
 * name      what is typed
 * usage     a literal: the names of its arguments between spaces; those that may be left out come
 *           last, each in brackets: "MODULE [LEVEL]". "" for none. The shell checks their number
 * help      a literal: what it does, in a sentence
 */
#define SHELL_COMMAND(name_, usage_, help_)                                                        \
    void shell_command_##name_(struct shell_arguments *arguments);                                 \
    static const char shell_name_##name_[] ARCH_TEXT_PLACED(shell_##name_) = #name_;               \
    static const char shell_usage_##name_[] ARCH_TEXT_PLACED(shell_##name_) = usage_;              \
    static const char shell_help_##name_[] ARCH_TEXT_PLACED(shell_##name_) = help_;                \
    static const struct shell_command shell_entry_##name_                                          \
        __attribute__((section(".lichen.shell." #name_), used)) = {.name = shell_name_##name_,     \
                                                                   .usage = shell_usage_##name_,   \
                                                                   .help = shell_help_##name_,     \
                                                                   .run = shell_command_##name_};  \
    void shell_command_##name_(struct shell_arguments *arguments __attribute__((unused)))

/* Reads an argument as a number: decimal with or without a sign, or hexadecimal after 0x.
 * index     of the word
 * returns   0 and the number; ERR_INVALID if it is none, or not from `least` to `most`: the shell
 *           has printed that
 * context   thread
 * blocks    yes, for room in the console's ring
 */
MUST_CHECK int shell_number(const struct shell_arguments *arguments, unsigned index, int32_t least,
                            int32_t most, int32_t *number);

/* Reads an argument as one of several words.
 * choices   the words between bars: TEXT("off|on")
 * returns   0 and which one, from 0 on; ERR_INVALID if it is none of them, which the shell
 *           has printed
 * context   thread
 * blocks    yes, for room in the console's ring
 */
MUST_CHECK int shell_choice(const struct shell_arguments *arguments, unsigned index,
                            const char *choices, int *choice);

/* Prints what is wrong with an argument: "led: LIGHT must be 0 to 2, not '7'".
 * wanted    text, here "0 to 2"
 * context   thread
 * blocks    yes, for room in the console's ring
 */
void shell_refuse(const struct shell_arguments *arguments, unsigned index, const char *wanted);

/* Reads lines and runs commands, for ever: the body of the thread that SHELL declares.
 * context   thread
 * blocks    yes
 */
_Noreturn void shell_run(void);

#endif
