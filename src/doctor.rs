//! Checks what this build and this machine have of all that the program can use: the report of
//! `doctor`.

use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::digits::{Compute, ModelCard, NetClassifier};
use crate::environment::Environment;
use crate::files::can_write_below;
use crate::frames::Ffmpeg;
use crate::render::FontSet;
use crate::solve::{InstructionSet, Lockstep};
use crate::vision::{Backend, DetectConfig};

/// The settings of a run whose parts are checked.
#[derive(Clone, Debug)]
pub struct Places {
    /// Number of worker threads of a run.
    pub threads: usize,
    /// Grid detector of a run.
    pub backend: Backend,
    /// Folder of a trained model; `None` for the built-in one.
    pub model: Option<PathBuf>,
    /// Folders and files of fonts.
    pub fonts: Vec<PathBuf>,
    /// Folder for results.
    pub out: PathBuf,
    /// Folders of optional data.
    pub data: Vec<DataFolder>,
    /// The configuration file, if there is one.
    pub configuration: Option<Configuration>,
}

/// A configuration file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Configuration {
    /// Where it is.
    pub path: PathBuf,
    /// Its settings, one per flag: `recognize overlay = true`.
    pub settings: Vec<String>,
}

/// A folder of optional data, which reading photos does not need.
#[derive(Clone, Debug)]
pub struct DataFolder {
    /// Its name.
    pub name: &'static str,
    /// Its path, if one was configured.
    pub path: Option<PathBuf>,
    /// Whether it was configured explicitly, so that its absence is a problem.
    pub promised: bool,
    /// What it is used for.
    pub about: &'static str,
}

/// The result of a check.
#[derive(Clone, Debug, Serialize)]
pub struct Checkup {
    /// `doctor`.
    pub command: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The configuration file, if there is one.
    pub configuration: Option<Configuration>,
    /// Whether `recognize` has all it needs: its detector, a model and a folder for its results.
    pub ready: bool,
    /// The build, the processor and its threads.
    pub environment: Environment,
    /// The instruction sets of the solver `lockstep`, fastest first; it runs on the first one that
    /// the processor has.
    pub lockstep: Vec<Part>,
    /// Name of the grid detector that a run would use, one of `detectors`.
    pub backend: &'static str,
    /// Grid detectors.
    pub detectors: Vec<Part>,
    /// Devices on which a network can be trained.
    pub devices: Vec<Part>,
    /// The digit network.
    pub model: Model,
    /// Version of the program that decodes and encodes videos, or what to do about its absence.
    pub ffmpeg: Result<String, String>,
    /// Fonts for rendered crops and photos.
    pub fonts: Fonts,
    /// Folders of data.
    pub data: Vec<Folder>,
    /// The folder for results.
    pub output: Folder,
}

/// A part that a build or a processor may lack.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// Its name, as in flags.
    pub name: String,
    /// Why it is missing and how to get it; `None` where it is present.
    pub problem: Option<String>,
}

/// The digit network.
#[derive(Clone, Debug, Serialize)]
pub struct Model {
    /// Its folder; `None` for the built-in one.
    pub folder: Option<PathBuf>,
    /// Its card, or why it cannot be used.
    #[serde(flatten, serialize_with = "card_or_problem")]
    pub card: Result<ModelCard, String>,
}

/// The fonts of this machine.
#[derive(Clone, Debug, Serialize)]
pub struct Fonts {
    /// Folders and files that were searched.
    pub places: Vec<PathBuf>,
    /// Families with a usable face.
    pub families: usize,
    /// Faces with digits that can be trained on.
    pub faces: usize,
    /// Faces that cannot be trained on.
    pub left_out: usize,
}

/// A folder, and what is wrong with it.
#[derive(Clone, Debug, Serialize)]
pub struct Folder {
    /// Its name.
    pub name: &'static str,
    /// Its path, if one was configured.
    pub path: Option<PathBuf>,
    /// Whether there is such a folder.
    pub present: bool,
    /// What is wrong; a missing folder of data is a problem only if it was configured explicitly.
    pub problem: Option<String>,
    /// What it is used for.
    pub about: &'static str,
}

impl Checkup {
    /// Checks all of it. Leaves no files behind.
    pub fn of_this_machine(places: &Places) -> Checkup {
        let detectors = Backend::ALL.map(detector).to_vec();
        let backend = places.backend.name();
        let used = |part: &Part| part.name == backend;
        let model = model(places.model.as_deref());
        let output = output(&places.out);
        Checkup {
            command: "doctor",
            version: env!("CARGO_PKG_VERSION"),
            ready: detectors.iter().any(|part| used(part) && part.is_there())
                && model.card.is_ok()
                && output.problem.is_none(),
            environment: Environment::of_this_machine(places.threads),
            lockstep: InstructionSet::ALL.map(instructions).to_vec(),
            backend,
            detectors,
            devices: devices(),
            model,
            ffmpeg: Ffmpeg::default()
                .version()
                .map_err(|error| error.to_string()),
            fonts: fonts(&places.fonts),
            data: places.data.iter().map(data).collect(),
            configuration: places.configuration.clone(),
            output,
        }
    }
}

