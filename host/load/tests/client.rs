// SPDX-License-Identifier: MIT OR Apache-2.0
//! The client against a scripted mote on a line that loses, repeats and garbles.

use lichen_chip::Time;
use lichen_load::{
    Client, Frame, Item, Job, Kind, LoadError, MoteError, Next, Outcome, Separator, State, Whom,
};

const NONE: u8 = 20;
const STATE: u8 = 21;
const GROUPS: [(u8, u16); 2] = [(0, 7), (1, 8)];

/// A mote as the specification has it, and how often it did what changes something.
#[derive(Default)]
struct Mote {
    separator: Separator,
    last: Option<(u8, u8, Vec<u8>)>,
    received: Option<Vec<u8>>,
    installed: Vec<Vec<u8>>,
    running: bool,
    /// Requests that were carried out, in order.
    did: Vec<u8>,
    typed: Vec<u8>,
    /// Refuses requests of this kind, with this status at this place.
    refuses: Option<(u8, u8, u32)>,
    /// Starts that crashed the mote, as it tells them.
    failures: u8,
}

impl Mote {
    fn byte(&mut self, byte: u8) -> Option<Vec<u8>> {
        match self.separator.byte(byte)? {
            Item::Text(text) => {
                self.typed.extend(text);
                None
            }
            Item::Frame(frame) => Some(self.frame(&frame)),
        }
    }

    fn frame(&mut self, frame: &Frame) -> Vec<u8> {
        let answer = |payload: Vec<u8>| {
            Frame { kind: frame.kind | 0x80, sequence: frame.sequence, payload }.bytes()
        };
        if let Some((kind, sequence, payload)) = &self.last {
            if (*kind, *sequence) == (frame.kind, frame.sequence) {
                return answer(payload.clone());
            }
        }
        self.did.push(frame.kind);
        let refusal = self.refuses.filter(|(kind, ..)| *kind == frame.kind);
        let payload = match refusal {
            Some((_, status, place)) => [&[status][..], &place.to_le_bytes()].concat(),
            None => self.carry_out(frame),
        };
        if !matches!(frame.kind, 1 | 2 | 6) {
            self.last = Some((frame.kind, frame.sequence, payload.clone()));
        }
        answer(payload)
    }

    fn carry_out(&mut self, frame: &Frame) -> Vec<u8> {
        let refused = |status: u8| vec![status, 0, 0, 0, 0];
        match frame.kind {
            1 => {
                self.last = None;
                [
                    &[0, 1, 2][..],
                    &5000u32.to_le_bytes(),
                    &[0x2c, 1, 2, 0, 0],
                    &[0, 0xb3, 0, 0, 0x80, 7],
                    b"base",
                ]
                .concat()
            }
            2 => {
                let rows = GROUPS[usize::from(frame.payload[0])..].iter().take(1);
                let rows = rows.flat_map(|(group, sum)| [*group, *sum as u8, (*sum >> 8) as u8]);
                std::iter::once(0).chain(rows).collect()
            }
            3 | 11 => {
                let length = (container().len() as u16).to_le_bytes();
                assert!(frame.kind == 3 || frame.payload == length, "{frame:?}");
                self.received = Some(Vec::new());
                vec![0]
            }
            4 => {
                let Some(received) = &mut self.received else { return refused(STATE) };
                let (offset, piece) = frame.payload.split_first_chunk().expect("an offset");
                assert_eq!(u32::from_le_bytes(*offset) as usize, received.len());
                received.extend(piece);
                vec![0]
            }
            5 => match self.received.take() {
                Some(received) => {
                    self.installed.push(received);
                    self.running = true;
                    vec![0]
                }
                None => refused(STATE),
            },
            // The second row of three.
            6 if frame.payload == [1] && !self.installed.is_empty() => {
                let [state, flags, threads] = if self.running { [2, 4, 2] } else { [1, 0, 0] };
                let failures = self.failures;
                [&[0, state, flags, failures, threads, 3, 0, 0, 4, 200, 0, 60, 0][..], b"sense"]
                    .concat()
            }
            6 if frame.payload[0] < 3 => vec![0; 13],
            6 => refused(NONE),
            7 | 8 if frame.payload == b"sense" && !self.installed.is_empty() => {
                self.running = frame.kind == 7;
                vec![0]
            }
            9 if frame.payload == b"sense" => {
                self.installed.clear();
                vec![0]
            }
            _ => refused(NONE),
        }
    }
}

/// What happens to a frame on its way, by its number.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Arrives,
    Lost,
    Garbled,
    Twice,
}

