// The sentences and words that the scripts of the page Diagrams show.

import { BAD_NUMBER, compiled, DAMAGED, OTHER_VERSION, TOO_LONG } from "../../texts.js";

export * from "../../texts.js";

/** The diagrams of app/diagrams/gallery: the title, and a sentence about what to try. */
export const DIAGRAMS = /** @type {Record<string, {title: string, note: string}>} */ ({
  euler_sets: { title: "Sets", note: "A circle inside another is a subset. Drag a label out of its circle: the circle follows." },
  commutative_square: { title: "Commutative diagram", note: "Arrows stop just before the letters. Drag one letter, or the arrow m." },
  labelled_graph: { title: "Graph", note: "All edges have the same length, and nodes push each other away. Pull a node or a label." },
  family_tree: { title: "Family tree", note: "Parents stay centred above their children. Drag a grandchild sideways." },
  flowchart: { title: "Flow chart", note: "Arrows end at the boxes’ borders. Drag a box." },
  neural_network: { title: "Neural network", note: "The relations fix all distances, so nothing can move. Pull any shape, and it stays where it is." },
  nine_point_circle: { title: "Nine-point circle", note: "The circle passes through nine special points of any triangle. Drag a corner, or the circle." },
  incircle: { title: "Incircle and circumcircle", note: "The triangle determines both circles. Drag the green circle, and the triangle follows." },
  pythagoras: { title: "Pythagoras", note: "The sides of the triangle are fixed, so all shapes move together. Drag any square." },
  tangent_circles: { title: "Apollonius’ problem", note: "One circle touches three others. Drag any circle." },
  seven_coins: { title: "Seven coins", note: "Six coins fit exactly around one. Drag an outer coin." },
  circle_packing: { title: "Packed circles", note: "The outer circle is as small as possible. Drag an inner circle outwards." },
  gears: { title: "Gears", note: "Each gear touches the next. Pull the last one." },
  free_body: { title: "Forces on a slope", note: "The three forces add up to zero. Drag the block along the slope." },
  lens: { title: "Lens", note: "Two rays determine where the image is. No shape can move, so the image stays when you pull it." },
  circuit: { title: "Circuit", note: "The parts sit on the wires. Drag the capacitor." },
  hanging_chain: { title: "Hanging chain", note: "The chain hangs as low as its links allow." },
  planets: { title: "Planets", note: "The sizes of the orbits follow Kepler’s third law. A planet that you drag stays on its orbit." },
  water_molecule: { title: "Water", note: "Both bonds are equally long, at an angle of 104.5 degrees. Drag a hydrogen atom." },
  steiner_tree: { title: "Shortest net", note: "In the shortest net, roads meet at 120 degrees. Pull a crossing aside and let go." },
  map_labels: { title: "Map labels", note: "No label covers a town or another label. Drag a label to the other side of its town." },
  word_cloud: { title: "Word cloud", note: "All words move towards the middle, and no two may overlap. Drag a word through the others." },
  timeline: { title: "Timeline", note: "The distances between dates are to scale, and labels avoid each other. Drag a label." },
  box_model: { title: "Box model", note: "The boxes are nested. Drag the innermost box." },
  latin_square: { title: "Board", note: "Each cell touches its neighbours, so the board moves as a whole." },
  island: { title: "Island", note: "The trees stand as far from each other as the shore allows. Drag a tree." },
});
export const PENROSE_NOTE = "Penrose compiled this diagram, and our optimiser lays it out. You can drag any shape, even if its place is computed.";
export const NO_PENROSE = "This diagram cannot be read. Start the server with python3 serve.py --diagrams, followed by the diagrams’ folder.";
export const NO_REGISTRY = "This server has no folder of Penrose’s diagrams. Start it with python3 serve.py --diagrams FOLDER.";
/** @param {number} count */
export const registryAbout = (count) => `${count} diagrams from Penrose’s registry. Penrose lets you drag only some of the shapes. Here you can drag every shape.`;
/** @param {string} name @param {number} size */
export const registryEntry = (name, size) => `${name} (${size.toLocaleString("en")} operations)`;
export const TRIO_TITLE = "Penrose’s own programs";
export const TRIO_NOTE = "Penrose compiled these programs, and our optimiser lays out the diagram. You can drag any shape, even if its place is computed.";
/** The names of the kinds of shapes. @type {Record<string, string>} */
export const SHAPE_KINDS = {
  circle: "circle", ellipse: "ellipse", rectangle: "rectangle", image: "image", text: "text", line: "line", polyline: "chain of lines",
  polygon: "polygon", path: "curve", outline: "curve", group: "group",
};
/** The relations that a screen reader mentions when it describes a shape. Each relation has two functions. They take the name
 * of the other shape, and return a sentence. The first function is for the relation's first shape, and the second for its
 * second shape.
 * @type {Record<string, readonly [(other: string) => string, (other: string) => string]>} */
