//! `sudoku-batch.toml`: flags by command, which the command line overrides.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use sudoku_batch::doctor::Configuration;
use sudoku_batch::opening::read_file;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::CliError;

/// Largest file of flags that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The file that is used if it lies in the working directory.
const FILE: &str = "sudoku-batch.toml";
/// The environment variable that names another one.
const VARIABLE: &str = "SUDOKU_BATCH_CONFIG";

/// Flags that name a program to run: a file that merely lies in the working directory may not set them, since it may
/// have come with the photos.
const PROGRAMS: [&str; 2] = ["ffmpeg", "external"];

/// The arguments of the program together with those of a configuration file.
pub(crate) struct Arguments {
    pub(crate) all: Vec<OsString>,
    /// The file that was used, and all that it sets.
    pub(crate) used: Option<Configuration>,
    /// Where in the file each flag is set that was taken from it.
    places: BTreeMap<String, String>,
}

/// A flag that a file sets: its key and the place of it, for the command that it is for.
struct FlagValue<'a> {
    arg: &'a Arg,
    place: String,
    words: Vec<OsString>,
}

impl Arguments {
    /// Adds what the configuration file sets for the command that is asked for, and the arguments do not.
    pub(crate) fn with_file(
        given: Vec<OsString>,
        mut program: Command,
    ) -> Result<Arguments, CliError> {
        program.build();
        let plain = Arguments {
            all: given,
            used: None,
            places: BTreeMap::new(),
        };
        let parsed = program.clone().ignore_errors(true);
        // Where help is asked for, no file matters.
        let Ok(parsed) = parsed.try_get_matches_from(&plain.all) else {
            return Ok(plain);
        };
        let (mut command, mut matches, mut chain) = (&program, &parsed, Vec::new());
        while let Some((name, below)) = matches.subcommand() {
            let Some(found) = command.find_subcommand(name) else {
                break;
            };
            (command, matches) = (found, below);
            chain.push(name.to_owned());
        }
        let Some((path, is_named)) = path_of(command, matches) else {
            return Ok(plain);
        };
        let text = read_file(&path, LARGEST).and_then(|bytes| {
            String::from_utf8(bytes)
                .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not valid UTF-8"))
        });
        let text = text.map_err(|error| {
            let hint = "give another file with --config, or none with --no-config";
            CliError::with_hint(format!("cannot read {}: {error}", path.display()), hint)
        })?;
        plain.add(
            &File {
                path,
                is_named,
                text,
            },
            &program,
            &chain,
            (command, matches),
        )
    }

    fn add(
        mut self,
        file: &File,
        program: &Command,
        chain: &[String],
        (command, matches): (&Command, &ArgMatches),
    ) -> Result<Arguments, CliError> {
        let table = file.table()?;
        let mut settings = Vec::new();
        file.check(&table, program, "", &mut settings)?;
        self.used = Some(Configuration {
            path: file.path.clone(),
            settings,
        });
        // The tables on the way to the command; a later one goes before an earlier one.
        let mut settings = BTreeMap::new();
        let mut level = Some(&table);
        for name in [None].into_iter().chain(chain.iter().map(Some)) {
            if let Some(name) = name {
                let below = level.and_then(|table| table.get(name.as_str()));
                level = below.and_then(|below| below.get_ref().as_table());
            }
            for (key, value) in level.into_iter().flatten() {
                if let Some(arg) = flag(command, key.get_ref()) {
                    let words = file.words(arg, value)?;
                    let place = file.place(key.span().start);
                    settings.insert(arg.get_id().to_string(), FlagValue { arg, place, words });
                }
            }
        }
        let is_given = |arg: &&Arg| {
            matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
        };
        let given: Vec<&Arg> = command.get_arguments().filter(is_given).collect();
        let is_overruled = |arg: &Arg| {
            given.iter().any(|given| {
                let excludes = |one: &Arg, other: &Arg| {
                    let mut others = command.get_arg_conflicts_with(one).into_iter();
                    others.any(|it| it.get_id() == other.get_id())
                };
                given.get_id() == arg.get_id() || excludes(given, arg) || excludes(arg, given)
            })
        };
        let mut words = Vec::new();
        for setting in settings.into_values().filter(|it| !is_overruled(it.arg)) {
            let key = setting.arg.get_long().unwrap_or_default().to_owned();
            self.places.insert(key, setting.place);
            words.extend(setting.words);
        }
        let end = self.all.iter().position(|word| word == "--");
        let end = end.unwrap_or(self.all.len());
        self.all.splice(end..end, words);
        Ok(self)
    }

    /// Where in the file the flag stands that an error is about, if it is from there.
    pub(crate) fn place_of(&self, error: &clap::Error) -> Option<&str> {
        let named = [ContextKind::InvalidArg, ContextKind::PriorArg].into_iter();
        let texts = named.filter_map(|kind| match error.get(kind)? {
            ContextValue::String(text) => Some(vec![text.clone()]),
            ContextValue::Strings(texts) => Some(texts.clone()),
            _ => None,
        });
        let mut keys = texts.flatten().filter_map(|text| {
            let key = text.split_whitespace().next()?.strip_prefix("--")?;
            let key = key.split('=').next()?.to_owned();
            self.places.get(&key)
        });
        keys.next().map(String::as_str)
    }
}