/// Plays a job; returns its result and the text that the host saw.
fn play(
    job: Job,
    mote: &mut Mote,
    mut to_mote: impl FnMut(usize) -> Fate,
    mut to_host: impl FnMut(usize) -> Fate,
    text: &[u8],
) -> (Result<Outcome, LoadError>, Vec<u8>) {
    let mut client = Client::new(job);
    let mut now = Time::ZERO;
    let (mut sent, mut answers) = (0, 0);
    let mut seen = Vec::new();
    loop {
        match client.next(now) {
            Next::Over => break,
            Next::Wait(until) => now = until,
            Next::Send(bytes) => {
                let back = travel(&bytes, to_mote(sent), |byte| mote.byte(byte));
                sent += 1;
                for answer in back {
                    let mixed = [text, &answer, text].concat();
                    now += Time::from_ms(10);
                    let heard = travel(&mixed, to_host(answers), |byte| client.byte(now, byte));
                    answers += 1;
                    seen.extend(heard.into_iter().flatten());
                }
            }
        }
        assert!(sent < 1000, "it goes on and on");
    }
    (client.result().expect("a result").clone(), seen)
}

fn travel<T>(bytes: &[u8], fate: Fate, mut take: impl FnMut(u8) -> Option<T>) -> Vec<T> {
    let mut bytes = bytes.to_vec();
    match fate {
        Fate::Lost => return Vec::new(),
        Fate::Garbled => {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0x20;
            bytes.remove(middle + 1);
        }
        Fate::Twice => bytes = [bytes.clone(), bytes].concat(),
        Fate::Arrives => {}
    }
    bytes.iter().filter_map(|byte| take(*byte)).collect()
}

fn container() -> Vec<u8> {
    let mut bytes = vec![0; 30];
    bytes[..4].copy_from_slice(&[0x4c, 0xf0, 1, 2]);
    bytes[5] = 44;
    bytes[6] = 3;
    bytes[12..14].copy_from_slice(&150u16.to_le_bytes());
    bytes[28] = 5;
    bytes.extend(b"sense\x01\x06\x00\x07\x00\x01\x08\x00\x00");
    bytes.extend((0..154).map(|at| at as u8));
    bytes
}

fn load() -> Job {
    Job::Load { container: container(), whom: Whom::Instance(0) }
}

const REQUESTS: [u8; 9] = [1, 2, 2, 3, 4, 4, 4, 4, 5];

fn always(_: usize) -> Fate {
    Fate::Arrives
}

#[test]
fn a_container_arrives_as_it_is_and_its_program_runs() {
    let mut mote = Mote::default();
    let (result, _) = play(load(), &mut mote, always, always, b"");
    let Ok(Outcome::Loaded { name, version: 3, bytes: 198, took, repeated: 0 }) = result else {
        panic!("{result:?}")
    };
    assert_eq!((name.as_str(), took), ("sense", Time::from_ms(90)));
    assert_eq!(
        (mote.did, mote.installed, mote.running),
        (REQUESTS.into(), vec![container()], true)
    );
}

#[test]
fn a_container_for_all_is_begun_with_its_length() {
    let mut mote = Mote::default();
    let job = Job::Load { container: container(), whom: Whom::All };
    let (result, _) = play(job.clone(), &mut mote, always, always, b"");
    let done = job.done(&result.expect("it is passed on"));
    assert_eq!(done, ["sense 3 is on its way to all: 198 bytes in 90 ms"]);
    assert_eq!(mote.did, [1, 2, 2, 11, 4, 4, 4, 4, 5]);
    let mut alone = Mote { refuses: Some((11, 27, 0)), ..Mote::default() };
    let (result, _) = play(job, &mut alone, always, always, b"");
    let error = result.expect_err("it passes nothing on").to_string();
    assert!(error.starts_with("the mote's image passes nothing on"), "{error}");
}

#[test]
fn whatever_one_frame_suffers_nothing_is_done_twice() {
    for fate in [Fate::Lost, Fate::Garbled, Fate::Twice] {
        for number in 0..REQUESTS.len() {
            let one = |at| if at == number { fate } else { Fate::Arrives };
            for is_request in [true, false] {
                let mut mote = Mote::default();
                let job = load();
                let (result, _) = match is_request {
                    true => play(job, &mut mote, one, always, b""),
                    false => play(job, &mut mote, always, one, b""),
                };
                assert!(matches!(result, Ok(Outcome::Loaded { .. })), "{result:?}");
                assert_eq!(mote.installed, [container()]);
                let changes = |did: &[u8]| -> Vec<u8> {
                    did.iter().copied().filter(|kind| !matches!(kind, 1 | 2 | 6)).collect()
                };
                assert_eq!(changes(&mote.did), changes(&REQUESTS));
            }
        }
    }
}

#[test]
fn every_other_frame_may_be_lost() {
    let mut mote = Mote::default();
    let every_other = |at: usize| if at % 2 == 0 { Fate::Lost } else { Fate::Arrives };
    let (result, _) = play(load(), &mut mote, every_other, every_other, b"");
    let Ok(Outcome::Loaded { repeated, .. }) = result else { panic!("{result:?}") };
    assert_eq!(mote.installed, [container()]);
    assert_eq!(repeated, 27);
}

