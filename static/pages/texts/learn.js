/** The texts in the HTML of the page Learn. @type {Record<string, string>} */
export const TEXTS = {
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
    "loss, which keeps them small. Maxout units take the larger of two sums instead of bending one sum.",
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
    "A unit computes a(z) with z = w·x + b, where x are the outputs of the layer before, w and b the unit’s weights, and " +
    "a is tanh, ReLU (the larger of z and 0) or GELU (z times the probability that a normally distributed number is below " +
    "z). The probabilities are the softmax of the last layer, exp(zₖ) divided by the sum of all exp(zⱼ), and the loss is " +
    "the mean of −log of the probability of the right class. All of this is one function in Python. Eglantine adds its " +
    "gradient and the optimiser, and compiles one WebAssembly module, which makes the steps, measures the network and " +
    "computes both pictures. Learning rate, L2 and the number of examples are arguments of the module. Another shape of " +
    "network is another module, which your browser compiles when you press plus or minus.",
};
