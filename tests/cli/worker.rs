//! The worker from outside: Arrow streams with photos in and rows out.

use crate::common;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt32Type};
use arrow_array::{ArrayRef, BinaryArray, Int64Array, LargeBinaryArray, RecordBatch, StringArray};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use common::documents::{jpeg, pdf, tiff};
use common::{PUZZLES, board};
use image::{Rgb, RgbImage};

fn stream(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batches[0].schema()).unwrap();
    batches.iter().for_each(|it| writer.write(it).unwrap());
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

/// Exit code, output and errors of a worker with this input.
fn work(input: &[u8]) -> (i32, Vec<u8>, String) {
    let mut worker = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(["worker", "-j", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = worker.stdin.take().unwrap();
    let input = input.to_owned();
    // A worker that refuses its input closes it.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = worker.wait_with_output().unwrap();
    writer.join().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), output.stdout, errors)
}

fn batch(id: ArrayRef, bytes: ArrayRef) -> RecordBatch {
    RecordBatch::try_from_iter([("id", id), ("bytes", bytes)]).unwrap()
}

fn photo(name: &str) -> Vec<u8> {
    std::fs::read(format!("datasets/photos/{name}")).unwrap()
}

#[test]
fn a_stream_that_lies_about_its_buffers_is_an_error() {
    let id = StringArray::from(vec!["one", "two"]);
    let bytes = BinaryArray::from(vec![&b"no picture"[..], b"nor this"]);
    let stream = stream(&[batch(Arc::new(id), Arc::new(bytes))]);
    // Set each position that may be a length or an offset to a huge value.
    for at in (0..stream.len() - 8).step_by(8) {
        let mut forged = stream.clone();
        forged[at..at + 8].copy_from_slice(&(1u64 << 37).to_le_bytes());
        let (code, _, errors) = work(&forged);
        // If the schema is damaged, nothing can be read: 2.
        assert!((0..=2).contains(&code), "byte {at}: {code} {errors}");
        assert!(
            code == 0 || errors.contains("error: "),
            "byte {at}: {errors}"
        );
    }
}

#[test]
fn rows_match_results_csv_and_a_bad_photo_affects_only_itself() {
    let names = ["007-two-boards.jpg", "000-newspaper.jpg"];
    let photos: Vec<Vec<u8>> = names.iter().map(|name| photo(name)).collect();
    let bytes = [
        Some(&photos[0][..]),
        Some(b"no picture"),
        None,
        Some(&photos[1][..]),
    ];
    let id = StringArray::from(vec![Some("two"), None, Some("null"), Some("one")]);
    let first = batch(Arc::new(id), Arc::new(BinaryArray::from(bytes.to_vec())));
    let id = StringArray::from(vec!["cut"]);
    let second = batch(
        Arc::new(id),
        Arc::new(BinaryArray::from(vec![&photos[1][..900]])),
    );
    let (code, output, errors) = work(&stream(&[first, second]));
    assert_eq!((code, errors.as_str()), (0, ""));

    let batches = StreamReader::try_new(&output[..], None).unwrap();
    let metadata = batches.schema().metadata().clone();
    assert_eq!(metadata["sudoku_batch.version"], env!("CARGO_PKG_VERSION"));
    let batches: Vec<RecordBatch> = batches.map(|batch| batch.unwrap()).collect();
    assert_eq!(batches.len(), 2);
    let rows = &batches[0];
    let text = |name: &str| -> Vec<Option<String>> {
        let column = rows[name].as_string::<i32>();
        column.iter().map(|it| it.map(str::to_owned)).collect()
    };
    let ids: Vec<_> = text("id")
        .into_iter()
        .map(|id| id.unwrap_or("-".into()))
        .collect();
    assert_eq!(ids, ["two", "two", "-", "null", "one"]);
    let status: Vec<_> = text("status").into_iter().flatten().collect();
    assert_eq!(
        status,
        ["solved", "solved", "unreadable", "unreadable", "solved"]
    );
    let boards = rows["puzzle"].as_primitive::<UInt32Type>().values();
    assert_eq!(boards[..], [1, 2, 0, 0, 1]);
    assert!(text("error")[2].as_ref().unwrap().contains("picture"));

    // The output of a run over the same photos.
    let out = tempfile::tempdir().unwrap();
    let paths = names.map(|name| format!("datasets/photos/{name}"));
    let run = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .arg("recognize")
        .args(&paths)
        .arg("--out")
        .arg(out.path())
        .output()
        .unwrap();
    assert!(run.status.success());
    let mut table = csv::Reader::from_path(out.path().join("results.csv")).unwrap();
    let head = table.headers().unwrap().clone();
    let place = |name: &str| head.iter().position(|it| it == name).unwrap();
    let expected: Vec<csv::StringRecord> = table.records().map(|row| row.unwrap()).collect();
    for (row, expected) in [0, 1, 4].into_iter().zip(&expected) {
        for name in [
            "givens",
            "filled",
            "read",
            "decoded",
            "solution",
            "solutions",
        ] {
            assert_eq!(text(name)[row].as_deref(), Some(&expected[place(name)]));
        }
        let confidence = rows["confidence"].as_primitive::<Float32Type>().value(row);
        assert_eq!(format!("{confidence:.4}"), expected[place("confidence")]);
        let corners = rows["corners"].as_fixed_size_list().value(row);
        let corners = corners.as_primitive::<Float32Type>().values().to_vec();
        let corners: Vec<String> = corners.iter().map(|it| format!("{it:.1}")).collect();
        assert_eq!(corners.join(" "), expected[place("corners")]);
    }
}

