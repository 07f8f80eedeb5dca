// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mistakes that are C's own, whatever the system: what they mean, and what to do.

use super::plain::{Plain, between};

/// A part of the compiler's text, what is said instead, and what to do.
const MISTAKES: [(&str, &str, &str); 44] = [
    (
        "is not a function or function pointer",
        "what stands before the ( is no function",
        "take the parentheses away, or write the name of a function",
    ),
    (
        "invokes undefined behavior",
        "the loop goes beyond the end of an array, or counts beyond its type",
        "an array of n elements has those from 0 to n - 1: write i < n, and not i <= n",
    ),
    (
        "integer overflow in expression",
        "the result does not fit int, which has 16 bits on AVR: up to 32,767",
        "compute it in a wider type: 60000UL, or 60UL * 1000",
    ),
    (
        "overflow in implicit constant conversion",
        "the number does not fit the type that it is given to; int has 16 bits on AVR: up to 32,767",
        "take a wider type, such as int32_t (%ld)",
    ),
    (
        "overflow in conversion from",
        "the number does not fit the type that it is given to",
        "take a wider type, such as int32_t, or a smaller number",
    ),
    (
        "unsigned conversion from",
        "the number does not fit the type that it is given to",
        "take a wider type, such as int32_t, or a smaller number",
    ),
    (
        "initializer element is not co",
        "what a variable begins with outside of functions is known only when the program runs",
        "write a constant there, or assign it in a function that INIT names (<lichen/init.h>)",
    ),
    (
        "due to limited range of data type",
        "the comparison has always the same result: the type has no such numbers",
        "take a wider type; uint8_t goes from 0 to 255, int8_t from -128 to 127",
    ),
    (
        "invalid type argument of '->'",
        "what stands before -> is no pointer",
        "write a dot: name.field; -> is for a pointer to a structure",
    ),
    (
        "is a pointer; did you mean to use '->'",
        "what stands before the dot is a pointer",
        "write -> in place of the dot",
    ),
    (
        "in something not a structure or union",
        "what stands before the dot is no structure",
        "write -> in place of the dot, if it is a pointer to one",
    ),
    (
        "clause does not guard",
        "only the first of the indented lines belongs to this one",
        "put { before the first of them, and } behind the last",
    ),
    (
        "expected identifier or '(' before '}' token",
        "a } closes nothing",
        "take it away, or write the { that it belongs to",
    ),
    (
        "character constant too long for its type",
        "a text stands in single quotes, which are for one character",
        "write it in double quotes: \"hello\"",
    ),
    (
        "multi-character character constant",
        "a text stands in single quotes, which are for one character",
        "write it in double quotes: \"hello\"",
    ),
    (
        "function declaration isn't a prototype",
        "the declaration leaves open what the function takes",
        "write what it takes, or void for nothing: void f(void)",
    ),
    (
        "'return' with a value, in function returning void",
        "what returns nothing returns a value here",
        "write return; alone, or declare the function with the type of its value; threads and events return none",
    ),
    (
        "a declaration is not a statement",
        "a variable is declared right behind case",
        "put what belongs to the case in { }",
    ),
    (
        "this statement may fall through",
        "one case goes on into the next",
        "write break; at its end, or __attribute__((fallthrough)); if it should go on",
    ),
    (
        "switch jumps over variable initialization",
        "a variable in the switch begins with a value, which case jumps over",
        "declare it before the switch",
    ),
    (
        "conversion from 'float'",
        "a number with a fraction stands where whole numbers count",
        "say that it is cut off: (uint16_t)value",
    ),
    (
        "cast from pointer to integer of different size",
        "a pointer has another size than this number: 16 bits on AVR",
        "write (intptr_t)pointer, or (uintptr_t), which have its size on each board",
    ),
    (
        "cast to pointer from integer of different size",
        "a pointer has another size than this number: 16 bits on AVR",
        "write (void *)(uintptr_t)number",
    ),
    (
        "conversion from 'double'",
        "a number with a fraction stands where whole numbers count",
        "take a smaller unit, such as sleep_us for sleep_ms, or say that it is cut off: (int)value",
    ),
    (
        "alters 'double' constant value",
        "a number with a fraction stands where whole numbers count",
        "take a smaller unit, such as sleep_us for sleep_ms, or say that it is cut off: (int)value",
    ),
    (
        "suggest parentheses around assignment used as truth value",
        "a single = assigns, and stands in a condition",
        "write == to compare",
    ),
    (
        "suggest braces around empty body",
        "the ; ends the statement before what it is meant for",
        "take the ; away",
    ),
    (
        "comparison with string literal",
        "== compares where texts lie, not what they say",
        "write strcmp(a, b) == 0 (<string.h>)",
    ),
    (
        "expected declaration or statement at end of input",
        "the file ends inside a function",
        "write the } that is missing: each { needs one",
    ),
    (
        "no return statement in function returning non-void",
        "the function returns no value",
        "return one, or declare the function as void",
    ),
    (
        "control reaches end of non-void function",
        "the function can end without returning a value",
        "return one on each way through it, or declare the function as void",
    ),
    (
        "variable length array",
        "the array has a size that only the run knows, and stacks are small",
        "give it a constant size: enum { SIZE = 32 }",
    ),
    (
        "assignment to expression with array type",
        "an array cannot be assigned",
        "copy into it: strcpy or memcpy (<string.h>); or declare a pointer instead: const char *name",
    ),
    (
        "infinite recursion detected",
        "the function calls itself without end",
        "let a condition end it; a loop takes no stack",
    ),
    ("missing terminating \" character", "a text has no end", "write \" behind it"),
    (
        "expects a matching",
        "the format has more values than the call gives",
        "give a value for each % of the format; a percent sign itself is %%",
    ),
    (
        "too many arguments for format",
        "the call gives more values than the format has",
        "write a % for each value",
    ),
    (
        "left shift count >= width of type",
        "the shift is as wide as the type, or wider",
        "shift a wider type: 1ULL << n has 64 bits; int has 16 bits on AVR",
    ),
    (
        "of different signedness",
        "a signed and an unsigned number are compared: a negative one counts as a large one",
        "make both signed, or both unsigned",
    ),
    ("expected ')' before ';' token", "a ) is missing before the ;", "each ( needs a )"),
    (
        "expected identifier or '(' before '{' token",
        "a { stands where no function begins",
        "take away the ; before it, if there is one",
    ),
    (
        "lvalue required as left operand of assignment",
        "what stands left of the = cannot be assigned",
        "write == to compare, or a variable on the left",
    ),
    (
        "is used uninitialized",
        "a variable is read before it has a value",
        "give it one where it is declared",
    ),
    (
        "array subscript",
        "the index is outside the array",
        "an array of n elements has those from 0 to n - 1",
    ),
];

