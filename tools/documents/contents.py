"""The ordered list of all documents, each with a sentence that is shown under its title."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tools.bootstrap import ROOT

DOCS = ROOT / "docs"
HOME = "docs"
"""The name of the page that lists all documents."""
REFERENCE = "reference"
"""The name of the page that lists all public names."""


class Document(NamedTuple):
    """A document. `short` is its title in lists, and `lead` is the sentence under its title."""

    name: str
    path: Path
    short: str
    lead: str

    @property
    def is_reference(self) -> bool:
        """True if the document is a part of the reference, which has a heading for each public name."""
        return self.path.parent.name == "reference"

    @property
    def is_run(self) -> bool:
        """True if visitors can run the document's Python blocks. A test also runs these blocks."""
        return self.is_reference or self.path.parent.name == "guides" or self.name == "tutorial"


class Part(NamedTuple):
    """A part of the documentation."""

    title: str
    documents: tuple[Document, ...]


def _guide(name: str, short: str, lead: str) -> Document:
    return Document(f"guide-{name}", DOCS / "guides" / f"{name}.md", short, lead)


def _reference(name: str, short: str, lead: str) -> Document:
    return Document(f"{REFERENCE}-{name}", DOCS / "reference" / f"{name}.md", short, lead)


PARTS = (
    Part(
        "Learn",
        (
            Document(
                "tutorial", DOCS / "tutorial.md", "Tutorial",
                "From a first derivative to simulations and figures, one runnable block after the other.",
            ),
        ),
    ),
    Part(
        "How to",
        (
            _guide("figure", "Put a figure into your page",
                   "Copy one piece of HTML, and your page has a live figure."),
            _guide("plot", "Use the plot or a kernel in your page",
                   "Call compiled derivatives from JavaScript, without Python."),
            _guide("jupyterlite", "Use it in JupyterLite", "A live gradient in a notebook without a server."),
            _guide("marimo", "Use it in marimo", "Figures and sliders in a reactive notebook."),
            _guide("notebooks", "Use it in Jupyter, Quarto and Sphinx",
                   "Figures in notebooks and their pages, and widgets that Python hears."),
            _guide("cpython", "Use it on your machine", "Install the package, and run compiled code."),
            _guide("numpy", "Use it with NumPy", "Pass arrays in, get arrays back, and use familiar names."),
            _guide("export", "Export a function", "Take a function and its gradient to another program."),
            _guide("static-host", "Put the site on a host", "Serve these pages from any folder on the web."),
            _guide("custom-rule", "Write a rule of your own", "Say what the derivative of a function is."),
            _guide("nan", "Find where a NaN comes from", "Ask which operation stopped being finite."),
        ),
    ),
    Part(
        "Reference",
        (
            _reference("functions", "Functions and types",
                       "How a Python function becomes a function of the language, and the types of values."),
            _reference("derivatives", "Derivatives",
                       "Gradients, Jacobians, Hessians, Taylor series and sparse derivatives."),
            _reference("control", "Choices, loops and sums",
                       "Branches and loops that stay branches and loops in the compiled code."),
            _reference("running", "Compiling and running",
                       "WebAssembly from a function, calls of it, and exports."),
            _reference("math", "eg.math", "Functions of numbers, with the same bits on every engine."),
            _reference("numpy", "eglantine.numpy", "NumPy's functions, in a trace and outside."),
            _reference("arrays", "Linear algebra, Fourier and random numbers",
                       "The modules linalg and fft of eglantine.numpy, and eg.random."),
            _reference("solvers", "Solvers and integrals",
                       "Minima, least squares, roots, fits, differential equations and integrals."),
            _reference("checking", "Checks and errors",
                       "How to check derivatives, find values that are not finite, and read errors."),
            _reference("figures", "Figures and graphs",
                       "Pictures that live in any page, and a function's operations as data."),
            _reference("diagrams", "eglantine.diagrams", "Diagrams that lay themselves out."),
            _reference("bril", "eglantine.bril and eglantine.formulas",
                       "Programs with jumps, and formulas as text."),
            _reference("command-line", "The command line", "Every command, with an example."),
        ),
    ),
    Part(
        "Background",
        (
            Document("architecture", DOCS / "architecture.md", "Architecture",
                     "The rooms of the compiler, and the way of a program through them."),
            Document("differentiation", DOCS / "differentiation.md", "How constructs are differentiated",
                     "What becomes of each construct, forward and backward."),
            Document("abi", DOCS / "abi.md", "The contract of modules",
                     "How other programs call a compiled module."),
            Document("how-pages-work", DOCS / "pages.md", "The pages",
                     "How the pages of this site are built and how they work."),
            Document("security", DOCS / "security.md", "Security",
                     "Which attacks the pages prevent, and how."),
            Document("benchmarks", DOCS / "benchmarks.md", "Benchmarks",
                     "Measured side by side with other libraries, in one run."),
            Document("glossary", DOCS / "glossary.md", "Glossary", "The words that we use."),
            Document("contributing", ROOT / "CONTRIBUTING.md", "Contributing",
                     "How to run, test and change Eglantine."),
            Document("changelog", ROOT / "CHANGELOG.md", "Changelog",
                     "What has changed in each version of Eglantine."),
        ),
    ),
)  # fmt: skip


def documents() -> list[Document]:
    """All documents, in the order of the list."""
    return [document for part in PARTS for document in part.documents]
