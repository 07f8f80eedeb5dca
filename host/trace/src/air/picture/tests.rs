// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Frame;

const KHZ: u32 = 2_480_000;

fn us(us: u64) -> Time {
    Time::from_us(us)
}

fn arrival(mote: u32, fate: Fate, with: &[u32]) -> Arrival {
    Arrival { mote, dbm: -60.0, fate, with: with.to_vec(), bursts: Vec::new() }
}

/// A transmission of 1 ms, from `begin` us on.
fn sent(sender: u32, begin: u64, bytes: &[u8], arrivals: Vec<Arrival>) -> Transmission {
    let start = us(begin + 160);
    let frame = Frame { start, khz: KHZ, bps: 250_000, dbm: 0.0, bytes: bytes.to_vec() };
    Transmission { sender, begin: us(begin), end: us(begin + 1_000), frame, arrivals }
}

const DATA: [u8; 7] = [0x61, 0x88, 42, 1, 2, 3, 4];
const ACK: [u8; 5] = [2, 0, 42, 0, 0];

fn scene() -> Scene {
    let places = [[0.0, 0.0], [10.0, 0.0], [20.0, 0.0]];
    let names = ["a", "b", "long<name"];
    let motes = names.iter().zip(places);
    let motes = motes.map(|(name, at)| Placed { name: name.to_string(), places: vec![at] });
    let walls = vec![[[5.0, -1.0], [5.0, 1.0]]];
    Scene { title: "it on 3 motes".into(), motes: motes.collect(), walls, sources: vec![] }
}

#[test]
fn interference_that_a_frame_collides_with_is_marked() {
    let bursts = vec![(us(500), us(1_250)), (us(1_500), us(1_750))];
    let collided = Arrival { bursts, ..arrival(1, Fate::Collision, &[INTERFERENCE]) };
    let svg = drawn(scene(), Window::default(), &[sent(0, 1_000, &DATA, vec![collided])], 9_000);
    assert_eq!(count(&svg, "band"), 2);
    let bars = |class: &str| -> Vec<f64> {
        let head = format!("<path class=\"{class}\" d=\"M");
        let widths = svg.split(&head).skip(1);
        let width = |path: &str| path.split('h').nth(1)?.split('v').next()?.parse().ok();
        widths.filter_map(width).collect()
    };
    let (frame, bands) = (bars("clash")[0], bars("band"));
    assert!(bands.iter().all(|band| (band - frame / 4.0).abs() < 0.2), "{frame}: {bands:?}");
}

/// Mote 0 sends to 1, which acknowledges; then 0 and 2 collide at 1.
fn frames() -> Vec<Transmission> {
    vec![
        sent(0, 1_000, &DATA, vec![arrival(1, Fate::Whole, &[]), arrival(2, Fate::TooWeak, &[])]),
        sent(1, 2_200, &ACK, vec![arrival(0, Fate::Whole, &[]), arrival(2, Fate::Filtered, &[])]),
        sent(0, 90_000, &DATA, vec![arrival(1, Fate::Collision, &[2])]),
        sent(2, 90_500, &DATA, vec![arrival(1, Fate::Collision, &[0])]),
    ]
}

fn drawn(scene: Scene, window: Window, frames: &[Transmission], end: u64) -> String {
    let mut picture = Picture::new(Path::new("unused"), window, scene);
    let mut tally = Tally::new(picture.scene.motes.len());
    for sent in frames {
        picture.add(sent);
        tally.add(sent);
    }
    picture.frames.sort_by_key(|sent| (sent.begin, sent.sender));
    picture.svg(us(end), &tally)
}

/// The titles of a picture's marks.
fn titles(svg: &str) -> Vec<&str> {
    let titles = svg.split("<g><title>").skip(1);
    titles.filter_map(|title| title.split("</title>").next()).collect()
}

/// All text of a picture.
fn words(svg: &str) -> String {
    let texts = svg.split("<text").skip(1);
    let texts = texts.filter_map(|text| text.split('>').nth(1)?.split('<').next());
    texts.collect::<Vec<_>>().join(" ")
}

fn count(svg: &str, class: &str) -> usize {
    svg.matches(&format!("class=\"{class}\"")).count()
}

