#![no_main]

sudoku_batch_fuzz::target!(summary);
