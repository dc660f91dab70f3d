// Every sentence and word of the pages' HTML. tools/pages.py puts them into the pages, so no page loads this file.
// The texts of the pages' scripts are below static/js: in texts.js, formula-texts.js and pages/NAME/texts.js. The HTML may use
// those too.

export * from "../js/formula-texts.js";
export * from "../js/pages/billiards/texts.js";
export * from "../js/pages/bril/texts.js";
export * from "../js/pages/diagrams/texts.js";
export * from "../js/pages/diagrams/trio-texts.js";
export * from "../js/pages/docs/texts.js";
export * from "../js/pages/fit/texts.js";
export * from "../js/pages/learn/texts.js";
export * from "../js/pages/playground/texts.js";
export * from "../js/pages/quadratic/texts.js";
export * from "../js/pages/regression/texts.js";
export * from "../js/pages/robot/texts.js";
export * from "../js/pages/sparse/texts.js";
export * from "../js/pages/tape/texts.js";
export * from "../js/texts.js";

/** Texts of the pages' HTML, by the data-text or data-label of their element. */
export const TEXTS = /** @type {Record<string, string>} */ ({
  name: "Eglantine",
  quadratic: "Quadratic",
  billiards: "Billiards",
  fit: "Fit",
  regression: "Regression",
  robot: "Robot",
  learn: "Learn",
  tape: "Tape",
  sparse: "Sparse",
  bril: "Bril",
  diagrams: "Diagrams",
  playground: "Playground",
  book: "Book",
  docs: "Docs",
  searchDocs: "Search the documentation",
  openInPlayground: "Open in the playground",
  menu: "Menu",
  pagesToRead: "Read",
  pagesToPlay: "Play",
  pagesToMake: "Make",
  keys: "Keys",
  close: "Close",
  playgroundTitle: "Python in, derivatives out",
  playgroundLead:
    "Write a function in Python and get its exact derivatives as WebAssembly, the fast code that browsers run. You " +
    "can see what each part of your program became.",
  exampleProgram: "Examples",
  openFile: "Open a file",
  saveFile: "Download .py",
  run: "Run",
  stop: "Stop",
  stopAfter: "limit",
  nothingYet: "Press Run, and the functions of your program will appear here.",
  codeKeys: "Ctrl+Enter runs the program. To leave the editor, press Escape, then Tab.",
  output: "Output of the program",
  functionShown: "Function",
  kindShown: "show",
  rows: "Rows",
  passes: "Passes",
  rowsList: "Rows of the function, one on each line. The arrow keys light up the code that each row comes from.",
  wat: "WebAssembly",
  watList:
    "WebAssembly, one instruction on each line. The arrow keys light up the code that each instruction comes from.",
  asText: "Text",
  asBytes: "Bytes",
  bytesList: "The module’s bytes. Left and right arrows go from instruction to instruction.",
  litOwn: "the part you point at",
  litDerived: "its derivative",
  call: "Call",
  returned: "Result",
  playgroundIntro:
    "Eglantine records your program as rows, one for each operation. It adds rows that compute the derivatives, and " +
    "turns all rows into WebAssembly, right in your browser. Press Run, then click any part of the program. The rows " +
    "and instructions made from that part light up. Green ones belong to its derivatives. You can also point at a row or " +
    "an instruction to see which part of the program it comes from.",
  playgroundMaths:
    "Each row is one operation and remembers which part of your program it comes from. Differentiating a row z = f(x, " +
    "y) adds rows for ∂f/∂x and ∂f/∂y, and rows that multiply them with the derivatives of other rows, as the chain " +
    "rule says. These new rows remember the same part. So the page can say, for each line of WebAssembly that " +
    "computes a derivative, which part of your program it differentiates. This also holds for derivatives of " +
    "derivatives.",
  playgroundSafe:
    "Your program runs in a separate frame. It cannot reach this page, the network or anything that this site stores. " +
    "Nothing runs until you press Run, not even a program that came by a link. A program that takes too long is " +
    "stopped, and your text stays. Packages come only from this site: you can write await " +
    "micropip.install(\"mpmath\"), but any other package is an error.",
  pages: "Pages",
  mathematics: "The mathematics",
  source: "This page’s source",
  skip: "Skip to the content",
  fullScreen: "Full screen",
  cardAlt: "A grey surface with a pink disc, its quadratic approximation, at a point that can be dragged",
  embedPage: "Embed this",
  report: "Report a problem",
  licence: "MIT licence",
  openWhole: "Open in Eglantine",
  missingTitle: "Eglantine: no such page",
  missingHeading: "There is no page here",
  missingWhat: "The address may have a typing mistake, or the page has moved.",
  missingHome: "Go to the start page",
  missingUp: "Do these links bring you back here? Then the address is too deep:",
  missingUpLink: "go one folder up",
  damagedTitle: "This page is damaged on this device",
  damagedSentence:
    "The copy of this page on your device has been changed, so it is not shown. Connect to the network and reload to " +
    "get a fresh one.",
  damagedAgain: "Reload",
  noScript:
    "This page needs JavaScript, because it computes everything in your browser. Turn JavaScript on and reload the page.",
  fromDisk:
    "You opened this page from a folder, and browsers do not run scripts from there. Run “python3 serve.py” in " +
    "Eglantine’s folder and open the address that it prints, or put this folder on a web server.",
  framed: "This page is blank because another site shows it inside its own page.",
  openAlone: "Open the page by itself.",
  homeTitle: "Eglantine: derivatives, live",
  quadraticTitle: "A surface and its quadratic approximation",
  quadraticLead:
    "Drag a point on a surface. Its derivatives say how fast the height changes there, and how that slope " +
    "changes. See how well they predict the surface nearby.",
  billiardsTitle: "A billiards shot that finds its goal",
  billiardsLead:
    "Choose where a ball should stop. The derivatives of the whole shot, every collision included, tell the page how " +
    "to change its aim as you drag.",
  robotTitle: "A robot that learns to walk",
  robotLead:
    "Nobody programmed this walk. The robot learns it from the derivatives of a whole simulation, which say how to " +
    "change thousands of numbers at once.",
  homeHeading: "Derivatives, live",
  homeWhat:
    "Eglantine turns a formula or a Python function into a fast program for its exact derivatives, right in your " +
    "browser, in about a millisecond.",
  homeDerivative:
    "A derivative says how fast a result changes when you change one of its inputs a little. Eglantine computes " +
    "derivatives so fast that a picture can follow while you drag.",
  homeTry: "Drag the pink point.",
  homeCommands: "If you have the source code, the first command opens these pages and the second installs the Python package:",
  homeFormula: "Type a formula of your own",
  homeBook: "Read the book",
  homeDocs: "Look something up",
  homeProgram: "Write a program",
  homePages: "What derivatives are good for",
  homeQuadratic: "Drag a point on a surface. A disc shows what the derivatives there predict.",
  homeFit: "Any formula fitted to your points, with errors and bands. Paste a table, type a formula, drag a point.",
  homeRegression: "A line improves step by step until it fits the points. Drag a point and the line follows.",
  homeBilliards: "Drag the goal. The page works out how to hit it, through every collision.",
  homeRobot: "A robot learns to walk from the derivatives of its whole walk.",
  homeSparse: "A net of springs to drag and cut. Its second derivatives are mostly zeros, which makes Newton’s method quick.",
  homeBril: "A program with jumps, its graph, and the graph of its derivative beside it.",
  homeLearn: "A neural network learns to tell two kinds of points apart. Watch it, and change it while it learns.",
  homeTape: "How a computer finds derivatives, one operation at a time.",
  homeDiagrams: "Grab any part of a diagram, and the rest makes room for it.",
  homePlayground: "Write Python, and see its derivatives and the code they become.",
  homeSurfaces: "Surfaces to start with",
  homeMaths:
    "The pink disc is a piece of a quadratic surface. At the pink point it has the same value, slopes and curvature as the grey surface. " +
    "That takes six numbers: the value f, the gradient ∇f (the two slopes) and the Hessian (how the slopes change, " +
    "three numbers). None of them is estimated from small differences. Each operation of a formula has a known " +
    "derivative, and the chain rule combines them into one program, which runs in a fraction of a microsecond.",
  homeHow:
    "This page needs neither a server nor Python. Its formulas were compiled when the page was built, and your " +
    "browser draws the pictures above from them as you scroll. Python loads on the pages where you can change the " +
    "formula.",
  theme: "Theme",
  formula: "Formula for z",
  preset: "Examples",
  undo: "Undo",
  redo: "Redo",
  reset: "Reset",
  share: "Copy link",
  export: "Export code",
  embed: "Embed",
  at: "at",
  values: "Value, gradient and Hessian at the point",
  eigenvalues: "eigenvalues",
  badge: "Are these numbers right?",
  turnLeft: "Turn left",
  turnRight: "Turn right",
  tiltUp: "Look from higher up",
  tiltDown: "Look from lower down",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  hint: "Drag the point",
  legendPoint: "the point: drag it",
  legendSurface: "the surface z = f(x, y)",
  legendDisc: "its quadratic approximation",
  legendUphill: "the gradient: straight uphill",
  legendHeight: "the deeper the shade, the lower",
  legendLevel: "equal height",
  legendEqual: "both sides are equal",
  legendRound: "equal height of the approximation",
  legendCut: "the slice",
  legendTangent: "its tangent",
  legendParabola: "its parabola",
  legendRoute: "steepest descent from the point",
  legendMinimum: "minimum",
  legendMaximum: "maximum",
  legendSaddle: "saddle point",
  legendUndecided: "slope 0, kind unknown",
  legendOver: "the surface is higher than its approximation",
  legendUnder: "the surface is lower",
  legendBand: "the surface is proven to lie between these",
  legendDrag: "drag these",
  legendGoal: "the goal",
  legendTarget: "the ball that should get there",
  legendMiss: "how far it misses",
  legendBetter: "which way to move",
  legendEnd: "where a ball ends",
  legendShade: "better places to start",
  legendShort: "muscle that shortens",
  legendLong: "muscle that lengthens",
  legendHead: "the mass whose end is measured",
  legendWay: "its path",
  legendEnds: "where earlier walks ended",
  legendLine: "the line",
  legendResidual: "how far a point is off the line",
  legendExact: "line of least squares",
  legendCross: "the same line, on the right",
  legendDownhill: "downhill",
  legendContour: "equal loss",
  legendValue: "values",
  legendSlope: "derivatives",
  legendChosen: "the row you chose",
  layout: "Pictures",
  layoutSurface: "Surface",
  layoutMap: "Map",
  layoutBoth: "Both",
  parts: "Shown in the pictures",
  partSlice: "Slice",
  partCritical: "Critical points",
  partDescent: "Descent",
  partError: "Error",
  partBand: "Proven band",
  order: "order",
  orderRange: "Order of the approximation",
  orderNumber: "Order of the approximation, as a number",
  angle: "direction",
  angleRange: "Direction of the slice",
  angleNumber: "Direction of the slice in degrees, as a number",
  slicePicture: "Slice through the point",
  region: "Region",
  from: "from",
  to: "to",
  fitHeights: "Fit the heights",
  firstView: "First view",
  lecture: "Saved views",
  saveView: "Save this view",
  present: "Present",
  presentation: "Presentation",
  previousView: "View before",
  nextView: "Next view",
  leave: "Leave",
  retry: "Try again",
  intro:
    "The grey sheet is the surface z = f(x, y). The pink disc is its quadratic approximation. At the point, the two " +
    "have the same value, slope and curvature. Drag the point and see where the disc stays close to the surface and " +
    "where it leaves it. The green arrow is the gradient, which points straight uphill. Zoom in (wheel, pinch or +) " +
    "until you cannot tell the disc from the surface. Drag the background to turn the picture, with Shift to move it.",
  introMap:
    "The map shows the same surface from above, with a line for each height. A slice cuts the surface along a line " +
    "through the point. Critical points are the places where the slope is 0. Descent goes straight downhill from the " +
    "point until the slope is 0. Error colours the places where the surface differs from its approximation. The order " +
    "chooses the approximation: 1 is the tangent plane, 2 the quadratic one, and so on up to 8. The proven band shows " +
    "between which heights the surface is certain to lie, for every place in the disc at once. Save " +
    "views to present them one after the other. A copied link holds them all.",
  polar: "Polar coordinates r and θ",
  formulaShown: "the formula as mathematics",
  namesToComplete: "names to complete",
  addByItself: "Add sliders for new letters automatically",
  quadraticFurther: "The book has a chapter on each:",
  furtherGradient: "the gradient",
  furtherHessian: "the Hessian",
  quadraticMaths:
    "The disc is Taylor’s polynomial of degree two: f(p) + ∇f(p)·d + ½ d·H(p)d, for a step d from the point p. The " +
    "gradient ∇f holds the two slopes. The Hessian H says how they change. A compiler written in Python " +
    "differentiates your formula here in the browser. Going backwards through the formula once gives the gradient. " +
    "Differentiating all of that once more, forwards in the directions x and y, gives the Hessian. Both are exact " +
    "except for rounding, and there is no step size to choose.",

  table: "Billiards table",
  hintGoal: "Drag the goal",
  hintPlay: "Press Play",
  playback: "Playback",
  play: "Play",
  stepBack: "One step back",
  stepForward: "One step forward",
  moment: "Moment shown, in steps",
  speed: "Speed",
  optimise: "Optimise",
  once: "One step",
  follow: "Follow the goal",
  loss: "Loss",
  iteration: "Iteration",
  curve: "Loss by iteration, on a logarithmic scale",
  optimiser: "Method",
  descent: "Gradient descent",
  momentum: "Momentum",
  adam: "Adam",
  rate: "Step size",
  ball: "Ball",
  rack: "Rack",
  addBall: "Add a ball",
  removeBall: "Remove target",
  cushions: "Cushions",
  impact: "Time of impact",
  traces: "Paths",
  friction: "Friction",
  frictionNumber: "Friction, as a number",
  steps: "Steps",
  stepsNumber: "Steps, as a number",
  field: "Over the table",
  fieldNone: "Nothing",
  fieldLoss: "Loss for each cue position",
  fieldGradient: "Loss and its gradient",
  bestStart: "Start from the best place",
  exports: "Download",
  exportPng: "Picture as PNG",
  exportSvg: "Picture as SVG",
  exportCsv: "Paths as CSV",
  billiardsIntro:
    "Your goal: get the filled ball to stop inside the pink ring. The dotted line shows how far off it is. Drag the " +
    "ring. The page differentiates the whole shot and changes the cue ball’s place and velocity so that the shot ends " +
    "closer to the ring. You can also drag the pink dots to try a shot of your own, and then press Optimise. The " +
    "green arrows show which way to move the dots. The arrow at the cue ball is for its place, and the arrow at the " +
    "tip is for its velocity.",
  billiardsField:
    "The loss is the number that the page tries to make small. Here it is the square of the dotted line’s length. You " +
    "can show it over the table. Each square is a place where the cue ball could start, and a stronger colour means a " +
    "smaller loss. A tiny change can make a ball miss, so the loss jumps suddenly in some places, and good shots lie " +
    "in narrow valleys. Gradient descent steps downhill and sees only the slope at the current shot, so it can get " +
    "stuck. If a step leads to a sudden jump, or the steps go back and forth, the page returns to the best shot and " +
    "halves its steps.",
  billiardsImpact:
    "The simulation moves time in steps. With “Time of impact” off, every bounce happens only at the end of its step. " +
    "Then the gradient ignores that a ball arrives earlier if it starts nearer. Switch it off before you optimise: " +
    "∂x is almost 0, and the descent takes a longer way.",
  billiardsMaths:
    "The simulation is a function of four numbers: the cue ball’s place and velocity. It is a loop over steps, and " +
    "each step tests whether any two balls touch. Reverse mode runs that loop backwards once. That costs as much as a " +
    "few simulations, no matter how many numbers there are. The test has no derivative, but the time of impact does: " +
    "t = −d/v depends on where the balls are.",

  arena: "The robot and its goal",
  train: "Train",
  iterations: "iterations",
  trainRate: "step size",
  progress: "Progress of the training",
  gaitCurve: "Loss by iteration",
  keptGait: "Trained gait",
  startOver: "Start over",
  saveWeights: "Save weights",
  loadWeights: "Load weights",
  seed: "Seed",
  spring: "Spring",
  muscle: "Muscle",
  addMass: "Add a mass",
  removeMass: "Remove mass",
  removeSpring: "Remove spring",
  editorHow:
    "Drag a mass to move it. Click a spring to choose it. Click it again to switch between muscle and plain spring. " +
    "Double-click beside the robot to add a mass.",
  aim: "Train it to",
  aimFar: "go as far right as it can",
  aimGoal: "end at the goal",
  poses: "Poses",
  gravity: "Gravity",
  gravityNumber: "Gravity, as a number",
  exportMotion: "Motion as CSV",
  robotIntro:
    "The robot is made of masses and springs. Some springs are muscles. A small neural network knows where the masses " +
    "are, how fast they move and where the goal is, and tells each muscle how long to be. Press Play to see the robot " +
    "walk. Press Start over, then Train, to watch it learn.",
  robotTraining:
    "The loss says how badly a walk went. If the robot should go far, the loss is minus the x where the filled mass " +
    "ends. If it should end at the goal, the loss is the square of that mass’s distance from the goal. The gradient " +
    "of the loss says, for each of the thousands of weights in the network, whether a larger or a smaller weight " +
    "would help. It accounts for every step of the simulation and every touch of the ground. Each iteration moves all " +
    "weights a little against the gradient. Walking is chaotic, so the loss jumps now and then, and the page keeps " +
    "the best walk. You can change friction, gravity, the goal and the robot while it trains. You can also build a " +
    "robot of your own from a triangle. Your browser compiles each new one.",
  robotMaths:
    "A step is v ← v + Δt·(spring forces + gravity), x ← x + Δt·v, and the ground stops masses that reach it. The " +
    "network has one hidden layer: muscle = tanh(W₂·tanh(W₁·s + b₁) + b₂), where s is what the robot senses. Reverse " +
    "mode stores the states of the loop and runs the loop backwards. So the gradient for all weights takes as long as " +
    "a few walks, and a few megabytes of memory.",

  learnTitle: "A neural network that learns in front of you",
  learnLead:
    "A neural network is a formula with many numbers in it. It learns by changing these numbers a little at a time, in " +
    "the direction that its derivatives recommend. You can watch every step.",
  learnedPicture: "What the network has learned",
  hintTrain: "Press Learn",
  legendFirstClass: "first class, or a negative number",
  legendSecondClass: "second class, or a positive number",
  legendTrainLoss: "loss on the data",
  legendTestLoss: "loss on the tests",
  startAgain: "Start again",
  fastest: "as many as possible",
  rightAnswers: "Right answers",
  trainingData: "Data",
  testData: "Tests",
  stepsSoFar: "Steps",
  learnCurve: "Loss against steps, on the data and on the tests",
  noise: "Noise",
  noiseNumber: "Noise, as a number",
  showTests: "Show the tests",
  lineToLearn: "Your line",
  lineRule: "2 to 72 letters and signs, at most 40 of them different.",
  ownPoint: "A point of your own",
  pointClass: "Your points are",
  firstClass: "discs",
  secondClass: "squares",
  ownX: "x of your next point",
  ownY: "y of your next point",
  removeLastPoint: "Remove your last",
  moreLayers: "One more hidden layer",
  fewerLayers: "One hidden layer less",
  unitKind: "Units",
  learningRate: "Learning rate",
  batch: "Examples in a step",
  squaresWeight: "L2",
  nextSeed: "Next seed",
  exportData: "The data as CSV",
  learnIntro:
    "Every point belongs to one of two classes, orange discs or blue squares. The network gets the two numbers x and y " +
    "of a place and answers with the probability of each class. The colours of the first picture show its answer " +
    "everywhere. In the second picture each tile is a unit of the network: a sum of its inputs, bent by a simple " +
    "function. The tile shows the unit’s output everywhere, and the lines are the weights of the sums. Press Learn. " +
    "Each step takes a few points, computes how wrong the answers are (the loss), and moves all weights a little " +
    "against the gradient of the loss.",
  learnTry:
    "Click into the first picture to add points, even while the network learns. Remove all hidden layers: what remains " +
    "is logistic regression, which can only draw a straight border. The clouds need no more, but the circles do. Give " +
    "the spirals more units. Turn up the noise and watch the tests: a network with many weights learns the noise by " +
    "heart, so the loss on the tests rises while the loss on the data falls. L2 adds the squares of all weights to the " +
    "loss, which keeps them small. Maxout units take the larger of two sums and have no bending function of their own.",
  learnDigits:
    "The handwritten digits are the test set of “Optical Recognition of Handwritten Digits” by E. Alpaydin and C. " +
    "Kaynak (UCI Machine Learning Repository, 1998, CC BY 4.0): 1,797 pictures of 8 × 8 pixels. The network sees the " +
    "64 pixels and answers with ten probabilities. It learns from 1,400 pictures, and the first picture shows some of " +
    "the others, with the answer below. A wrong answer has a frame, and the right digit stands after it.",
  learnSine:
    "Choose the sine, and the network becomes an LSTM, which has a memory. It hears one value of a wave after the " +
    "other and predicts the next one. After the dashed line it hears only its own predictions, and must keep the wave " +
    "going by itself. Choose the line of text, and the LSTM sees letters. It learns to guess the next one, until it can " +
    "write the whole line from the first letter. Type a line of your own, in any alphabet, and it learns that line.",
  learnMaths:
    "A unit computes a(w·x + b), where x are the outputs of the layer before, w and b the unit’s weights, and a is tanh, " +
    "ReLU (the larger of z and 0) or GELU (z times the probability that a normal number is below z). The probabilities " +
    "are the softmax of the last layer, exp(zₖ) divided by the sum of all exp(zⱼ), and the loss is the mean of −log of " +
    "the probability of the right class. All of this is one function in Python. Eglantine adds its gradient and the " +
    "optimiser, and compiles one WebAssembly module, which makes the steps, measures the network and computes both " +
    "pictures. Learning rate, L2 and the number of examples are arguments of the module. Another shape of network is " +
    "another module, which your browser compiles when you press plus or minus.",
  regressionTitle: "A line that fits itself to points",
  regressionLead:
    "A line improves step by step until it fits the points. The method is gradient descent, which also trains neural " +
    "networks. Here it has only two numbers to find.",
  scatter: "Points and the line that is fitted to them",
  surface: "The loss of every line, by slope (across) and intercept (up)",
  hintPoint: "Drag a point",
  descend: "Descend",
  followPoints: "Follow the points",
  lossKind: "Loss of a residual",
  squared: "Squared",
  absolute: "Absolute",
  huber: "Huber",
  threshold: "Huber’s threshold",
  perSecond: "Steps a second",
  lineFitted: "Line",
  lineExact: "Least squares",
  slopeOfLine: "slope",
  point: "Point",
  dataSet: "Data",
  addPoint: "Add a point",
  removePoint: "Remove point",
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

  chapters: "Chapters of Fit",
  chapterLine: "A line, fitted by descent",
  chapterFormula: "Any formula",
  fitTitle: "A curve through your points",
  fitLead:
    "Give points and a formula with letters. The page finds the values of the letters for which the curve comes " +
    "closest to the points, and says how far you can trust them. Drag a point, and everything follows.",
  fitPoints: "Points and the curve that is fitted to them",
  fitResiduals: "The residuals: how far each point lies above or below the curve",
  fitValley: "The sum of squares for all values of two parameters, and the path of the solver",
  modelFormula: "Formula in x; all other letters are fitted",
  form: "Form",
  parameters: "Parameters",
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
    "curve. The method is Levenberg and Marquardt’s. It needs the derivatives of the formula by each letter, and " +
    "automatic differentiation gives them exactly. The whole solver is one WebAssembly function, so a fit takes less " +
    "than a millisecond.",
  fitErrors:
    "The error of a parameter says how much it would change if the points were measured again. It comes from the " +
    "curvature of the sum of squares: in a steep valley the points fix the parameter well, in a flat one they do not. " +
    "If the formula is right and the deviations are normal, the true curve lies in the inner band with 95 % confidence, " +
    "and a new point in the outer band.",
  fitNist:
    "The data sets named NIST have certified answers, computed by the United States’ institute of standards with many " +
    "more digits. The table of parameters says how many digits of our values agree. These data sets were chosen so that " +
    "many programs fail on them.",
  fitMaths:
    "With the Jacobian matrix J of the residuals and their deviation s, the covariance of the parameters is s²·(JᵀJ)⁻¹. " +
    "The confidence band at x is t·√(gᵀ·C·g), where g is the gradient of the formula by its letters, C the covariance, " +
    "and t the 97.5 % quantile of Student’s distribution. A held letter has no error and no column in J.",
  diagramsTitle: "Diagrams that lay themselves out",
  diagramsLead:
    "Each diagram says only what must hold: inside, beside, touching. Grab any part of it and drag, and all other " +
    "parts move so that everything still holds.",
  diagram: "Diagram",
  hintShape: "Drag any shape",
  legendPin: "the shape that you dragged last stays here. Press the pin to let it go",
  resample: "Another layout",
  energy: "Energy",
  worstMiss: "Largest miss",
  unknowns: "Unknowns",
  exportShapes: "All numbers of the shapes as CSV",
  relations: "Each relation, with the amount by which it is missed or with its energy. Point at a relation to see its shapes.",
  programOfDiagram: "The diagram’s program",
  trio: "Penrose’s own programs",
  trioAbout:
    "A Penrose diagram is three programs: a domain, a substance and a style. Paste or drop them here. Penrose’s own " +
    "compiler reads them in your browser, and our optimiser lays the diagram out, so you can drag every shape. " +
    "Penrose is loaded when you first press this button (0.8 MB).",
  trioExample: "Example",
  trioVariation: "Variation",
  trioDomain: "Domain",
  trioSubstance: "Substance",
  trioStyle: "Style",
  trioRun: "Lay out",
  trioStop: "Stop",
  trioCompared: "The same diagram, laid out twice",
  trioTheirs: "Penrose",
  trioOurs: "Eglantine",
  registry: "Penrose’s own diagrams",
  wayToLayout: "The way to this layout",
  wayAbout: "Move the slider to see how the optimiser found the layout of this seed. The dark curve is the energy and the red curve the worst miss. Upright lines mark where relations start to count more.",
  editDiagram: "Change a line, and the diagram follows. Shapes that keep their names keep their places.",
  variations: "Other layouts of this diagram",
  vary: "Show 12 layouts",
  diagramGallery: "Gallery",
  diagramsIntro:
    "Nobody wrote down where these shapes are. A short Python program lists the shapes of a diagram and the " +
    "relations between them, such as “the label lies inside its circle” or “these two do not overlap”. Every number " +
    "that the program leaves open is an unknown: a position, a radius, the end of an arrow. The page finds numbers " +
    "for which all relations hold.",
  diagramsHow:
    "You can drag every shape that can move, even a label, whose place follows from other shapes. While " +
    "you drag, the diagram is laid out anew for each frame. The shape that you dragged last stays pinned. If a shape " +
    "cannot follow your pointer, because a relation forbids it, it goes as far as it can. Python compiles a diagram " +
    "once, when you choose it. After that your browser runs the compiled program without Python.",
  diagramsMaths:
    "The energy is the sum of everything that the program encourages, plus a penalty for each relation that does not " +
    "hold: the square of the amount by which it is missed, times a weight. The pointer adds one more term, w·|p(x) − " +
    "pointer|², where p(x) is the middle of the shape you hold. L-BFGS, a method that learns the curvature from " +
    "successive gradients, minimises the energy. Then the weight grows tenfold and L-BFGS starts again, until nothing " +
    "moves (an exterior point method, as in Penrose). Eglantine compiles the energy, its gradient and this whole " +
    "search into one WebAssembly module, which one call per frame runs to the end.",

  brilTitleOfPage: "A program, and its derivative beside it",
  brilLead:
    "Bril is a small language with jumps instead of loops, made for teaching compilers. Write a program, and the page " +
    "differentiates what it prints, through branches and loops.",
  brilProgram: "Program",
  brilPrograms: "Programs",
  forwardGraph: "The program’s blocks and the jumps between them",
  backGraph: "The way back: the same blocks from the end, with the jumps turned round",
  hintBril: "Point at an instruction",
  graphForwards: "Forwards",
  graphBack: "Back",
  brilOutput: "Output",
  brilValue: "last float printed",
  argument: "argument",
  argumentValue: "value",
  argumentType: "type",
  argumentSlope: "derivative",
  stepByStep: "Step by step",
  stepOfRun: "Step of the run",
  stepBackwards: "One step back",
  stepForwards: "One step on",
  variable: "variable",
  variableSlope: "∂",
  noSteps: "Steps are shown for programs whose @main calls no function and uses no memory.",
  brilDescent: "Descent",
  brilDescentPicture: "The result, and the places of a gradient descent",
  descentStep: "Step size",
  descentDecay: "× at each step",
  descentCount: "Steps",
  exportDescent: "The descent as CSV",
  legendProgramCurve: "result",
  legendDescent: "steps of the descent",
  legendStart: "start",
  brilIntro:
    "Each box is a basic block: instructions that run one after the other. A jump leads from the end of a block to " +
    "another one. To differentiate, the compiler goes back the same way: from the last block to the first, and within " +
    "each block from the last instruction to the first. ∂x stands for the derivative of the result by x. Each " +
    "instruction passes its ∂ on to its operands. Point at an instruction, and its way back lights up.",
  brilLoops:
    "A loop runs back as often as it ran forwards. For this, the compiled code stores the values that the way back needs, " +
    "or computes them again from other stored values. Comparisons pass no derivative, because a small change of x does " +
    "not change which way the program goes.",
  brilMaths:
    "The compiler first turns jumps into loops and branches where it can. Where it cannot, a loop over the blocks takes " +
    "their place, with a stack for calls. Then value and gradient become one WebAssembly function, as for every program " +
    "of Eglantine.",

  sparseTitle: "A thousand springs, and the zeros between them",
  sparseLead:
    "Drag the net or cut it. In each frame Newton’s method finds where 361 nodes come to rest. That is quick because most of " +
    "the 521,284 second derivatives are zero, and the compiler knows which.",
  netPicture: "The net. Drag a node, or cut springs.",
  patternPicture: "The places of the second derivatives that are not zero",
  hintNet: "Drag a node",
  modeOfNet: "Effect of the pointer",
  modeDrag: "Drag nodes",
  modeCut: "Cut springs",
  legendNode: "the node you hold",
  legendGroup: "second derivatives of the chosen group",
  legendEntries: "other second derivatives; pale where a spring is cut",
  rowOfNode: "Row",
  columnOfNode: "column",
  letGo: "Let go",
  cutHere: "Cut its springs",
  mend: "Mend all",
  group: "Group",
  netEnergy: "energy",
  netSteps: "steps of Newton’s method",
  netSprings: "springs left",
  netEntries: "second derivatives that can differ from zero",
  netDirections: "directions that give all of them",
  netFactor: "entries of the Cholesky factor",
  exportPattern: "The places of the second derivatives as CSV",
  sparseIntro:
    "Each node pulls only on its neighbours. So the energy’s second derivative by the places of two nodes is zero unless a " +
    "spring joins them. The square picture has a dot for each second derivative that can differ from zero: one row and one " +
    "column for each coordinate of a node.",
  sparseGroups:
    "One derivative in a direction costs about as much as a few evaluations of the energy, and gives the sum of several " +
    "columns. If the columns of a group are chosen well, their entries can be told apart in this sum. The compiler finds " +
    "such groups by colouring a graph. Here 18 groups take the place of 722 columns. The slider shows the columns of one group.",
  sparseMaths:
    "A step of Newton’s method solves H·p = −g, where g is the gradient and H the Hessian, the table of all second " +
    "derivatives. The page factors H into a triangle and its mirror image (Cholesky), in an order in which few zeros are " +
    "lost. If H is not positive definite, or the step does not lower the energy, a multiple of the identity is added. A cut " +
    "spring keeps its place with stiffness 0, so cutting needs no compilation.",

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
  row: "Row",
  operation: "Operation",
  value: "Value",
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
    "all rows that use v. Going back once gives the derivatives by all inputs, however many there are. Tangents go " +
    "forwards: dw = Σ ∂w/∂v · dv. Going forwards once gives the derivative in one direction (dx, dy). That suits " +
    "formulas with few inputs and many results.",
});