/// The file to use: the one that was asked for, else that of the environment, else the one in the working directory;
/// and whether somebody named it.
fn path_of(command: &Command, matches: &ArgMatches) -> Option<(PathBuf, bool)> {
    if matches.try_get_one("no_config").ok().flatten() == Some(&true) {
        return None;
    }
    // `train` and `dataset synth` have a `--config` of their own.
    let is_ours = |arg: &Arg| arg.get_id() == "config" && arg.is_global_set();
    let given: Option<&PathBuf> = match command.get_arguments().any(is_ours) {
        true => matches.try_get_one("config").ok().flatten(),
        false => None,
    };
    let of_environment = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let named = given
        .cloned()
        .or_else(|| of_environment().map(PathBuf::from));
    let here = PathBuf::from(FILE);
    match named {
        Some(path) => Some((path, true)),
        None => here.is_file().then_some((here, false)),
    }
}

/// Returns the flag of a command that a key names, by an alias too.
fn flag<'a>(command: &'a Command, key: &str) -> Option<&'a Arg> {
    let is_named = |arg: &Arg| {
        let aliases = arg.get_all_aliases().unwrap_or_default();
        arg.get_long() == Some(key) || aliases.contains(&key)
    };
    let mut arguments = command.get_arguments();
    arguments.find(|arg| is_named(arg) && !is_own(arg))
}

/// Whether a flag is one that no file sets. A `--config` that is not for all commands is one like any other.
fn is_own(arg: &Arg) -> bool {
    let id = arg.get_id().as_str();
    matches!(id, "help" | "version")
        || (arg.is_global_set() && matches!(id, "config" | "no_config"))
}

/// A configuration file.
struct File {
    path: PathBuf,
    is_named: bool,
    text: String,
}

impl File {
    fn table(&self) -> Result<DeTable<'_>, CliError> {
        let table = DeTable::parse(&self.text).map_err(|error| {
            let place = self.place(error.span().map_or(0, |span| span.start));
            let message = error.message().lines().collect::<Vec<_>>().join(" ");
            CliError::with_hint(format!("{place}: {message}"), EXAMPLE)
        })?;
        Ok(table.into_inner())
    }

    /// File and line of a place in the text.
    fn place(&self, at: usize) -> String {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        format!("{}:{line}", Path::display(&self.path))
    }

    /// Refuses keys that are no flags and tables that are no commands; collects what is set.
    fn check(
        &self,
        table: &DeTable<'_>,
        command: &Command,
        name: &str,
        settings: &mut Vec<String>,
    ) -> Result<(), CliError> {
        for (key, value) in table {
            let place = self.place(key.span().start);
            let key = key.get_ref();
            if let Some(below) = value.get_ref().as_table() {
                let found = command.find_subcommand(&**key).ok_or_else(|| {
                    let known = command.get_subcommands().map(Command::get_name);
                    unknown(&place, "command", key, name, known)
                })?;
                let name = format!("{name} {key}").trim().to_owned();
                self.check(below, found, &name, settings)?;
            } else {
                let arg = flag(command, key).ok_or_else(|| {
                    let known = command.get_arguments().filter(|arg| !is_own(arg));
                    let known = known.filter_map(Arg::get_long);
                    unknown(&place, "key", key, name, known)
                })?;
                if PROGRAMS.contains(&&**key) && !self.is_named {
                    let message = format!("{place}: `{key}` names a program to run");
                    let hint = format!("if you trust this file, name it: --config {FILE}");
                    return Err(CliError::with_hint(message, hint));
                }
                self.words(arg, value)?;
                let text = self.text.get(value.span()).unwrap_or_default();
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                settings.push(format!("{name} {key} = {text}").trim().to_owned());
            }
        }
        Ok(())
    }

    /// The arguments that stand for a value of a flag.
    fn words(&self, arg: &Arg, value: &Spanned<DeValue<'_>>) -> Result<Vec<OsString>, CliError> {
        let key = arg.get_long().unwrap_or_default();
        let wrong = |expected: &str| {
            let place = self.place(value.span().start);
            let found = kind(value.get_ref());
            CliError::with_hint(
                format!("{place}: `{key}` takes {expected}, not {found}"),
                EXAMPLE,
            )
        };
        let word = |value: &DeValue<'_>| {
            let text = match value {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
                DeValue::Float(number) => number.as_str().to_owned(),
                _ => return None,
            };
            Some(OsString::from(format!("--{key}={text}")))
        };
        match (arg.get_action(), value.get_ref()) {
            (ArgAction::SetTrue, DeValue::Boolean(true)) => Ok(vec![format!("--{key}").into()]),
            (ArgAction::SetTrue, DeValue::Boolean(false)) => Ok(Vec::new()),
            (ArgAction::SetTrue, _) => Err(wrong("true or false")),
            (ArgAction::Append, DeValue::Array(values)) => {
                let words = values.iter().map(|value| word(value.get_ref()));
                let words: Option<Vec<OsString>> = words.collect();
                words.ok_or_else(|| wrong("strings or numbers"))
            }
            (_, value) => Ok(vec![
                word(value).ok_or_else(|| wrong("a string or a number"))?,
            ]),
        }
    }
}

/// What kind of value one is.
fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

const EXAMPLE: &str = "keys are long names of flags, below the command: `[recognize]`, then `overlay = true`, `time-limit = 500`";

/// What is said of a name that is none, with the nearest one that is.
fn unknown<'a>(
    place: &str,
    what: &str,
    name: &str,
    of: &str,
    known: impl Iterator<Item = &'a str>,
) -> CliError {
    let nearest = known.min_by_key(|known| strsim::levenshtein(name, known));
    let of = match of {
        "" => String::new(),
        of => format!(" of `{of}`"),
    };
    let message = format!("{place}: there is no {what} `{name}`{of}");
    match nearest {
        Some(nearest) => CliError::with_hint(message, format!("the nearest is `{nearest}`")),
        None => CliError::with_hint(message, EXAMPLE),
    }
}
