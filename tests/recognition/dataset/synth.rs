//! Settings and fonts of `dataset synth`.

use sudoku_batch::training::CropFolder;

use super::common::{program, say};
use super::json;

#[test]
fn unusable_fonts_are_named_and_the_rest_is_drawn() {
    let (fonts, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(fonts.path().join("text.ttf"), "no font").unwrap();
    let mut command = program(&["dataset", "synth", "crops", "-n", "40", "-v", "--fonts"]);
    let said = say(command.arg(fonts.path()).arg("-o").arg(out.path()));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.stderr.contains("text.ttf: not a readable font"),
        "{said:?}"
    );
    let saved = json(&out.path().join("config.json"));
    assert_eq!(saved["faces"].as_array().unwrap().len(), 0);
    assert!(saved["config"]["camera"]["jpeg"].is_number());
    assert_eq!(CropFolder::read(out.path()).unwrap().crops.len(), 40);
}

#[test]
fn every_effect_can_be_set_and_an_invalid_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let synth = |effects: &str, out: &str| {
        std::fs::write(path("effects.json"), effects).unwrap();
        let mut command = program(&["dataset", "synth", "crops", "-n", "60", "--config"]);
        let command = command.arg(path("effects.json")).arg("-o").arg(path(out));
        say(command.arg("--fonts").arg(path("none")))
    };
    let said = synth(r#"{"content": {"blank": 1.0}}"#, "blanks");
    assert_eq!(said.code, Some(0), "{said:?}");
    let crops = CropFolder::read(&path("blanks")).unwrap().crops;
    assert!(crops.iter().all(|crop| crop.label.is_none()));
    // The output can be read back.
    let saved = json(&path("blanks/config.json"))["config"].to_string();
    assert_eq!(synth(&saved, "again").code, Some(0));
    let hash = |name: &str| CropFolder::read(&path(name)).unwrap().hash;
    assert_eq!(hash("blanks"), hash("again"));

    let wild = r#"{"camera": {"resolutions": [0,0,0,0,0,0,0,0], "blurs": [1e9,1e9,1e9,1e9,1e9,1e9,1e9]},
        "content": {"height": {"low": -3, "high": 1e9}, "perspective": 1e6, "writers": 0},
        "tone": {"contrast": {"low": 0, "high": 0}, "halftone": 1, "halftone_pitch": {"low": 0, "high": 0}},
        "lines": {"margin": 1e9, "dashed": 1, "dash": {"low": -9, "high": 0}},
        "marks": {"show_through": 1, "show_through_blur": {"low": 1, "high": 1e39}},
        "light": {"glare": 1, "glare_width": {"low": 0, "high": -1}}}"#;
    assert_eq!(synth(wild, "wild").code, Some(0));
    for (effects, expected) in [
        (r#"{"content": {"blank": 1.5}}"#, "1.5 is no probability"),
        (r#"{"content": {"blanks": 1}}"#, "unknown field `blanks`"),
        ("{", "EOF"),
    ] {
        let said = synth(effects, "bad");
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains("effects.json: "), "{said:?}");
        assert!(said.stderr.contains(expected), "{said:?}");
    }
}

#[test]
fn handwriting_is_drawn_from_labeled_crops() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let synth = |blank: f64, handwriting: Option<&str>, out: &str| {
        let effects = format!(r#"{{"content": {{"blank": {blank}}}}}"#);
        std::fs::write(path("effects.json"), effects).unwrap();
        let mut command = program(&["dataset", "synth", "crops", "-n", "60", "--config"]);
        command.arg(path("effects.json")).arg("-o").arg(path(out));
        if let Some(name) = handwriting {
            command.arg("--handwriting").arg(path(name));
        }
        say(command.arg("--fonts").arg(path("none")))
    };
    let read = |name: &str| CropFolder::read(&path(name)).unwrap();
    for (blank, handwriting, out) in [
        (0.0, None, "written"),
        (1.0, None, "blanks"),
        (0.3, None, "strokes"),
        (0.3, Some("written"), "samples"),
    ] {
        assert_eq!(synth(blank, handwriting, out).code, Some(0));
    }
    let is_sample = |name: &str| {
        let crops = read(name).crops.into_iter();
        let groups = crops.map(|crop| crop.photo);
        groups.filter(|it| it.starts_with("hand-sample-")).count()
    };
    assert_eq!(is_sample("strokes"), 0);
    assert!(is_sample("samples") > 5, "{}", is_sample("samples"));
    let saved = json(&path("samples/config.json"));
    assert_eq!(saved["handwriting"], read("written").hash);
    for (name, expected) in [
        ("blanks", "blanks holds no handwritten digit"),
        ("none", "no such folder"),
    ] {
        let said = synth(0.3, Some(name), "bad");
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains(expected), "{said:?}");
    }
}

#[test]
fn effects_of_photos_can_be_set_and_invalid_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let synth = |effects: &str, out: &str| {
        std::fs::write(path("effects.json"), effects).unwrap();
        let mut command = program(&["dataset", "synth", "photos", "-n", "2"]);
        let command = command.args(["--looks", "small,poor", "--config"]);
        let command = command.arg(path("effects.json")).arg("-o").arg(path(out));
        say(command.arg("--fonts").arg(path("none")))
    };
    let tiny = r#"{"sensor": {"size": [128, 96], "smaller": 0, "poor_size": [64, 64]}}"#;
    let said = synth(tiny, "tiny");
    assert_eq!(said.code, Some(0), "{said:?}");
    let photo = |out: &str, name: &str| image::open(path(out).join(name)).unwrap();
    let small = photo("tiny", "000-small.jpg");
    assert_eq!(small.width().max(small.height()), 128);
    let poor = photo("tiny", "001-poor.jpg");
    assert_eq!((poor.width(), poor.height()), (64, 64));
    // The output can be read back.
    let saved = json(&path("tiny/config.json"));
    assert_eq!(saved["looks"], serde_json::json!(["small", "poor"]));
    let again = synth(&saved["config"].to_string(), "again");
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(photo("again", "000-small.jpg"), small);
    let turned = tiny.replace(
        "{\"sensor\"",
        "{\"view\": {\"small_turn\": {\"low\": 1, \"high\": 1}}, \"sensor\"",
    );
    assert_eq!(synth(&turned, "turned").code, Some(0));
    assert_ne!(photo("turned", "000-small.jpg"), small);

    for (effects, expected) in [
        (r#"{"lighting": {"shadow": 1.5}}"#, "1.5 is no probability"),
        (r#"{"lighting": {"shadows": 1}}"#, "unknown field `shadows`"),
        (
            r#"{"sensor": {"blur": {"low": 2, "high": 1}}}"#,
            "`sensor.blur` is not a range within 0 to 10",
        ),
        (
            r#"{"sensor": {"size": [90000, 9]}}"#,
            "`sensor.size` is not",
        ),
    ] {
        let said = synth(effects, "bad");
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains("effects.json: "), "{said:?}");
        assert!(said.stderr.contains(expected), "{said:?}");
        assert!(!path("bad").exists());
    }
}
