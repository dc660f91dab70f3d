// The types of values that pass between the page's modules. Nothing here runs.

/**
 * @typedef {{name: string, value: number, min: number, max: number, step: number, own?: boolean}} Param
 *   a slider for a letter of the formula. `own`: true if the page added the slider for a letter of the visitor's own formula
 * @typedef {readonly [number, number]} Point x and y in the formula's own units
 * @typedef {readonly [number, number, number, number]} Region x from, x to, y from, y to
 *
 * The document: the state that undo, redo and a shared link restore.
 * @typedef {object} Doc
 * @property {string} presetId - the id of the preset from which the document was made
 * @property {string} text - the formula
 * @property {readonly Param[]} params
 * @property {Region} region
 * @property {Heights | null} heights - the lowest and the highest z to show, or null if the page chooses them
 * @property {Point} point
 * @property {Shown} shown
 * @property {readonly Saved[]} saved - the saved views, in the order in which the page lists them
 *
 * The lowest and the highest z of the pictures.
 * @typedef {readonly [number, number]} Heights
 *
 * The layout of the pictures, and what they show in addition to the surface and the point.
 * @typedef {"surface" | "map" | "both"} Layout
 * @typedef {object} Shown
 * @property {Layout} layout
 * @property {boolean} slice - true to show the slice through the point
 * @property {number} angle - the angle between the slice and the x-axis, in degrees
 * @property {boolean} critical - true to show the critical points
 * @property {boolean} descent - true to show the gradient descent from the point
 * @property {boolean} error - true to show the error of the approximation
 * @property {number} order - the order of the Taylor polynomial around the point
 * @property {boolean} band - true to show the proven bounds of the polynomial's remainder
 *
 * A saved view. The document in it has no saved views.
 * @typedef {{name: string, doc: Doc, view: View}} Saved
 *
 * The direction of the camera, as two angles in radians.
 * @typedef {{yaw: number, pitch: number}} View
 *
 * The TeX of the formula and of its derivatives, by name. It is null for an expression that is too long to show, and "" for an
 * expression that is undefined everywhere.
 * @typedef {Record<string, string | null>} Tex
 *
 * @typedef {{dtype: "f64" | "i32", dims: number[], at: number}} Leaf
 * @typedef {any} AbiType "real" | "bool" | "unit" | {fin} | {vec, of} | {tuple} | {struct}
 * @typedef {{name?: string, type: AbiType, leaves: Leaf[]}} AbiValue
 * The description of a module: its name, its memory, and the types and places of its arguments and its result.
 * @typedef {object} Abi
 * @property {number} abi
 * @property {string} name
 * @property {string} export
 * @property {{bytes: number, export: string, max_pages?: number}} memory
 * @property {{export: string, trap: number}} [fuel] - for a module that limits the rounds of its loops: the name of the global
 *   that counts them
 * @property {{module: string, name: string, label: string, types: AbiType[]}[]} imports
 * @property {AbiValue[]} params
 * @property {AbiValue} result
 *
 * The compiler's output for one formula.
 * @typedef {object} Artifact
 * @property {string} text
 * @property {readonly string[]} names - x, y and the parameters, in the kernel's order
 * @property {Uint8Array<ArrayBuffer>} wasm
 * @property {Abi} abi
 * @property {Tex | null} tex - null until the TeX is known
 * @property {boolean} [equation] - true if the formula is an equation; its kernel computes the left side minus the right side
 * @property {readonly string[]} [used] - the names that the formula uses, if they are known
 * @property {{ms: number, bytes: number}} cost - the time of the compilation in milliseconds, and the size of the module. A
 *   preset has no time
 *
 * A WebAssembly module with its ABI.
 * @typedef {{wasm: Uint8Array<ArrayBuffer>, abi: Abi}} Module
 * Bounds of a Taylor polynomial's remainder at the nodes of a grid in a disc (app/formulas/band.py). `low` and `high` have a
 * list for each radius, with one bound for each angle. Null means that there is no bound.
 * @typedef {{low: readonly (readonly (number | null)[])[], high: readonly (readonly (number | null)[])[],
 *   least: number | null, most: number | null}} BandNodes `least` and `most` bound the remainder in the whole disc
 *
 * @typedef {{critical: Module, descent: Module}} SurveyArtifact the modules that find critical points and compute descents
 * (app/formulas/survey.py)
 * @typedef {{shot: Module, paths: Module, batch: Module, cost: {ms: number, bytes: number, memory: number}}} TableArtifact
 *
 * The parts of a billiards table, and the way in which its shot is optimised. `target`: the number of the ball that should
 * reach the goal. Ball 0 is the cue ball. The cue ball starts at `x`, in metres, with velocity `v`, in metres per second.
 * @typedef {"descent" | "momentum" | "adam"} Optimiser
 * @typedef {"converged" | "stalled" | "flat" | "diverged"} Outcome why a descent ended
 * @typedef {{x: Point, v: Point}} Cue
 * @typedef {{steps: number, cushions: boolean, friction: number, timeOfImpact: boolean, optimiser: Optimiser, rate: number}} TableSetting
 * @typedef {{cue: Cue, rack: readonly Point[], goal: Point, target: number, settings: TableSetting}} Table
 *
 * The constants of the page Billiards. The page has them before Python has loaded.
 * @typedef {object} Beginning
 * @property {number} radius - the radius of a ball in metres
 * @property {number} dt - the duration of a time step in seconds
 * @property {readonly [number, number, number, number]} cushions - x from, x to, y from, y to
 * @property {Record<string, readonly Point[]>} racks
 * @property {{balls: number, steps: number, cushions: boolean, friction: number, timeOfImpact: boolean}} spec
 * @property {Point} goal
 * @property {number} target
 * @property {Cue} cue
 * @property {number} mostBalls - the largest number of balls on the table
 * @property {number} mostSteps - the largest number of time steps
 * @property {Readonly<Record<Optimiser, Module>>} descents - for each optimiser, the module that descends in four variables
 *
 * The loss of a shot, and its derivatives with respect to the position x and the velocity v of the cue ball.
 * @typedef {{loss: number, x: Point, v: Point}} ShotJet
 *
 * The modules of a robot.
 * @typedef {{training: Module, motion: Module, cost: {ms: number, bytes: number, memory: number}}} RobotArtifact
 *
 * A robot that the visitor may change. A spring joins the masses `a` and `b`, and has length `rest`. A muscle is a spring whose
 * length can change by the fraction `reach`, up and down.
 * @typedef {{a: number, b: number, rest: number, muscle: boolean}} Spring
 * @typedef {"far" | "goal"} Aim
 * @typedef {{gravity: number, friction: number, aim: Aim, seed: number, rate: number, iterations: number}} RobotSetting
 * @typedef {object} Robot
 * @property {string} name - the name of the plan from which the robot was made
 * @property {readonly Point[]} masses - the positions of the masses in metres
 * @property {readonly Spring[]} springs
 * @property {number} reach
 * @property {number} stiffness
 * @property {Point} goal
 * @property {number} steps
 * @property {RobotSetting} settings
 * @property {Float64Array} weights - the weights of the robot's network. We never change this array, but replace it
 *
 * A request to the worker that trains a robot, and the worker's report. In a request, `weights` are the weights to start from.
 * If they are null, the worker continues with its current weights.
 * @typedef {{epoch: number, order: number, weights: Float64Array | null, world: any, reaches: boolean, rate: number, most: number}} TrainingOrder
 * @typedef {object} TrainingReport
 * @property {number} epoch
 * @property {number} order - the number of the request that the report answers
 * @property {number} firstIteration - the number of the iteration with the first loss in `losses`
 * @property {number[]} losses
 * @property {number} norm - the norm of the gradient for `weights`
 * @property {number} ms - the time of an iteration in milliseconds
 * @property {{x: Float64Array<ArrayBuffer>, muscles: Float64Array<ArrayBuffer>}} moments - the robot's motion
 *   with `weights`: the position of each mass and the activation of each muscle, for all steps
 * @property {Float64Array} weights
 * @property {{loss: number, norm: number, iteration: number, weights: Float64Array}} best
 * @property {boolean} running
 * @property {"done" | "diverged" | null} outcome - null if the training has not ended, or was stopped
 * @property {Float64Array | null} lost - the weights with which the training diverged, or null if it did not diverge
 *
 * A robot's plan, and the constants of the page Robot. The page has them before Python has loaded.
 * @typedef {{masses: Point[], springs: [number, number][], muscles: number[], reach: number, stiffness: number}} Plan
 * @typedef {object} RobotBeginning
 * @property {Module} descent - the module that makes the optimiser's steps. It has room for the weights of the largest robot
 * @property {Record<string, Plan>} robots
 * @property {string} first
 * @property {number} steps
 * @property {number} dt
 * @property {number} ground
 * @property {Point} goal
 * @property {number} gravity
 * @property {number} sticks - a coefficient of friction with which feet do not slide
 * @property {number} hidden
 * @property {number} waves
 * @property {number} mostMasses
 * @property {number} mostSprings
 * @property {number} mostSteps
 * @property {Record<string, Float32Array>} gaits - from a plan's name to the trained weights of its robot
 *
 * A mistake in a text, with its place.
 * @typedef {object} Diagnostic
 * @property {string} message
 * @property {number} column - the first character of the mistake, in UTF-16 units counted from 0
 * @property {number} end_column
 * @property {string | null} suggestion
 * @property {string} kind
 * @property {readonly string[]} [free] - the letters without a value, if these are the only mistake
 * @property {readonly Diagnostic[]} [others] - the mistakes in the other lines of the text
 *
 * An example that the page offers, compiled by the build.
 * @typedef {object} Preset
 * @property {string} id
 * @property {string} title
 * @property {string} note
 * @property {Doc} doc
 * @property {Artifact} artifact
 *
 * The value, the gradient and the Hessian of the formula at a point.
 * @typedef {{f: number, fx: number, fy: number, fxx: number, fxy: number, fyy: number}} Jet
 */

