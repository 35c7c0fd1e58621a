//! A plan of puzzles: corpora cut where a puzzle ends, so that the shards have about the same number of puzzles.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::{PlanError, PlanWriter};
use crate::corpus::{Corpora, Corpus, CorpusError, Piece, Position};
use crate::variant::{
    OpenCorpora, Reading, SymbolsSeen, VariantCorpora, VariantCorpus, VariantCorpusError,
    VariantFile, is_variant_file,
};

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
    /// The column that has the puzzles of a table; one with a usual name if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    /// How it is read, unless it is read as classic puzzles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variant: Option<VariantPiece>,
}

/// How a piece of boards of any layout is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct VariantPiece {
    /// What the flags say of all lines.
    reading: Reading,
    /// What the lines before it reveal about its symbols.
    seen: SymbolsSeen,
}

/// A corpus to plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCorpus {
    /// The file.
    pub path: PathBuf,
    /// Its name in tables.
    pub name: String,
    /// How it is read as boards of any layout; `None` where it is read as classic puzzles.
    pub reading: Option<Reading>,
}

impl PlannedCorpus {
    /// Returns corpora with their names as [`OpenCorpora::open`] would read them.
    pub fn all(
        corpora: impl IntoIterator<Item = (PathBuf, String)>,
        reading: Option<&Reading>,
        column: Option<&str>,
    ) -> Vec<PlannedCorpus> {
        let planned = corpora.into_iter().map(|(path, name)| {
            let own = || is_variant_file(&path, column).then(Reading::default);
            PlannedCorpus {
                reading: reading.cloned().or_else(own),
                path,
                name,
            }
        });
        planned.collect()
    }
}

impl CorpusPiece {
    /// Returns the piece, once its text is seen to be that of the plan.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn checked(self) -> Result<CorpusPiece, String> {
        let file = self.path.display();
        match self.piece().hash() {
            Ok(hash) if hash == self.hash => Ok(self),
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
            column: self.column.clone(),
        }
    }

    fn open_any(&self) -> Result<VariantFile, CorpusError> {
        let piece = self.piece();
        Ok(match self.variant.clone() {
            Some(VariantPiece { reading, seen }) => {
                let corpus = VariantCorpus::open_piece(&piece, reading, seen)?;
                VariantFile::Variant(Box::new(corpus))
            }
            None => VariantFile::Classic(Box::new(Corpus::open_piece(&piece)?)),
        })
    }
}

/// Returns the puzzles of pieces, as boards of any layout if those of the plan are ([`Plan::other_boards`]).
///
/// [`Plan::other_boards`]: super::Plan::other_boards
pub fn open_pieces(pieces: Vec<CorpusPiece>, other_boards: bool) -> OpenCorpora {
    if other_boards {
        let files = pieces.into_iter().map(|piece| piece.open_any());
        OpenCorpora::Variant(VariantCorpora::of(Box::new(files)))
    } else {
        let pieces = pieces.iter().map(CorpusPiece::piece);
        OpenCorpora::Classic(Box::new(Corpora::of_pieces(pieces.collect())))
    }
}

/// Places where the corpora can be cut. Of very many only some are kept, evenly: enough to cut well, in flat memory.
struct Cuts {
    cuts: Vec<Cut>,
    /// Puzzles between two that are kept, at least.
    stride: u64,
    /// What the lines before cuts reveal about symbols, each once.
    seen: Vec<SymbolsSeen>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    corpus: usize,
    byte: u64,
    line: u64,
    /// Puzzles before it, in all corpora.
    puzzles: u64,
    /// The index of what the lines before it reveal about symbols; nothing at the beginning of a corpus.
    seen: Option<usize>,
}

