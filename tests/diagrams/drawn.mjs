// Draws a diagram with the page's own code and prints the SVG. The argument is JSON: a list of shapes with their numbers.

import { svgOf } from "../../static/js/pages/diagrams/drawing.js";

const artifact = { size: [200, 100], shapes: JSON.parse(process.argv[2]), places: [] };
process.stdout.write(svgOf(artifact, []));
