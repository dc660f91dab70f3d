// The types of values that pass between the page's modules. Nothing here runs.

/**
 * @typedef {{name: string, value: number, min: number, max: number, step: number, own?: boolean}} Param
 *   a slider; `own`: true if the page added it for a letter of the visitor's own formula
 * @typedef {readonly [number, number]} Point x and y in the formula's own units
 * @typedef {readonly [number, number, number, number]} Region x from, x to, y from, y to
 *
 * The document: the state that undo, redo and a shared link restore.
 * @typedef {object} Doc
 * @property {string} presetId - the preset from which it began
 * @property {string} text - the formula
 * @property {readonly Param[]} params
 * @property {Region} region
 * @property {Heights | null} heights - null if the page chooses them
 * @property {Point} point
 * @property {Shown} shown
 * @property {readonly Saved[]} saved - the saved views, in order
 *
 * The lowest and the highest z of the pictures.
 * @typedef {readonly [number, number]} Heights
 *
 * The layout of the pictures, and what they show in addition to the surface and the point.
 * @typedef {"surface" | "map" | "both"} Layout
 * @typedef {object} Shown
 * @property {Layout} layout
 * @property {boolean} slice
 * @property {number} angle - the angle between the slice and the x-axis, in degrees
 * @property {boolean} critical
 * @property {boolean} descent
 * @property {boolean} error
 * @property {number} order - the order of the Taylor polynomial around the point
 * @property {boolean} band - the proven bound of the polynomial's remainder
 *
 * A saved view. The document in it has no saved views.
 * @typedef {{name: string, doc: Doc, view: View}} Saved
 *
 * @typedef {{yaw: number, pitch: number}} View radians
 *
 * The TeX of the formula and its derivatives. It is null for a formula that is too long to show, and "" for one that is
 * undefined everywhere.
 * @typedef {Record<string, string | null>} Tex
 *
 * @typedef {{dtype: "f64" | "i32", dims: number[], at: number}} Leaf
 * @typedef {any} AbiType "real" | "bool" | "unit" | {fin} | {vec, of} | {tuple} | {struct}
 * @typedef {{name?: string, type: AbiType, leaves: Leaf[]}} AbiValue
 * @typedef {object} Abi
 * @property {number} abi
 * @property {string} name
 * @property {string} export
 * @property {{bytes: number, export: string, max_pages?: number}} memory
 * @property {{export: string, trap: number}} [fuel] - the global that counts the rounds of loops
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
 * @property {Tex | null} tex - null until it is known
 * @property {boolean} [equation] - true if the formula is an equation; its kernel computes the left side minus the right side
 * @property {readonly string[]} [used] - the names that the formula uses, if they are known
 * @property {{ms: number, bytes: number}} cost - presets have no ms
 *
 * A WebAssembly module with its ABI.
 * @typedef {{wasm: Uint8Array<ArrayBuffer>, abi: Abi}} Module
 * Bounds of a Taylor polynomial's remainder at the nodes of a grid in a disc (app/formulas/band.py). For each radius,
 * there is a list with one bound for each angle. Null means that there is no bound.
 * @typedef {{low: readonly (readonly (number | null)[])[], high: readonly (readonly (number | null)[])[],
 *   least: number | null, most: number | null}} BandNodes `least` and `most` are bounds for the whole disc
 *
 * @typedef {{critical: Module, descent: Module}} SurveyArtifact the kernels of app/formulas/survey.py
 * @typedef {{shot: Module, paths: Module, batch: Module, cost: {ms: number, bytes: number, memory: number}}} TableArtifact
 *
 * A billiards table.
 * @typedef {"descent" | "momentum" | "adam"} Optimiser
 * @typedef {"converged" | "stalled" | "flat" | "diverged"} Outcome of a descent
 * @typedef {{x: Point, v: Point}} Cue metres, metres per second
 * @typedef {{steps: number, cushions: boolean, friction: number, timeOfImpact: boolean, optimiser: Optimiser, rate: number}} TableSetting
 * @typedef {{cue: Cue, rack: readonly Point[], goal: Point, target: number, settings: TableSetting}} Table target: 0 is the cue ball
 *
 * The constants of the page Billiards. The page has them before Python has loaded.
 * @typedef {object} Beginning
 * @property {number} radius
 * @property {number} dt
 * @property {readonly [number, number, number, number]} cushions - x from, x to, y from, y to
 * @property {Record<string, readonly Point[]>} racks
 * @property {{balls: number, steps: number, cushions: boolean, friction: number, timeOfImpact: boolean}} spec
 * @property {Point} goal
 * @property {number} target
 * @property {Cue} cue
 * @property {number} mostBalls
 * @property {number} mostSteps
 * @property {Readonly<Record<Optimiser, Module>>} descents - modules that descend in four variables
 *
 * Loss and gradient of a shot.
 * @typedef {{loss: number, x: Point, v: Point}} ShotJet
 *
 * The modules of a robot.
 * @typedef {{training: Module, motion: Module, cost: {ms: number, bytes: number, memory: number}}} RobotArtifact
 *
 * A robot that the visitor has changed. A muscle is a spring with a variable length: it can change by the share `reach`.
 * @typedef {{a: number, b: number, rest: number, muscle: boolean}} Spring
 * @typedef {"far" | "goal"} Aim
 * @typedef {{gravity: number, friction: number, aim: Aim, seed: number, rate: number, iterations: number}} RobotSetting
 * @typedef {object} Robot
 * @property {string} name - the name of its original plan
 * @property {readonly Point[]} masses - metres
 * @property {readonly Spring[]} springs
 * @property {number} reach
 * @property {number} stiffness
 * @property {Point} goal
 * @property {number} steps
 * @property {RobotSetting} settings
 * @property {Float64Array} weights - the weights of its network. This array never changes
 *
 * A request to the training worker, and the worker's report. If `weights` is null, the worker continues with its current
 * weights.
 * @typedef {{epoch: number, order: number, weights: Float64Array | null, world: any, reaches: boolean, rate: number, most: number}} TrainingOrder
 * @typedef {object} TrainingReport
 * @property {number} epoch
 * @property {number} order - the number of the request that it answers
 * @property {number} firstIteration - the number of the iteration with the first loss in `losses`
 * @property {number[]} losses
 * @property {number} norm - the norm of the gradient for `weights`
 * @property {number} ms - the time of an iteration in milliseconds
 * @property {{x: Float64Array<ArrayBuffer>, muscles: Float64Array<ArrayBuffer>}} moments - moments of the motion for `weights`
 * @property {Float64Array} weights
 * @property {{loss: number, norm: number, iteration: number, weights: Float64Array}} best
 * @property {boolean} running
 * @property {"done" | "diverged" | null} outcome
 * @property {Float64Array | null} lost - the weights when the training diverged, or null
 *
 * A robot's plan, and the constants of the page Robot. The page has them before Python has loaded.
 * @typedef {{masses: Point[], springs: [number, number][], muscles: number[], reach: number, stiffness: number}} Plan
 * @typedef {object} RobotBeginning
 * @property {Module} descent - the optimiser's steps. The module has room for the weights of the largest robot
 * @property {Record<string, Plan>} robots
 * @property {string} first
 * @property {number} steps
 * @property {number} dt
 * @property {number} ground
 * @property {Point} goal
 * @property {number} gravity
 * @property {number} sticks - a friction that keeps feet from sliding
 * @property {number} hidden
 * @property {number} waves
 * @property {number} mostMasses
 * @property {number} mostSprings
 * @property {number} mostSteps
 * @property {Record<string, Float32Array>} gaits - trained weights, by the plan's name
 *
 * @typedef {object} Diagnostic
 * @property {string} message
 * @property {number} column - in UTF-16 units, counted from 0
 * @property {number} end_column
 * @property {string | null} suggestion
 * @property {string} kind
 * @property {readonly string[]} [free] - letters without a value. If they had values, the text would be a formula
 * @property {readonly Diagnostic[]} [others] - the mistakes in other lines
 *
 * @typedef {object} Preset
 * @property {string} id
 * @property {string} title
 * @property {string} note
 * @property {Doc} doc
 * @property {Artifact} artifact
 *
 * Value, gradient and Hessian at a point.
 * @typedef {{f: number, fx: number, fy: number, fxx: number, fxy: number, fyy: number}} Jet
 */

