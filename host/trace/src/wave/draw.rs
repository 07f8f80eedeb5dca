// SPDX-License-Identifier: MIT OR Apache-2.0
//! The picture: from the records of motes to SVG.

use super::boxes::Boxes;
use super::legend::Legend;
use super::panel::{Group, Panel};
use super::row::{Row, columns};
use super::steps::{Cell, Steps};
use crate::drawing::scale::{self, Axis};
use crate::drawing::words::{escaped, width};
use crate::drawing::{Colours, page, paragraph};
use lichen_chip::Time;
use std::fmt::Write;

/// Geometry in pixels: the least room for names at the left, what is drawn over time, the margin around.
const NAMES: f64 = 150.0;
pub(super) const PLOT: f64 = 730.0;
pub(super) const MARGIN: f64 = 24.0;
/// Size of the font of the names of lanes, and the room between these and their lanes.
const NAME_SIZE: f64 = 11.0;
const AFTER_NAME: f64 = 8.0;
/// Height of the curve, of the room above it for lengths of active periods, of a lane, and of what is in it.
pub(super) const CURVE: f64 = 190.0;
const ABOVE: f64 = 26.0;
const LANE: f64 = 16.0;
const BLOCK: f64 = 10.0;
/// Room between groups of lanes, for a line of text, and for the axis of time.
const GAP: f64 = 5.0;
const AXIS: f64 = 42.0;
/// Degrees of paleness of a period that a state fills in part.
const PALE: u32 = 8;