/** The result of checking the page's numbers at a point (app/formulas/checking.py). `within`: the largest relative difference
 * that is still possible. `entry`: the name of the number that has a problem. A result of app/tape/checking.py also has
 * `count`, which is the number of compared numbers, or `part`, which is the kind of the number that differs.
 * @typedef {{count?: number} & ({state: "agree", within: number} | {state: "undefined"} |
 *   {state: "singular" | "kink" | "edge" | "rough", entry: string} |
 *   {state: "differ", entry: string, part?: "value" | "slope" | "cotangent" | "tangent", shown: number | string,
 *     expected: number | string, by: "interpreter" | "differences"})} Verdict */

/** The place where a simulation's numbers stop being finite (app/simulations/trouble.py). `step`: the number of steps
 * before this place. `end`: true if all steps are finite, and only the loss or its derivative is not. `operation`: the
 * operation that causes it, or null if we do not know it. `reason` is also null if we do not know it.
 * @typedef {{step: number, end: boolean, where: "primal" | "derivative" | null, operation: string | null, reason: string | null,
 *   file: string | null, line: number | null}} Located */

/** @typedef {"squared" | "absolute" | "huber"} LossName */
/** A line: its slope, and its height at x = 0. If the points are centred, x is measured from the mean of their x-coordinates.
 * @typedef {readonly [number, number]} Line */
