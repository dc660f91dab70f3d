/** The texts in the HTML of the page Quadratic. @type {Record<string, string>} */
export const TEXTS = {
  quadraticTitle: "A surface and its quadratic approximation",
  quadraticLead:
    "Drag a point on a surface. Its derivatives say how fast the height changes there, and how that slope " +
    "changes. See how well they predict the surface nearby.",
  embed: "Embed",
  at: "at",
  eigenvalues: "eigenvalues",
  turnLeft: "Turn left",
  turnRight: "Turn right",
  tiltUp: "Look from higher up",
  tiltDown: "Look from lower down",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
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

};