/// Colours of lines and lanes.
const COLOURS: Colours = Colours {
    light: "\
.line{stroke:#0b62c4;fill:none}.area,.range,.mean{fill:#0b62c4}.area{opacity:.12}.range{opacity:.45}
.length{stroke:#24292f}
.processor{fill:#6b7785}.thread{fill:#2e7d4f}.interrupt{fill:#c0392b}.clock{fill:#8a6d00}.peripheral{fill:#0a7f8f}
.part{fill:#a2527a}.pin{fill:#c98a00}.serial{fill:#7a5195}
.s0{fill:#9aa7b4}.s1{fill:#d64550}.s2{fill:#e0913a}.s3{fill:#3d7dd8}.s4{fill:#b45fd0}.s5{fill:#4c9f5e}.s6{fill:#1ba39c}
.s7{fill:#b8a300}.s8{fill:#5b6ee1}.s9{fill:#8c6239}.s10{fill:#e377c2}.s11{fill:#7fbf3f}
",
    dark: "\
.line{stroke:#58a6ff}.area,.range,.mean{fill:#58a6ff}.length{stroke:#e6edf3}
.processor{fill:#8b98a5}.thread{fill:#56b378}.interrupt{fill:#f0776b}.clock{fill:#d4b13a}.peripheral{fill:#3fbccd}
.part{fill:#df8ab4}.pin{fill:#e8b339}.serial{fill:#b48ad0}
.s0{fill:#6e7b88}.s1{fill:#ff7b84}.s2{fill:#ffb366}.s3{fill:#79aef5}.s4{fill:#d59cf0}.s5{fill:#7fd08f}.s6{fill:#5fd6cf}
.s7{fill:#e3d04f}.s8{fill:#98a6ff}.s9{fill:#c79b6f}.s10{fill:#f5a8dd}.s11{fill:#b0e070}
",
};

/// The picture of these motes.
pub fn svg(panels: &[Panel]) -> String {
    let mut body = String::new();
    let mut top = MARGIN;
    let mut legend = Legend::default();
    let names = room_for_names(panels);
    for panel in panels {
        let drawing = Drawing { svg: &mut body, legend: &mut legend, panel, top, names };
        top = drawing.panel() + MARGIN;
    }
    let width = names + PLOT + 2.0 * MARGIN;
    top = legend.draw(&mut body, top - MARGIN / 2.0, (MARGIN, width - MARGIN)) + MARGIN / 2.0;
    let titles: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
    let title = format!("Current and states of {}", titles.join("; "));
    page((width, top), &title, COLOURS, &body)
}

/// The width of the longest name of a lane.
fn room_for_names(panels: &[Panel]) -> f64 {
    let rows = panels.iter().flat_map(Panel::rows);
    let widths = rows.map(|row| width(&row.name, NAME_SIZE) + AFTER_NAME);
    widths.fold(NAMES, f64::max).ceil()
}

impl Panel {
    /// Whether a lane shows a state that is there all the time, and explains nothing.
    fn is_constant(&self, group: Group, steps: &Steps) -> bool {
        let may_be = matches!(group, Group::Clock | Group::Peripheral | Group::Part | Group::Pin);
        may_be && steps.cells().iter().all(|cell| cell.least == 1)
    }

    /// The lanes in which something happens.
    fn lanes_drawn(&self) -> Vec<(Group, String, &Steps)> {
        let parts = self.lanes_with_something().filter(|(group, ..)| *group == Group::Part);
        let parts: Vec<&str> = parts.map(|(_, name, _)| name).collect();
        // What a pin shows of a part whose own lanes are here is there twice.
        let is_part = |lane: &str| {
            let name = lane.rsplit_once(' ').map_or(lane, |(name, _)| name);
            parts
                .iter()
                .any(|part| part.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))
        };
        let lanes = self.lanes_with_something().filter(|(group, name, steps)| {
            !self.is_constant(*group, steps) && (*group != Group::Pin || !is_part(name))
        });
        lanes.map(|(group, name, steps)| (group, name.to_string(), steps)).collect()
    }

    /// The lanes, with the states of a component in one.
    fn rows(&self) -> Vec<Row<'_>> {
        let mut rows: Vec<Row<'_>> = Vec::new();
        // The component of each row, if its lane is of a state.
        let mut components: Vec<Option<&str>> = Vec::new();
        for (group, name, steps) in self.lanes_drawn() {
            let known = self.states.get(&(group, name.clone()));
            let component = known.map(|(component, _)| component.as_str());
            let state = known.map_or_else(String::new, |(_, state)| state.clone());
            let same = |at: &usize| rows[*at].group == group && components[*at] == component;
            match (0..rows.len()).find(same).filter(|_| component.is_some()) {
                Some(at) => {
                    rows[at].name = component.unwrap_or_default().to_string();
                    rows[at].states.push((state, steps));
                }
                None => {
                    rows.push(Row { group, name, states: vec![(state, steps)] });
                    components.push(component);
                }
            }
        }
        rows
    }

    fn lanes_with_something(&self) -> impl Iterator<Item = (Group, &str, &Steps)> {
        let lanes = self.lanes.iter();
        lanes
            .filter(|(_, steps)| steps.cells().iter().any(|cell| cell.most > 0))
            .map(|((group, name), steps)| (*group, name.as_str(), steps))
    }
}

/// One panel under way.
pub(super) struct Drawing<'a> {
    pub(super) svg: &'a mut String,
    pub(super) panel: &'a Panel,
    pub(super) legend: &'a mut Legend,
    /// Where the next thing goes.
    top: f64,
    /// Room for the names of lanes.
    names: f64,
}

impl Drawing<'_> {
    /// Draws all of it; returns where it ends.
    fn panel(mut self) -> f64 {
        let (title, totals) = (self.panel.title.clone(), self.totals());
        self.text(&title, "b");
        self.text(&totals, "m");
        self.top += ABOVE;
        let curve = self.top;
        let rows = self.panel.rows();
        let groups = rows.windows(2).filter(|pair| pair[0].group != pair[1].group).count();
        let bottom = curve + CURVE + 2.0 * GAP + groups as f64 * GAP + rows.len() as f64 * LANE;
        self.time_axis(curve, bottom);
        self.curve(curve);
        self.lengths(curve);
        self.top = curve + CURVE + 2.0 * GAP;
        let mut last = None;
        for row in rows {
            if last.is_some_and(|last| last != row.group) {
                self.top += GAP;
            }
            last = Some(row.group);
            self.name(&row.name);
            match &row.states[..] {
                [(_, steps)] => self.lane(row.group, steps),
                states => self.states(&row.name, states),
            }
            self.top += LANE;
        }
        self.top = bottom + AXIS;
        self.footnotes();
        self.top
    }

    fn text(&mut self, text: &str, class: &str) {
        paragraph(self.svg, &mut self.top, class, (MARGIN, self.names + PLOT), text);
    }

    /// Where what is drawn over time begins.
    pub(super) fn left(&self) -> f64 {
        MARGIN + self.names
    }

    /// The sums of the period that is drawn.
    fn totals(&self) -> String {
        let panel = self.panel;
        let span = panel.end - panel.begin;
        let sum = |steps: &Steps| steps.cells().iter().map(|cell| cell.integral).sum::<u128>();
        let cells = panel.current.cells();
        // Of what is 0 or 1, the sum is the time in which it is 1.
        let length = |steps: &Steps| Time::from_units((sum(steps) / Time::UNIT.ps()) as u64);
        let charge = sum(&panel.current);
        let least = cells.iter().map(|cell| cell.least).min().unwrap_or(0);
        let most = cells.iter().map(|cell| cell.most).max().unwrap_or(0);
        let active = match panel.active_periods {
            1 => "1 active period".to_string(),
            count => format!("{count} active periods"),
        };
        let wake_ups = match panel.wake_ups {
            1 => "1 wake-up".to_string(),
            count => format!("{count} wake-ups"),
        };
        format!(
            "{} in {} · mean {}, least {}, most {} · {active}, {} · {wake_ups}, {} executing",
            scale::charge(charge),
            scale::time(span),
            scale::current(charge / span.max(Time::UNIT).ps()),
            scale::current(least),
            scale::current(most),
            scale::time(length(&panel.active)),
            scale::time(length(&panel.awake)),
        )
    }

    /// Place of a time.
    pub(super) fn x(&self, time: Time) -> f64 {
        let span = (self.panel.end - self.panel.begin).max(Time::UNIT);
        self.left() + (time - self.panel.begin).as_s() / span.as_s() * PLOT
    }

    /// Cells of which none is narrower than can be seen.
    pub(super) fn cells(&self, steps: &Steps) -> Vec<Cell> {
        let span = self.panel.end - self.panel.begin;
        steps.joined(span / (PLOT as u64 * 2))
    }

    fn time_axis(&mut self, top: f64, bottom: f64) {
        let panel = self.panel;
        let axis = Axis::of_time(panel.end - panel.begin);
        for (place, number) in &axis.ticks {
            let x = self.left() + place / axis.end * PLOT;
            let _ = writeln!(
                self.svg,
                "<path class=\"grid\" d=\"M{x:.1} {top}V{bottom}\"/>\
                 <path class=\"tick\" d=\"M{x:.1} {bottom}v4\"/>\
                 <text class=\"m\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
                bottom + 17.0
            );
        }
        let after = match panel.begin {
            Time::ZERO => String::new(),
            begin => format!(" after {}", scale::moment(begin)),
        };
        let (x, y) = (self.left() + PLOT / 2.0, bottom + 34.0);
        let _ = writeln!(
            self.svg,
            "<text class=\"m\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">time in {}{after}</text>",
            axis.unit
        );
    }

    /// The name of a lane, and its base.
    fn name(&mut self, name: &str) {
        let (left, base) = (self.left(), self.top + BLOCK);
        let _ = writeln!(
            self.svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"{NAME_SIZE}\">{}</text>\
             <path class=\"grid\" d=\"M{left} {base}h{PLOT}\"/>",
            left - AFTER_NAME,
            base - 1.0,
            escaped(name)
        );
    }

    /// States of a component, each in its colour.
    fn states(&mut self, component: &str, states: &[(String, &Steps)]) {
        let (left, base) = (self.left(), self.top + BLOCK);
        let span = (self.panel.begin, self.panel.end);
        let count = PLOT as usize * 2;
        let width = PLOT / count as f64;
        let mut paths = vec![Boxes::default(); states.len()];
        for (at, column) in columns(states, span, (count, BLOCK as u32)).into_iter().enumerate() {
            let from = left + at as f64 * width;
            for (state, low, high) in column {
                let height = (base - f64::from(high), base - f64::from(low));
                paths[state].add((from, from + width), height);
            }
        }
        for ((state, _), path) in states.iter().zip(paths) {
            let class = self.legend.state(component, state);
            let _ = writeln!(self.svg, "<path class=\"{class}\" d=\"{}\"/>", path.path());
        }
    }

    /// A state that is alone in its lane.
    fn lane(&mut self, group: Group, steps: &Steps) {
        let base = self.top + BLOCK;
        self.legend.groups.insert(group);
        let mut paths = vec![Boxes::default(); PALE as usize + 1];
        for cell in self.cells(steps).iter().filter(|cell| cell.most > 0) {
            let (from, to) = (self.x(cell.from), self.x(cell.to));
            // What is half and half must not seem to change with a difference that nobody sees.
            let degree = (cell.share() * f64::from(PALE) - 0.25).ceil().max(1.0) as usize;
            paths[degree.min(PALE as usize)].add((from, to), (self.top, base));
        }
        let paths = paths.into_iter().map(Boxes::path).enumerate();
        for (degree, path) in paths.filter(|(_, path)| !path.is_empty()) {
            let opacity = match degree as u32 {
                PALE => String::new(),
                degree => {
                    format!(" opacity=\"{:.2}\"", 0.3 + 0.6 * f64::from(degree) / f64::from(PALE))
                }
            };
            self.legend.has_pale |= degree < PALE as usize;
            let class = group.class();
            let _ = writeln!(self.svg, "<path class=\"{class}\"{opacity} d=\"{path}\"/>");
        }
    }

    fn footnotes(&mut self) {
        let panel = self.panel;
        let constant = panel.lanes_with_something();
        let constant = constant.filter(|(group, _, steps)| panel.is_constant(*group, steps));
        let constant: Vec<&str> = constant.map(|(_, name, _)| name).collect();
        let unknown: Vec<&str> = panel.unknown.iter().map(String::as_str).collect();
        for (head, names) in
            [("All the time", constant), ("Not in the curve, since no current is known", unknown)]
        {
            if !names.is_empty() {
                self.text(&format!("{head}: {}", names.join(", ")), "m");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::LINE;
    use crate::{Drawn, Kind};

    fn panel(events: &[(u64, Kind)]) -> Panel {
        let span = (Time::ZERO, Time::NEVER);
        let drawn = Drawn { title: "a<b & c".into(), chip: "ATSAMR21G18A", ..Drawn::default() };
        let mut panel = Panel::new(drawn, span);
        events.iter().for_each(|(us, kind)| panel.event(Time::from_us(*us), kind));
        panel.end(Time::from_us(1_000));
        panel
    }

    fn does(component: &'static str, state: &'static str) -> Kind {
        let (part, component) = ("ATSAMR21G18A", component.into());
        Kind::Activity { part, component, state, hz: 8_000_000, bus_hz: 0 }
    }

    fn draws(component: &'static str, ua: Option<u128>, whole_ua: u128) -> Kind {
        let fa = |ua: u128| ua * 1_000_000_000;
        Kind::Current { component: component.into(), fa: ua.map(fa), whole_fa: fa(whole_ua) }
    }

    #[test]
    fn a_curve_is_to_scale() {
        let panel = panel(&[
            (0, does("CPU", "standby")),
            (0, draws("CPU", Some(4), 4)),
            (250, Kind::Wake { cause: "RTC" }),
            (250, does("CPU", "active")),
            (250, draws("CPU", Some(1_000), 1_000)),
            (500, does("CPU", "standby")),
            (500, draws("CPU", Some(4), 4)),
            (500, draws("led0", None, 4)),
            (0, does("RTC", "counting")),
        ]);
        let svg = svg(&[panel]);
        let (left, quarter) = (MARGIN + NAMES, PLOT / 4.0);
        let top = MARGIN + 2.0 * LINE + ABOVE;
        let [low, high] = [0.004, 1.0].map(|share| top + CURVE * (1.0 - share));
        let [x1, x2, x4] = [1.0, 2.0, 4.0].map(|quarters| left + quarters * quarter);
        let line = format!("M{left:.2} {low:.2}H{x1:.2}V{high:.2}H{x2:.2}V{low:.2}H{x4:.2}\"/>\n");
        assert!(svg.contains(&format!("<path class=\"line\" d=\"{line}")), "{line}{svg}");
        for text in [
            ">a&lt;b &amp; c<",
            ">253.0 nC in 1.000 ms · mean 253.0 µA, least 4.000 µA, most 1.000 mA · \
             1 active period, 250.0 µs · 1 wake-up, 250.0 µs executing<",
            ">CPU<",
            ">active, 8 MHz (CPU)<",
            ">standby (CPU)<",
            ">main<",
            ">All the time: RTC counting<",
            ">Not in the curve, since no current is known: led0<",
        ] {
            assert!(svg.contains(text), "no {text} in {svg}");
        }
        assert!(!svg.contains("pale"), "{svg}");
    }

    #[test]
    fn ranges_that_fill_a_curve_are_drawn_by_logarithms() {
        let mut events = vec![(0, draws("CPU", Some(3), 3))];
        let changes = |us| [(us, draws("CPU", Some(1_000), 1_000)), (us, draws("CPU", Some(3), 3))];
        events.extend((0..1_000).flat_map(changes));
        let short = panel(&events);
        assert!(svg(&[short]).contains("current in µA"), "what lasts for no time is not drawn");
        let mut long = Panel::new(Drawn::default(), (Time::ZERO, Time::NEVER));
        for us in 0..100_000 {
            let [high, low] = changes(us).map(|(_, kind)| kind);
            long.event(Time::from_us(us), &low);
            long.event(Time::from_us(us) + Time::from_ns(500), &high);
        }
        long.end(Time::from_us(100_000));
        let svg = svg(&[long]);
        assert!(svg.contains(">1 mA<") && svg.contains(">1 µA<"), "{svg}");
    }

    /// Texts of a picture: where they begin and end, estimated as the picture does.
    fn extents(svg: &str) -> Vec<(f64, f64, String)> {
        let attribute = |text: &str, name: &str| -> Option<String> {
            let (_, rest) = text.split_once(&format!(" {name}=\""))?;
            Some(rest.split('"').next()?.to_string())
        };
        let texts = svg.split("<text").skip(1).filter_map(|text| {
            let (head, rest) = text.split_once('>')?;
            let content = rest.split("</text>").next()?;
            let x: f64 = attribute(head, "x")?.parse().ok()?;
            let size = attribute(head, "font-size")
                .map_or(crate::drawing::FONT_SIZE, |size| size.parse().expect("a number"));
            let width = width(content, size);
            let from = match attribute(head, "text-anchor").as_deref() {
                Some("end") => x - width,
                Some("middle") => x - width / 2.0,
                _ => x,
            };
            Some((from, from + width, content.to_string()))
        });
        texts.collect()
    }

    #[test]
    fn no_text_is_clipped() {
        let long = "a_thread_with_a_name_that_tells_everything_that_anyone_may_want_to_know";
        let mut events = vec![
            (0, does("CPU", "active")),
            (0, Kind::Thread { name: long.to_string() }),
            (0, draws("CPU", Some(1_000), 1_000)),
            (950, does("CPU", "standby")),
            (960, does("CPU", "active")),
            (995, does("CPU", "standby")),
        ];
        let parts = ["one part", "another part", "the third of the parts", "the fourth part"];
        events.extend(parts.map(|part| (0, does(part, "as it was before the picture"))));
        let mut panel = panel(&events);
        panel.title = "a title of many words ".repeat(20);
        let svg = svg(&[panel]);
        let width = svg.split(" width=\"").nth(1).and_then(|rest| rest.split('"').next());
        let width: f64 = width.expect("a width").parse().expect("a number");
        let extents = extents(&svg);
        assert!(extents.len() > 20 && svg.contains(long), "{svg}");
        for (from, to, text) in extents {
            assert!(from >= 0.0 && to <= width, "{text}: {from} to {to} of {width}");
        }
    }

    #[test]
    fn a_pin_has_a_lane_unless_its_part_has_one() {
        let pin = |name: &str, level| Kind::Pin { name: name.into(), level: Some(level) };
        let mut events = vec![(100, pin("sw0", 1)), (200, pin("sw0", 0)), (300, pin("led0", 1))];
        events.push((
            300,
            Kind::Activity {
                part: "LED",
                component: "led0".into(),
                state: "lit",
                hz: 0,
                bus_hz: 0,
            },
        ));
        let svg = svg(&[panel(&events)]);
        assert!(svg.contains(">sw0 high<") && svg.contains(">led0 lit<"), "{svg}");
        assert!(!svg.contains(">led0 high<"), "{svg}");
    }

    #[test]
    fn the_states_of_a_component_are_in_one_lane_in_the_colours_of_the_legend() {
        let svg = svg(&[panel(&[
            (0, does("CPU", "standby")),
            (0, does("ADC", "converting")),
            (250, does("CPU", "active")),
            (250, does("ADC", "off")),
            (500, does("CPU", "standby")),
            (500, does("SERCOM0", "active")),
            (750, does("SERCOM0", "standby")),
        ])]);
        for lane in [">CPU<", ">SERCOM0<", ">ADC converting<"] {
            assert_eq!(svg.matches(lane).count(), 1, "{lane}: {svg}");
        }
        for state in [">standby (CPU, SERCOM0)<", ">active, 8 MHz (CPU)<", ">active (SERCOM0)<"] {
            assert_eq!(svg.matches(state).count(), 1, "{state}: {svg}");
        }
        assert!(!svg.contains(">CPU standby<") && !svg.contains(">SERCOM0 active<"), "{svg}");
        let left = MARGIN + NAMES;
        let of_standby = svg.lines().find(|line| line.starts_with("<path class=\"s1\""));
        let of_standby = of_standby.expect("a path");
        for quarter in [0.0, 2.0] {
            let begin = format!("M{:.2} ", left + quarter * PLOT / 4.0);
            assert!(of_standby.contains(&begin), "no {begin} in {of_standby}");
        }
        assert_eq!(of_standby.matches('M').count(), 2, "{of_standby}");
    }

    #[test]
    fn a_picture_names_what_it_shows() {
        let panel = panel(&[(0, does("CPU", "standby")), (0, draws("CPU", Some(4), 4))]);
        let svg = svg(&[panel]);
        assert!(svg.contains("<title>Current and states of a&lt;b &amp; c</title>"), "{svg}");
        assert!(svg.contains(">mean current<") && svg.contains(">processor<"), "{svg}");
        assert!(svg.contains("prefers-color-scheme:dark"), "{svg}");
        assert_eq!(svg.matches("font-family").count(), 1, "{svg}");
        assert!(svg.contains("font-family=\"system-ui,sans-serif\""), "{svg}");
    }
}
