//! `reference/commands.md`, generated from the help of all commands.

use std::fmt::Write;

use crate::program::Helps;

/// The start of the part of the help that all commands share.
const SHARED: &str = "\nGlobal options:\n";

/// The whole page.
pub fn page(helps: &Helps) -> String {
    let mut page = String::from(
        "# Commands\n\n\
         <!-- Made by `SUDOKU_BATCH_DOCS=write cargo test --release --test docs`. Do not edit. -->\n\n\
         This page is the output of `--help`, command by command. The program prints the same with\n\
         `sudoku-batch COMMAND --help`, and as manual pages with `sudoku-batch man COMMAND`.\n\n\
         | command | what it does |\n| --- | --- |\n",
    );
    let commands = all(helps);
    for command in &commands {
        let help = helps.of(command);
        let about = help.lines().next().unwrap().replace('|', "\\|");
        let name = format!("sudoku-batch {}", command.join(" "));
        let anchor = name.replace(' ', "-");
        writeln!(page, "| [`{}`](#{anchor}) | {about} |", command.join(" ")).unwrap();
    }
    let help = helps.of(&[]);
    let (shared, _) = cut(&help);
    write!(
        page,
        "\n## Global options\n\n```text\n{}\n```\n",
        shared.trim_end()
    )
    .unwrap();
    for command in &commands {
        let help = helps.of(command);
        let (_, rest) = cut(&help);
        let name = format!("sudoku-batch {}", command.join(" "));
        write!(page, "\n## {name}\n\n```text\n{}\n```\n", rest.trim_end()).unwrap();
    }
    page
}

/// All commands, each before its subcommands.
fn all(helps: &Helps) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let mut next = vec![Vec::new()];
    while let Some(command) = next.pop() {
        for name in helps.below(&command).into_iter().rev() {
            next.push([&command[..], &[name]].concat());
        }
        if !command.is_empty() {
            commands.push(command);
        }
    }
    commands
}

/// The options that all commands share, and the rest of a help.
fn cut(help: &str) -> (String, String) {
    let Some((before, after)) = help.split_once(SHARED) else {
        return (String::new(), help.to_owned());
    };
    // Options are indented, with blank lines between long ones; the following text is not.
    let mut end = 0;
    for line in after.split_inclusive('\n') {
        if !line.trim().is_empty() && !line.starts_with(' ') {
            break;
        }
        end += line.len();
    }
    let (shared, rest) = after.split_at(end);
    (shared.to_owned(), format!("{before}\n{rest}"))
}
