//! Data sets of labeled crops: counting, checking, reviewing, harvesting.

mod manifests;
mod review;
mod stats;
mod synth;

use crate::common;
use std::path::Path;

use common::{Said, program, say};
use sudoku_batch::dataset::CropSheets;
use sudoku_batch::digits::LabeledCrop;

fn dataset(arguments: &[&str], paths: &[&Path], out: &Path) -> Said {
    let mut command = program(&["dataset"]);
    say(command.args(arguments).args(paths).arg("-o").arg(out))
}

fn write(crops: &[LabeledCrop], folder: &Path) {
    let mut sheets = CropSheets::new(folder);
    sheets.extend(crops.to_vec()).unwrap();
    sheets.finish().unwrap();
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

const HEADER: &str = "file,x,y,width,height,label,photo,source\n";
