//! A plan of puzzles: corpora cut where a puzzle ends, so that the shards have about the same number of puzzles.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::{PlanError, PlanWriter};
use crate::corpus::{Corpus, CorpusError, Piece, Position};

/// A piece of a corpus, in a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusPiece {
    /// The file.
    pub path: PathBuf,
    /// Its name in tables.
    pub name: String,
    /// Bytes of the whole file.
    size: u64,
    /// Where the piece begins.
    from: Position,
    /// The byte of the unpacked text before which it ends.
    to: u64,
    /// Puzzles in it.
    pub puzzles: u64,
    /// Hash of its unpacked text.
    hash: String,
}

impl CorpusPiece {
    /// Returns the piece, once its text is seen to be that of the plan.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn checked(&self) -> Result<Piece, String> {
        let piece = self.piece();
        let file = self.path.display();
        match piece.hash() {
            Ok(hash) if hash == self.hash => Ok(piece),
            Ok(_) => Err(format!(
                "{file} has changed since the plan was made: its content is another"
            )),
            Err(error) => Err(format!(
                "{file} has changed since the plan was made: {error}"
            )),
        }
    }

    fn piece(&self) -> Piece {
        Piece {
            path: self.path.clone(),
            from: self.from,
            to: self.to,
        }
    }
}

/// Places where the corpora can be cut. Of very many only some are kept, evenly: enough to cut well, in flat memory.
struct Cuts {
    cuts: Vec<Cut>,
    /// Puzzles between two that are kept, at least.
    stride: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    corpus: usize,
    byte: u64,
    line: u64,
    /// Puzzles before it, in all corpora.
    puzzles: u64,
}

impl Cut {
    fn at(corpus: usize, position: Position, puzzles: u64) -> Cut {
        Cut {
            corpus,
            byte: position.byte,
            line: position.line,
            puzzles,
        }
    }
}

/// The most places that are kept.
const CUTS: usize = 1 << 17;

impl Cuts {
    fn add(&mut self, cut: Cut) {
        let last = self.cuts.last().map_or(0, |cut| cut.puzzles + self.stride);
        if cut.puzzles < last {
            return;
        }
        self.cuts.push(cut);
        if self.cuts.len() > CUTS {
            self.stride *= 2;
            let mut next = 0;
            self.cuts.retain(|cut| {
                let keep = cut.puzzles >= next;
                next = if keep {
                    cut.puzzles + self.stride
                } else {
                    next
                };
                keep
            });
        }
    }

    /// The place nearest to so many puzzles.
    fn nearest(&self, puzzles: u64) -> Option<Cut> {
        let after = self.cuts.partition_point(|cut| cut.puzzles < puzzles);
        let around = self.cuts[after.saturating_sub(1)..].iter().take(2);
        around
            .min_by_key(|cut| cut.puzzles.abs_diff(puzzles))
            .copied()
    }
}

/// Writes a plan for `solve`, `rate` or `bench`: the corpora, with the names they have in tables, in their order. `on_puzzles` is called with how many
/// puzzles were read. The standard input cannot be planned: it cannot be read again.
///
/// # Errors
/// [`PlanError`]: a corpus cannot be read, none has a puzzle, or the plan cannot be written. Lines that are no puzzles are no error: the
/// shard that has them reports them.
pub fn plan_corpora(
    command: &str,
    corpora: &[(PathBuf, String)],
    shards: usize,
    out: &Path,
    mut on_puzzles: impl FnMut(u64),
) -> Result<u64, PlanError> {
    let mut cuts = Cuts {
        cuts: Vec::new(),
        stride: 1,
    };
    let mut puzzles = 0;
    let mut ends = Vec::new();
    for (corpus, (path, _)) in corpora.iter().enumerate() {
        ends.push(survey(
            path,
            corpus,
            &mut puzzles,
            &mut cuts,
            &mut on_puzzles,
        )?);
    }
    if puzzles == 0 {
        return Err(PlanError::NoPuzzles);
    }
    let start = Cut::at(0, Position::START, 0);
    let end = ends.last().copied().unwrap_or(start);
    let mut bounds = vec![start];
    for shard in 1..shards {
        let wanted = (u128::from(puzzles) * shard as u128 / shards as u128) as u64;
        let nearest = cuts.nearest(wanted).unwrap_or(end);
        let last = bounds.last().copied().unwrap_or(start);
        bounds.push(nearest.max(last));
    }
    bounds.push(end);
    let mut writer = PlanWriter::create(out, command)?;
    for (number, pair) in bounds.windows(2).enumerate() {
        if number > 0 {
            writer.next_shard();
        }
        for piece in pieces(corpora, pair[0], pair[1], &ends)? {
            writer.add(&piece, piece.puzzles)?;
        }
    }
    writer.finish(Vec::new())?;
    Ok(puzzles)
}

/// Reads a corpus to its end, notes where it can be cut, and returns where it ends.
fn survey(
    path: &Path,
    number: usize,
    puzzles: &mut u64,
    cuts: &mut Cuts,
    on_puzzles: &mut impl FnMut(u64),
) -> Result<Cut, PlanError> {
    let mut corpus = Corpus::open(path)?;
    let mut lines = Vec::new();
    loop {
        if let Some(position) = corpus.position() {
            cuts.add(Cut::at(number, position, *puzzles));
        }
        lines.clear();
        corpus.take_lines(
            usize::try_from(cuts.stride).unwrap_or(1).min(4096),
            &mut lines,
        );
        if !lines.is_empty() {
            *puzzles += lines.len() as u64;
            on_puzzles(lines.len() as u64);
            continue;
        }
        match corpus.next() {
            None => break,
            Some(Ok(_)) => {
                *puzzles += 1;
                on_puzzles(1);
            }
            Some(Err(CorpusError::BadLine { .. })) => {}
            Some(Err(error)) => return Err(error.into()),
        }
    }
    Ok(Cut::at(number, corpus.end(), *puzzles))
}

/// The pieces between two places.
fn pieces(
    corpora: &[(PathBuf, String)],
    from: Cut,
    to: Cut,
    ends: &[Cut],
) -> Result<Vec<CorpusPiece>, PlanError> {
    let mut pieces = Vec::new();
    let mut start = from;
    for (corpus, end) in ends
        .iter()
        .enumerate()
        .take(to.corpus + 1)
        .skip(from.corpus)
    {
        let stop = if corpus == to.corpus { to } else { *end };
        if start.corpus < corpus {
            start = Cut::at(corpus, Position::START, start.puzzles);
        }
        if stop.byte > start.byte {
            let (path, name) = &corpora[corpus];
            let failed = |source| PlanError::Input {
                place: path.display().to_string(),
                source,
            };
            let mut piece = CorpusPiece {
                path: path.clone(),
                name: name.clone(),
                size: path.metadata().map_err(failed)?.len(),
                from: Position {
                    byte: start.byte,
                    line: start.line,
                },
                to: stop.byte,
                puzzles: stop.puzzles - start.puzzles,
                hash: String::new(),
            };
            piece.hash = piece.piece().hash().map_err(failed)?;
            pieces.push(piece);
        }
        start.puzzles = stop.puzzles;
    }
    Ok(pieces)
}
