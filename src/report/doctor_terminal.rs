//! Terminal report of `doctor`.

use std::fmt::Write;

use super::number::{counted, grouped};
use super::styles::{BAD, BOLD, DIM, GOOD, HINT};
use super::wrap::wrapped;
use crate::digits::ModelCard;
use crate::doctor::{Checkup, Configuration, Folder, Fonts, Model, Part};

/// Widths of the mark, of the name and of the text of a line.
const MARK: usize = 7;
const NAME: usize = 19;
const TEXT: usize = 74;

/// Mark of a line.
#[derive(Clone, Copy)]
enum Mark {
    Ok,
    /// The part is missing, and optional.
    Absent,
    Wrong,
}

/// Returns the terminal report of a checkup: a line per part, with advice below each problem, and
/// the verdict at the end. With ANSI styles, for a writer that strips them where necessary.
pub fn doctor_terminal(checkup: &Checkup) -> String {
    let mut screen = Screen(String::new());
    screen.head(checkup);
    screen.machine(checkup);
    screen.configuration(checkup.configuration.as_ref());
    screen.parts("detector", &checkup.detectors, Some(checkup.backend));
    screen.parts("training on", &checkup.devices, None);
    screen.model(&checkup.model);
    screen.ffmpeg(checkup);
    screen.fonts(&checkup.fonts);
    for folder in &checkup.data {
        screen.data(folder);
    }
    screen.output(&checkup.output);
    screen.verdict(checkup.ready);
    screen.0
}

struct Screen(String);

impl Screen {
    fn head(&mut self, checkup: &Checkup) {
        let build = &checkup.environment;
        self.write(format_args!(
            "{BOLD}sudoku-batch {}{BOLD:#}, commit {}, {} build by {}\n",
            checkup.version, build.commit, build.profile, build.rustc
        ));
    }

    fn machine(&mut self, checkup: &Checkup) {
        let machine = &checkup.environment;
        let cpu = format!("{} ({}, {})", machine.cpu, machine.arch, machine.os);
        self.line(Mark::Ok, "processor", &cpu);
        let (there, lacking): (Vec<&Part>, Vec<&Part>) =
            checkup.lockstep.iter().partition(|part| part.is_there());
        let names = |parts: &[&Part]| {
            let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
            names.join(", ")
        };
        let mut text = match there.first() {
            Some(used) => format!("runs on {}; can use {}", used.name, names(&there)),
            None => "no instructions to run on".to_owned(),
        };
        if !lacking.is_empty() {
            text += &format!("; not on this processor: {}", names(&lacking));
        }
        self.line(Mark::Ok, "lockstep", &text);
        let cores = counted(machine.cores as u64, "core");
        let threads = format!("{} of {cores}", machine.threads);
        self.line(Mark::Ok, "threads", &threads);
    }

    fn configuration(&mut self, file: Option<&Configuration>) {
        match file {
            Some(file) => {
                let settings = file.settings.join("; ");
                self.line(
                    Mark::Ok,
                    "configuration",
                    &format!("{}: {settings}", file.path.display()),
                );
            }
            None => self.line(Mark::Absent, "configuration", "no sudoku-batch.toml here"),
        }
    }

    /// Adds a line with the parts that are present, and a line for each missing one, which is a
    /// problem if it is `needed`.
    fn parts(&mut self, name: &str, parts: &[Part], needed: Option<&str>) {
        let there = parts.iter().filter(|part| part.is_there());
        let there: Vec<&str> = there.map(|part| part.name.as_str()).collect();
        self.line(Mark::Ok, name, &there.join(", "));
        for part in parts {
            if let Some(problem) = &part.problem {
                if needed == Some(&part.name) {
                    self.line(Mark::Wrong, &part.name, problem);
                    self.hint("use the detector of every build: --backend built-in");
                } else {
                    self.line(Mark::Absent, "", problem);
                }
            }
        }
    }

    fn model(&mut self, model: &Model) {
        let place = match &model.folder {
            Some(folder) => folder.display().to_string(),
            None => "built-in".to_owned(),
        };
        match &model.card {
            Ok(card) => {
                self.line(Mark::Ok, "model", &format!("{place}: {}", shape(card)));
                self.more(&accuracy(card));
                self.more(&sources(card));
            }
            Err(problem) => {
                self.line(Mark::Wrong, "model", &format!("{place}: {problem}"));
                self.hint(match &model.folder {
                    Some(_) => "--model takes a folder that `train` has written, or `built-in`",
                    None => "the build is broken: build again from a clean checkout",
                });
            }
        }
    }

    fn ffmpeg(&mut self, checkup: &Checkup) {
        match &checkup.ffmpeg {
            Ok(version) => self.line(Mark::Ok, "ffmpeg", &format!("{version}, for videos")),
            Err(_) => {
                self.line(
                    Mark::Absent,
                    "ffmpeg",
                    "not found: of videos, only .y4m files are read",
                );
                self.hint("install it, such as the apt package ffmpeg");
            }
        }
    }

