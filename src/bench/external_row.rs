//! The row of an external program: run, then checked, in flat memory.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use tempfile::NamedTempFile;

use super::config::{BenchConfig, goal_name};
use super::external::{Answer, AnswerLines, External, excerpt};
use super::feed::Chunk;
use super::latency::WrongAnswer;
use super::row::{CorpusRow, Row};
use super::spool::Spool;
use super::tally::{Kind, Tally};
use super::verify::Reference;

/// What is told of a chunk: its wrong answers, and how each puzzle that was reached was answered.
pub(super) type OnChunk<'a> = dyn FnMut(&Chunk, &[WrongAnswer], &[Kind]) + 'a;

/// Runs a program on the puzzles of a corpus and checks what it answers. Gives its row, and what
/// strikes it beside wrong answers.
pub(super) fn external_row(
    external: &External,
    corpus: &CorpusRow,
    spool: Result<&mut Spool, &io::Error>,
    config: &BenchConfig,
    stop: &AtomicBool,
    on_chunk: &mut OnChunk<'_>,
) -> (Row, Option<String>) {
    let mut row = Row {
        corpus: corpus.name.clone(),
        puzzles: corpus.puzzles,
        solver: external.name.clone(),
        goal: goal_name(config.goal),
        passes: 1.0,
        ..Row::default()
    };
    let mut tally = Tally::default();
    let failure = match spool {
        Err(error) => Some(format!("the puzzles cannot be kept for it: {error}")),
        Ok(spool) => measure(
            external, spool, config, stop, &mut row, &mut tally, on_chunk,
        )
        .unwrap_or_else(|error| Some(format!("it cannot be run: {error}"))),
    };
    row = row.with_tally(&tally);
    // Nothing is known of its guesses.
    row.no_guess_pct = None;
    row.guesses_mean = None;
    row.nodes_mean = None;
    row.struck = failure.clone().or(row.struck);
    if row.total_s > 0.0 {
        row.puzzles_per_s = row.covered as f64 / row.total_s;
    }
    (row, failure)
}

/// Fills the times and the tally; gives what strikes the row beside wrong answers.
fn measure(
    external: &External,
    spool: &mut Spool,
    config: &BenchConfig,
    stop: &AtomicBool,
    row: &mut Row,
    tally: &mut Tally,
    on_chunk: &mut OnChunk<'_>,
) -> io::Result<Option<String>> {
    let startup = external.startup(stop)?;
    let answers = NamedTempFile::new()?;
    let limit = config.budget.saturating_add(startup);
    let finish = external.run(spool.text()?, answers.reopen()?, limit, stop)?;
    // A start-up that took longer than all the work is noise; no rate may come of it.
    let net = finish.wall.saturating_sub(startup);
    row.total_s = net.max(Duration::from_micros(1)).as_secs_f64();
    row.startup_s = Some(startup.as_secs_f64());

    let mut lines = AnswerLines::new(answers.reopen()?, finish.cut);
    let mut chunks = spool.chunks()?;
    let mut ended = false;
    let mut unreadable = None;
    loop {
        let chunk = chunks.next_chunk(config.chunk.max(1))?;
        if chunk.len() == 0 {
            break;
        }
        let mut given = Vec::new();
        while !ended && given.len() < chunk.len() {
            match lines.next()? {
                None => ended = true,
                Some(line) => match Answer::parse(&line) {
                    Some(answer) => given.push(answer),
                    None => {
                        let number = lines.number();
                        let shown = excerpt(&line);
                        unreadable = Some(format!("its line {number} is no answer: {shown}"));
                        ended = true;
                    }
                },
            }
        }
        let checked: Vec<_> = chunk
            .puzzles
            .par_iter()
            .zip(&given)
            .map(|(puzzle, answer)| {
                let reference = Reference::of(puzzle);
                let verdict = answer.check(puzzle, config.goal, &reference)?;
                Ok(Kind::of(&verdict))
            })
            .collect();
        let kinds: Vec<Kind> = checked
            .iter()
            .map(|kind| kind.unwrap_or(Kind::Wrong))
            .collect();
        kinds.iter().for_each(|kind| tally.count(*kind));
        let wrong = checked.iter().enumerate();
        let wrong = wrong.filter_map(|(place, kind)| kind.err().map(|why| (place, why)));
        on_chunk(&chunk, &wrong.collect::<Vec<_>>(), &kinds);
    }
    let covered = tally.covered();
    row.cut = finish.cut && covered < row.puzzles;
    Ok(if finish.failure.is_some() {
        finish.failure
    } else if unreadable.is_some() {
        unreadable
    } else if finish.cut && covered == 0 && !stop.load(Ordering::Relaxed) {
        Some("it gave no answer within its budget".to_owned())
    } else if !finish.cut && covered < row.puzzles {
        Some(format!(
            "it gave {covered} answers to {} puzzles",
            row.puzzles
        ))
    } else if !ended && lines.next()?.is_some() {
        Some(format!(
            "it gave more answers than there are puzzles ({})",
            row.puzzles
        ))
    } else {
        None
    })
}
