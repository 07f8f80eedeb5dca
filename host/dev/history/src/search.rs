// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches random histories for one on which the mote and the model differ, and shortens it.

use crate::compare::Stopped;
use crate::{Count, Difference};
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::cell::RefCell;
use std::fmt::Debug;

/// The result of a search.
#[derive(Debug)]
pub enum Failure<D = Difference> {
    /// A short history on which the mote and the model differ.
    Different(Box<D>),
    /// The simulator cannot go on.
    Error(String),
}

/// Compares histories of a kind.
pub(crate) trait Trial {
    /// What is drawn.
    type Drawn: Debug;
    /// A step of a history.
    type Step: Clone;
    /// What is found.
    type Difference;

    /// The history that was drawn.
    fn history(drawn: &Self::Drawn) -> Vec<Self::Step>;

    /// Compares it.
    fn compare(
        &mut self,
        history: &[Self::Step],
        drawn: Option<&Self::Drawn>,
    ) -> Result<Count, Stopped<Self::Difference>>;
}

pub(crate) fn runner(seed: u64, cases: u32) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config =
        Config { cases, failure_persistence: None, max_shrink_iters: 4_000, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// Compares `cases` histories, determined by the seed.
pub(crate) fn search_in<T: Trial>(
    strategy: &BoxedStrategy<T::Drawn>,
    trial: &mut T,
    seed: u64,
    cases: u32,
) -> Result<Count, Failure<T::Difference>> {
    let (trial, count) = (RefCell::new(trial), RefCell::new(Count::default()));
    let found = RefCell::new(None);
    let result = runner(seed, cases).run(strategy, |drawn| {
        match trial.borrow_mut().compare(&T::history(&drawn), Some(&drawn)) {
            Ok(more) => {
                let mut count = count.borrow_mut();
                count.steps += more.steps;
                count.within += more.within;
                count.left_out += more.left_out;
                count.states = count.states.max(more.states);
                Ok(())
            }
            Err(stopped) => {
                *found.borrow_mut() = Some(stopped);
                Err(TestCaseError::fail("different"))
            }
        }
    });
    match (result, found.into_inner()) {
        (Ok(()), _) => Ok(count.into_inner()),
        (_, Some(Stopped::Error(error))) => Err(Failure::Error(error.to_string())),
        (Err(TestError::Fail(_, drawn)), _) => {
            shortest(&mut **trial.borrow_mut(), T::history(&drawn))
        }
        (Err(TestError::Abort(reason)), _) => Err(Failure::Error(reason.to_string())),
    }
}

/// Removes from what `proptest` has shrunk all steps that the difference does not need: `proptest`
/// tries each step once, but which ones are needed changes as others are removed.
fn shortest<T: Trial>(
    trial: &mut T,
    mut history: Vec<T::Step>,
) -> Result<Count, Failure<T::Difference>> {
    let mut found = None;
    let mut piece = history.len().max(1);
    while piece > 0 {
        let mut changed = false;
        let mut at = 0;
        while at < history.len() {
            let mut shorter = history.clone();
            shorter.drain(at..(at + piece).min(history.len()));
            match trial.compare(&shorter, None) {
                Err(Stopped::Different(difference)) => {
                    (history, changed, found) = (shorter, true, Some(difference));
                }
                _ => at += piece,
            }
        }
        piece = if changed && piece == 1 { 1 } else { piece / 2 };
    }
    match found.map_or_else(
        || trial.compare(&history, None),
        |difference| Err(Stopped::Different(difference)),
    ) {
        Err(Stopped::Different(difference)) => Err(Failure::Different(difference)),
        Err(Stopped::Error(error)) => Err(Failure::Error(error.to_string())),
        Ok(_) => Err(Failure::Error("a difference that does not repeat".to_string())),
    }
}
