// SPDX-License-Identifier: MIT OR Apache-2.0
//! The form of what is shown of a container.

use super::Inspected;
use super::token::Shown;
use lichen_container::{Group, Header, Partition, Rows};
use lichen_pack::Interface;
use lichen_terminal::screen::{many, out};
use serde_json::{Value, json};

/// Prints tables.
pub fn print(inspected: &Inspected, interface: &Interface) {
    let Inspected { header, tokens, bytes, crc } = inspected;
    let Header { name, version, machine, .. } = header;
    let bytes = many(*bytes as u64, "byte");
    out!("{name}, version {version}, for {machine}: {bytes}, {}", header.trust.name());
    let mac = if header.has_mac { "a MAC follows" } else { "no MAC" };
    row("checksum", &format!("0x{crc:08x}, right; {mac}"));
    row("header", &format!("{} bytes", header.header_bytes));
    let [constants, code, initial] =
        [header.constants_bytes, header.code_bytes, header.initial_bytes];
    let flash = header.flash_bytes();
    row(
        "flash",
        &format!("{flash} bytes: constants {constants}, code {code}, initial values {initial}"),
    );
    let [objects, stacks, data] = [header.object_bytes, header.stack_bytes, header.data_bytes];
    row("RAM", &format!("objects {objects}, stacks {stacks}, data {data} bytes"));
    row("rows", &rows(header));
    let confirm = match header.confirm_s {
        0 => "not needed".to_string(),
        seconds => format!("within {seconds} s"),
    };
    row("confirmation", &confirm);
    let groups: Vec<String> = header.groups.iter().map(|it| group(it, interface)).collect();
    row("groups of calls", &if groups.is_empty() { "none".into() } else { groups.join(", ") });
    for Partition { kind, name, pages, .. } in &header.partitions {
        row(kind.name(), &format!("{name}, {}", many((*pages).into(), "page")));
    }
    for record in &header.others {
        row("record", &format!("kind {}, {} bytes", record.kind, record.contents.len()));
    }
    out!("");
    out!(
        "{:>6}{:>7}{:>10}  {:<15}{:<14}{:<26}{}",
        "byte",
        "token",
        "literals",
        "at",
        "kind",
        "refers to",
        "in"
    );
    for token in tokens {
        print_token(token);
    }
    let sum: usize = tokens.iter().map(|token| token.bytes).sum();
    let count = tokens.iter().filter(|token| token.bytes > 0).count();
    let references = tokens.iter().filter(|token| token.kind.is_some()).count();
    out!(
        "{}, {}, {sum} bytes beside literals and fields",
        many(references as u64, "reference"),
        many(count as u64, "token")
    );
}

fn row(name: &str, text: &str) {
    out!("  {name:<17}{text}");
}

fn print_token(token: &Shown) {
    let Shown { at, bytes, literals, place, kind, target, code, .. } = token;
    let region = token.region.name().split(' ').next().unwrap_or_default();
    let line = match kind {
        Some(kind) => format!(
            "{at:>6}{bytes:>7}{literals:>10}  {:<15}{:<14}{target:<26}{code}",
            format!("{region} {place}"),
            kind.name(),
        ),
        None => format!("{at:>6}{bytes:>7}{literals:>10}"),
    };
    out!("{}", line.trim_end());
}

/// Tables with rows, and mutexes.
fn rows(header: &Header) -> String {
    let units = ["thread", "receiver", "syslog module", "shell command", "start function", "event"];
    let counts = header.rows.tables().into_iter().chain([header.rows.mutexes]);
    let some = units.into_iter().chain(["mutex"]).zip(counts).filter(|(_, count)| *count > 0);
    let each: Vec<String> = some
        .map(|(unit, count)| match (unit, count) {
            ("mutex", 2..) => format!("{count} mutexes"),
            _ => many(count.into(), unit),
        })
        .collect();
    if each.is_empty() { "none".to_string() } else { each.join(", ") }
}

/// A group by its name in this tree.
fn group(group: &Group, interface: &Interface) -> String {
    let Group { number, fingerprint } = group;
    let name = interface.group_name(*number).unwrap_or("not known here");
    let here = interface.fingerprint(*number).filter(|here| here != fingerprint);
    let other = here.map(|here| format!(", in this tree 0x{here:04x}")).unwrap_or_default();
    format!("{number} {name} (0x{fingerprint:04x}{other})")
}

/// Prints an object.
pub fn print_json(inspected: &Inspected, interface: &Interface) {
    let Inspected { header, tokens, bytes, crc } = inspected;
    let group = |group: &Group| {
        json!({
            "number": group.number,
            "name": interface.group_name(group.number),
            "fingerprint": group.fingerprint,
            "fingerprint_here": interface.fingerprint(group.number),
        })
    };
    out!(
        "{}",
        json!({
            "name": header.name,
            "version": header.version,
            "machine": header.machine.to_string(),
            "trust": header.trust.name(),
            "has_mac": header.has_mac,
            "confirm_s": header.confirm_s,
            "bytes": bytes,
            "crc": crc,
            "parts": {
                "header": header.header_bytes,
                "constants": header.constants_bytes,
                "code": header.code_bytes,
                "initial": header.initial_bytes,
            },
            "ram": ram_json(header),
            "rows": rows_json(header),
            "event_stack": header.event_stack,
            "storage": storage_json(header),
            "groups": header.groups.iter().map(group).collect::<Vec<_>>(),
            "tokens": tokens.iter().map(token).collect::<Vec<_>>(),
        })
    );
}

/// What a program takes of RAM.
pub fn ram_json(header: &Header) -> Value {
    json!({
        "objects": header.object_bytes,
        "stacks": header.stack_bytes,
        "data": header.data_bytes,
    })
}

/// The rows of its tables.
pub fn rows_json(header: &Header) -> Value {
    let Rows { threads, receivers, modules, commands, starts, mutexes, events } = header.rows;
    json!({
        "threads": threads, "receivers": receivers, "modules": modules,
        "commands": commands, "starts": starts, "mutexes": mutexes, "events": events,
    })
}

/// The storage that its image has for it.
pub fn storage_json(header: &Header) -> Value {
    let one =
        |it: &Partition| json!({ "kind": it.kind.name(), "name": it.name, "pages": it.pages });
    header.partitions.iter().map(one).collect()
}

fn token(token: &Shown) -> Value {
    json!({
        "byte": token.at,
        "bytes": token.bytes,
        "literals": token.literals,
        "place": token.place,
        "region": token.region.name(),
        "kind": token.kind.map(|kind| kind.name()),
        "refers_to": token.target,
        "instructions": token.code,
    })
}
