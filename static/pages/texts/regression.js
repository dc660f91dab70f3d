/** The texts in the HTML of the page Regression. @type {Record<string, string>} */
export const TEXTS = {
  legendLine: "the line",
  legendResidual: "how far a point is off the line",
  legendExact: "line of least squares",
  legendCross: "the same line, on the right",
  legendDownhill: "downhill",
  regressionTitle: "A line that fits itself to points",
  regressionLead:
    "A line improves step by step until it fits the points. The method is gradient descent, which also trains neural " +
    "networks. Here it has only two numbers to find.",
  scatter: "Points and the line that is fitted to them",
  hintPoint: "Drag a point",
  descend: "Descend",
  followPoints: "Follow the points",
  lossKind: "Loss of a residual",
  squared: "Squared",
  huber: "Huber",
  threshold: "Huber’s threshold",
  lineFitted: "Line",
  lineExact: "Least squares",
  slopeOfLine: "slope",
  centred: "Measure x from its mean",
  residuals: "Residuals",
  exactLine: "Line of least squares",
  exportPoints: "Points as CSV",
  regressionNext: "Next chapter: fit any formula",
  regressionIntro:
    "The loss is a number that says how badly a line fits. Every place in the picture on the right stands for a line, " +
    "with its slope and its intercept. Each curve there joins lines with equal loss, and the cross is the line of " +
    "least squares. The green arrow points downhill, against the gradient of the loss. Press Descend, and at each " +
    "step the line moves a little that way. Then drag a data point: the loss changes, and the line follows. Drag the " +
    "pink dot on the right to start elsewhere.",
  regressionSets:
    "These four data sets are Anscombe’s (1973). They have nearly the same means, variances, correlation and line of " +
    "least squares. Yet they look quite different: a cloud, a curve, a line with one stray point, and points whose " +
    "slope depends on one of them alone. With Huber’s loss or the absolute loss, the stray point of the third set " +
    "hardly moves the line.",
  regressionValley:
    "Why is it slow? For points far from x = 0, turning the line and shifting it have nearly the same effect. So the " +
    "loss forms a narrow valley. The descent reaches the bottom of the valley at once and then moves along it slowly. " +
    "Measure x from its mean, and the valley becomes a round bowl. If the steps are too large, each one ends higher " +
    "on the other side, and the descent diverges.",
  regressionMaths:
    "The loss is the mean of ρ(r) over the residuals r = slope·(x − origin) + intercept − y. Here ρ(r) is r², |r| or " +
    "Huber’s loss, which is ½ r² up to a threshold and linear beyond it. Reverse mode goes back through the loop over " +
    "the points once and gives both derivatives. The loop and its gradient take a few hundred bytes of WebAssembly.",

};
