// SPDX-License-Identifier: MIT OR Apache-2.0
//! The picture: from the records of motes to SVG.

use super::boxes::Boxes;
use super::panel::{Group, Panel};
use super::scale::{self, Axis};
use super::steps::{Cell, Steps};
use lichen_chip::Time;
use std::fmt::Write;

/// Geometry in pixels: names at the left, what is drawn over time, the margin around.
const NAMES: f64 = 190.0;
const PLOT: f64 = 730.0;
const MARGIN: f64 = 20.0;
/// Height of the curve, of the room above it for lengths of active periods, of a lane, and of what is in it.
const CURVE: f64 = 190.0;
const ABOVE: f64 = 26.0;
const LANE: f64 = 16.0;
const BLOCK: f64 = 10.0;
/// Room between groups of lanes, for a line of text, and for the axis of time.
const GAP: f64 = 5.0;
const LINE: f64 = 18.0;
const AXIS: f64 = 42.0;
/// Lengths are written at so many active periods at most, and above those that are so wide.
const MOST_LENGTHS: u64 = 4;
const LENGTH_TEXT: f64 = 58.0;
const LEAST_LENGTH: f64 = 5.0;
/// Place of the name of the axis of currents.
const LEFT_OF_AXIS: f64 = 70.0;
/// Degrees of paleness of a period that a state fills in part.
const PALE: u32 = 8;
/// Characters of a line below the picture, about.
const LONGEST: usize = 120;