#[test]
fn who_sent_who_heard_and_what_collided() {
    let svg = drawn(scene(), Window::default(), &frames(), 100_000);
    for title in [
        "a sends a frame of 7 bytes, number 42, at 0.001000 s; heard whole: b; too weak: long&lt;name",
        "at b: heard whole, from a, -60.0 dBm",
        "at long&lt;name: too weak, from a, -60.0 dBm",
        "b sends an acknowledgment of 5 bytes, number 42, at 0.002200 s; heard whole: a; \
         for another mote: long&lt;name",
        "at long&lt;name: for another mote, from b, -60.0 dBm",
        "a sends a frame of 7 bytes, number 42, at 0.090000 s; collision: b",
        "at b: collision with long&lt;name, from a, -60.0 dBm",
        "at b: collision with a, from long&lt;name, -60.0 dBm",
        "b hears 1 of 2 frames of a",
        "a hears 1 of 1 frames of b",
        "b hears 0 of 1 frames of long&lt;name",
    ] {
        assert!(titles(&svg).contains(&title), "no {title} in {:#?}", titles(&svg));
    }
    assert_eq!(count(&svg, "sent"), 3 + 1, "data, and the legend");
    assert_eq!(count(&svg, "ack"), 1 + 1);
    assert_eq!(count(&svg, "clash"), 2 + 1);
    assert_eq!(count(&svg, "band"), 2, "where they overlap");
    assert_eq!(count(&svg, "wall"), 1);
    for text in [
        ">it on 3 motes<",
        ">#42 7 B<",
        ">ack<",
        ">0.0009 s<",
        ">heard whole, from whom<",
        ">collision<",
        ">50 %<",
    ] {
        assert!(svg.contains(text), "no {text} in {svg}");
    }
    assert!(!svg.contains(">not listening<"), "the legend has what is there");
    let all = "All of the run, 100.0 ms: 4 frames sent (1 acknowledgment) · 2 heard whole · \
               1 for another mote · 1 too weak · 2 lost: collision 2";
    assert!(words(&svg).contains(all), "{}", words(&svg));
}

#[test]
fn bars_are_to_scale_and_overlap_in_rows() {
    let svg = drawn(scene(), Window::default(), &frames(), 100_000);
    // Left, top and width of each.
    let bars = |class: &str| -> Vec<[f64; 3]> {
        let head = format!("<path class=\"{class}\" d=\"M");
        let paths = svg.split(&head).skip(1);
        let numbers = paths.map(|path| {
            let mut numbers = path.split(|c: char| !(c.is_ascii_digit() || c == '.'));
            [0, 1, 2].map(|_| numbers.next().and_then(|n| n.parse().ok()).expect("a number"))
        });
        numbers.collect()
    };
    let clashes = bars("clash");
    let ([x1, y1, width], [x2, y2, _]) = (clashes[0], clashes[1]);
    assert!((width - 64.0).abs() < 0.2, "all frames are as long: {width}");
    assert!((x2 - x1 - width / 2.0).abs() < 0.2, "half of it later");
    assert!(y2 > y1 + 11.0, "below it");
    let [band, _, overlap] = bars("band")[0];
    assert!((band - x2).abs() < 0.2 && (overlap - width / 2.0).abs() < 0.2, "{band}, {overlap}");
}

#[test]
fn a_part_of_the_run_is_drawn() {
    let window = Window { from: Some(us(50_000)), length: Some(us(40_200)) };
    let svg = drawn(scene(), window, &frames(), 100_000);
    assert_eq!(count(&svg, "sent"), 1 + 1, "one has begun by then");
    assert!(svg.contains(">40.20 ms from 50 ms on: 1 frame sent · "), "{svg}");
    assert!(svg.contains("All of the run, 100.0 ms: 4 frames sent"), "{svg}");
    let window = Window { from: Some(us(50_000)), length: Some(us(1_000)) };
    let svg = drawn(scene(), window, &frames(), 100_000);
    assert!(svg.contains(">Nothing was sent from 50 ms to 51 ms.<"), "{svg}");
}

#[test]
fn of_a_long_run_the_first_frames_are_drawn() {
    let heard = || vec![arrival(1, Fate::Whole, &[])];
    let frames: Vec<_> = (0..100).map(|n| sent(0, n * 10_000, &DATA, heard())).collect();
    let svg = drawn(scene(), Window::default(), &frames, 1_000_000);
    assert_eq!(count(&svg, "sent"), USUAL + 1);
    assert!(svg.contains("later frames are left out (--air-for)"), "{svg}");
    let window = Window { from: None, length: Some(us(1_000_000)) };
    let svg = drawn(scene(), window, &frames, 1_000_000);
    assert_eq!(count(&svg, "sent"), 100 + 1);
}

#[test]
fn what_collides_with_the_last_frame_is_drawn() {
    let usual = USUAL as u64;
    let mut frames: Vec<_> = (0..usual).map(|n| sent(0, n * 10_000, &DATA, vec![])).collect();
    let last = (usual - 1) * 10_000;
    frames.push(sent(2, last + 500, &DATA, vec![]));
    frames.push(sent(2, last + 5_000, &DATA, vec![]));
    let svg = drawn(scene(), Window::default(), &frames, 1_000_000);
    assert_eq!(count(&svg, "sent"), USUAL + 1 + 1);
}

