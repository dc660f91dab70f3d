// Prints the names that the editor finds in programs, and their meanings. Usage: node code_names.mjs
import { callAt, helpAt, parametersOf, ranked } from "../../static/js/widgets/code-names.js";

const NAMES = [
  { name: "grad", kind: "function", signature: "(f, argnums=0)", about: "the gradient" },
  { name: "math.sin", kind: "function", signature: "(x)", about: "the sine" },
  { name: "numpy.dot", kind: "function", signature: "(a, b)", about: "a product" },
  { name: ".plot", kind: "function", signature: "(f, *more, **named)", about: "a curve" },
];
const short = (help) => (help === null ? null : [help.name, help.signature, help.about, help.argument]);
/** The mark | in a program is the place of the caret. */
const at = (text, find) => short(find(text.replace("|", ""), text.indexOf("|"), NAMES));

process.stdout.write(JSON.stringify({
  pointed: [
    "eg.gr|ad(f)", "y = eg.ma|th.sin(x)", "y = eg.math.s|in(x)", "import eglantine.numpy as np\nnp.do|t(a, b)",
    "from eglantine.math import sin\ns|in(x)", "def f(a, b=(1, 2)):\n    \"\"\"Adds.\"\"\"\nf|(1)", "pl|ot(f)", "nothing|", "np.do|t(a)",
  ].map((text) => at(text, helpAt)),
  called: [
    "eg.grad(|", "eg.grad(f, |", "eg.grad(g(1, 2), (3, 4), |", "eg.grad(f)|", "eg.grad(f'a, b', |", "plot(eg.math.sin(|", "plot([1, 2|", "def plot(|",
    "eg.grad(\n    f,  # a, b(\n    |",
  ].map((text) => at(text, callAt)),
  parameters: parametersOf("(f, x0=(1, 2), *, memory={}, **options)"),
  ranked: [
    ["sin", ["asin", "sinh", "sin", "Sinc", "cos"]],
    ["", ["b", "a"]],
    ["arg", ["argsort", "value_and_arg", "argmax", "large", "Arg", "argument"]],
  ].map(([word, labels]) => ranked(labels.map((label) => ({ label })), word).map(({ label }) => label)),
}));