/// How errors end that say that something is not used.
pub(super) const NOT_USED: &str = "' is not used";

/// What an error of the language means.
pub(super) fn explained(text: &str) -> Option<Plain> {
    named(text).or_else(|| converted(text)).or_else(|| {
        let (_, said, help) = MISTAKES.iter().find(|(part, ..)| text.contains(part))?;
        Some(Plain::new(*said).help(*help))
    })
}

/// Those that name what they are about.
fn named(text: &str) -> Option<Plain> {
    if let Some(name) = between(text, "no previous prototype for '", "'") {
        return Some(
            Plain::new(format!("no header declares `{name}', and it is not static")).help(
                "write static before it, if only this file uses it; a handler of an interrupt is \
             INTERRUPT(VECTOR) (<lichen/interrupt.h>)",
            ),
        );
    }
    if let Some(name) = between(text, "'", "' defined but not used") {
        return Some(Plain::new(format!("`{name}' is not used")).help("use it, or take it away"));
    }
    if let Some(name) = between(text, "unused variable '", "'") {
        return Some(Plain::new(format!("`{name}' is not used")).help("use it, or take it away"));
    }
    if let Some(name) = between(text, "unused parameter '", "'") {
        return Some(
            Plain::new(format!("`{name}' is not used"))
                .help(format!("say that it need not be: (void){name};")),
        );
    }
    if let Some(name) = between(text, "assignment of read-only variable '", "'") {
        return Some(
            Plain::new(format!("`{name}' is const, and is assigned here"))
                .help("declare it without const, or assign another variable"),
        );
    }
    if let Some(name) = between(text, "the address of '", "' will always evaluate as 'true'") {
        return Some(
            Plain::new(format!("`{name}' is compared, and not called: its address is never 0"))
                .help(format!("write its arguments, too: {name}(...)")),
        );
    }
    if let Some(field) = between(text, "missing initializer for field '", "'") {
        return Some(
            Plain::new(format!("the value of field `{field}' is missing"))
                .help("give one to each field, or name those that you give: {.field = value}"),
        );
    }
    None
}

/// A value of one type where another one belongs.
fn converted(text: &str) -> Option<Plain> {
    let argument =
        || Some((between(text, "passing argument ", " of '")?, between(text, " of '", "'")?));
    if text.contains("makes integer from pointer without a cast") {
        let (number, function) = argument()?;
        return Some(
            Plain::new(format!(
                "argument {number} of {function} is a text or an address, not a number"
            ))
            .help("take the quotes or the & away, or compare the order of the arguments with the header"),
        );
    }
    if text.contains("makes pointer from integer without a cast") {
        let (number, function) = argument()?;
        let plain =
            Plain::new(format!("argument {number} of {function} is a number, not an address"));
        return Some(match function {
            "print" => plain.help("print takes a text first: print(\"%d\\n\", number)"),
            _ => plain.help("write & before the name of what is meant"),
        });
    }
    let conversion = between(text, "format '", "' expects argument of type")?;
    let wanted = between(text, "expects argument of type '", "'")?;
    let (number, given) =
        (between(text, "but argument ", " has")?, between(text, "has type '", "'")?);
    Some(
        Plain::new(format!("argument {number} is of type {given}, and {conversion} prints {wanted}"))
            .help("%d prints int, %u unsigned, %ld and %lu long, %lld and %llu long long, %s text, %c a character"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        explained(text).expect("an explanation").text
    }

    #[test]
    fn what_the_compiler_suggests_is_said_as_what_is_wrong() {
        let text = "suggest parentheses around assignment used as truth value";
        assert_eq!(said(text), "a single = assigns, and stands in a condition");
        assert_eq!(
            said("no previous prototype for 'TC3_Handler'"),
            "no header declares `TC3_Handler', and it is not static"
        );
        assert_eq!(said("'f' defined but not used"), "`f' is not used");
        assert!(explained("something else").is_none());
    }

    #[test]
    fn values_of_wrong_types_are_told() {
        assert_eq!(
            said("passing argument 1 of 'sleep_ms' makes integer from pointer without a cast"),
            "argument 1 of sleep_ms is a text or an address, not a number"
        );
        assert_eq!(
            said("format '%s' expects argument of type 'char *', but argument 2 has type 'int'"),
            "argument 2 is of type int, and %s prints char *"
        );
    }
}
