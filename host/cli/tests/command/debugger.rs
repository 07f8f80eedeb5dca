// SPDX-License-Identifier: MIT OR Apache-2.0
//! Debuggers that are not well-behaved, without GDB.

use crate::common::call;
use crate::common::gdb::{Waiting, ask, packet};
use std::io::Write;
use std::net::TcpListener;

#[test]
fn a_port_in_use_is_reported_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let called = call(&["run", "hello", "--gdb", &port]);
    assert_eq!((called.code, called.out.as_str()), (2, ""), "{}", called.err);
    let message = format!("port {port} of localhost is in use");
    assert!(called.err.contains(&message) && called.err.contains("help:"), "{}", called.err);
}

#[test]
fn whoever_leaves_or_talks_nonsense_makes_room_for_the_next() {
    let mut waiting = Waiting::start(&["hello", "--for", "2s"]);
    drop(waiting.connect());
    waiting.prints("the debugger is gone");
    let mut nonsense = waiting.connect();
    nonsense.write_all(b"GET / HTTP/1.1\r\n\r\n$vCont;s:zz;;#00$#").expect("sent");
    waiting.prints("the debugger was cut off");
    let mut next = waiting.connect();
    assert!(ask(&mut next, "?").starts_with('T'));
    next.write_all(&packet("D")).expect("sent");
    waiting.prints("runs on alone");
    let (code, rest) = waiting.end();
    assert_eq!(code, Some(0), "{rest}");
    assert!(rest.contains("Up for 1 s"), "it runs to its end: {rest}");
}

#[test]
fn memory_outside_is_refused_and_the_end_is_reported() {
    let waiting = Waiting::start(&["hello", "--for", "2s"]);
    let mut stream = waiting.connect();
    assert!(ask(&mut stream, "m41004400,4").starts_with('E'));
    assert!(ask(&mut stream, "mfffffffe,8").starts_with('E'));
    assert_eq!(ask(&mut stream, "m0,4").len(), 8);
    assert!(ask(&mut stream, "M60000000,1:00").starts_with('E'));
    assert!(ask(&mut stream, "Z0,60000000,2").starts_with('E'));
    assert!(ask(&mut stream, "Z2,20000000,ffffffff").starts_with('E'));
    assert!(ask(&mut stream, "vCont;c").starts_with('W'), "--for ends the program");
    let (code, rest) = waiting.end();
    assert_eq!(code, Some(0), "{rest}");
}