/** The verdict of app/formulas/checking.py on the numbers at a point. A verdict of app/tape/checking.py also has `count`, the
 * number of compared numbers, or `part`, the kind of the number that differs.
 * @typedef {{count?: number} & ({state: "agree", within: number} | {state: "undefined"} |
 *   {state: "singular" | "kink" | "edge" | "rough", entry: string} |
 *   {state: "differ", entry: string, part?: "value" | "slope" | "cotangent" | "tangent", shown: number | string,
 *     expected: number | string, by: "interpreter" | "differences"})} Verdict */

/** The place where a simulation's numbers stop being finite (app/simulations/trouble.py). `step`: how many steps are finite.
 * `operation` and `reason` are null if we do not know them.
 * @typedef {{step: number, end: boolean, where: "primal" | "derivative" | null, operation: string | null, reason: string | null,
 *   file: string | null, line: number | null}} Located */

/** @typedef {"squared" | "absolute" | "huber"} LossName */
/** A line: its slope, and its height at x = 0. For centred points, their mean x counts as 0. @typedef {readonly [number, number]} Line */
/** @typedef {{loss: LossName, optimiser: Optimiser, rate: number, threshold: number, centred: boolean}} FitSetting */
/** The state of the page Regression that undo, redo and a shared link restore.
 * @typedef {{set: string, points: readonly Point[], line: Line, settings: FitSetting}} Fit */
