//! Flags for how boards are found and read.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sudoku_batch::decode::{DecodeConfig, DecodeMode};
use sudoku_batch::reader::ReaderConfig;
use sudoku_batch::recognize::RecognizeConfig;

use super::common::BackendName;
use crate::cli::model;

#[derive(Debug, Args)]
pub(crate) struct ReaderArgs {
    /// Solver of the decoded puzzles [default: the fastest complete one]
    #[arg(long, value_name = "NAME")]
    pub(crate) solver: Option<String>,
    /// Grid detector
    #[arg(long, value_name = "NAME", default_value = "built-in")]
    pub(crate) backend: BackendName,
    /// How cells become a puzzle
    #[arg(long, value_name = "HOW", default_value = "rules")]
    pub(crate) decode: DecodeName,
    /// Folder of a trained model, or `built-in` [default: built-in]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Give up on a photo that takes longer than this
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) time_limit: Option<u64>,
}

impl ReaderArgs {
    /// A model, and all else by default.
    pub(crate) fn of_model(model: &Path) -> ReaderArgs {
        ReaderArgs {
            solver: None,
            backend: BackendName::BuiltIn,
            decode: DecodeName::Rules,
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
                ..ReaderConfig::default()
            },
            time_limit_ms: self.time_limit,
            ..RecognizeConfig::default()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecodeName {
    /// The most probable puzzle that has a solution
    Rules,
    /// Each cell by itself
    Argmax,
}
