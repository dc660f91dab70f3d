/** The texts in the HTML of the page Billiards. @type {Record<string, string>} */
export const TEXTS = {
  billiardsTitle: "A billiards shot that finds its goal",
  billiardsLead:
    "Choose where a ball should stop, and drag the goal there. The derivatives of the whole shot, every collision " +
    "included, tell the page how to change the aim while you drag.",
  legendTarget: "the ball that should get there",
  legendMiss: "how far it misses",
  legendBetter: "which way to move",
  legendEnd: "where a ball ends",
  legendShade: "better places to start",
  hintGoal: "Drag the goal",
  optimise: "Optimise",
  ball: "Ball",
  rack: "Rack",
  addBall: "Add a ball",
  removeBall: "Remove target",
  cushions: "Cushions",
  impact: "Time of impact",
  traces: "Paths",
  field: "Over the table",
  fieldNone: "Nothing",
  fieldLoss: "Loss for each cue position",
  fieldGradient: "Loss and its gradient",
  bestStart: "Start from the best place",
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
    "Then the gradient ignores that a ball arrives earlier if it starts nearer. Try this: switch it off, then " +
    "optimise. ∂x is almost 0, and the descent takes a longer way.",
  billiardsMaths:
    "The simulation is a function of four numbers: the cue ball’s place and velocity. It is a loop over steps, and " +
    "each step tests whether any two balls touch. Reverse mode runs that loop backwards once. That costs as much as a " +
    "few simulations, no matter how many numbers there are. The test has no derivative, but the time of impact does: " +
    "t = −d/v depends on where the balls are. Here d is the gap between two balls after the step (less than 0 if they " +
    "overlap), and v is the speed at which they approach.",

};