/** The keys of the pages, with their names on keyboards. @type {Record<string, string>} */
export const KEYS = {
  tab: "Tab",
  arrows: "Arrows",
  pageUpDown: "Page Up, Page Down",
  escape: "Escape",
  shift: "Shift + arrows",
  alt: "Alt + arrows",
  upDown: "Up, Down",
  plus: "+, −",
  home: "Home",
  digits: "1 to 8",
  enter: "Enter",
  slash: "/",
  delete: "Delete",
  c: "C",
  p: "P",
  steps: "comma, full stop",
  stop: "full stop",
  o: "O",
  r: "R",
  t: "T",
  e: "E",
  m: "M",
  x: "X",
  run: "Ctrl + Enter",
  leave: "Escape, Tab",
  undo: "Ctrl + Z",
  redo: "Ctrl + Y",
  n: "N",
  help: "?",
};
/** The effects of the keys. @type {Record<string, string>} */
export const KEY_USES = {
  reach: "go to the next thing you can drag or press",
  reachRows: "go to the next row or control",
  reachLists: "go to the next list or control",
  move: "move it",
  moveOrTurn: "move the point, or turn the picture",
  moveOrTurnAll: "move the point or the map, turn the surface or the slice",
  stepViews: "in a presentation: the view before, the next view",
  endPresentation: "end the presentation",
  tenTimes: "ten times as far",
  tenth: "a tenth as far",
  zoom: "zoom in and out",
  putBack: "put it back where it began",
  chooseOrder: "choose the order of the approximation",
  letGo: "let the node go",
  cutHere: "cut the node’s springs",
  dragOrCut: "change between dragging and cutting",
  makeTarget: "make a ball the target",
  choose: "choose the row",
  removeBall: "remove the ball",
  removePoint: "remove the point",
  leaveOut: "leave the point out, or take it back",
  removePart: "remove what you chose, while editing",
  play: "play or pause",
  step: "one step back or forward",
  oneStep: "descend by one step",
  descend: "descend or pause",
  optimise: "optimise or pause",
  train: "train or pause",
  trainOnce: "train by one step",
  startOver: "start again",
  edit: "edit the robot, or stop editing",
  muscle: "switch the spring between muscle and plain, while editing",
  run: "run the program",
  leave: "leave the program’s text",
  search: "search the documentation",
  chooseFound: "go to the next result of the search",
  lightUp: "light up the code that a row comes from",
  reachRelations: "in the list of relations: light up the shapes of the next one",
  unpin: "let go of the pinned shape",
  resample: "lay the diagram out in another way",
  undo: "undo",
  redo: "redo",
  help: "open or close this table",
};
