/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Lines, and the commands that they name. */
#include "service/shell/shell.h"

#include <lichen/console.h>
#include <lichen/time.h>

#include "base/text.h"

enum {
    SILENCE_MS = 50, /* ends what was typed without waiting for answers */
};

/* Room for one character more than a line may have: so one that is too long shows. */
static char line[SHELL_LINE_MAX + 2];

const ARCH_FLASH struct shell_command *shell_find_declared(const char *name)
{
    const ARCH_FLASH struct shell_command *command = shell_commands_begin;

    for (; command != shell_commands_end; command++) {
        if (text_is_same(command->name, name)) {
            return command;
        }
    }
    print("there is no command '%s'; `help` lists all\n", name);
    return 0;
}

/* ---------------------------------------------------------------- arguments */
/* Where word `index` of a usage begins; the first one is 1. Points to the end if there is none. */
static const char *usage_word(const char *usage, unsigned index)
{
    while (--index > 0) {
        while (arch_text(usage) != '\0' && arch_text(usage++) != ' ') {
        }
    }
    return usage;
}

void shell_print_usage_word(const struct shell_arguments *arguments, unsigned index)
{
    const char *at = usage_word(arguments->command->usage, index);
    char character;

    for (; (character = arch_text(at)) != '\0' && character != ' '; at++) {
        if (character != '[' && character != ']') {
            print("%c", character);
        }
    }
}

static void print_usage(const ARCH_FLASH struct shell_command *command)
{
    print(": %s %s\n", command->name, command->usage);
}

/* Whether the number of words is one that the command takes. */
static bool has_its_words(const struct shell_arguments *arguments)
{
    const ARCH_FLASH struct shell_command *command = arguments->command;
    unsigned count = arguments->count;
    char missing = arch_text(usage_word(command->usage, count));

    if (missing != '\0' && missing != '[') {
        print("%s: ", command->name);
        shell_print_usage_word(arguments, count);
        print(" is missing");
        print_usage(command);
        return false;
    }
    if (count > 1 && arch_text(usage_word(command->usage, count - 1)) == '\0') {
        print("%s: '%s' is too much", command->name, arguments->word[count - 1]);
        print_usage(command);
        return false;
    }
    return true;
}

static void execute(void)
{
    struct shell_arguments arguments;

    if (shell_split(line, &arguments) != 0 || arguments.count == 0) {
        return;
    }
    arguments.command = shell_find(arguments.word[0]);
    if (arguments.command != 0 && has_its_words(&arguments)) {
        arguments.command->run(&arguments);
    }
}

SHELL_COMMAND(help, "[COMMAND]", "Lists commands.")
{
    const ARCH_FLASH struct shell_command *command = shell_commands_begin;
    const ARCH_FLASH struct shell_command *end = shell_commands_end;

    if (arguments->count > 1) {
        command = shell_find(arguments->word[1]);
        if (command == 0) {
            return;
        }
        end = command + 1;
    }
    for (; command != end; command++) {
        print("%-8s %-18s %s\n", command->name, command->usage, command->help);
    }
}

/* ---------------------------------------------------------------- lines */
/* Characters are missing in one of the lines that wait, or in the one that is being typed: all that
 * comes without a pause is ignored, and what is left of its last line. The end of that one may be
 * missing, too: then it is a whole line that is ignored, which is said. */
static void ignore_burst(void)
{
    uint8_t byte = '\n';

    print("characters were lost: what was typed is ignored\n");
    while (console_read_until(&byte, time_now_us() + SILENCE_MS * TIME_US_PER_MS) == 0) {
    }
    if (byte != '\n' && byte != '\r') {
        (void)console_read_line(line, sizeof(line));
        print("what was typed up to here is ignored, too\n");
    }
}

/* A zero byte would hide what comes after it. */
static bool hides_something(size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\0') {
            print("character 0x00 is not understood\n");
            return true;
        }
    }
    return false;
}

_Noreturn void shell_run(void)
{
    uint32_t lost = 0;

    for (;;) {
        size_t length = console_read_line(line, sizeof(line));

        if (console_lost_input() != lost) {
            ignore_burst();
            lost = console_lost_input();
        } else if (length > SHELL_LINE_MAX) {
            print("the line is longer than %u characters\n", SHELL_LINE_MAX);
        } else if (!hides_something(length)) {
            execute();
        }
    }
}