/** @typedef {{loss: LossName, optimiser: Optimiser, rate: number, threshold: number, centred: boolean}} FitSetting */
/** The state of the page Regression that undo, redo and a shared link restore.
 * @typedef {{set: string, points: readonly Point[], line: Line, settings: FitSetting}} Fit */
/**
 * The constants of the page Regression. The page has them before Python has loaded.
 * @typedef {object} FitBeginning
 * @property {Record<string, readonly Point[]>} sets
 * @property {number} meanX - the mean of the points' x-coordinates. It is the same for every set
 * @property {number} mostPoints - the largest number of points
 * @property {number} cells - the number of points along each side of the grid on which the loss is computed
 * @property {readonly LossName[]} losses - the losses. The modules number them in this order
 * @property {Readonly<Record<Optimiser, Module>>} descents - for each optimiser, the module that descends in two variables
 */

/** @typedef {{fit: Module, surface: Module, exact: Module, cost: {ms: number, bytes: number}}} FitArtifact */

/** The modules of a formula for the page Fit (app/fitting/fitter.py). Each module has one function. One call computes this
 * function for one data point.
 * @typedef {Record<"residuals" | "jacobian" | "along" | "curvature", Module>} FitterModules */
/** A compiled formula for the page Fit. `names`: the formula's letters, in the order of the modules' arguments.
 * @typedef {FitterModules & {names: readonly string[], cost: {ms?: number, bytes: number}}} FitterArtifact */
