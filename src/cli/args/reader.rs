//! Flags for finding and reading boards.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sudoku_batch::decode::{DecodeConfig, DecodeMode};
use sudoku_batch::reader::{ReaderConfig, TrustConfig};
use sudoku_batch::recognize::RecognizeConfig;

use super::common::{BackendName, time};
use crate::cli::model;

#[derive(Debug, Args)]
pub(crate) struct ReaderArgs {
    /// Solver for the decoded puzzles [default: the fastest complete one]
    #[arg(long, value_name = "NAME")]
    pub(crate) solver: Option<String>,
    /// Grid detector
    #[arg(long, value_name = "NAME", default_value = "built-in")]
    pub(crate) backend: BackendName,
    /// How to combine the cells into a puzzle
    #[arg(long, value_name = "HOW", default_value = "rules")]
    pub(crate) decode: DecodeName,
    /// Refuse puzzles whose probability of being wrong exceeds this, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = probability)]
    pub(crate) max_risk: f32,
    /// Folder of a trained model, or `built-in` [default: built-in]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Time limit per photo, such as `500ms` or `2s`
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub(crate) time_limit: Option<u64>,
}

impl ReaderArgs {
    /// Returns the default arguments with a model.
    pub(crate) fn of_model(model: &Path) -> ReaderArgs {
        ReaderArgs {
            solver: None,
            backend: BackendName::BuiltIn,
            decode: DecodeName::Rules,
            max_risk: TrustConfig::default().max_risk,
            model: Some(model.to_owned()),
            time_limit: None,
        }
    }

    pub(crate) fn config(&self) -> RecognizeConfig {
        RecognizeConfig {
            reader: ReaderConfig {
                model: model::folder(self.model.as_deref()).map(Into::into),
                backend: self.backend.into(),
                decode: DecodeConfig {
                    mode: match self.decode {
                        DecodeName::Rules => DecodeMode::Rules,
                        DecodeName::Argmax => DecodeMode::Argmax,
                    },
                    ..DecodeConfig::default()
                },
                solver: self.solver.clone(),
                trust: TrustConfig {
                    max_risk: self.max_risk,
                    ..TrustConfig::default()
                },
                ..ReaderConfig::default()
            },
            time_limit_ms: self.time_limit,
            ..RecognizeConfig::default()
        }
    }
}

/// Parses whole milliseconds, at least one; a number without a unit is in milliseconds.
fn milliseconds(text: &str) -> Result<u64, String> {
    let milliseconds = match text.parse() {
        Ok(number) => Some(number),
        Err(_) => u64::try_from(time(text)?.as_millis()).ok(),
    };
    let positive = milliseconds.filter(|milliseconds| *milliseconds > 0);
    positive.ok_or_else(|| "expected a time from 1ms".to_owned())
}

fn probability(text: &str) -> Result<f32, String> {
    let value = text.parse().ok().filter(|it| (0.0..=1.0).contains(it));
    value.ok_or_else(|| "not a number from 0 to 1".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecodeName {
    /// The most probable puzzle that has a solution
    Rules,
    /// The most probable content of each cell by itself
    Argmax,
}
