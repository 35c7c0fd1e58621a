//! The `--help` of each command.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;

/// Cached help of the requested commands.
#[derive(Default)]
pub struct Helps(Mutex<BTreeMap<Vec<String>, String>>);

impl Helps {
    /// The help of a command, without the program's name; of the program for an empty one.
    pub fn of(&self, command: &[String]) -> String {
        let mut helps = self.0.lock().unwrap();
        let help = helps.entry(command.to_vec()).or_insert_with(|| {
            let mut program = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
            let output = program.args(command).arg("--help").output().unwrap();
            assert!(output.status.success(), "{command:?}");
            String::from_utf8(output.stdout).unwrap()
        });
        help.clone()
    }

    /// The names of the commands below a command, in the order of its help.
    pub fn below(&self, command: &[String]) -> Vec<String> {
        let help = self.of(command);
        let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        let lines = listed.lines().take_while(|line| line.starts_with("  "));
        let names = lines.filter(|line| !line.starts_with("   "));
        let names = names.filter_map(|line| line.split_whitespace().next());
        names
            .filter(|name| *name != "help")
            .map(str::to_owned)
            .collect()
    }

    /// The commands and flags in a line of shell that `--help` does not list.
    pub fn unknown_in(&self, line: &str) -> Vec<String> {
        let mut unknown = Vec::new();
        for call in line.split(['|', ';', '&', '(']) {
            let mut words = call.split_whitespace().skip_while(|word| {
                let word = word.trim_start_matches(['\'', '"']);
                word.rsplit('/').next() != Some("sudoku-batch")
            });
            if words.next().is_none() {
                continue;
            }
            let words: Vec<&str> = words.collect();
            let mut command = Vec::new();
            while let Some(name) = words.get(command.len()) {
                let below = self.below(&command);
                if !below.iter().any(|known| known == name) {
                    if !below.is_empty() && !name.starts_with('-') {
                        unknown.push(format!(
                            "there is no command `{name}` here: {}",
                            call.trim()
                        ));
                    }
                    break;
                }
                command.push((*name).to_owned());
            }
            let help = self.of(&command);
            let is_flag = |word: &&&str| {
                word.len() > 1 && word.starts_with('-') && !word[1..].starts_with(char::is_numeric)
            };
            for word in words
                .iter()
                .take_while(|word| **word != "--")
                .filter(is_flag)
            {
                let flag = word
                    .split('=')
                    .next()
                    .unwrap()
                    .trim_end_matches(['\'', '"', ',', '.']);
                let mut known = help.split(|c: char| c.is_whitespace() || c == ',' || c == '.');
                if !known.any(|known| known == flag) {
                    unknown.push(format!("`{}` has no flag `{flag}`", command.join(" ")));
                }
            }
        }
        unknown
    }
}
