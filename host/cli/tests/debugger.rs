// SPDX-License-Identifier: MIT OR Apache-2.0
//! Debuggers that are not well-behaved, without GDB.

mod common;

use common::{call, lichen};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

/// A run that waits for debuggers.
struct Waiting {
    child: Child,
    out: BufReader<ChildStdout>,
    port: u16,
}

impl Waiting {
    fn start() -> Waiting {
        let mut child = lichen()
            .args(["run", "hello", "--gdb", "0", "--for", "2s"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let line = line_with(&mut out, "target remote localhost:");
        let port = line.rsplit(':').next().unwrap_or_default();
        let port = port.trim_end().trim_end_matches('\'').parse().expect("a port");
        Waiting { child, out, port }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("somebody listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("set");
        stream
    }

    fn prints(&mut self, text: &str) -> String {
        line_with(&mut self.out, text)
    }

    /// Code and rest of the output.
    fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).expect("text");
        (self.child.wait().expect("ends").code(), rest)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // Where a test fails, nothing is to be left behind; an ended child cannot be killed.
        let _ = self.child.kill();
    }
}

fn line_with(out: &mut impl BufRead, text: &str) -> String {
    let mut line = String::new();
    while !line.contains(text) {
        line.clear();
        assert!(out.read_line(&mut line).expect("text") > 0, "never said: {text}");
    }
    line
}

/// `text` as a packet of the protocol.
fn packet(text: &str) -> Vec<u8> {
    let sum = text.bytes().fold(0u8, u8::wrapping_add);
    format!("${text}#{sum:02x}").into_bytes()
}

/// Sends a request and reads its answer.
fn ask(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(&packet(request)).expect("sent");
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"#") {
        stream.read_exact(&mut byte).expect("an answer");
        answer.extend(byte);
    }
    stream.read_exact(&mut [0; 2]).expect("a checksum");
    stream.write_all(b"+").expect("sent");
    let text = String::from_utf8_lossy(&answer).into_owned();
    text.trim_start_matches(['+', '$']).trim_end_matches('#').to_string()
}

#[test]
fn a_port_in_use_is_told_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let called = call(&["run", "hello", "--gdb", &port]);
    assert_eq!((called.code, called.out.as_str()), (2, ""), "{}", called.err);
    let message = format!("port {port} of localhost is in use");
    assert!(called.err.contains(&message) && called.err.contains("help:"), "{}", called.err);
}

#[test]
fn whoever_leaves_or_talks_nonsense_makes_room_for_the_next() {
    let mut waiting = Waiting::start();
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
fn memory_outside_is_refused_and_the_end_is_told() {
    let waiting = Waiting::start();
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