impl Part {
    /// Returns whether this build and this processor have it.
    pub fn is_there(&self) -> bool {
        self.problem.is_none()
    }

    fn new<T, E: ToString>(name: &str, found: Result<T, E>) -> Part {
        Part {
            name: name.to_owned(),
            problem: found.err().map(|error| error.to_string()),
        }
    }
}

fn instructions(set: InstructionSet) -> Part {
    let found = Lockstep::on(set).ok_or("not supported by this processor");
    Part::new(&set.to_string(), found)
}

fn detector(backend: Backend) -> Part {
    Part::new(backend.name(), backend.detector(&DetectConfig::default()))
}

fn devices() -> Vec<Part> {
    [
        ("cpu", Compute::Cpu),
        ("wgpu", Compute::Wgpu),
        ("cuda", Compute::Cuda),
    ]
    .map(|(name, compute)| Part::new(name, compute.is_built_in()))
    .to_vec()
}

fn model(folder: Option<&Path>) -> Model {
    let classifier = match folder {
        Some(folder) => NetClassifier::load(folder),
        None => NetClassifier::built_in(),
    };
    Model {
        folder: folder.map(Path::to_owned),
        card: classifier
            .map(|classifier| classifier.card().clone())
            .map_err(|error| error.to_string()),
    }
}

fn fonts(places: &[PathBuf]) -> Fonts {
    let fonts = FontSet::load(places);
    Fonts {
        places: places.to_vec(),
        families: fonts.families().count(),
        faces: fonts.len(),
        left_out: fonts.rejected().len(),
    }
}

fn data(folder: &DataFolder) -> Folder {
    let path = folder.path.as_deref();
    let present = path.is_some_and(Path::is_dir);
    let is_file = !present && path.is_some_and(Path::exists);
    Folder {
        name: folder.name,
        path: folder.path.clone(),
        present,
        problem: match (is_file, present || !folder.promised) {
            (true, _) => Some("it is not a folder".to_owned()),
            (_, false) => Some("no such folder".to_owned()),
            (_, true) => None,
        },
        about: folder.about,
    }
}

fn output(path: &Path) -> Folder {
    let problem = can_write_below(path).err();
    Folder {
        name: "output",
        path: Some(path.to_owned()),
        present: path.is_dir(),
        problem: problem.map(|error| error.to_string()),
        about: "folder for results",
    }
}

/// Serializes a model as `"card": {…}` or `"problem": "…"`.
fn card_or_problem<S: Serializer>(
    card: &Result<ModelCard, String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeMap;
    let mut map = serializer.serialize_map(Some(1))?;
    match card {
        Ok(card) => map.serialize_entry("card", card)?,
        Err(problem) => map.serialize_entry("problem", problem)?,
    }
    map.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(out: &Path) -> Places {
        Places {
            threads: 1,
            backend: Backend::BuiltIn,
            model: None,
            fonts: Vec::new(),
            out: out.to_owned(),
            data: Vec::new(),
            configuration: None,
        }
    }

    #[test]
    fn a_folder_suffices_for_a_build_to_be_ready_and_stays_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("not/yet");
        let checkup = Checkup::of_this_machine(&places(&out));
        assert!(checkup.ready, "{checkup:?}");
        assert!(!checkup.output.present);
        assert!(checkup.lockstep.iter().any(Part::is_there));
        assert_eq!(checkup.fonts.faces, 0);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_build_is_ready_for_a_back_end_that_it_has() {
        let folder = tempfile::tempdir().unwrap();
        for backend in Backend::ALL {
            let is_there = backend.detector(&DetectConfig::default()).is_ok();
            let checkup = Checkup::of_this_machine(&Places {
                backend,
                ..places(folder.path())
            });
            assert_eq!(checkup.ready, is_there, "{checkup:?}");
            assert_eq!(checkup.backend, backend.name());
        }
    }

    #[test]
    fn each_unmet_requirement_is_a_problem() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let in_the_way = Checkup::of_this_machine(&places(&file.join("out")));
        assert!(!in_the_way.ready && in_the_way.output.problem.is_some());
        let no_model = Checkup::of_this_machine(&Places {
            model: Some(folder.path().to_owned()),
            ..places(folder.path())
        });
        assert!(!no_model.ready && no_model.model.card.is_err());
    }

    #[test]
    fn a_data_path_that_is_a_file_or_promised_but_missing_is_a_problem() {
        let folder = tempfile::tempdir().unwrap();
        let (absent, file) = (folder.path().join("absent"), folder.path().join("file"));
        std::fs::write(&file, "").unwrap();
        let found = |path: Option<&Path>, promised| {
            let found = data(&DataFolder {
                name: "data",
                path: path.map(Path::to_owned),
                promised,
                about: "for tests",
            });
            (found.present, found.problem.is_some())
        };
        assert_eq!(found(None, false), (false, false));
        assert_eq!(found(Some(&absent), false), (false, false));
        assert_eq!(found(Some(&absent), true), (false, true));
        assert_eq!(found(Some(folder.path()), true), (true, false));
        assert_eq!(found(Some(&file), false), (false, true));
    }
}
