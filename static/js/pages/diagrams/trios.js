// Three example trios in Penrose's languages. Domain: the kinds of things. Substance: the things. Style: how the things look.

/** @typedef {import("../../model/types.js").Trio} Trio */

/** The names of the examples, the first one first. */
export const TRIOS = /** @type {const} */ (["sets", "graph", "vectors"]);

const SETS = {
  variation: "Sets1",
  domain: `type Set

predicate Subset(Set inner, Set outer)
predicate Disjoint(Set a, Set b)
`,
  substance: `Set Animals, Mammals, Cats, Dogs, Birds

Subset(Mammals, Animals)
Subset(Birds, Animals)
Subset(Cats, Mammals)
Subset(Dogs, Mammals)
Disjoint(Mammals, Birds)
Disjoint(Cats, Dogs)

AutoLabel All
`,
  style: `canvas {
  width = 600
  height = 420
}

forall Set x {
  x.icon = Circle {
    strokeWidth : 1.5
    strokeColor : rgba(0.15, 0.3, 0.55, 1)
    fillColor : rgba(0.35, 0.6, 0.95, 0.18)
  }
  -- The label's place is computed from the circle, so Penrose alone cannot drag it.
  x.text = Text {
    center : (x.icon.center[0], x.icon.center[1] + x.icon.r - 16)
    string : x.label
    fontSize : "15px"
    fontFamily : "sans-serif"
    fillColor : rgba(0.1, 0.15, 0.3, 1)
  }
  ensure x.icon.r > 36
  encourage norm(x.icon.center) == 0
  layer x.text above x.icon
}

forall Set x; Set y
where Subset(x, y) {
  ensure contains(y.icon, x.icon, 6)
  ensure disjoint(y.text, x.icon, 4)
  layer x.icon above y.icon
}

forall Set x; Set y
where Disjoint(x, y) {
  ensure disjoint(x.icon, y.icon, 8)
}
`,
};

const GRAPH = {
  variation: "Graph4",
  domain: `type Node

predicate Edge(Node a, Node b)
`,
  substance: `Node a, b, c, d, e, f, g

Edge(a, b)
Edge(a, c)
Edge(b, c)
Edge(c, d)
Edge(d, e)
Edge(d, f)
Edge(e, f)
Edge(f, g)

AutoLabel All
`,
  style: `canvas {
  width = 600
  height = 420
}

const {
  node = 13
  length = 95
}

forall Node x {
  x.icon = Circle {
    r : const.node
    fillColor : rgba(1, 0.85, 0.55, 1)
    strokeColor : rgba(0.6, 0.35, 0.05, 1)
    strokeWidth : 1.5
  }
  x.text = Equation {
    center : x.icon.center
    string : x.label
    fontSize : "15px"
    fillColor : rgba(0.3, 0.15, 0, 1)
  }
  layer x.text above x.icon
}

forall Node x; Node y {
  ensure disjoint(x.icon, y.icon, 24)
  encourage notTooClose(x.icon, y.icon, 12)
}

forall Node x; Node y
where Edge(x, y) as e {
  e.vector = y.icon.center - x.icon.center
  e.unit = unit(e.vector)
  -- Both ends are computed: an edge ends where its nodes begin.
  e.line = Line {
    start : x.icon.center + const.node * e.unit
    end : y.icon.center - const.node * e.unit
    strokeColor : rgba(0.4, 0.4, 0.45, 1)
    strokeWidth : 2
  }
  encourage vdist(x.icon.center, y.icon.center) == const.length
  layer e.line below x.icon
  layer e.line below y.icon
}
`,
};

const VECTORS = {
  variation: "Vectors2",
  domain: `type Vector

predicate Sum(Vector w, Vector u, Vector v)
predicate Orthogonal(Vector u, Vector v)
`,
  substance: `Vector u, v, w, n

Sum(w, u, v)
Orthogonal(n, w)

AutoLabel All
`,
  style: `canvas {
  width = 600
  height = 420
}

forall Vector x {
  x.end = (?, ?)
  x.arrow = Line {
    start : (0, 0)
    end : x.end
    strokeWidth : 2.5
    strokeColor : rgba(0.1, 0.35, 0.6, 1)
    endArrowhead : "straight"
  }
  -- The label is beyond the arrow's head.
  x.text = Equation {
    center : x.end + 16 * unit(x.end)
    string : x.label
    fontSize : "20px"
    fillColor : rgba(0.1, 0.2, 0.35, 1)
  }
  ensure norm(x.end) > 70
  ensure norm(x.end) < 240
}

forall Vector w; Vector u; Vector v
where Sum(w, u, v) as s {
  override w.end = u.end + v.end
  override w.arrow.strokeColor = rgba(0.75, 0.15, 0.3, 1)
  s.first = Line {
    start : u.end
    end : w.end
    strokeStyle : "dashed"
    strokeColor : rgba(0.5, 0.5, 0.55, 1)
  }
  s.second = Line {
    start : v.end
    end : w.end
    strokeStyle : "dashed"
    strokeColor : rgba(0.5, 0.5, 0.55, 1)
  }
  s.cross = u.end[0] * v.end[1] - u.end[1] * v.end[0]
  ensure s.cross / (norm(u.end) * norm(v.end)) > 0.7
}

forall Vector a; Vector b
where Orthogonal(a, b) {
  ensure abs(dot(unit(a.end), unit(b.end))) == 0
}
`,
};

/** @type {Readonly<Record<typeof TRIOS[number], Trio>>} */
export const EXAMPLES = { sets: SETS, graph: GRAPH, vectors: VECTORS };
