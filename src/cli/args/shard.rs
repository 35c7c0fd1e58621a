//! Flags for processing one shard of a plan.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "One shard of a plan")]
pub(crate) struct ShardArgs {
    /// Process one shard of this plan instead of the paths
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub(crate) plan: Option<PathBuf>,
    /// Index of the shard, from 0, and number of shards; `auto` takes the index from
    /// SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX
    #[arg(long, value_name = "I/N", requires = "plan")]
    pub(crate) shard: Option<WhichShard>,
}

/// The folder for parts, for commands that otherwise write to stdout.
#[derive(Debug, Args)]
#[command(next_help_heading = "One shard of a plan")]
pub(crate) struct PartsArgs {
    /// Output folder for the parts of shards
    #[arg(
        short,
        long,
        value_name = "DIR",
        default_value = "parts",
        requires = "plan"
    )]
    pub(crate) out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhichShard {
    /// The index in the environment of the job scheduler.
    Auto,
    Of {
        shard: usize,
        shards: usize,
    },
}

impl std::str::FromStr for WhichShard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<WhichShard, &'static str> {
        if text == "auto" {
            return Ok(WhichShard::Auto);
        }
        let (shard, shards) = text.split_once('/').ok_or(EXPECTED)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| EXPECTED);
        let (shard, shards) = (number(shard)?, number(shards)?);
        match shard < shards {
            true => Ok(WhichShard::Of { shard, shards }),
            false => Err("shards count from 0: the last one of 64 is 63/64"),
        }
    }
}

const EXPECTED: &str = "expected `I/N`, such as 3/64, or `auto`";
