// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether two pictures show the same: the same labels, but for their numbers, and as many marks of each kind. Where
//! exactly these are does not matter.

use std::collections::BTreeMap;
use std::path::Path;

/// Elements that are no marks: they hold others, or are seen when the pointer is on one.
const NO_MARKS: [&str; 4] = ["svg", "g", "style", "title"];

/// Compares the picture that was made with the one that is shown; says what differs first.
pub(super) fn compare(made: &Path, shown: &Path) -> Result<(), String> {
    let read = |file: &Path| {
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
    };
    let (made, shown) = (Picture::of(&read(made)?), Picture::of(&read(shown)?));
    for kind in made.marks.keys().chain(shown.marks.keys()) {
        let count = |picture: &Picture| picture.marks.get(kind).copied().unwrap_or_default();
        let (new, old) = (count(&made), count(&shown));
        if new != old {
            return Err(format!("there are {new} marks `{kind}` now, not {old}"));
        }
    }
    if let Some((new, old)) = made.labels.iter().zip(&shown.labels).find(|(new, old)| new != old) {
        return Err(format!("a label is `{new}` now, not `{old}`"));
    }
    Ok(())
}

/// What a picture shows.
#[derive(Debug, PartialEq, Eq)]
struct Picture {
    /// Its texts in their order, with `#` for each number.
    labels: Vec<String>,
    /// How many elements there are of each kind: the name, and the class that it is drawn in.
    marks: BTreeMap<String, usize>,
}

impl Picture {
    fn of(svg: &str) -> Picture {
        let mut picture = Picture { labels: Vec::new(), marks: BTreeMap::new() };
        for element in svg.split('<').skip(1) {
            let (head, text) = element.split_once('>').unwrap_or((element, ""));
            let name = head.split([' ', '/']).next().unwrap_or_default();
            if name.is_empty() || NO_MARKS.contains(&name) {
                continue;
            }
            let class = head.split("class=\"").nth(1).and_then(|rest| rest.split('"').next());
            let kind = class.map_or(name.to_string(), |class| format!("{name} {class}"));
            *picture.marks.entry(kind).or_default() += 1;
            if !text.trim().is_empty() {
                picture.labels.push(without_numbers(text.trim()));
            }
        }
        picture
    }
}

fn without_numbers(text: &str) -> String {
    let mut words = String::new();
    for c in text.chars() {
        let is_number = c.is_ascii_digit() || (words.ends_with('#') && (c == '.' || c == ','));
        match (is_number, words.ends_with('#')) {
            (true, true) => {}
            (true, false) => words.push('#'),
            (false, _) => words.push(c),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: &str = "<svg><style>.a{}</style><text x=\"1\">12.5 mA, led</text>\
        <path class=\"sent\" d=\"M1 1\"/><path class=\"sent\" d=\"M2 2\"/></svg>";

    #[test]
    fn labels_and_marks_count_and_not_where_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let judge = |made: &str| {
            let file = |name: &str, text: &str| {
                let file = folder.path().join(name);
                std::fs::write(&file, text).expect("written");
                file
            };
            compare(&file("made.svg", made), &file("shown.svg", PICTURE))
        };
        assert_eq!(judge(&PICTURE.replace("M1", "M7").replace("12.5", "9")), Ok(()));
        let other = judge(&PICTURE.replace("led", "radio"));
        assert_eq!(other, Err("a label is `# mA, radio` now, not `# mA, led`".to_string()));
        let fewer = judge(&PICTURE.replacen("<path class=\"sent\" d=\"M1 1\"/>", "", 1));
        assert_eq!(fewer, Err("there are 1 marks `path sent` now, not 2".to_string()));
        assert!(compare(Path::new("none.svg"), Path::new("none.svg")).is_err());
    }
}
