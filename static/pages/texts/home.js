/** The texts in the HTML of the home page. @type {Record<string, string>} */
export const TEXTS = {
  homeTitle: "Eglantine: derivatives, live",
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
};
