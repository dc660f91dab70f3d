/** The texts in the HTML of the page Fit. @type {Record<string, string>} */
export const TEXTS = {
  fitTitle: "A curve through your points",
  fitLead:
    "Give points and a formula in x with other letters, such as a·x + b. The page finds the values of these letters for " +
    "which the curve comes closest to the points, and says how far you can trust them. Drag a point, and everything " +
    "follows.",
  fitPoints: "Points and the curve that is fitted to them",
  fitResiduals: "The residuals: how far each point lies above or below the curve",
  fitValley: "The sum of squares for all values of two parameters, and the path of the solver",
  modelFormula: "Formula in x; all other letters are fitted",
  parameterValue: "value",
  parameterError: "error",
  parameterHeld: "hold",
  parameterNudge: "move",
  parameterLower: "at least",
  parameterUpper: "at most",
  parameterCertified: "certified",
  correlations: "Correlations",
  sumOfSquares: "sum of squares",
  residualDeviation: "deviation",
  freedom: "degrees of freedom",
  determined: "R²",
  information: "AIC",
  rounds: "rounds",
  confidenceBand: "95 % confidence",
  predictionBand: "95 % prediction",
  absoluteSigma: "σ is in the units of y",
  searchStart: "Search again",
  hintFit: "Drag a point",
  sigmaOfPoint: "σ",
  leftOut: "leave out",
  pasteTable: "Paste or type a table",
  tableHelp:
    "Two columns, x and y, or three with the standard deviation of y. Copy them from a spreadsheet, or drop a file on " +
    "the page.",
  takeTable: "Use these points",
  tableFile: "Open a file",
  valleyAcross: "Across",
  valleyUp: "Up",
  exportFit: "Points and residuals as CSV",
  exportJson: "The fit as JSON",
  asPython: "The same fit in Python",
  legendDatum: "point",
  legendFitted: "fitted curve",
  legendConfidence: "where the curve lies, 95 %",
  legendPrediction: "where new points lie, 95 %",
  legendSolver: "path of the solver",
  fitIntro:
    "The page makes the sum of the squared residuals as small as it can. A residual is how far a point lies above the " +
    "curve. The method is Levenberg and Marquardt’s. It needs the formula’s derivatives for each letter, and " +
    "automatic differentiation gives them exactly. The whole solver is one WebAssembly function, so a fit takes less " +
    "than a millisecond.",
  fitErrors:
    "The error of a parameter says how much it would change if the points were measured again. It comes from the " +
    "curvature of the sum of squares. In a steep valley the points determine the parameter well, and in a flat valley " +
    "they do not. If the formula is right and the deviations are normal, the true curve lies in the inner band with 95 % " +
    "confidence, and a new point in the outer band.",
  fitNist:
    "The data sets named NIST have certified answers, computed by the United States’ institute of standards with many " +
    "more digits. The table of parameters says how many digits of our values agree. These data sets were chosen so that " +
    "many programs fail on them.",
  fitMaths:
    "With the Jacobian matrix J of the residuals and their deviation s, the covariance of the parameters is s²·(JᵀJ)⁻¹. " +
    "The confidence band at x is t·√(gᵀ·C·g), where g is the formula’s gradient for its letters, C the covariance, " +
    "and t the 97.5 % quantile of Student’s distribution. If you hold a letter, it keeps its value, so it has no error " +
    "and no column in J.",
};