/**
 * The model's constants. The page has them before Python has loaded.
 * @typedef {object} FitBeginning
 * @property {Record<string, readonly Point[]>} sets
 * @property {number} meanX - the mean of x in each set
 * @property {number} mostPoints
 * @property {number} cells - the number of points along each side of the surface
 * @property {readonly LossName[]} losses - in the modules' order
 * @property {Readonly<Record<Optimiser, Module>>} descents - modules that descend in two variables
 */

/** @typedef {{fit: Module, surface: Module, exact: Module, cost: {ms: number, bytes: number}}} FitArtifact */

/** The modules of a formula for the page Fit (app/fitting/fitter.py). One call of a module computes its function for one data
 * point.
 * @typedef {Record<"residuals" | "jacobian" | "along" | "curvature", Module>} FitterModules */
/** The modules of a formula. `names`: the formula's letters, in the order of the modules' arguments.
 * @typedef {FitterModules & {names: readonly string[], cost: {ms?: number, bytes: number}}} FitterArtifact */
/** @typedef {"plane" | "digits" | "sine" | "text"} TaskName */
/** @typedef {{inputs: number, classes: number, most: number, tests: number}} Task */
/** The properties of a network that its compiled module depends on. If one changes, the network is compiled again.
 * @typedef {{task: TaskName, hidden: readonly number[], activation: string, optimiser: Optimiser}} NetworkSpec */
/** A point that you placed: x, y, and its class. @typedef {readonly [number, number, number]} OwnPoint */
/**
 * The state of the page Learn that undo, redo and a shared link restore.
 * @typedef {object} Lesson
 * @property {string} set - the data: the name of a set of points, or "own", "digits", "sine" or "text"
 * @property {number} noise
 * @property {number} seed
 * @property {readonly OwnPoint[]} own
 * @property {string} line - the line of text that an LSTM learns
 * @property {readonly number[]} hidden - the units of each hidden layer
 * @property {string} activation
 * @property {Optimiser} optimiser
 * @property {number} rate
 * @property {number} batch
 * @property {number} l2
 */