/** @typedef {"plane" | "digits" | "sine" | "text"} TaskName */
/** @typedef {{inputs: number, classes: number, most: number, tests: number}} Task */
/** The properties of a network that are constants in its compiled module. If one of them changes, we must compile the network
 * again.
 * @typedef {{task: TaskName, hidden: readonly number[], activation: string, optimiser: Optimiser}} NetworkSpec */
/** A point that the visitor placed: x, y, and the number of its class. @typedef {readonly [number, number, number]} OwnPoint */
/**
 * The state of the page Learn that undo, redo and a shared link restore.
 * @typedef {object} Lesson
 * @property {string} set - the data: the name of a set of points, or "own", "digits", "sine" or "text"
 * @property {number} noise
 * @property {number} seed
 * @property {readonly OwnPoint[]} own - the points that the visitor placed
 * @property {string} line - the line of text that an LSTM learns
 * @property {readonly number[]} hidden - the number of units in each hidden layer
 * @property {string} activation
 * @property {Optimiser} optimiser
 * @property {number} rate - the learning rate
 * @property {number} batch - the number of examples in a batch
 * @property {number} l2 - the factor of the penalty for large weights
 */
/**
 * The constants of the page Learn. The page has them before Python has loaded.
 * @typedef {object} LessonBeginning
 * @property {readonly string[]} sets
 * @property {number} drawn - the number of random points. The network learns from half of them, and the others test it
 * @property {number} drawnWaves - the number of random waves. The network learns from half of them, and the others test it
 * @property {number} length - the number of values in a wave
 * @property {number} heard - the number of values that the network gets before it must continue a wave
 * @property {number} continued - the number of values in a shown wave: the values that the network gets, and then its own
 *   predictions
 * @property {string} line - the line of text that an LSTM learns when the page opens
 * @property {number} shortest - the smallest number of letters in a line
 * @property {number} longest - the largest number of letters in a line
 * @property {number} kinds - the largest number of different letters in a line
 * @property {number} cells - the number of cells along each side of a picture of the plane
 * @property {number} reach - the largest x and y in a picture of the plane
 * @property {number} shown - the number of test examples for which the page shows the network's guess
 * @property {number} pieces - the number of linear functions in a maxout unit
 * @property {Record<TaskName, Task>} tasks
 * @property {readonly string[]} activations
 * @property {readonly Optimiser[]} optimisers
 * @property {number} mostLayers - the largest number of hidden layers
 * @property {number} mostUnits - the largest number of units in a hidden layer
 * @property {number} mostMemoryUnits - the largest number of units in the hidden layer of a network with a memory
 * @property {NetworkSpec} first - the network that the page shows when it opens
 */