#[test]
fn each_page_of_a_document_has_rows_of_its_own() {
    let paper = RgbImage::from_pixel(552, 552, Rgb([240; 3]));
    let mut damaged = jpeg(board(PUZZLES[1]));
    damaged.truncate(60);
    let book = pdf(&[
        jpeg(board(PUZZLES[0])),
        jpeg(paper.clone()),
        damaged,
        jpeg(board(PUZZLES[1])),
    ]);
    let scan = tiff(&[board(PUZZLES[2]), board(PUZZLES[0])], false);
    let single = tiff(&[board(PUZZLES[1])], false);
    let photos = [&book[..], &scan, &single, b"%PDF-1.4 and no more"];
    let id = Arc::new(Int64Array::from(vec![1, 2, 3, 4]));
    let bytes = Arc::new(BinaryArray::from(photos.to_vec()));
    let (code, output, errors) = work(&stream(&[batch(id, bytes)]));
    assert_eq!((code, errors.as_str()), (0, ""));
    let mut batches = StreamReader::try_new(&output[..], None).unwrap();
    let rows = batches.next().unwrap().unwrap();
    // In addition to the existing ones.
    assert_eq!(rows.schema().fields().last().unwrap().name(), "page");
    let id: ArrayRef = Arc::new(Int64Array::from(vec![1, 1, 1, 1, 2, 2, 3, 4]));
    assert_eq!(&rows["id"], &id);
    let page = rows["page"].as_primitive::<UInt32Type>();
    let pages: Vec<Option<u32>> = page.iter().collect();
    let expected = [1, 2, 3, 4, 1, 2].map(Some);
    assert_eq!(pages, [&expected[..], &[None, None]].concat());
    let text = |name: &str| -> Vec<Option<String>> {
        let column = rows[name].as_string::<i32>();
        column.iter().map(|it| it.map(str::to_owned)).collect()
    };
    let status: Vec<String> = text("status").into_iter().flatten().collect();
    let (solved, unreadable) = ("solved", "unreadable");
    assert_eq!(
        status,
        [
            solved, "no-grid", unreadable, solved, solved, solved, solved, unreadable
        ]
    );
    let decoded = text("decoded");
    for (row, puzzle) in [(0, 0), (3, 1), (4, 2), (5, 0), (6, 1)] {
        assert_eq!(decoded[row].as_deref(), Some(PUZZLES[puzzle]));
    }
    let error = text("error");
    assert!(error[2].as_ref().unwrap().contains("cannot be decoded"));
    assert!(error[7].as_ref().unwrap().contains("damaged PDF"));
}

#[test]
fn ids_of_any_type_are_returned_unchanged() {
    let photo = photo("007-two-boards.jpg");
    let id = Arc::new(Int64Array::from(vec![Some(-7), None]));
    let bytes = Arc::new(LargeBinaryArray::from(vec![&photo[..], b""]));
    let (code, output, _) = work(&stream(&[batch(id, bytes)]));
    assert_eq!(code, 0);
    let mut batches = StreamReader::try_new(&output[..], None).unwrap();
    let rows = batches.next().unwrap().unwrap();
    let expected: ArrayRef = Arc::new(Int64Array::from(vec![Some(-7), Some(-7), None]));
    assert_eq!(&rows["id"], &expected);
}

#[test]
fn other_streams_are_refused_with_a_one_line_reason() {
    let id: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let column = |name: &str| RecordBatch::try_from_iter([(name, Arc::clone(&id))]).unwrap();
    let both = batch(Arc::clone(&id), Arc::clone(&id));
    let cut = {
        let bytes = Arc::new(BinaryArray::from(vec![&b"0123456789"[..]]));
        let mut whole = stream(&[batch(Arc::clone(&id), bytes)]);
        whole.truncate(whole.len() - 40);
        whole
    };
    for (input, why) in [
        (b"".to_vec(), "not an Arrow IPC stream"),
        (
            b"ceci n'est pas un flux".to_vec(),
            "not an Arrow IPC stream",
        ),
        (cut, "not an Arrow IPC stream"),
        (stream(&[column("bytes")]), "a column \"id\""),
        (
            stream(&[column("id")]),
            "a column \"bytes\" of type binary or large_binary: it has [\"id\"]",
        ),
        (stream(&[both]), "it is Int64"),
    ] {
        let (code, _, errors) = work(&input);
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains(why), "{errors}");
        assert_eq!(errors.lines().count(), 2, "{errors}");
    }
}

#[test]
fn a_batch_is_answered_before_the_next_is_read() {
    let mut worker = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(["worker", "-j", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let id: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![&b"no picture"[..]]));
    let batch = batch(id, bytes);
    let stdin = worker.stdin.take().unwrap();
    let mut writer = StreamWriter::try_new(stdin, &batch.schema()).unwrap();
    let mut batches = StreamReader::try_new(worker.stdout.take().unwrap(), None).unwrap();
    for _ in 0..3 {
        writer.write(&batch).unwrap();
        assert_eq!(batches.next().unwrap().unwrap().num_rows(), 1);
    }
    writer.finish().unwrap();
    drop(writer);
    assert!(batches.next().is_none());
    let mut rest = Vec::new();
    batches.get_mut().read_to_end(&mut rest).unwrap();
    assert!(rest.is_empty());
    assert_eq!(worker.wait().unwrap().code(), Some(0));
}
