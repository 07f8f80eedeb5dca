// SPDX-License-Identifier: MIT OR Apache-2.0
//! A new program builds and runs as it is, and what cannot become one is refused.

use crate::common::{Called, call, finish, lichen, root};
use lichen_image::Image;
use std::path::Path;

fn new(folder: &Path) -> Called {
    call(&["new", &folder.display().to_string()])
}

#[track_caller]
fn refused(called: &Called, parts: &[&str]) {
    assert_eq!(called.code, 2, "out: {}\nerr: {}", called.out, called.err);
    for part in parts {
        assert!(called.err.contains(part), "`{part}` is missing in: {}", called.err);
    }
}

#[test]
fn a_new_program_outside_the_tree_runs_at_once() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("a place").join("new_outside");
    let called = new(&folder);
    assert_eq!(called.code, 0, "{}", called.err);
    let word = format!("'{}'", folder.display());
    assert!(called.out.contains(&format!("./lichen run {word} --for 3s\n")), "{}", called.out);
    assert!(called.out.contains(&format!("./lichen build {word}\n")), "{}", called.out);
    let cmake = std::fs::read_to_string(folder.join("CMakeLists.txt")).expect("written");
    assert!(!cmake.contains(&root().display().to_string()), "it names where this tree is: {cmake}");
    let ran = call(&["run", &folder.display().to_string(), "--for", "2500ms"]);
    assert_eq!(ran.code, 0, "out: {}\nerr: {}", ran.out, ran.err);
    assert!(ran.out.contains("new_outside: change 3"), "{}", ran.out);
}

/// The image's path, as `build` or `run` prints it.
fn image(out: &str) -> &str {
    let words = out.split_whitespace();
    words.into_iter().find(|word| word.ends_with(".elf")).expect("an image")
}

/// Whether a program's image has a function of the system.
fn has(folder: &Path, function: &str) -> bool {
    let built = call(&["build", &folder.display().to_string()]);
    assert_eq!(built.code, 0, "out: {}\nerr: {}", built.out, built.err);
    let image = Image::load(&root().join(image(&built.out))).expect("an image");
    image.symbols().find(function).is_some()
}

#[test]
fn a_manifest_that_changes_gets_the_system_that_it_asks_for() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("new_tick");
    assert_eq!(new(&folder).code, 0);
    assert!(has(&folder, "kernel_tick_arrived") && !has(&folder, "read_counter"));
    let manifest = folder.join("lichen.toml");
    let usual = std::fs::read_to_string(&manifest).expect("written");
    // No other program has both settings, so the archive is of this test alone.
    let _ = std::fs::remove_dir_all(root().join("build/system/hamilton+SYSLOG-err+TICK-read"));
    let other = format!("{usual}\n[build]\ntick = \"read\"\nsyslog = \"err\"\n");
    std::fs::write(&manifest, other).expect("written");
    assert!(has(&folder, "read_counter") && !has(&folder, "kernel_tick_arrived"));
    std::fs::write(&manifest, usual).expect("written");
    assert!(has(&folder, "kernel_tick_arrived"));
}

#[test]
fn a_setting_that_there_is_not_is_refused_until_it_is_corrected() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("new_level");
    assert_eq!(new(&folder).code, 0);
    assert!(has(&folder, "kernel_tick_arrived"));
    let cmake = folder.join("CMakeLists.txt");
    let usual = std::fs::read_to_string(&cmake).expect("written");
    let wrong = usual.replace("include(", "set(LICHEN_SYSLOG warn)\ninclude(");
    assert_ne!(wrong, usual);
    std::fs::write(&cmake, wrong).expect("written");
    let built = call(&["build", &folder.display().to_string()]);
    assert_ne!(built.code, 0, "{}", built.out);
    assert!(built.err.contains("There is no level 'warn'"), "{}", built.err);
    std::fs::write(&cmake, usual).expect("written");
    assert!(has(&folder, "kernel_tick_arrived"));
}

#[test]
fn a_program_is_built_again_after_an_archive_that_could_not_be() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("new_odd");
    assert_eq!(new(&folder).code, 0);
    let built = call(&["build", &folder.display().to_string()]);
    let named = root().join(image(&built.out)).with_file_name("system_archive");
    let usual = std::fs::read_to_string(&named).expect("the archive's name");
    let odd = tempfile::tempdir().expect("a folder");
    let wish = format!("{}\n-DLICHEN_TICK=odd\n", odd.path().join("hamilton").display());
    std::fs::write(&named, wish).expect("written");
    let manifest = folder.join("lichen.toml");
    let text = std::fs::read(&manifest).expect("written");
    std::fs::write(&manifest, text).expect("it has changed");
    assert!(has(&folder, "kernel_tick_arrived"));
    assert_eq!(std::fs::read_to_string(&named).expect("the archive's name"), usual);
}

#[test]
fn programs_of_one_name_outside_the_tree_are_built_apart() {
    let place = tempfile::tempdir().expect("a folder");
    let made = ["this", "that"].map(|which| {
        let folder = place.path().join(which).join("new_twin");
        assert_eq!(new(&folder).code, 0);
        let file = folder.join("main.c");
        let text = std::fs::read_to_string(&file).expect("written");
        let text = text.replace("new_twin: change", &format!("{which} twin: change"));
        std::fs::write(&file, text).expect("written");
        let run = ["run", &folder.display().to_string(), "--for", "1s"].map(str::to_string);
        (which, std::thread::spawn(move || call(&run)))
    });
    let ran = made.map(|(which, thread)| (which, thread.join().expect("it ends")));
    for (which, ran) in &ran {
        assert_eq!(ran.code, 0, "out: {}\nerr: {}", ran.out, ran.err);
        assert!(ran.out.contains(&format!("{which} twin: change 1")), "{}", ran.out);
    }
    assert_ne!(image(&ran[0].1.out), image(&ran[1].1.out));
}

