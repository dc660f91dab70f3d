/** The texts in the HTML of the page Bril. @type {Record<string, string>} */
export const TEXTS = {
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
    "each block from the last instruction to the first. ∂x stands for the derivative of the result with respect to x. Each " +
    "instruction passes its ∂ on to its operands. Point at an instruction, and its way back lights up.",
  brilLoops:
    "A loop runs back as often as it ran forwards. For this, the compiled code stores the values that the way back needs, " +
    "or computes them again from other stored values. Comparisons pass no derivative, because a small change of x does " +
    "not change which way the program goes.",
  brilMaths:
    "The compiler first turns jumps into loops and branches where it can. Where this is not possible, it makes one loop " +
    "over all blocks, with a stack for calls. Then value and gradient become one WebAssembly function, as for every program " +
    "of Eglantine.",

};