impl Cut {
    fn at(corpus: usize, position: Position, puzzles: u64) -> Cut {
        Cut {
            corpus,
            byte: position.byte,
            line: position.line,
            puzzles,
            seen: None,
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

/// Writes a plan for `solve`, `rate` or `bench`: the corpora in their order. `column` has the puzzles of tables, or else one
/// with a usual name. `on_puzzles` is called with how many puzzles were read. The standard input cannot be planned: it cannot
/// be read again.
///
/// # Errors
/// [`PlanError`]: a corpus cannot be read, none has a puzzle, or the plan cannot be written. Lines that are no puzzles are no error: the
/// shard that has them reports them.
pub fn plan_corpora(
    command: &str,
    corpora: &[PlannedCorpus],
    column: Option<&str>,
    shards: usize,
    out: &Path,
    mut on_puzzles: impl FnMut(u64),
) -> Result<u64, PlanError> {
    let mut survey = Survey {
        cuts: Cuts {
            cuts: Vec::new(),
            stride: 1,
            seen: Vec::new(),
        },
        puzzles: 0,
        on_puzzles: &mut on_puzzles,
    };
    let mut ends = Vec::new();
    for (number, corpus) in corpora.iter().enumerate() {
        let end = match &corpus.reading {
            None => survey.classic(number, &corpus.path, column),
            Some(reading) => survey.variant(number, &corpus.path, reading, column),
        };
        ends.push(end?);
    }
    let Survey { cuts, puzzles, .. } = survey;
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
    let other_boards = corpora.iter().any(|corpus| corpus.reading.is_some());
    let mut writer = PlanWriter::create_for(out, command, other_boards)?;
    let whole = Whole {
        corpora,
        column,
        ends: &ends,
        seen: &cuts.seen,
    };
    for (number, pair) in bounds.windows(2).enumerate() {
        if number > 0 {
            writer.next_shard();
        }
        for piece in whole.pieces(pair[0], pair[1])? {
            writer.add(&piece, piece.puzzles)?;
        }
    }
    writer.finish(Vec::new())?;
    Ok(puzzles)
}

/// What was found of the corpora so far.
struct Survey<'a> {
    cuts: Cuts,
    puzzles: u64,
    on_puzzles: &'a mut dyn FnMut(u64),
}

impl Survey<'_> {
    fn count(&mut self, puzzles: u64) {
        self.puzzles += puzzles;
        (self.on_puzzles)(puzzles);
    }

    /// Reads a corpus of classic puzzles to its end, notes where it can be cut, and returns where it ends.
    fn classic(
        &mut self,
        number: usize,
        path: &Path,
        column: Option<&str>,
    ) -> Result<Cut, PlanError> {
        let mut corpus = Corpus::open(path)?;
        corpus.take_column(column);
        let mut lines = Vec::new();
        loop {
            if let Some(position) = corpus.position() {
                self.cuts.add(Cut::at(number, position, self.puzzles));
            }
            lines.clear();
            let stride = usize::try_from(self.cuts.stride).unwrap_or(1);
            corpus.take_lines(stride.min(4096), &mut lines);
            if !lines.is_empty() {
                self.count(lines.len() as u64);
                continue;
            }
            match corpus.next() {
                None => break,
                Some(Ok(_)) => self.count(1),
                Some(Err(CorpusError::BadLine { .. })) => {}
                Some(Err(error)) => return Err(error.into()),
            }
        }
        Ok(Cut::at(number, corpus.end(), self.puzzles))
    }

    /// The same for boards of any layout.
    fn variant(
        &mut self,
        number: usize,
        path: &Path,
        reading: &Reading,
        column: Option<&str>,
    ) -> Result<Cut, PlanError> {
        let mut corpus = VariantCorpus::open(path, reading.clone())?;
        corpus.take_column(column);
        loop {
            if let Some(position) = corpus.position() {
                let seen = &mut self.cuts.seen;
                if seen.last() != Some(corpus.symbols_seen()) {
                    seen.push(corpus.symbols_seen().clone());
                }
                let seen = seen.len() - 1;
                self.cuts.add(Cut {
                    seen: Some(seen),
                    ..Cut::at(number, position, self.puzzles)
                });
            }
            match corpus.next() {
                None => break,
                Some(Ok(_)) => self.count(1),
                Some(Err(VariantCorpusError::Corpus(error))) if !error.is_of_line() => {
                    return Err(error.into());
                }
                Some(Err(_)) => {}
            }
        }
        Ok(Cut::at(number, corpus.end(), self.puzzles))
    }
}

/// The corpora as a whole, from which pieces are cut.
struct Whole<'a> {
    corpora: &'a [PlannedCorpus],
    column: Option<&'a str>,
    /// Where each corpus ends.
    ends: &'a [Cut],
    /// What cuts refer to.
    seen: &'a [SymbolsSeen],
}

impl Whole<'_> {
    /// The pieces between two places.
    fn pieces(&self, from: Cut, to: Cut) -> Result<Vec<CorpusPiece>, PlanError> {
        let mut pieces = Vec::new();
        let mut start = from;
        let ends = self.ends.iter().enumerate();
        for (corpus, end) in ends.take(to.corpus + 1).skip(from.corpus) {
            let stop = if corpus == to.corpus { to } else { *end };
            if start.corpus < corpus {
                start = Cut::at(corpus, Position::START, start.puzzles);
            }
            if stop.byte > start.byte {
                pieces.push(self.piece(start, stop)?);
            }
            start.puzzles = stop.puzzles;
        }
        Ok(pieces)
    }

    /// The piece between two places of one corpus.
    fn piece(&self, start: Cut, stop: Cut) -> Result<CorpusPiece, PlanError> {
        let PlannedCorpus {
            path,
            name,
            reading,
        } = &self.corpora[start.corpus];
        let failed = |source| PlanError::Input {
            place: path.display().to_string(),
            source,
        };
        let seen = start.seen.and_then(|at| self.seen.get(at));
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
            column: self.column.map(str::to_owned),
            variant: reading.clone().map(|reading| VariantPiece {
                reading,
                seen: seen.cloned().unwrap_or_default(),
            }),
        };
        piece.hash = piece.piece().hash().map_err(failed)?;
        Ok(piece)
    }
}
