/** The texts in the HTML of the page Sparse. @type {Record<string, string>} */
export const TEXTS = {
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
  netEnergy: "energy",
  netSteps: "steps of Newton’s method",
  netSprings: "springs left",
  netEntries: "second derivatives that can differ from zero",
  netDirections: "directions that give all of them",
  netFactor: "entries of the Cholesky factor",
  exportPattern: "The places of the second derivatives as CSV",
  sparseIntro:
    "Each node pulls only on its neighbours. So the energy’s mixed derivative for the places of two nodes is zero unless a " +
    "spring joins them. The square picture has a dot for each second derivative that can differ from zero: one row and one " +
    "column for each coordinate of a node.",
  sparseGroups:
    "The derivative of the gradient in one direction costs about as much as a few evaluations of the energy. If the " +
    "direction moves several coordinates, this derivative is the sum of their columns in the picture. If these columns " +
    "are chosen well, their entries can be told apart in the sum. The compiler finds such groups of columns by colouring " +
    "a graph. Here 18 groups, and so 18 directions, take the place of 722 columns. The slider shows the columns of one " +
    "group.",
  sparseMaths:
    "A step of Newton’s method solves H·p = −g, where g is the gradient and H the Hessian, the table of all second " +
    "derivatives. The page factors H into a triangle and its mirror image (Cholesky), in an order in which few zeros turn " +
    "into other numbers. If H is not positive definite, or the step does not lower the energy, the page adds a multiple " +
    "of the identity matrix to H. A cut spring keeps its place with stiffness 0, so cutting needs no compilation.",

};
