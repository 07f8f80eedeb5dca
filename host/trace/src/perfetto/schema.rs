// SPDX-License-Identifier: MIT OR Apache-2.0
//! The part of Perfetto's trace format that is written: messages and numbers of their fields as in
//! `protos/perfetto/trace/` of its sources, encoded as protobuf.dev/programming-guides/encoding has it. No library
//! does that: those that there are generate code, and their generators compile longer than the rest of this crate.

/// Types of what follows a field's number.
const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH_AND_BYTES: u64 = 2;

/// The field of a file that holds a packet; the packets of files that follow one another are those of one file.
const PACKET: u64 = 1;

/// An encoded message. Fields that are not there take no bytes.
#[derive(Default)]
pub struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(mut self, field: u64, value: Option<u64>) -> Message {
        if let Some(value) = value {
            self.varint(field << 3 | VARINT);
            self.varint(value);
        }
        self
    }

    fn double(mut self, field: u64, value: Option<f64>) -> Message {
        if let Some(value) = value {
            self.varint(field << 3 | EIGHT_BYTES);
            self.0.extend(value.to_le_bytes());
        }
        self
    }

    fn bytes(mut self, field: u64, value: Option<&[u8]>) -> Message {
        if let Some(value) = value {
            self.varint(field << 3 | LENGTH_AND_BYTES);
            self.varint(value.len() as u64);
            self.0.extend(value);
        }
        self
    }

    fn string(self, field: u64, value: Option<&String>) -> Message {
        self.bytes(field, value.map(String::as_bytes))
    }

    fn message(self, field: u64, value: Option<Message>) -> Message {
        self.bytes(field, value.as_ref().map(|message| message.0.as_slice()))
    }
}

#[derive(Default)]
pub struct TracePacket {
    /// Nanoseconds.
    pub timestamp: Option<u64>,
    pub trusted_packet_sequence_id: Option<u64>,
    pub track_event: Option<TrackEvent>,
    pub track_descriptor: Option<TrackDescriptor>,
}

impl TracePacket {
    /// What a file has of this packet.
    pub fn encode(&self) -> Vec<u8> {
        let packet = Message::default()
            .number(8, self.timestamp)
            .number(10, self.trusted_packet_sequence_id)
            .message(11, self.track_event.as_ref().map(TrackEvent::encode))
            .message(60, self.track_descriptor.as_ref().map(TrackDescriptor::encode));
        Message::default().message(PACKET, Some(packet)).0
    }
}

#[derive(Default)]
pub struct TrackDescriptor {
    pub uuid: Option<u64>,
    pub name: Option<String>,
    pub process: Option<ProcessDescriptor>,
    pub parent_uuid: Option<u64>,
    pub counter: Option<CounterDescriptor>,
    pub child_ordering: Option<ChildOrdering>,
    pub sibling_order_rank: Option<u64>,
}

impl TrackDescriptor {
    fn encode(&self) -> Message {
        Message::default()
            .number(1, self.uuid)
            .string(2, self.name.as_ref())
            .message(3, self.process.as_ref().map(ProcessDescriptor::encode))
            .number(5, self.parent_uuid)
            .message(8, self.counter.as_ref().map(CounterDescriptor::encode))
            .number(11, self.child_ordering.map(|ordering| ordering as u64))
            .number(12, self.sibling_order_rank)
    }
}

pub struct ProcessDescriptor {
    pub pid: u64,
    pub process_name: String,
}

impl ProcessDescriptor {
    fn encode(&self) -> Message {
        Message::default().number(1, Some(self.pid)).string(6, Some(&self.process_name))
    }
}

pub struct CounterDescriptor {
    pub unit_name: String,
}

impl CounterDescriptor {
    fn encode(&self) -> Message {
        Message::default().string(6, Some(&self.unit_name))
    }
}

#[derive(Default)]
pub struct TrackEvent {
    pub r#type: Option<EventType>,
    pub track_uuid: Option<u64>,
    pub name: Option<String>,
    pub double_counter_value: Option<f64>,
}

impl TrackEvent {
    fn encode(&self) -> Message {
        Message::default()
            .number(9, self.r#type.map(|kind| kind as u64))
            .number(11, self.track_uuid)
            .string(23, self.name.as_ref())
            .double(44, self.double_counter_value)
    }
}

#[derive(Clone, Copy)]
pub enum EventType {
    SliceBegin = 1,
    SliceEnd = 2,
    Instant = 3,
    Counter = 4,
}

#[derive(Clone, Copy)]
pub enum ChildOrdering {
    Lexicographic = 1,
    Explicit = 3,
}
