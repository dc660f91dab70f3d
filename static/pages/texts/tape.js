/** The texts in the HTML of the page Tape. @type {Record<string, string>} */
export const TEXTS = {
  legendValue: "values",
  legendSlope: "derivatives",
  legendChosen: "the row you chose",
  tapeTitle: "How a computer finds derivatives",
  tapeLead:
    "Follow a formula forwards to its value, and back to its derivatives. This is automatic differentiation, the " +
    "method behind machine learning.",
  graph: "The rows of the formula and which rows each one uses",
  firstStep: "To the start",
  lastStep: "To the end",
  stepOfTape: "Step of the computation",
  modes: "Show",
  modeValues: "Values",
  modeGradient: "Gradient: forwards, then back",
  modeTangents: "Tangents: forwards",
  modeChunk: "Both tangents at once",
  chunkX: "Tangent by x",
  chunkY: "Tangent by y",
  formulaOfTape: "Formula for f",
  exportTape: "All numbers as CSV",
  detail: "The row you chose",
  tapeTable: "The tape as a table",
  operation: "Operation",
  sumOf: "Sum of",
  tapeIntro:
    "A compiler reads a formula as a tape: a list with one operation in each row. Going forwards, each row computes " +
    "its value from rows above it. Going back from the result to x and y, each row gets a cotangent, which says how " +
    "fast the result changes when the value of that row changes. The row multiplies its cotangent by its slopes and " +
    "passes the products on to the rows that it used. A row that was used several times adds up the products that it " +
    "receives. Press Play, or drag the slider. Click a row to check its numbers.",
  tapeHow:
    "All of this is computed as you watch. The compiler produces the rows, slopes and sums as one small WebAssembly " +
    "module. The cotangents of x and y equal the compiled gradient to the last bit. Change x and y as you like.",
  tapeToSparse: "Sparse second derivatives",
  tapeMaths:
    "If row w uses row v, then the cotangent of v gets (cotangent of w) · ∂w/∂v. This is the chain rule, summed over " +
    "all rows that use v. Going back once gives the derivatives for all inputs, however many there are. Tangents go " +
    "forwards: dw = Σ ∂w/∂v · dv. Going forwards once gives the derivative in one direction (dx, dy). That suits " +
    "formulas with few inputs and many results.",
};