/** @typedef {{network: Module, cost: {ms: number, bytes: number}}} NetworkArtifact */

/** An instruction of a program. `line`: its line in the program. `back`: what reverse mode does when it comes back to the
 * instruction. @typedef {{line: number, text: string, back: string}} BrilItem */
/** @typedef {{label: string, items: readonly BrilItem[], after: readonly number[]}} BrilBlock */
/** @typedef {{name: string, heading: string, blocks: readonly BrilBlock[]}} BrilFunction */
/** @typedef {{name: string, type: string, value: number | boolean}} BrilParameter */
/** A step of a program's run, in which one instruction is done. It has the number of the block, the position of the instruction
 * in the block (−1 at the end of the block), the instruction's value, and the derivative of the program's result with respect
 * to this value.
 * @typedef {readonly [block: number, position: number, value: number | boolean | string | null, slope: number | string | null]} BrilStep */
/**
 * The result of app/bril/analysing.py for a program.
 * @typedef {object} BrilAnalysis
 * @property {readonly BrilFunction[]} functions
 * @property {readonly BrilParameter[]} parameters - the parameters of the main function
 * @property {string} output - the text that the program prints
 * @property {string | null} failure - the error that ended the run, or null
 * @property {Readonly<Record<string, number | string>> | null} gradient - the gradient with respect to the float parameters
 * @property {any} abi
 * @property {{ms?: number, bytes: number} | null} cost
 * @property {readonly BrilStep[]} steps - the first steps of the run
 * @property {boolean} isWhole - true if `steps` has all steps of the run
 */
/** @typedef {{id: string, text: string, analysis: BrilAnalysis, wasm: Uint8Array<ArrayBuffer>}} BrilProgram */

/** The position of a number in the results of the tape's module, or null for a number that is always 0.
 * @typedef {number | null} Place */
/** An operand that is the value of another row of the tape. `node`: the number of this other row. `slope`: the derivative of
 * the operation with respect to the operand. `share`: what the operand adds to the tangent of the row that uses the operand.
 * @typedef {{node: number, slope: Place, slopeTex: string | null, share: Place}} RowOperand */
/** @typedef {{number: number | string, tex: string} | RowOperand} Operand */
/** A contribution to the cotangent of a row. It comes from the row with number `user`, which uses the value as its operand with
 * number `operand`. `term`: the contribution. `total`: the sum of this contribution and the contributions before it.
 * @typedef {{user: number, operand: number, term: Place, total: Place}} Contribution */
/**
 * A row of the tape: an input or an operation (app/tape/tape.py).
 * @typedef {object} TapeNode
 * @property {string} name
 * @property {string} op
 * @property {number | null} power
 * @property {string | null} tex
 * @property {readonly Operand[]} operands
 * @property {Place} value
 * @property {Place} tangent
 * @property {Place} cotangent
 * @property {readonly Place[]} chunk - the derivatives with respect to x and y that one forward pass computes
 * @property {readonly Contribution[]} contributions
 */
/** @typedef {{nodes: readonly TapeNode[], result: number}} Tape */
/** @typedef {Artifact & Tape} TapeArtifact */
/** What the page Tape computes: "values", "gradient" (reverse mode), "tangents" (forward mode along one direction), or "chunk"
 * (forward mode for x and y at once).
 * @typedef {"values" | "gradient" | "tangents" | "chunk"} Mode */
/** The state of the page Tape that undo, redo and a shared link restore.
 * @typedef {{presetId: string, text: string, point: Point, direction: Point, mode: Mode}} TapeDoc */
/** @typedef {{title: string, note: string, doc: TapeDoc, artifact: TapeArtifact}} TapePreset */

