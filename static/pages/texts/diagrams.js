/** The texts in the HTML of the page Diagrams. @type {Record<string, string>} */
export const TEXTS = {
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
  relations: "Each relation, with the amount by which it is missed. A relation that the program only encourages has its energy instead. Point at a relation to see its shapes.",
  programOfDiagram: "The diagram’s program",
  trio: "Penrose’s own programs",
  trioAbout:
    "A Penrose diagram is three programs: a domain, a substance and a style. Paste or drop them here. Penrose’s own " +
    "compiler reads them in your browser, and our optimiser lays the diagram out, so you can drag every shape. " +
    "Your browser loads Penrose (0.8 MB) when you first press “Lay out”.",
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
  wayAbout: "Move the slider to see how the optimiser found this layout from a random start. The dark curve is the energy, and the red curve is the largest amount by which a relation is missed. Upright lines mark where relations start to count more.",
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
    "you drag, the page lays the whole diagram out again for each frame. The shape that you dragged last stays pinned. " +
    "If a shape cannot follow your pointer, because a relation forbids it, it goes as far as it can. Python compiles a " +
    "diagram once, when you choose it. After that your browser runs the compiled program without Python.",
  diagramsMaths:
    "The energy is the sum of everything that the program encourages, plus a penalty for each relation that does not " +
    "hold: the square of the amount by which it is missed, times a weight. The pointer adds one more term, w·|p(x) − " +
    "pointer|², where p(x) is the middle of the shape you hold. L-BFGS, a method that learns the curvature from " +
    "successive gradients, minimises the energy. Then the weight grows tenfold and L-BFGS starts again, until nothing " +
    "moves (an exterior point method, as in Penrose). Eglantine compiles the energy, its gradient and this whole " +
    "search into one WebAssembly module. While you drag, each frame goes on where the last one ended.",

};
