"""The example runs, from its folder, as a reader would run it."""

from pathlib import Path

import nbclient
import nbformat
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.ipynb")))
def test_example_runs_and_prints_what_it_shows(name: str) -> None:
    notebook = nbformat.read(EXAMPLES / name, as_version=4)
    shown = printed(notebook)
    assert shown
    client = nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}
    )
    client.execute()
    assert printed(notebook) == shown


def printed(notebook: nbformat.NotebookNode) -> "list[str]":
    return [
        output["text"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output["output_type"] == "stream" and output["name"] == "stdout"
    ]