#[test]
fn sources_of_interference_are_on_the_map() {
    let svg = drawn(scene(), Window::default(), &frames(), 100_000);
    assert!(!svg.contains("class=\"source\"") && !words(&svg).contains(" interference"), "{svg}");
    let sources = vec![[40.0, 5.0], [30.0, 0.0]];
    let scene = Scene { sources, ..scene() };
    let svg = drawn(scene, Window::default(), &frames(), 100_000);
    assert_eq!(count(&svg, "source"), 2 + 1, "and in the legend");
    assert_eq!(titles(&svg).iter().filter(|title| **title == "interference").count(), 2);
    assert!(words(&svg).contains(" interference"), "{}", words(&svg));
    let right = svg.split("<path class=\"source\" d=\"M").nth(1).and_then(|d| d.split(' ').next());
    let right: f64 = right.and_then(|x| x.parse().ok()).expect("a place");
    assert!((right - MARGIN - map::WIDTH + 30.0).abs() < 1.0, "the map reaches as far: {right}");
}

#[test]
fn motes_at_one_place_are_drawn_apart() {
    let motes = (0..40).map(|n| Placed { name: n.to_string(), places: vec![[0.0, 0.0]] });
    let scene = Scene { title: "it".into(), motes: motes.collect(), ..Scene::default() };
    let svg = drawn(scene, Window::default(), &frames(), 100_000);
    let nodes = svg.split("<circle class=\"node\" ").skip(1);
    let places: std::collections::BTreeSet<&str> =
        nodes.filter_map(|node| node.split(" r=").next()).collect();
    assert_eq!(places.len(), 40);
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
}

/// The value of an attribute that is a number.
fn value(head: &str, name: &str) -> Option<f64> {
    head.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?.parse().ok()
}

/// The motes of a map, and their names, as boxes: left, top, right, bottom.
fn boxes(svg: &str) -> Vec<[f64; 4]> {
    let nodes = svg.split("<circle class=\"node\"").skip(1).flat_map(|node| {
        let of = |name| value(node, name).expect("a number");
        let [x, y, r] = ["cx", "cy", "r"].map(of);
        let name = node.split("</text>").next().and_then(|text| text.rsplit('>').next());
        let half = width(name.expect("a name"), NAME_SIZE) / 2.0;
        let [at, base] = ["x", "y"].map(of);
        let is_within = at == x && (base - y).abs() < r;
        let text = [at - half, base - 0.7 * NAME_SIZE, at + half, base];
        [Some([x - r, y - r, x + r, y + r]), (!is_within).then_some(text)]
    });
    nodes.flatten().collect()
}

#[test]
fn motes_near_each_other_and_their_names_do_not_cover_each_other() {
    // Rooms on both sides of a corridor, with desks at their walls.
    let place = |n: u32| {
        let (x, y) = (8.0 * f64::from(n / 2), if n % 2 == 0 { 4.8 } else { 9.7 });
        [if n / 2 % 2 == 0 { x + 6.9 } else { x + 1.0 }, y]
    };
    let mote = |n: u32| Placed { name: n.to_string(), places: vec![place(n)] };
    let scene =
        Scene { title: "it".into(), motes: (0..20).map(mote).collect(), ..Scene::default() };
    let boxes = boxes(&drawn(scene, Window::default(), &frames(), 100_000));
    assert!(boxes.len() > 20, "names are beside motes that are small");
    for (index, one) in boxes.iter().enumerate() {
        for other in &boxes[index + 1..] {
            let meets = one[0] < other[2] && other[0] < one[2];
            let covers = meets && one[1] < other[3] && other[1] < one[3];
            assert!(!covers, "{one:?} covers {other:?}");
        }
    }
}

#[test]
fn nothing_is_outside_of_the_picture() {
    let mut scene = scene();
    scene.title = "a title of many words ".repeat(20);
    let svg = drawn(scene, Window::default(), &frames(), 100_000);
    let size = |name| value(&svg, name).expect("a size");
    let (width, height) = (size("width"), size("height"));
    let texts: Vec<&str> = svg.split("<text").skip(1).collect();
    assert!(texts.len() > 30);
    for text in texts {
        let head = text.split('>').next().expect("attributes");
        let is_within = |place: Option<f64>, end| place.is_none_or(|at| (0.0..=end).contains(&at));
        assert!(
            is_within(value(head, "x"), width) && is_within(value(head, "y"), height),
            "{text}"
        );
    }
}

#[test]
fn a_picture_is_light_or_dark() {
    let svg = drawn(scene(), Window::default(), &[], 100_000);
    assert!(svg.contains("prefers-color-scheme:dark"), "{svg}");
    assert!(svg.contains("<title>The air: it on 3 motes</title>"), "{svg}");
    assert!(svg.contains(">Nothing was sent from 0 ms to 100 ms.<"), "{svg}");
}