/// Colours for white paper, and for dark screens.
const STYLE: &str = "\
<style>
text{fill:#24292f}.m{fill:#57606a}.b{font-weight:bold}.page{fill:#fff}.grid{stroke:#d8dee4}.tick{stroke:#57606a}
.line{stroke:#0b62c4;fill:none}.area,.range{fill:#0b62c4}.area{opacity:.12}.range{opacity:.45}
.length{stroke:#24292f}
.processor{fill:#6b7785}.thread{fill:#2e7d4f}.interrupt{fill:#c0392b}.clock{fill:#8a6d00}.peripheral{fill:#0a7f8f}
.part{fill:#a2527a}.pin{fill:#c98a00}.serial{fill:#7a5195}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.m{fill:#9da7b1}.page{fill:#0d1117}.grid{stroke:#30363d}.tick{stroke:#9da7b1}
.line{stroke:#58a6ff}.area,.range{fill:#58a6ff}.length{stroke:#e6edf3}
.processor{fill:#8b98a5}.thread{fill:#56b378}.interrupt{fill:#f0776b}.clock{fill:#d4b13a}.peripheral{fill:#3fbccd}
.part{fill:#df8ab4}.pin{fill:#e8b339}.serial{fill:#b48ad0}
}
</style>
";

impl Group {
    fn class(self) -> &'static str {
        match self {
            Group::Processor => "processor",
            Group::Thread => "thread",
            Group::Interrupt => "interrupt",
            Group::Clock => "clock",
            Group::Peripheral => "peripheral",
            Group::Part => "part",
            Group::Pin => "pin",
            Group::Serial => "serial",
        }
    }
}

/// The picture of these motes.
pub fn svg(panels: &[Panel]) -> String {
    let mut body = String::new();
    let mut top = MARGIN;
    for panel in panels {
        top = Drawing { svg: &mut body, panel, top, has_pale: false }.panel() + MARGIN;
    }
    let width = NAMES + PLOT + 2.0 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{top}\" \
         viewBox=\"0 0 {width} {top}\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"12\">\n{STYLE}\
         <rect class=\"page\" width=\"{width}\" height=\"{top}\"/>\n{body}</svg>\n"
    )
}

impl Panel {
    /// Whether a lane shows a state that is there all the time, and explains nothing.
    fn is_constant(&self, group: Group, steps: &Steps) -> bool {
        let may_be = matches!(group, Group::Clock | Group::Peripheral | Group::Part | Group::Pin);
        may_be && steps.cells().iter().all(|cell| cell.least == 1)
    }

    /// The lanes in which something happens.
    fn lanes_drawn(&self) -> Vec<(Group, String, &Steps)> {
        let parts: Vec<&str> = self.lanes_with_something().map(|(_, name, _)| name).collect();
        // What a pin shows of a part whose own lanes are here is there twice.
        let is_part = |name: &str| {
            let name = name.strip_prefix("pin ").unwrap_or(name);
            parts
                .iter()
                .any(|part| part.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))
        };
        let lanes = self.lanes_with_something().filter(|(group, name, steps)| {
            !self.is_constant(*group, steps) && (*group != Group::Pin || !is_part(name))
        });
        lanes.map(|(group, name, steps)| (group, name.to_string(), steps)).collect()
    }

    fn lanes_with_something(&self) -> impl Iterator<Item = (Group, &str, &Steps)> {
        let lanes = self.lanes.iter();
        lanes
            .filter(|(_, steps)| steps.cells().iter().any(|cell| cell.most > 0))
            .map(|((group, name), steps)| (*group, name.as_str(), steps))
    }
}

/// One panel under way.
struct Drawing<'a> {
    svg: &'a mut String,
    panel: &'a Panel,
    /// Where the next thing goes.
    top: f64,
    /// Whether a lane has something pale.
    has_pale: bool,
}

impl Drawing<'_> {
    /// Draws all of it; returns where it ends.
    fn panel(mut self) -> f64 {
        let (title, totals) = (self.panel.title.clone(), self.totals());
        self.text(&title, "b");
        self.text(&totals, "m");
        self.top += ABOVE;
        let curve = self.top;
        let lanes = self.panel.lanes_drawn();
        let groups = lanes.windows(2).filter(|pair| pair[0].0 != pair[1].0).count();
        let bottom = curve + CURVE + 2.0 * GAP + groups as f64 * GAP + lanes.len() as f64 * LANE;
        self.time_axis(curve, bottom);
        self.curve(curve);
        self.lengths(curve);
        self.top = curve + CURVE + 2.0 * GAP;
        let mut last = None;
        for (group, name, steps) in lanes {
            if last.is_some_and(|last| last != group) {
                self.top += GAP;
            }
            last = Some(group);
            self.lane(group, &name, steps);
        }
        self.top = bottom + AXIS;
        self.footnotes();
        self.top
    }

    fn text(&mut self, text: &str, class: &str) {
        self.top += LINE;
        let _ = writeln!(
            self.svg,
            "<text class=\"{class}\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
            self.top - 5.0,
            escaped(text)
        );
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
    fn x(&self, time: Time) -> f64 {
        let span = (self.panel.end - self.panel.begin).max(Time::UNIT);
        MARGIN + NAMES + (time - self.panel.begin).as_s() / span.as_s() * PLOT
    }

    /// Cells of which none is narrower than can be seen.
    fn cells(&self, steps: &Steps) -> Vec<Cell> {
        let span = self.panel.end - self.panel.begin;
        steps.joined(span / (PLOT as u64 * 2))
    }

    fn time_axis(&mut self, top: f64, bottom: f64) {
        let panel = self.panel;
        let axis = Axis::of_time(panel.end - panel.begin);
        for (place, number) in &axis.ticks {
            let x = MARGIN + NAMES + place / axis.end * PLOT;
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
            begin => format!(" after {begin} s"),
        };
        let (x, y) = (MARGIN + NAMES + PLOT / 2.0, bottom + 34.0);
        let _ = writeln!(
            self.svg,
            "<text class=\"m\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">time in {}{after}</text>",
            axis.unit
        );
    }

    fn curve(&mut self, top: f64) {
        let cells = self.cells(&self.panel.current);
        let axis = axis(&cells);
        let (left, base) = (MARGIN + NAMES, top + CURVE);
        let y = |fa: u128| base - axis.place(fa as f64) * CURVE;
        for (place, number) in &axis.ticks {
            let y = base - axis.place(*place) * CURVE;
            let _ = writeln!(
                self.svg,
                "<path class=\"grid\" d=\"M{left} {y:.1}h{PLOT}\"/>\
                 <text class=\"m\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{number}</text>",
                left - 8.0,
                y + 4.0
            );
        }
        let (x, y_middle) = (left - LEFT_OF_AXIS, top + CURVE / 2.0);
        let _ = writeln!(
            self.svg,
            "<text class=\"m\" transform=\"translate({x} {y_middle})rotate(-90)\" \
             text-anchor=\"middle\">current{}</text>",
            axis.unit_phrase()
        );
        let mut line = String::new();
        let mut ranges = Boxes::default();
        for (index, cell) in cells.iter().enumerate() {
            let (from, to) = (self.x(cell.from), self.x(cell.to));
            let command = if index == 0 { format!("M{from:.2} ") } else { "V".to_string() };
            let _ = write!(line, "{command}{:.2}H{to:.2}", y(cell.mean()));
            if cell.least < cell.most {
                ranges.add((from, to), (y(cell.most), y(cell.least)));
            }
        }
        let range = ranges.path();
        if !cells.is_empty() {
            let right = left + PLOT;
            let _ =
                writeln!(self.svg, "<path class=\"area\" d=\"{line}L{right} {base}H{left}z\"/>");
            let _ = writeln!(self.svg, "<path class=\"range\" d=\"{range}\"/>");
            let _ = writeln!(self.svg, "<path class=\"line\" d=\"{line}\"/>");
        }
    }

    /// Writes the lengths of active periods above the curve, if they are few.
    fn lengths(&mut self, top: f64) {
        let panel = self.panel;
        let is_whole = |cell: &Cell| panel.begin < cell.from && cell.to < panel.end;
        let cells = panel.active.joined(Time::ZERO);
        let active: Vec<&Cell> = cells.iter().filter(|cell| cell.least == 1).collect();
        if panel.active_periods > MOST_LENGTHS {
            return;
        }
        for cell in active.into_iter().filter(|cell| is_whole(cell)) {
            let (from, to, y) = (self.x(cell.from), self.x(cell.to), top - 8.0);
            if to - from < LEAST_LENGTH {
                continue;
            }
            let (x, anchor, height) = match to - from < LENGTH_TEXT {
                true => (to + 5.0, "start", y + 4.0),
                false => ((from + to) / 2.0, "middle", y - 5.0),
            };
            let _ = writeln!(
                self.svg,
                "<path class=\"length\" d=\"M{from:.1} {}v8M{to:.1} {}v8M{from:.1} {y}H{to:.1}\"/>\
                 <text x=\"{x:.1}\" y=\"{height}\" text-anchor=\"{anchor}\">{}</text>",
                y - 4.0,
                y - 4.0,
                scale::time(cell.to - cell.from)
            );
        }
    }

    fn lane(&mut self, group: Group, name: &str, steps: &Steps) {
        let (left, base) = (MARGIN + NAMES, self.top + BLOCK);
        let _ = writeln!(
            self.svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"11\">{}</text>\
             <path class=\"grid\" d=\"M{left} {base}h{PLOT}\"/>",
            left - 8.0,
            base - 1.0,
            escaped(name)
        );
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
            self.has_pale |= degree < PALE as usize;
            let class = group.class();
            let _ = writeln!(self.svg, "<path class=\"{class}\"{opacity} d=\"{path}\"/>");
        }
        self.top += LANE;
    }

    fn footnotes(&mut self) {
        let panel = self.panel;
        let constant = panel.lanes_with_something();
        let constant = constant.filter(|(group, _, steps)| panel.is_constant(*group, steps));
        let constant: Vec<&str> = constant.map(|(_, name, _)| name).collect();
        if self.has_pale {
            self.text("Pale: in this state for a part of the time only.", "m");
        }
        let constant = lines("All the time: ", &constant);
        let unknown: Vec<&str> = self.panel.unknown.iter().map(String::as_str).collect();
        let unknown = lines("Not in the curve, since no current is known: ", &unknown);
        constant.iter().chain(&unknown).for_each(|line| self.text(line, "m"));
    }
}

/// The axis for a curve: from zero, or logarithmic if most of what there is to see would lie on the bottom,
/// because each column has sleep as well as work.
fn axis(cells: &[Cell]) -> Axis {
    let time = |cells: &mut dyn Iterator<Item = &Cell>| -> u64 {
        cells.map(|cell| (cell.to - cell.from).units()).sum()
    };
    let ranges = time(&mut cells.iter().filter(|cell| cell.least < cell.most));
    let most = cells.iter().map(|cell| cell.most).max().unwrap_or(0);
    let least = cells.iter().map(|cell| cell.least).filter(|least| *least > 0).min();
    match least {
        Some(least) if most / least > 10 && ranges > time(&mut cells.iter()) / 2 => {
            Axis::of_currents(least, most)
        }
        _ => Axis::of_current(most),
    }
}

/// A list in lines; none for an empty list.
fn lines(head: &str, names: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let comma = if index + 1 < names.len() { ", " } else { "" };
        match lines.last_mut() {
            Some(line) if line.len() + name.len() < LONGEST => {
                line.push_str(&format!("{name}{comma}"))
            }
            Some(_) => lines.push(format!("{name}{comma}")),
            None => lines.push(format!("{head}{name}{comma}")),
        }
    }
    lines
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn panel(events: &[(u64, Kind)]) -> Panel {
        let span = (Time::ZERO, Time::NEVER);
        let mut panel = Panel::new((0, "ATSAMR21G18A"), "a<b & c", span, None);
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
            ">CPU active, 8 MHz<",
            ">main<",
            ">All the time: RTC counting<",
            ">Not in the curve, since no current is known: led0<",
        ] {
            assert!(svg.contains(text), "no {text} in {svg}");
        }
        assert!(!svg.contains("Pale"), "{svg}");
    }

    #[test]
    fn ranges_that_fill_a_curve_are_drawn_by_logarithms() {
        let mut events = vec![(0, draws("CPU", Some(3), 3))];
        let changes = |us| [(us, draws("CPU", Some(1_000), 1_000)), (us, draws("CPU", Some(3), 3))];
        events.extend((0..1_000).flat_map(changes));
        let short = panel(&events);
        assert!(svg(&[short]).contains("current in µA"), "what lasts for no time is not drawn");
        let mut long = Panel::new((0, ""), "", (Time::ZERO, Time::NEVER), None);
        for us in 0..100_000 {
            let [high, low] = changes(us).map(|(_, kind)| kind);
            long.event(Time::from_us(us), &low);
            long.event(Time::from_us(us) + Time::from_ns(500), &high);
        }
        long.end(Time::from_us(100_000));
        let svg = svg(&[long]);
        assert!(svg.contains(">1 mA<") && svg.contains(">1 µA<"), "{svg}");
    }

    #[test]
    fn long_lists_are_broken() {
        let names = vec!["twelve chars"; 20];
        let lines = lines("Head: ", &names);
        assert!(lines.len() > 1 && lines.iter().all(|line| line.len() < LONGEST + 15), "{lines:?}");
        assert_eq!(lines.concat(), format!("Head: {}", names.join(", ")));
    }
}
