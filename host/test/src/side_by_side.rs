// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pieces of a group's work on all processors, reported as if they were done one after the other.

use super::{Listener, Outcome};
use crate::latency::Latencies;
use lichen_parallel::in_parallel;
use std::convert::Infallible;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// What a piece of work tells.
enum Report {
    Working(&'static str, String),
    Outcome(Outcome),
    Figure(&'static str, String),
    Latencies(Box<Latencies>),
    /// The work is done.
    End,
}

/// Does `work` on each of `jobs`, on all processors. Work under way is reported at once; outcomes and figures
/// in the order of the jobs, each as soon as those before it have ended. So are the results.
pub fn side_by_side<J: Sync, R: Send>(
    jobs: &[J],
    listener: &mut dyn Listener,
    work: impl Fn(&J, &mut dyn Listener) -> R + Sync,
) -> Vec<R> {
    in_turns(jobs, listener, &work, |done| {
        let results = in_parallel(
            jobs.len(),
            || Ok::<_, Infallible>(()),
            |(), number| done(number),
            &mut |_| {},
        );
        match results {
            Ok(results) => results,
            Err(never) => match never {},
        }
    })
}

/// The same for jobs of which some occupy all processors and some only one: two are under way, one from the front and one
/// from the back of `jobs`.
pub fn from_both_ends<J: Sync, R: Send>(
    jobs: &[J],
    listener: &mut dyn Listener,
    work: impl Fn(&J, &mut dyn Listener) -> R + Sync,
) -> Vec<R> {
    in_turns(jobs, listener, &work, |done| lichen_parallel::from_both_ends(jobs.len(), done))
}

/// Calls `all` with what does one job, by its number, and reports in the order of the jobs meanwhile.
fn in_turns<J: Sync, R: Send>(
    jobs: &[J],
    listener: &mut dyn Listener,
    work: &(impl Fn(&J, &mut dyn Listener) -> R + Sync),
    all: impl FnOnce(&(dyn Fn(usize) -> R + Sync)) -> Vec<R> + Send,
) -> Vec<R> {
    let (sender, receiver) = channel();
    let done = move |number: usize| {
        let mut line = Line { number, sender: &sender };
        let result = work(&jobs[number], &mut line);
        line.tell(Report::End);
        result
    };
    thread::scope(|scope| {
        let workers = scope.spawn(move || all(&done));
        let mut turns = Turns::new(jobs.len());
        for (number, reported) in receiver {
            turns.take(number, reported, listener);
        }
        match workers.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The listener of one job.
struct Line<'a> {
    number: usize,
    sender: &'a Sender<(usize, Report)>,
}

impl Line<'_> {
    fn tell(&self, reported: Report) {
        // If the receiver is gone, nobody listens any more.
        let _ = self.sender.send((self.number, reported));
    }
}

impl Listener for Line<'_> {
    fn working(&mut self, group: &'static str, what: &str) {
        self.tell(Report::Working(group, what.to_string()));
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.tell(Report::Outcome(outcome));
    }

    fn figure(&mut self, group: &'static str, line: &str) {
        self.tell(Report::Figure(group, line.to_string()));
    }

    fn latencies(&mut self, seen: &Latencies) {
        self.tell(Report::Latencies(Box::new(seen.clone())));
    }
}

/// Reports that came before their turn, by job.
struct Turns {
    /// The job whose turn it is.
    turn: usize,
    waiting: Vec<Vec<Report>>,
}

impl Turns {
    fn new(jobs: usize) -> Turns {
        Turns { turn: 0, waiting: (0..jobs).map(|_| Vec::new()).collect() }
    }

    fn take(&mut self, number: usize, reported: Report, listener: &mut dyn Listener) {
        if let Report::Working(group, what) = reported {
            return listener.working(group, &what);
        }
        self.waiting[number].push(reported);
        while let Some(waiting) = self.waiting.get_mut(self.turn) {
            let mut ended = false;
            for reported in waiting.drain(..) {
                match reported {
                    Report::Working(group, what) => listener.working(group, &what),
                    Report::Outcome(outcome) => listener.outcome(outcome),
                    Report::Figure(group, line) => listener.figure(group, &line),
                    Report::Latencies(seen) => listener.latencies(&seen),
                    Report::End => ended = true,
                }
            }
            if !ended {
                return;
            }
            self.turn += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[derive(Default)]
    struct Heard {
        figures: Vec<String>,
    }

    impl Listener for Heard {
        fn working(&mut self, _: &'static str, _: &str) {}
        fn outcome(&mut self, _: Outcome) {}
        fn figure(&mut self, _: &'static str, line: &str) {
            self.figures.push(line.to_string());
        }
        fn latencies(&mut self, _: &Latencies) {}
    }

    #[test]
    fn what_ends_first_is_reported_in_its_turn() {
        let mut heard = Heard::default();
        let mut turns = Turns::new(2);
        let figure = |line: &str| Report::Figure("group", line.to_string());
        turns.take(1, figure("b"), &mut heard);
        turns.take(1, Report::End, &mut heard);
        turns.take(0, figure("a"), &mut heard);
        assert_eq!(heard.figures, ["a"]);
        turns.take(0, figure("aa"), &mut heard);
        turns.take(0, Report::End, &mut heard);
        assert_eq!(heard.figures, ["a", "aa", "b"]);
    }

    #[test]
    fn each_job_is_done_once() {
        let mut heard = Heard::default();
        let jobs: Vec<usize> = (0..50).collect();
        let results = side_by_side(&jobs, &mut heard, |job, listener| {
            listener.figure("group", &job.to_string());
            2 * job
        });
        assert_eq!(results, jobs.iter().map(|job| 2 * job).collect::<Vec<_>>());
        assert_eq!(heard.figures, jobs.iter().map(usize::to_string).collect::<Vec<_>>());
    }

    #[test]
    fn two_jobs_are_under_way_together_if_there_are_processors() {
        if thread::available_parallelism().is_ok_and(|number| number.get() > 1) {
            let both = Barrier::new(2);
            side_by_side(&[(), ()], &mut Heard::default(), |(), _| {
                both.wait();
            });
        }
    }
}