    fn fonts(&mut self, fonts: &Fonts) {
        let places: Vec<String> = fonts
            .places
            .iter()
            .map(|place| place.display().to_string())
            .collect();
        let places = places.join(", ");
        if fonts.faces == 0 {
            let text = format!("none in {places}: rendered digits are drawn as handwriting");
            self.line(Mark::Absent, "fonts", &text);
            self.hint(
                "install some, such as the apt package fonts-dejavu, or name a folder: --fonts",
            );
            return;
        }
        let faces = counted(fonts.faces as u64, "face");
        let text = format!(
            "{faces} of {} families in {places}; {} left out",
            fonts.families, fonts.left_out
        );
        self.line(Mark::Ok, "fonts", &text);
    }

    fn data(&mut self, folder: &Folder) {
        let place = match &folder.path {
            Some(path) => path.display().to_string(),
            None => "not set".to_owned(),
        };
        let about = folder.about;
        match &folder.problem {
            Some(problem) => {
                self.line(Mark::Wrong, folder.name, &format!("{place}: {problem}"));
                self.hint(&format!("correct the path, or do without: {about}"));
            }
            None if folder.present => self.line(Mark::Ok, folder.name, about),
            None if folder.path.is_none() => {
                self.line(Mark::Absent, folder.name, &format!("not set: {about}"));
            }
            None => self.line(Mark::Absent, folder.name, &format!("not here: {about}")),
        }
    }

    fn output(&mut self, folder: &Folder) {
        let path = folder.path.as_deref().unwrap_or_else(|| ".".as_ref());
        let path = path.display();
        match &folder.problem {
            Some(problem) => {
                let text = format!("cannot write {path}: {problem}");
                self.line(Mark::Wrong, folder.name, &text);
                self.hint("give a folder that can be written to with --out");
            }
            None if folder.present => {
                self.line(Mark::Ok, folder.name, &format!("{path} can be written to"));
            }
            None => {
                let text = format!("{path} can be made and written to");
                self.line(Mark::Ok, folder.name, &text);
            }
        }
    }

    fn verdict(&mut self, ready: bool) {
        if ready {
            self.write(format_args!(
                "{GOOD}All that `recognize` needs is there.{GOOD:#}\n"
            ));
        } else {
            self.write(format_args!(
                "{BAD}`recognize` cannot work here:{BAD:#} see what is wrong above.\n"
            ));
        }
    }

    fn line(&mut self, mark: Mark, name: &str, text: &str) {
        let (style, word) = match mark {
            Mark::Ok => (GOOD, "ok"),
            Mark::Absent => (DIM, "--"),
            Mark::Wrong => (BAD, "wrong"),
        };
        self.write(format_args!(
            "{style}{word:<MARK$}{style:#}{BOLD}{name:<NAME$}{BOLD:#}"
        ));
        self.text(text);
    }

    /// Adds a further line on the part above.
    fn more(&mut self, text: &str) {
        self.write(format_args!("{:1$}", "", MARK + NAME));
        self.text(text);
    }

    /// Adds advice on the part above.
    fn hint(&mut self, text: &str) {
        for (number, line) in wrapped(text, TEXT - "hint: ".len()).iter().enumerate() {
            let label = if number == 0 { "hint:" } else { "     " };
            self.write(format_args!("{:1$}", "", MARK + NAME));
            self.write(format_args!("{HINT}{label}{HINT:#} {line}\n"));
        }
    }

    /// Adds text in the column after the name, wrapped between words.
    fn text(&mut self, text: &str) {
        for (number, line) in wrapped(text, TEXT).iter().enumerate() {
            let indent = if number == 0 { 0 } else { MARK + NAME };
            self.write(format_args!("{:indent$}{line}\n", ""));
        }
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        self.0.write_fmt(text).expect("a string takes everything");
    }
}

fn shape(card: &ModelCard) -> String {
    let classes = card.classes.join(" ");
    let (side, seed) = (card.crop_side, card.config.seed);
    let parameters = grouped(card.parameters as u64);
    format!(
        "classes {classes}; crops of {side} x {side} pixels; {parameters} parameters, epoch {}, seed {seed}",
        card.epoch
    )
}

fn accuracy(card: &ModelCard) -> String {
    let held_out = &card.validation;
    format!(
        "held out: right on {:.2} % of {}, {:.2} % of those with a digit",
        100.0 * held_out.accuracy,
        counted(held_out.crops as u64, "crop"),
        100.0 * held_out.digit_accuracy,
    )
}

fn sources(card: &ModelCard) -> String {
    let sources = card.validation.sources.iter();
    let sources: Vec<String> = sources
        .map(|(name, (right, crops))| {
            format!(
                "{name} {:.1} % of {}",
                100.0 * right,
                grouped(*crops as u64)
            )
        })
        .collect();
    sources.join(", ")
}
