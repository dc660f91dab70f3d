/** The texts in the HTML of the page Playground. @type {Record<string, string>} */
export const TEXTS = {
  playgroundTitle: "Python in, derivatives out",
  playgroundLead:
    "Write a function in Python and get its exact derivatives as WebAssembly, the fast code that browsers run. You " +
    "can see what each part of your program became.",
  exampleProgram: "Examples",
  openFile: "Open a file",
  saveFile: "Download .py",
  stopAfter: "limit",
  nothingYet: "Press Run, and the functions of your program will appear here.",
  codeKeys: "Ctrl+Enter runs the program. To leave the editor, press Escape, then Tab.",
  output: "Output of the program",
  functionShown: "Function",
  kindShown: "show",
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
};
