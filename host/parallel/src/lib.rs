// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work on several processors at once, with results in the order of the work.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does `count` pieces of work, by number, on all processors, and tells `progress` how many are
/// done. Every thread makes its own tool first. The results are in the order of the numbers.
pub fn in_parallel<T, R: Send, E: Send>(
    count: usize,
    tool: impl Fn() -> Result<T, E> + Sync,
    work: impl Fn(&mut T, usize) -> R + Sync,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let (done, finished) = std::sync::mpsc::channel();
    let worker = |done: std::sync::mpsc::Sender<()>| -> Result<(), E> {
        let mut tool = tool()?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(place) = results.get(number) else { return Ok(()) };
            let result = work(&mut tool, number);
            *place.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(result);
            // If the caller is gone, there is no receiver any more.
            let _ = done.send(());
        }
    };
    thread::scope(|scope| {
        let processors = thread::available_parallelism().map_or(1, |number| number.get());
        let workers: Vec<_> = (0..processors.min(count))
            .map(|_| {
                let done = done.clone();
                scope.spawn(|| worker(done))
            })
            .collect();
        drop(done);
        for (number, ()) in finished.iter().enumerate() {
            progress(number + 1);
        }
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    let taken = results
        .into_iter()
        .map(|place| place.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()));
    Ok(taken.flatten().collect())
}

/// Does `count` pieces of work, by number: the first that is left and, if there is a second processor, the last that is left
/// beside it. For pieces that may occupy several processors themselves. The results are in the order of the numbers.
pub fn from_both_ends<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let left = Mutex::new(0..count);
    let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let worker = |take: fn(&mut Range<usize>) -> Option<usize>| {
        loop {
            let number = take(&mut left.lock().unwrap_or_else(PoisonError::into_inner));
            let Some(number) = number else { return };
            let result = work(number);
            *results[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }
    };
    thread::scope(|scope| {
        let has_another = thread::available_parallelism().is_ok_and(|number| number.get() > 1);
        let back = has_another.then(|| scope.spawn(|| worker(Range::next_back)));
        worker(Range::next);
        if let Some(Err(panic)) = back.map(|back| back.join()) {
            std::panic::resume_unwind(panic);
        }
    });
    let taken = results.into_iter().map(|place| place.into_inner());
    taken.flat_map(|place| place.unwrap_or_else(PoisonError::into_inner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_meet_and_each_piece_is_done_once() {
        let order = Mutex::new(Vec::new());
        let results = from_both_ends(50, |number| {
            order.lock().expect("a list").push(number);
            3 * number
        });
        assert_eq!(results, (0..50).map(|number| 3 * number).collect::<Vec<_>>());
        let order = order.into_inner().expect("a list");
        assert_eq!(order.len(), 50);
        assert!(from_both_ends(0, |number| number).is_empty());
    }

    #[test]
    fn the_first_and_the_last_piece_are_under_way_together_if_there_are_processors() {
        if thread::available_parallelism().is_ok_and(|number| number.get() > 1) {
            let both = std::sync::Barrier::new(2);
            from_both_ends(3, |number| {
                if number != 1 {
                    both.wait();
                }
            });
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_work() {
        let mut reported = Vec::new();
        let squares = in_parallel(
            100,
            || Ok::<_, ()>(0usize),
            |used, number| {
                *used += 1;
                number * number
            },
            &mut |done| reported.push(done),
        );
        assert_eq!(squares, Ok((0..100).map(|number| number * number).collect()));
        assert_eq!(reported, (1..=100).collect::<Vec<_>>());
    }

    #[test]
    fn a_tool_that_cannot_be_made_is_an_error() {
        let none = in_parallel(3, || Err::<(), _>("no tool"), |(), number| number, &mut |_| {});
        assert_eq!(none, Err("no tool"));
    }
}
