// SPDX-License-Identifier: MIT OR Apache-2.0
//! Local variables of cooperative threads that are used across a wait: each compiler reports every one.

use super::start;

const BOARDS: [&str; 2] = ["hamilton", "micaz"];

/// A cooperative thread with these declarations and this body.
fn body(declared: &str, body: &str) -> String {
    format!(
        "#include <lichen/coop.h>\n#include <lichen/led.h>\n\
         static volatile int port;\n\
         static inline int read_it(void)\n{{\n    return port;\n}}\n\
         static inline void tell(int value)\n{{\n    port = value;\n}}\n\
         static inline bool fetch(int *value)\n{{\n    if (port == 0) {{\n        return false;\n    }}\n\
         \x20   *value = port;\n    return true;\n}}\n\
         COOP(heart)\n{{\n    {declared}\n    COOP_BEGIN();\n    {}COOP_END();\n}}\n",
        body.replace('\n', "\n    ")
    )
}

#[test]
fn a_variable_that_is_lost_at_a_wait_is_refused() {
    let lost = [
        ("int n;", "n = 0;\nwhile (n < read_it()) {\ntell(1);\nn++;\ncoop_sleep_ms(5);\n}\n", "n"),
        ("int n;", "n = 0;\ndo {\ntell(1);\nn++;\ncoop_sleep_ms(5);\n} while (n < 5);\n", "n"),
        (
            "int sum;",
            "sum = 0;\nfor (;;) {\nsum += read_it();\ntell(sum);\ncoop_wait();\n}\n",
            "sum",
        ),
        ("bool on;", "on = true;\nfor (;;) {\ntell(on);\ncoop_sleep_ms(5);\non = !on;\n}\n", "on"),
        (
            "bool on;",
            "on = false;\nfor (;;) {\nif (on) {\nled_on(0);\n} else {\nled_off(0);\n}\non = !on;\ncoop_sleep_ms(5);\n}\n",
            "on",
        ),
        (
            "static int cell; int *place;",
            "place = &cell;\nfor (;;) {\n*place += 1;\ntell(*place);\ncoop_sleep_ms(5);\n}\n",
            "place",
        ),
        (
            "unsigned n;",
            "n = 0;\nfor (;;) {\nif (n++ == 10) {\nled_toggle(0);\nn = 0;\n}\ncoop_sleep_ms(5);\n}\n",
            "n",
        ),
        (
            "int n;",
            "n = 0;\nfor (;;) {\ncoop_wait();\nif (read_it()) {\nn = 1;\n} else if (n) {\ntell(1);\nn = 0;\n}\n}\n",
            "n",
        ),
        ("int n;", "n = 7;\ncoop_wait();\ntell(n);\n", "n"),
        ("int n;", "n = read_it();\ncoop_wait();\ntell(n);\n", "n"),
    ];
    for (declared, text, name) in lost {
        for board in BOARDS {
            let refused = start("build", &body(declared, text), &["--board", board]);
            let reported =
                format!("`{name}' does not keep its value while the cooperative thread waits");
            assert!(
                refused.code == 1 && refused.err.contains(&reported),
                "{board}: {text}{}",
                refused.err
            );
        }
    }
}

#[test]
fn a_variable_that_needs_no_value_across_a_wait_is_not() {
    let kept = [
        ("int n;", "for (;;) {\nn = read_it();\ntell(n);\ncoop_sleep_ms(5);\n}\n"),
        ("static int n;", "n = 0;\nwhile (n < read_it()) {\nn++;\ncoop_sleep_ms(5);\n}\n"),
        ("int i;", "for (;;) {\nfor (i = 0; i < 3; i++) {\ntell(i);\n}\ncoop_sleep_ms(5);\n}\n"),
        ("int n;", "for (;;) {\nif (fetch(&n)) {\ntell(n);\n}\ncoop_sleep_ms(5);\n}\n"),
        (
            "int n;",
            "for (;;) {\nif (!fetch(&n)) {\ncoop_wait();\ncontinue;\n}\ntell(n);\ncoop_wait();\n}\n",
        ),
        (
            "int n; bool on;",
            "for (;;) {\non = read_it() > 0;\nif (on) {\nn = read_it();\n}\ntell(1);\nif (on) {\ntell(n);\n}\ncoop_wait();\n}\n",
        ),
        ("int n = 5;", "for (;;) {\ntell(n);\ncoop_sleep_ms(5);\n}\n"),
    ];
    for (declared, text) in kept {
        for board in BOARDS {
            let built = start("build", &body(declared, text), &["--board", board]);
            assert_eq!(built.code, 0, "{board}: {text}{}", built.err);
        }
    }
}
