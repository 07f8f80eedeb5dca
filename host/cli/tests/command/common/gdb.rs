// SPDX-License-Identifier: MIT OR Apache-2.0
//! A debugger that sends exactly what a test wants: GDB's protocol, packet by packet.

use crate::common::lichen;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

/// A run that waits for debuggers.
pub struct Waiting {
    child: Child,
    out: BufReader<ChildStdout>,
    port: u16,
}

impl Waiting {
    /// Waits with `arguments` of `run`.
    pub fn start(arguments: &[&str]) -> Waiting {
        let mut child = lichen()
            .args(["run", "--gdb", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let line = line_with(&mut out, "target remote localhost:");
        let port = line.rsplit(':').next().unwrap_or_default();
        let port = port.trim_end().trim_end_matches('\'').parse().expect("a port");
        Waiting { child, out, port }
    }

    /// A debugger at the other end.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("somebody listens");
        stream.set_nodelay(true).expect("set");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("set");
        stream
    }

    /// The line of the output that has `text`.
    pub fn prints(&mut self, text: &str) -> String {
        line_with(&mut self.out, text)
    }

    /// Code and rest of the output.
    pub fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).expect("text");
        (self.child.wait().expect("ends").code(), rest)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // A failing test must leave no process behind; a child that has ended cannot be killed.
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
pub fn packet(text: &str) -> Vec<u8> {
    let sum = text.bytes().fold(0u8, u8::wrapping_add);
    format!("${text}#{sum:02x}").into_bytes()
}

/// Sends a request and reads its answer.
pub fn ask(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(&packet(request)).expect("sent");
    answer(stream)
}

/// Reads the next answer.
pub fn answer(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"#") {
        stream.read_exact(&mut byte).expect("an answer");
        answer.extend(byte);
    }
    stream.read_exact(&mut [0; 2]).expect("a checksum");
    stream.write_all(b"+").expect("sent");
    let text = String::from_utf8_lossy(&answer).into_owned();
    expanded(text.trim_start_matches(['+', '$']).trim_end_matches('#'))
}

/// What an answer means: `0*"` stands for a zero and five more (GDB manual, "Overview" of the remote
/// protocol).
fn expanded(text: &str) -> String {
    let mut expanded = String::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match (character, expanded.chars().last()) {
            ('*', Some(last)) => {
                let more = rest.next().map_or(0, |count| count as usize - 29);
                expanded.extend(std::iter::repeat_n(last, more));
            }
            _ => expanded.push(character),
        }
    }
    expanded
}