/** A shape of a diagram (app/diagrams/compiling.py). `values`: from the name of each attribute to its value. If the kernel
 * computes the value, it is null here.
 * @typedef {{name: string, kind: string, content: string, layer: number, members: readonly number[],
 *   values: Readonly<Record<string, number | string | null>>, moves: boolean, line: number}} Shape */
/** A relation between shapes of a diagram. `must`: true if the relation must hold, and false if the program only encourages it.
 * `shapes`: the numbers of these shapes. `line`: the line of the program that states the relation.
 * @typedef {{name: string, words: string, shapes: readonly number[], must: boolean, line: number}} Term */
/** A diagram may be given as a graph of operations. Only such a diagram has these parts. `solver`: the solver's module.
 * `numbers`: the module that computes the numbers for the picture. `makeKernel`: makes a kernel from the solver and the other
 * modules (`pages/diagrams/graph-kernel.js`).
 * @typedef {{solver?: Module, numbers?: Module, graph?: {capacity: number, frozen: readonly number[], reach: number},
 *   makeKernel?: (artifact: any) => {run: (...args: any[]) => Float64Array[]}}} GraphParts */
/** A compiled diagram. `places`: for each number that the kernel computes, the number of its shape and the name of its
 * attribute. `starts`: for each search that we may try, the values of the unknowns at its start. They follow from `seed`.
 * `grips`: for each point that you can drag, the number of its shape and the part of the shape. This list begins with the
 * middles of all shapes. `stages`: the names of the stages that the kernel can solve alone. It is empty, or missing, if the
 * kernel always solves everything at once.
 * @typedef {Module & GraphParts & {size: [number, number], shapes: readonly Shape[], grips: readonly [number, string][],
 *   places: readonly [number, string][],
 *   terms: readonly Term[], unknowns: readonly string[], parameters: readonly number[], seed: number,
 *   stages?: readonly string[], starts: readonly (readonly number[])[], cost: {ms: number, bytes: number}}} DiagramArtifact */
/** A diagram of the gallery. `svg`: the diagram's picture, drawn by the build. `text`: the diagram's program.
 * @typedef {{id: string, svg: string, text: string}} DiagramCard */
/** The part of a shape that the visitor dragged last. `at`: the point that pulls it. `stays`: if the part is a size, the point
 * where the shape's middle should stay. Otherwise null.
 * @typedef {{shape: string, part: string, at: Point, stays: Point | null}} DiagramPin */
/** The three programs from which Penrose makes a diagram. `variation`: the seed of Penrose's random numbers.
 * @typedef {{domain: string, substance: string, style: string, variation: string}} Trio */
/** The state of the page Diagrams that undo, redo and a shared link restore. `seed`: the seed, or null for the program's own
 * seed. `x`: the values of the unknowns, or null for the layout that follows from the seed. `program`: the changed program, or
 * null if the visitor did not change it. `trio`: the three Penrose programs of the diagram, or null. `data`: the diagram that a
 * changed program or a trio made, or null. `warm`: an earlier layout, or null. An unknown that has a value in `warm` starts
 * from this value.
 * @typedef {{id: string, seed: number | null, x: readonly number[] | null, pin: DiagramPin | null, program: string | null,
 *   trio: Trio | null, data: string | null, warm: {unknowns: readonly string[], x: readonly number[]} | null}} DiagramDoc */

/** A net of springs (app/springs/net.py). `rows` and `cols`: the row and the column of each entry of the Hessian that may be
 * different from 0. `groups`: for each column of the Hessian, the number of its group. One directional derivative computes all
 * columns of a group. `directions`: the number of directional derivatives that we need. `factor`: the number of entries of the
 * Cholesky factor.
 * @typedef {{side: number, springs: readonly (readonly [number, number])[], flat: readonly number[], anchors: readonly number[],
 *   floor: number, rows: readonly number[], cols: readonly number[], groups: readonly number[], directions: number,
 *   factor: number}} NetBeginning */

export {};
