#![no_main]

sudoku_batch_fuzz::target!(model_card);