/**
 * The constants of the page Learn. The page has them before Python has loaded.
 * @typedef {object} LessonBeginning
 * @property {readonly string[]} sets
 * @property {number} drawn - the number of random points. Half of them are for tests
 * @property {number} drawnWaves
 * @property {number} length - the number of values in a wave
 * @property {number} heard - the number of values that the network gets before it must continue a wave
 * @property {number} continued
 * @property {string} line - the first line of text
 * @property {number} shortest - the smallest number of letters in a line
 * @property {number} longest - the largest number of letters in a line
 * @property {number} kinds - the largest number of different letters in a line
 * @property {number} cells - the number of cells along each side of a picture of the plane
 * @property {number} reach - the largest x and y in a picture of the plane
 * @property {number} shown - the number of tests whose guesses are shown
 * @property {number} pieces - the number of linear functions in a maxout unit
 * @property {Record<TaskName, Task>} tasks
 * @property {readonly string[]} activations
 * @property {readonly Optimiser[]} optimisers
 * @property {number} mostLayers
 * @property {number} mostUnits
 * @property {number} mostMemoryUnits
 * @property {NetworkSpec} first
 */
/** @typedef {{network: Module, cost: {ms: number, bytes: number}}} NetworkArtifact */

/** @typedef {{line: number, text: string, back: string}} BrilItem an instruction, and how reverse mode goes back through it */
/** @typedef {{label: string, items: readonly BrilItem[], after: readonly number[]}} BrilBlock */
/** @typedef {{name: string, heading: string, blocks: readonly BrilBlock[]}} BrilFunction */
/** @typedef {{name: string, type: string, value: number | boolean}} BrilParameter */
/** A step of a run: the block's number, the instruction's position in the block (−1 at the end of the block), the instruction's
 * value, and ∂result/∂value.
 * @typedef {readonly [block: number, position: number, value: number | boolean | string | null, slope: number | string | null]} BrilStep */
/**
 * The answer of app/bril/analysing.py about a program.
 * @typedef {object} BrilAnalysis
 * @property {readonly BrilFunction[]} functions
 * @property {readonly BrilParameter[]} parameters - the parameters of the main function
 * @property {string} output
 * @property {string | null} failure
 * @property {Readonly<Record<string, number | string>> | null} gradient - the gradient with respect to the float parameters
 * @property {any} abi
 * @property {{ms?: number, bytes: number} | null} cost
 * @property {readonly BrilStep[]} steps
 * @property {boolean} isWhole - true if the run ended within these steps
 */
/** @typedef {{id: string, text: string, analysis: BrilAnalysis, wasm: Uint8Array<ArrayBuffer>}} BrilProgram */

/** The position of a number in the module's results, or null for a number that is always 0.
 * @typedef {number | null} Place */
/** An operand that is a row. `slope`: the derivative with respect to this operand. `share`: what the operand adds to the
 * tangent of the row that uses it.
 * @typedef {{node: number, slope: Place, slopeTex: string | null, share: Place}} RowOperand */
/** @typedef {{number: number | string, tex: string} | RowOperand} Operand */
/** A contribution to a cotangent. Row `user` adds `term` to the cotangent of its operand number `operand`. `total` is the sum
 * of the contributions so far.
 * @typedef {{user: number, operand: number, term: Place, total: Place}} Contribution */
/**
 * An input or an operation, as described in app/tape/tape.py.
 * @typedef {object} TapeNode
 * @property {string} name
 * @property {string} op
 * @property {number | null} power
 * @property {string | null} tex
 * @property {readonly Operand[]} operands
 * @property {Place} value
 * @property {Place} tangent
 * @property {Place} cotangent
 * @property {readonly Place[]} chunk - derivatives with respect to x and y, from one forward pass
 * @property {readonly Contribution[]} contributions
 */
