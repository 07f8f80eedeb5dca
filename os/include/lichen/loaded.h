/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What differs between a program that is linked with the system and one that is loaded into it
 * (LICHEN_LOADED). The same source is compiled for both. For declarations, not for applications.
 *
 * A declaration in a linked program mentions names, so that the linker brings parts of the system;
 * the image into which a program is loaded has them. Kernel objects of a loaded program lie in
 * sections by kind and name, which `lichen pack` keeps apart from the program's data. What a loaded
 * program cannot have leaves a text in the section .lichen_refused, or does not compile.
 * Functions that are inline here and reach into the kernel are calls there:
 * os/load/program_calls.h.
 */
#ifndef LICHEN_LOADED_H
#define LICHEN_LOADED_H

#ifndef LICHEN_LOADED

/* Links the file of the system that os/features.cmake names for a symbol. */
#define DECLARATION_NEEDS(symbol) __asm__(".global " #symbol)

/* The same wherever `section` is linked. */
#define DECLARATION_REFERS(section, symbol) ARCH_REFER(section, symbol)

/* A byte in a section that the linker counts and does not load. */
#define DECLARATION_COUNTS(section)                                                                \
    __asm__(".pushsection " section ",\"\",%progbits\n\t.byte 0\n\t.popsection")

/* Places a kernel object. */
#define OBJECT_PLACED(kind, name)

/* Places a kernel object that has a place in linked programs, too. */
#define OBJECT_PLACED_IN(section_, kind, name) __attribute__((section(section_)))

/* The function in a postable object. In loaded programs it is the kernel's, which uses it only for
 * posts of interrupts, or enters it itself. */
#define OBJECT_HANDLER(function) (function)

/* A row of the table of events, which linked programs do not have. */
#define EVENT_OF_LOADED(name, handler) _Static_assert(1, "")

/* Places an object of flash that holds pointers: those of a loaded program are at even places,
 * where a container has addresses. */
#define LOADED_EVEN

/* An object of the image by its name, which a loaded program asks a call for. */
#define IMAGE_OBJECT(name, call) name

/* Says that a loaded program cannot have an object. */
#define NOT_LOADED(kind, name) _Static_assert(1, "")

/* The same of what takes memory that is sized when the image is linked. */
#define NEVER_LOADED(text) _Static_assert(1, "")

#else

#define DECLARATION_NEEDS(symbol)              _Static_assert(1, "")
#define DECLARATION_REFERS(section, symbol)    _Static_assert(1, "")
#define DECLARATION_COUNTS(section)            _Static_assert(1, "")
#define OBJECT_PLACED(kind, name)              __attribute__((section(".lichen_object." #kind "." #name)))
#define OBJECT_PLACED_IN(section_, kind, name) OBJECT_PLACED(kind, name)
#define OBJECT_HANDLER(function)               0
#define EVENT_OF_LOADED(name, handler)                                                             \
    static const struct event_row name##_row                                                       \
        __attribute__((section(".lichen.events." #name), used)) = {.event = &(name),               \
                                                                   .run = (handler)}
#define LOADED_EVEN              __attribute__((aligned(2)))
#define IMAGE_OBJECT(name, call) (*(call))

/* A row of `lichen pack`: kind, name, file and line. */
#define NOT_LOADED(kind, name)   NOT_LOADED_AT(#kind, #name, __FILE__, __LINE__)
#define NOT_LOADED_AT(kind, name, file, line)                                                      \
    __asm__(".pushsection .lichen_refused." kind ",\"\",%progbits\n\t"                             \
            ".asciz \"" kind " " name " " file ":" NOT_LOADED_LINE(line) "\"\n\t"                  \
                                                                         ".popsection")
#define NOT_LOADED_LINE(line) #line
#define NEVER_LOADED(text)    _Static_assert(0, text)

#endif

#endif
