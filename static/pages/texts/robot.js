/** The texts in the HTML of the page Robot. @type {Record<string, string>} */
export const TEXTS = {
  robotTitle: "A robot that learns to walk",
  robotLead:
    "Nobody programmed this walk. The robot learns it from the derivatives of a whole simulation, which say how to " +
    "change thousands of numbers at once.",
  legendShort: "muscle that shortens",
  legendLong: "muscle that lengthens",
  legendHead: "the mass whose end is measured",
  legendWay: "its path",
  legendEnds: "where earlier walks ended",
  hintPlay: "Press Play",
  arena: "The robot and its goal",
  iterations: "iterations",
  trainRate: "step size",
  gaitCurve: "Loss by iteration",
  keptGait: "Trained gait",
  saveWeights: "Save weights",
  loadWeights: "Load weights",
  spring: "Spring",
  muscle: "Muscle",
  addMass: "Add a mass",
  removeMass: "Remove mass",
  removeSpring: "Remove spring",
  editorHow:
    "Drag a mass to move it. Click a spring to choose it. Click it again to switch between muscle and plain spring. " +
    "Double-click beside the robot to add a mass.",
  aim: "Train it to",
  aimFar: "go as far right as it can",
  aimGoal: "end at the goal",
  poses: "Poses",
  gravity: "Gravity",
  exportMotion: "Motion as CSV",
  robotIntro:
    "The robot is made of masses and springs. Some springs are muscles. A small neural network knows where the masses " +
    "are, how fast they move and where the goal is, and tells each muscle how long to be. Press Play to see the robot " +
    "walk. Press Start over, then Train, to watch it learn.",
  robotTraining:
    "The loss says how badly a walk went. If the robot should go far, the loss is minus the x where the filled mass " +
    "ends. If it should end at the goal, the loss is the square of that mass’s distance from the goal. The gradient " +
    "of the loss says, for each of the thousands of weights in the network, whether a larger or a smaller weight " +
    "would help. It accounts for every step of the simulation and every touch of the ground. Each iteration moves all " +
    "weights a little against the gradient. Walking is chaotic, so the loss jumps now and then, and the page keeps " +
    "the best walk. You can change friction, gravity, the goal and the robot while it trains. You can also build a " +
    "robot of your own from a triangle. Your browser compiles each new one.",
  robotMaths:
    "A step is v ← v + Δt·(spring forces + gravity), x ← x + Δt·v, and the ground stops masses that reach it. The " +
    "network has one hidden layer: muscle = tanh(W₂·tanh(W₁·s + b₁) + b₂), where s is what the robot senses. Reverse " +
    "mode stores the states of the loop and runs the loop backwards. So the gradient for all weights takes as long as " +
    "a few walks, and a few megabytes of memory.",

};