/** @typedef {{nodes: readonly TapeNode[], result: number}} Tape */
/** @typedef {Artifact & Tape} TapeArtifact */
/** What the page computes: "values", "gradient" (reverse mode), "tangents" (forward mode along one direction), or "chunk"
 * (forward mode for x and y at once).
 * @typedef {"values" | "gradient" | "tangents" | "chunk"} Mode */
/** The state of the page Tape that undo, redo and a shared link restore.
 * @typedef {{presetId: string, text: string, point: Point, direction: Point, mode: Mode}} TapeDoc */
/** @typedef {{title: string, note: string, doc: TapeDoc, artifact: TapeArtifact}} TapePreset */

/** A shape as app/diagrams/compiling.py describes it. In `values`, null means that the kernel computes this number.
 * @typedef {{name: string, kind: string, content: string, layer: number, members: readonly number[],
 *   values: Readonly<Record<string, number | string | null>>, moves: boolean, line: number}} Shape */
/** A relation between shapes of a diagram. `must`: true if the relation must hold, and false if the program only encourages it.
 * `shapes`: the numbers of the shapes.
 * @typedef {{name: string, words: string, shapes: readonly number[], must: boolean, line: number}} Term */
/** The parts of a diagram that is given as a graph of operations. `solver`: its solver. `numbers`: the module that computes the
 * numbers for its picture. `makeKernel` combines them in a kernel (`pages/diagrams/graph-kernel.js`).
 * @typedef {{solver?: Module, numbers?: Module, graph?: {capacity: number, frozen: readonly number[], reach: number},
 *   makeKernel?: (artifact: any) => {run: (...args: any[]) => Float64Array[]}}} GraphParts */
/** A diagram. `places`: for each number that the kernel computes, its shape and its attribute. `starts`: the starting values of
 * each search with this seed. `grips`: for each point that you can drag, its shape and the part of the shape. The list begins
 * with the middles of all shapes.
 * @typedef {Module & GraphParts & {size: [number, number], shapes: readonly Shape[], grips: readonly [number, string][],
 *   places: readonly [number, string][],
 *   terms: readonly Term[], unknowns: readonly string[], parameters: readonly number[], seed: number,
 *   starts: readonly (readonly number[])[], cost: {ms: number, bytes: number}}} DiagramArtifact */
/** A diagram of the gallery. `svg`: its picture, which the build has drawn.
 * @typedef {{id: string, svg: string, text: string}} DiagramCard */
/** The state of the page Diagrams that undo, redo and a shared link restore. `seed`: null for the program's own seed. `x`: the
 * unknowns, or null for the layout that the seed gives. `pin`: the part of a shape that the visitor dragged last, and the point
 * that pulls it. `program`: the program, if the visitor changed it. `data`: the program's diagram, after the program has run.
 * `trio`: the three Penrose programs of the diagram, or of a link. `warm`: an earlier layout. An unknown starts from its value
 * in `warm`, if it has one.
 * @typedef {{shape: string, part: string, at: Point, stays: Point | null}} DiagramPin */
/** Penrose's three programs. `variation`: the seed of Penrose's random numbers.
 * @typedef {{domain: string, substance: string, style: string, variation: string}} Trio */
/** @typedef {{id: string, seed: number | null, x: readonly number[] | null, pin: DiagramPin | null, program: string | null,
 *   trio: Trio | null, data: string | null, warm: {unknowns: readonly string[], x: readonly number[]} | null}} DiagramDoc */

/** A net of springs (app/springs/net.py). `rows` and `cols`: the row and the column of each entry of the Hessian that is not
 * zero. `groups`: the group of each column. One directional derivative computes all columns of a group. `factor`: how many
 * entries the Cholesky factor has.
 * @typedef {{side: number, springs: readonly (readonly [number, number])[], flat: readonly number[], anchors: readonly number[],
 *   floor: number, rows: readonly number[], cols: readonly number[], groups: readonly number[], directions: number,
 *   factor: number}} NetBeginning */

export {};
