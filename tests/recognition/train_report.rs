//! The page of a training run, and its summary.

use crate::common::toy;
use std::sync::OnceLock;

use serde_json::json;
use sudoku_batch::digits::{ConfusionMatrix, DataCard};
use sudoku_batch::environment::Environment;
use sudoku_batch::grid::Digit;
use sudoku_batch::report::train_page;
use sudoku_batch::training::{TrainingSummary, WorstCrop};
use toy::{run, toy_config};

const HOSTILE: &str = "a\n\"b\" 'c' </title><script>alert(1)</script>&amp;";

/// The summary of a run of two epochs; every number that a test uses is set by hand.
fn summary() -> TrainingSummary {
    static RUN: OnceLock<TrainingSummary> = OnceLock::new();
    let summary = RUN.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&toy_config(2), folder.path()).unwrap();
        let machine = Environment {
            cpu: "Some <CPU>".to_owned(),
            ..Environment::default()
        };
        TrainingSummary::new(&run, machine)
    });
    summary.clone()
}

fn counts(counts: &[(usize, usize, usize)]) -> ConfusionMatrix {
    let mut confusion = ConfusionMatrix::default();
    for &(label, read, count) in counts {
        (0..count).for_each(|_| confusion.add(label, read));
    }
    confusion
}

/// The visible text, without style, script and tags.
fn words(page: &str) -> String {
    let body = &page[page.find("</head>").unwrap()..page.find("<script>").unwrap()];
    let parts = body.split('<').skip(1);
    parts
        .filter_map(|part| part.split_once('>'))
        .map(|(_, text)| text)
        .collect::<String>()
}