export const SHAPE_RELATIONS = {
  contains: [(other) => `Contains ${other}.`, (other) => `Inside ${other}.`],
  touching: [(other) => `Touches ${other}.`, (other) => `Touches ${other}.`],
  overlapping: [(other) => `Overlaps ${other}.`, (other) => `Overlaps ${other}.`],
};
/** @param {string} name @param {string} kind @param {string} x @param {string} y */
export const shapePlace = (name, kind, x, y) => `${name}, ${kind}, at x ${x}, y ${y}.`;
export const SHAPE_KEYS = "Arrow keys move it, and the diagram follows.";
/** The points and sizes of a shape. @type {Record<string, string>} */
const PARTS = { r: "radius", rx: "width", ry: "height", size: "corner" };
/** @param {string} name of a shape @param {string} part */
export const partOf = (name, part) => `${name}: ${PARTS[part] ?? part}`;
/** @param {number} stage from 1 @param {string} weight @param {string} name of a stage in the diagram's program that begins, or "" */
export const stageOf = (stage, weight, name) => `Stage ${stage}${name === "" ? "" : ` (${name})`}: ×${weight}`;
/** @param {string} weight @param {string} name as in `stageOf` */
export const weightMark = (weight, name) => `${name === "" ? "" : `Here the stage “${name}” begins. `}From here on, relations have weight ${weight}.`;
/** @param {number} count @param {string} energy @param {string} worst @param {string} weight */
export const moment = (count, energy, worst, weight) => `After ${count} iterations: energy ${energy}, worst miss ${worst}, weight of relations ${weight}`;
export const PROGRAM_OF_DIAGRAM = "The diagram’s program";
/** @param {number} line @param {string} message */
export const troubleInLine = (line, message) => `Line ${line}: ${message}`;
export const PROGRAM_OF_LINK = "This link contains a program. Press Run to lay out its diagram.";
export const RUNNING_PROGRAM = "Running your program …";
export const PROGRAM_FAILED = "Your program ran for too long or crashed Python, so the diagram stays as it was. Change the program to run it again.";
/** @param {string} name */
export const unpin = (name) => `Let go of ${name}`;
export const UNPIN = "Let go of the pin";
export const OTHER_START = "Try another layout";
/** @param {string} title */
export const diagramLabel = (title) => `Diagram: ${title}. You can drag every shape that can move.`;
/** @param {number} seed */
export const variation = (seed) => `Seed ${seed}`;
/** @param {number} seed @param {number} missed relations */
export const variationMissed = (seed, missed) => `Seed ${seed}, ${missed === 1 ? "one relation" : `${missed} relations`} missed`;
/** @param {string} words of a relation @param {number} line of the program */
export const termOfLine = (words, line) => (line > 0 ? `${words} (line ${line})` : words);
export const ALL_HOLD = "All relations hold.";
/** @param {number} count */
export const relationsHold = (count) => `All ${count} relations hold.`;
/** @param {number} count */
export const relationsMissedSpoken = (count) => (count === 1 ? "One relation does not hold." : `${count} relations do not hold.`);
/** @param {number} count @param {string} worst in words @param {number} by */
export const relationsMissed = (count, worst, by) =>
  `${relationsMissedSpoken(count)} ${count === 1 ? "It" : "The worst"} is ${worst}, missed by ${Number(by.toPrecision(2))}.`;
/** @param {string | null} ms @param {string} bytes @param {string | null} frame */
export const diagramCost = (ms, bytes, frame) => {
  const time = frame === null ? "" : ` \u00b7 ${frame}\u00a0ms a\u00a0layout while you drag`;
  return `${compiled(ms)} \u00b7 ${bytes} of WebAssembly${time}`;
};
export const NO_PYTHON_DIAGRAMS = "Python did not load, so you can use only this diagram.";
export const NO_DIAGRAMS = "The diagrams did not load. Reload the page to try again.";
export const WAITING_DIAGRAM = "The diagram compiles once Python has loaded";
export const COMPILING_DIAGRAM = "Compiling the diagram";
export const DIAGRAM_SLOW = "This diagram took more than 20 seconds to compile, so the page went back to the previous diagram.";
export const DIED_DIAGRAM = "The compiler crashed on this diagram and was restarted. The page went back to the previous diagram.";
export const DIAGRAM_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  diagram: "The diagram in that link cannot be shown, so the link was not used.",
};