#[test]
fn text_between_frames_is_the_users() {
    let mut mote = Mote::default();
    let (result, seen) = play(Job::List, &mut mote, always, always, b"tick 1\r\n");
    assert!(matches!(result, Ok(Outcome::Listed { .. })), "{result:?}");
    assert_eq!(seen, b"tick 1\r\n".repeat(10));
    assert_eq!(mote.typed, b"");
}

#[test]
fn programs_are_listed_stopped_and_removed() {
    let mut mote = Mote::default();
    let mut call = |job| play(job, &mut mote, always, always, b"").0;
    assert!(call(load()).is_ok());
    assert_eq!(call(Job::Stop("sense".into())), Ok(Outcome::Done));
    let Ok(Outcome::Listed { mote: hello, programs }) = call(Job::List) else { panic!("a list") };
    assert_eq!((hello.machine, hello.flash, hello.ram), (2, 5000, 300));
    let [program] = &programs[..] else { panic!("one program") };
    assert_eq!((program.state, program.version, program.threads), (State::Stopped, 3, 0));
    let table = lichen_load::table(&programs);
    assert_eq!(table[1], "sense                stopped        3       0   1024    260");
    assert_eq!(table[0].len(), table[1].len());
    let image = lichen_load::table(hello.image.as_slice());
    assert_eq!(image[1], "base                 image                     45824   1920");
    assert_eq!(call(Job::Start("sense".into())), Ok(Outcome::Done));
    assert_eq!(call(Job::Remove("sense".into())), Ok(Outcome::Done));
    let refused = call(Job::Stop("sense".into())).expect_err("there is none");
    assert_eq!(refused.to_string(), "the mote has no program of that name");
    assert!(refused.is_refusal());
}

#[test]
fn a_program_that_has_crashed_the_mote_is_listed_as_such() {
    let mut mote = Mote { failures: 3, installed: vec![container()], ..Mote::default() };
    let Ok(Outcome::Listed { programs, .. }) = play(Job::List, &mut mote, always, always, b"").0
    else {
        panic!("a list")
    };
    assert_eq!(
        lichen_load::table(&programs)[1],
        "sense                crashed        3       0   1024    260"
    );
}

#[test]
fn a_refusal_at_any_step_ends_the_job_with_its_place() {
    for (kind, name) in [(3, Kind::Begin), (4, Kind::Data), (5, Kind::End)] {
        let mut mote = Mote { refuses: Some((kind, 8, 117)), ..Mote::default() };
        let (result, _) = play(load(), &mut mote, always, always, b"");
        let error = MoteError(8);
        let storage = Vec::new();
        let refused = LoadError::Refused { kind: name, error, place: 117, storage };
        assert_eq!(result, Err(refused));
        assert_eq!(mote.did.last(), Some(&kind));
    }
    let mut mote = Mote { refuses: Some((4, 8, 117)), ..Mote::default() };
    let (result, _) = play(load(), &mut mote, always, always, b"");
    let expected = "an address is outside the program, at byte 117 of the container";
    assert_eq!(result.expect_err("refused").to_string(), expected);
}

#[test]
fn what_cannot_run_is_not_sent() {
    let mut other = container();
    other[38] = 9;
    let mut mote = Mote::default();
    let (result, _) = play(
        Job::Load { container: other, whom: Whom::Instance(0) },
        &mut mote,
        always,
        always,
        b"",
    );
    let refused = result.expect_err("refused");
    assert!(refused.is_refusal() && matches!(refused, LoadError::Container(_)), "{refused}");
    assert_eq!(mote.did, [1, 2, 2]);
}

#[test]
fn a_mote_that_falls_silent_is_given_up() {
    let silent = |_| Fate::Lost;
    let (result, _) = play(Job::List, &mut Mote::default(), silent, always, b"");
    assert_eq!(result, Err(LoadError::Silent));
    let from_piece_2 = |at| if at >= 6 { Fate::Lost } else { Fate::Arrives };
    let (result, _) = play(load(), &mut Mote::default(), from_piece_2, always, b"");
    assert_eq!(result, Err(LoadError::Lost { kind: Kind::Data, done: 128, all: 198 }));
    assert!(!result.expect_err("lost").is_refusal());
}

#[test]
fn a_mote_that_restarts_meanwhile_has_not_the_rest() {
    let mut mote = Mote::default();
    let mut client = Client::new(load());
    let (mut now, mut sent) = (Time::ZERO, 0);
    while let next @ (Next::Send(_) | Next::Wait(_)) = client.next(now) {
        let Next::Send(bytes) = next else { unreachable!("every frame arrives") };
        if sent == 6 {
            mote = Mote::default();
        }
        sent += 1;
        let answer = bytes.iter().filter_map(|byte| mote.byte(*byte)).next().expect("an answer");
        now += Time::from_ms(1);
        answer.iter().for_each(|byte| assert_eq!(client.byte(now, *byte), None));
    }
    assert_eq!(client.result(), Some(&Err(LoadError::Restarted { done: 128, all: 198 })));
}