/// What is computed is there during the second link alone: plain CMake must not find it.
#[track_caller]
fn assert_has_computed_stack(out: &str) {
    let line = |fits: fn(&&str) -> bool| out.lines().find(fits).expect("a line");
    let stack = line(|line| line.starts_with("kernel's stack "));
    assert!(stack.contains(" bytes, computed: "), "{stack}");
    let elf = root().join(line(|line| line.ends_with(".elf")));
    assert!(elf.exists() && !elf.with_file_name("computed").exists(), "{out}");
}

#[test]
fn a_new_program_in_the_tree_is_for_its_board() {
    let build = root().join("build");
    std::fs::create_dir_all(&build).expect("a folder");
    let place = tempfile::tempdir_in(build).expect("a folder");
    let folder = place.path().join("new_inside");
    let called = finish(lichen().current_dir(place.path()).args([
        "new",
        "new_inside",
        "--board",
        "samr21-xpro",
    ]));
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(called.out.contains("./lichen build new_inside --board samr21-xpro"), "{}", called.out);
    let cmake = std::fs::read_to_string(folder.join("CMakeLists.txt")).expect("written");
    assert!(cmake.contains("include(\"../../../os/lichen.cmake\")"), "{cmake}");
    let path = folder.display().to_string();
    let built = call(&["build", &path, "--board", "samr21-xpro"]);
    assert_eq!(built.code, 0, "out: {}\nerr: {}", built.out, built.err);
    assert_has_computed_stack(&built.out);
    assert_eq!(call(&["build", &path, "--board", "hamilton"]).code, 2);
}

/// Makes a program of a kind, and runs its own test; `passed` is the last line.
#[track_caller]
fn passes_its_test(kind: &str, passed: &str) {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("new_kind").display().to_string();
    let made = call(&["new", &folder, kind]);
    assert_eq!(made.code, 0, "{}", made.err);
    let tested = call(&["test", &folder]);
    assert_eq!(tested.code, 0, "out: {}\nerr: {}", tested.out, tested.err);
    assert_eq!(tested.out.lines().last(), Some(passed), "{}", tested.out);
    let next = made.out.lines().find_map(|line| line.trim().strip_prefix("./lichen run "));
    let options: Vec<&str> = next.expect("what to type").split(' ').skip(1).collect();
    let ran = call(&[&["run", folder.as_str()], &options[..]].concat());
    assert_eq!(ran.code, 0, "out: {}\nerr: {}", ran.out, ran.err);
    assert!(!ran.out.contains("warning:"), "{}", ran.out);
}

#[test]
fn a_new_program_with_a_radio_passes_its_test_on_each_board_that_has_one() {
    passes_its_test("--radio", "4 passed, 0 failed");
}

#[test]
fn a_new_program_with_a_sensor_passes_its_test_on_each_board_that_has_it() {
    passes_its_test("--sensor", "1 passed, 0 failed");
}

#[test]
fn a_board_that_lacks_the_sensor_is_refused_with_one_that_has_it() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("cold");
    let called = call(&["new", &folder.display().to_string(), "--sensor", "--board", "micaz"]);
    refused(&called, &["`micaz` has no thermometer", "choose one that has: hamilton;"]);
    assert!(!folder.exists());
}

#[test]
fn a_new_program_grows_beyond_a_link_without_a_budget_in_its_way() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("new_grows");
    assert_eq!(new(&folder).code, 0);
    let app = root().join("app/link_ping/link_ping.c");
    std::fs::copy(app, folder.join("main.c")).expect("copied");
    let built = call(&["build", &folder.display().to_string()]);
    assert_eq!(built.code, 0, "out: {}\nerr: {}", built.out, built.err);
}

#[test]
fn a_folder_that_is_not_empty_is_left_as_it_is() {
    let place = tempfile::tempdir().expect("a folder");
    std::fs::write(place.path().join("mine.c"), "int mine;\n").expect("written");
    let folder = place.path().join("full");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("mine.c"), "int mine;\n").expect("written");
    refused(&new(&folder), &["full is not empty", "help: name a folder"]);
    assert_eq!(std::fs::read_dir(&folder).expect("listed").count(), 1);
    refused(&new(&place.path().join("mine.c")), &["mine.c"]);
}

#[test]
fn a_name_or_board_that_cannot_be_is_refused_and_nothing_written() {
    let place = tempfile::tempdir().expect("a folder");
    refused(&new(&place.path().join("2 lights")), &["`2 lights`", "call it `lights`"]);
    refused(&new(&place.path().join("blink")), &["app/ has", "`my_blink`"]);
    let folder = place.path().join("good").display().to_string();
    let called = call(&["new", &folder, "--board", "hamiltn"]);
    refused(&called, &["`hamiltn`", "did you mean `hamilton`?"]);
    assert_eq!(std::fs::read_dir(place.path()).expect("listed").count(), 0);
}

#[test]
fn a_place_that_cannot_be_written_is_reported() {
    // No user, not even root, can make a folder here.
    let called = new(Path::new("/proc/pulse"));
    refused(&called, &["cannot write /proc/pulse", "help: choose a folder"]);
}
