// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `sweep`: the guide's example of many runs, `scenario/homestead/sweep.py`, in Python with Dask. What it needs is
//! installed into `build/sweep/venv`, and what it writes is in `build/sweep`.

use super::scripts::{attempt, environment};
use super::{Context, Listener, Report, Verdict, read};
use lichen_test::Code;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const NAME: &str = "homestead";
const ROOM: &str = "scenario/homestead";
/// Runs of each setting, and the settings: the losses of a link.
const SEEDS: usize = 20;
const LOSSES: [f64; 4] = [0.0, 0.2, 0.4, 0.6];
/// How far the share that is lost in all runs of a setting may be from what the setting says.
const TOLERANCE: f64 = 0.1;

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    if !context.wants(NAME) {
        return;
    }
    listener.working(context.group, NAME);
    let code = Code::of_command().files(&["dev/src/suite/sweep.rs", "dev/src/suite/scripts.rs"]);
    let inputs = read::with_tools(context, NAME, &["app", "board", "data", "os", ROOM], code);
    context.remembering(&inputs, listener, |listener| {
        let verdict = sweep(context).err().unwrap_or(Verdict::Passed);
        context.tell(listener, NAME, verdict);
    });
}

/// Runs the script, and looks at its table and its plot.
fn sweep(context: &Context<'_>) -> Result<(), Verdict> {
    let folder = context.tree().path("build/sweep");
    let environment = environment(context, &folder, &format!("{ROOM}/requirements.txt"))?;
    let (table, plot) = (folder.join("sweep.csv"), folder.join("sweep.svg"));
    for file in [&table, &plot] {
        let _ = std::fs::remove_file(file);
    }
    let mut script = environment.python();
    script.arg(context.tree().path(ROOM).join("sweep.py")).arg(super::command()).arg(&folder);
    script.env("LICHEN_ROOT", context.tree().path("")).env("MPLCONFIGDIR", folder.join("fonts"));
    attempt("the sweep of the guide fails", &format!("correct {ROOM}/sweep.py"), script)?;
    let wrong = |what| Verdict::Failed(Report::saying(format!("{ROOM}/sweep.py: {what}")));
    check_table(&read_file(&table)).map_err(wrong)?;
    check_plot(&read_file(&plot)).map_err(wrong)
}

fn read_file(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}

/// The table has each seed of each setting once, and the links lost what the settings say.
fn check_table(text: &str) -> Result<(), String> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let mut settings: BTreeMap<&str, Vec<BTreeMap<&str, &str>>> = BTreeMap::new();
    for line in lines {
        let row: BTreeMap<&str, &str> = head.iter().copied().zip(line.split(',')).collect();
        settings.entry(row.get("loss").copied().unwrap_or_default()).or_default().push(row);
    }
    let losses: Vec<f64> = settings.keys().filter_map(|loss| loss.parse().ok()).collect();
    if losses != LOSSES {
        return Err(format!("the table has the losses {losses:?}, not {LOSSES:?}"));
    }
    settings.values().zip(LOSSES).try_for_each(|(rows, loss)| check_setting(rows, loss))
}

/// The rows of a setting.
fn check_setting(rows: &[BTreeMap<&str, &str>], loss: f64) -> Result<(), String> {
    let numbers = |column: &str| -> Vec<f64> {
        rows.iter().filter_map(|row| row.get(column)?.parse().ok()).collect()
    };
    let seeds: BTreeSet<&str> = rows.iter().filter_map(|row| row.get("seed").copied()).collect();
    if rows.len() != SEEDS || seeds.len() != SEEDS {
        return Err(format!("of loss {loss} there are {} rows, {} seeds", rows.len(), seeds.len()));
    }
    let (sent, faded) = (numbers("sent"), numbers("faded"));
    if sent.len() != SEEDS || sent.iter().any(|sent| *sent < 1.0) {
        return Err(format!("of loss {loss} not each run sent something: {sent:?}"));
    }
    let share = faded.iter().sum::<f64>() / sent.iter().sum::<f64>();
    match (share - loss).abs() < TOLERANCE && faded.len() == SEEDS {
        true => Ok(()),
        false => Err(format!("of loss {loss} the share of frames that faded is {share:.3}")),
    }
}

/// The plot is a picture with its axes and its points.
fn check_plot(text: &str) -> Result<(), String> {
    let needed =
        ["<svg", "</svg>", "id=\"axes_1\"", "id=\"axes_2\"", "loss of the link", "id=\"line2d_"];
    match needed.iter().find(|part| !text.contains(**part)) {
        None => Ok(()),
        Some(part) => Err(format!("the plot of {} bytes has no {part}", text.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(faded: impl Fn(f64) -> f64) -> String {
        let rows = LOSSES.iter().flat_map(|loss| (0..SEEDS).map(move |seed| (*loss, seed)));
        let rows = rows.map(|(loss, seed)| format!("{loss:.1},{seed},50,{}\n", faded(loss)));
        format!("loss,seed,sent,faded\n{}", rows.collect::<String>())
    }

    #[test]
    fn a_table_is_judged_by_its_rows_and_what_they_say() {
        let good = table(|loss| loss * 50.0);
        assert_eq!(check_table(&good), Ok(()));
        assert!(check_table("").is_err_and(|what| what.contains("the losses []")));
        let less = good.lines().take(80).collect::<Vec<_>>().join("\n");
        assert_eq!(check_table(&less), Err("of loss 0.6 there are 19 rows, 19 seeds".to_string()));
        let twice = good.replace("0.2,3,", "0.2,4,");
        assert_eq!(check_table(&twice), Err("of loss 0.2 there are 20 rows, 19 seeds".to_string()));
        let same = check_table(&table(|_| 5.0));
        assert_eq!(same, Err("of loss 0 the share of frames that faded is 0.100".to_string()));
        let silent = check_table(&good.replace(",50,", ",0,"));
        assert!(silent.is_err_and(|what| what.contains("not each run sent something")));
    }

    #[test]
    fn an_empty_plot_is_none() {
        assert!(check_plot("").is_err());
        assert!(check_plot("<svg></svg>").is_err());
    }
}
