"""What other programs read of a run: tables, TensorBoard event files, one page of HTML, one script of plain PyTorch."""
