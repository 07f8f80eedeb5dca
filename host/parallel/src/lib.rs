// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work on several processors at once, with results in the order of the work.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
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

#[cfg(test)]
mod tests {
    use super::*;

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