/// Checks that a page is self-contained, and that its tags and charts are complete.
fn assert_sound(page: &str) {
    for tag in [
        "svg", "figure", "table", "section", "title", "td", "th", "script", "li",
    ] {
        let opened =
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    let charts = page.matches("<svg class=\"chart\"").count();
    assert_eq!(page.matches("<title id=").count(), charts);
    let tables = page.matches("<table").count();
    assert_eq!(page.matches("<caption").count(), tables);
    for never in ["NaN", "inf ", "inf%", "http", "src=", "cannot be drawn"] {
        assert!(!page.contains(never), "{never}");
    }
}

#[test]
fn a_summary_round_trips_and_gives_the_same_page() {
    let mut summary = summary();
    summary.worst[0].photo = HOSTILE.to_owned();
    summary.evaluation = Some(json!({"accuracy": {"photos": 3, "decoded_exact": 2}}));
    for json in [
        serde_json::to_string(&summary).unwrap(),
        serde_json::to_string_pretty(&summary).unwrap(),
    ] {
        let back: TrainingSummary = serde_json::from_str(&json).unwrap();
        assert_eq!(
            serde_json::to_string(&back).unwrap(),
            serde_json::to_string(&summary).unwrap()
        );
        assert_eq!(back.worst, summary.worst);
        assert_eq!(back.reliability, summary.reliability);
        assert_eq!(train_page(&back, b"png"), train_page(&summary, b"png"));
    }
}

#[test]
fn the_first_screen_shows_accuracy_and_weaknesses() {
    let mut summary = summary();
    summary.confusion = counts(&[
        (0, 0, 50),
        (1, 1, 30),
        (7, 7, 27),
        (7, 1, 3),
        (3, 8, 1),
        (3, 3, 3),
    ]);
    let held_out = &mut summary.card.validation;
    (held_out.accuracy, held_out.digit_accuracy, held_out.crops) = (0.964_9, 0.937_5, 114);
    held_out.sources = [
        ("poor".to_owned(), (0.5, 8)),
        ("rich".to_owned(), (1.0, 106)),
    ]
    .into();
    summary.stopped_early = true;
    let page = train_page(&summary, b"png");
    assert_sound(&page);
    let words = words(&page);
    for expected in [
        "96.49 %of 114 held-out crops read right",
        "93.75 %of those with a digit",
        "Stopped early after 2 epochs",
        "Most frequent error: 7 for 1, 3 times in 30. Weakest class: 3, 75.00 % of 4 read right. \
         Weakest source: poor, 50.00 % of 8.",
    ] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
    assert!(page.contains("title=\"7 read as 1: 3 of 30 crops, 10.00 %\""));

    summary.confusion = counts(&[(0, 0, 50)]);
    summary.interrupted = true;
    let page = train_page(&summary, b"png");
    assert_sound(&page);
    assert!(
        page.contains("No held-out crop is misread") && page.contains("Interrupted after 2 epochs")
    );
}

#[test]
fn names_from_outside_are_escaped() {
    let mut summary = summary();
    for crop in &mut summary.worst {
        (crop.photo, crop.source) = (HOSTILE.to_owned(), HOSTILE.to_owned());
    }
    summary.card.data = vec![DataCard {
        name: HOSTILE.to_owned(),
        hash: "00".repeat(32),
        weight: 1.0,
        training: 90,
        validation: 20,
    }];
    summary.card.config.exclude_sources = vec![HOSTILE.to_owned()];
    let sources = [(HOSTILE.to_owned(), (0.0, 1)), (String::new(), (1.0, 1))];
    summary.card.validation.sources = sources.into();
    summary.confusion = counts(&[(1, 2, 1)]);
    let page = train_page(&summary, b"png");
    assert_sound(&page);
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(!page.contains("</title><script>"));
    // The value of a title or label: a quote would end it.
    assert!(!page.contains("\"b\" 'c'") && page.contains("unnamed"));
    assert!(page.contains("Some &lt;CPU&gt;"));
    assert!(
        page.contains("<td>0.1</td>"),
        "settings are written as they were set"
    );
}

#[test]
fn an_empty_page_is_complete() {
    let mut summary = summary();
    summary.history.clear();
    summary.worst.clear();
    (summary.epochs, summary.interrupted) = (0, true);
    summary.confusion = ConfusionMatrix::default();
    summary.card.validation = Default::default();
    summary.environment = Environment::default();
    for table in &mut summary.reliability {
        let empty = json!({"temperature": 1.0, "bins": vec![json!({"crops": 0, "right": 0, "confidence_sum": 0.0}); 15]});
        *table = serde_json::from_value(empty).unwrap();
    }
    let page = train_page(&summary, &[]);
    assert_sound(&page);
    assert!(page.contains("No crops are kept") && !page.contains("data:image"));
}

#[test]
fn curves_are_drawn_for_any_numbers() {
    let mut summary = summary();
    let epoch = summary.history[0].clone();
    let with = |loss: f32, accuracy: f32, number: usize| sudoku_batch::training::EpochMetrics {
        epoch: number,
        training_loss: loss,
        validation_loss: loss,
        training_accuracy: accuracy,
        validation_accuracy: accuracy,
        ..epoch.clone()
    };
    for history in [
        vec![with(0.0, 1.0, 1)],
        vec![with(1e9, 0.0, 1), with(0.0, 1.0, 2)],
        vec![with(0.31, 0.97, 1); 1],
        (1..=300)
            .map(|n| with(3.0 / n as f32, 1.0 - 0.5 / n as f32, n))
            .collect(),
    ] {
        summary.history = history;
        let page = train_page(&summary, b"png");
        assert_sound(&page);
        assert!(page.contains("epoch 1, held out: "));
    }
}

#[test]
fn each_of_the_worst_crops_is_a_figure_with_a_caption() {
    let mut summary = summary();
    let crop = |rank: usize, label: u8, read: u8| WorstCrop {
        rank,
        label: Digit::new(label),
        read: Digit::new(read),
        confidence: 0.98,
        loss: 4.0,
        photo: format!("p{rank}.jpg"),
        source: "kubiesa-3".to_owned(),
    };
    summary.worst = vec![crop(1, 7, 1), crop(2, 0, 9), crop(3, 4, 4)];
    let page = train_page(&summary, b"png");
    assert_sound(&page);
    assert_eq!(page.matches("data:image/png;base64,cG5n").count(), 1);
    assert_eq!(page.matches("<use href=\"#sheet\">").count(), 3);
    for message in [
        "aria-label=\"label 7, read as 1, 98.00 %, loss 4.00, photo p1.jpg, source kubiesa-3\"",
        "aria-label=\"label blank, read as 9, ",
        " read right",
    ] {
        assert!(page.contains(message), "{message}");
    }
    // Without the picture the captions still exist for all.
    let bare = train_page(&summary, &[]);
    assert_sound(&bare);
    assert!(
        !bare.contains("<use")
            && bare.matches("aria-hidden=\"true\"").count()
                < page.matches("aria-hidden=\"true\"").count()
    );
}
