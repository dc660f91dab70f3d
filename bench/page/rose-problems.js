// The problems of bench/problems.py for npm `rose`, in the style of the programs that Rose's authors wrote: with calls of small
// functions, and with vectors made element by element. Rose has no loop for a simulation's steps, so we write a call for each.

/** @param {any} rose the package's exports */
export function roseProblems(rose) {
  const { Dual, Real, Vec, add, and, div, fn, ilt, lt, mul, neg, opaque, select, sqrt, struct, sub, sum, vec, vjp } = rose;

  /** Makes the Rose function that `kind` names: f ("value"), its gradient, or both. `Argument` is the type of f's argument.
   * @param {any} Argument @param {any} f @param {string} kind */
  const derived = (Argument, f, kind) => {
    if (kind === "value") return f;
    if (kind === "gradient") return fn([Argument], Argument, (/** @type {any} */ argument) => vjp(f)(argument).grad(1));
    return fn([Argument], struct({ value: Real, gradient: Argument }), (/** @type {any} */ argument) => {
      const { ret, grad } = vjp(f)(argument);
      return { value: ret, gradient: grad(1) };
    });
  };

  /** Σ √distance over all pairs of points. The inner loop only needs the points before point i. But Rose's loops have a
   * constant length, so the inner loop visits all points, and adds 0 for points that are not before i.
   * @param {string} kind @param {number} scale @param {number} n */
  const pairs = (kind, scale, n) => {
    const Points = struct({ x: Vec(n, Real), y: Vec(n, Real) });
    const f = fn([Points], Real, (/** @type {any} */ { x, y }) => {
      const total = sum(n, (/** @type {any} */ i) => sum(n, (/** @type {any} */ j) => {
        const isEarlier = ilt(n, j, i);
        const [dx, dy] = [sub(x[i], x[j]), sub(y[i], y[j])];
        const squared = select(isEarlier, Real, add(mul(dx, dx), mul(dy, dy)), 1);
        return select(isEarlier, Real, sqrt(sqrt(squared)), 0);
      }));
      return mul(scale, total);
    });
    return derived(Points, f, kind);
  };

  /** @param {string} kind @param {number} scale @param {number} n */
  const unrolled = (kind, scale, n) => {
    const Points = struct({ x: Vec(n, Real), y: Vec(n, Real) });
    const f = fn([Points], Real, (/** @type {any} */ { x, y }) => {
      let total = 0;
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) {
          const [dx, dy] = [sub(x[i], x[j]), sub(y[i], y[j])];
          total = add(total, sqrt(sqrt(add(mul(dx, dx), mul(dy, dy)))));
        }
      }
      return mul(scale, total);
    });
    return derived(Points, f, kind);
  };

  /** @param {string} kind @param {number} scale @param {number} links */
  const chain = (kind, scale, links) => {
    const Place = struct({ x: Real, y: Real });
    const f = fn([Place], Real, (/** @type {any} */ { x, y }) => {
      let v = x;
      for (let k = 0; k < links; k++) v = sqrt(add(mul(v, x), y));
      return mul(scale, mul(v, x));
    });
    return derived(Place, f, kind);
  };

  const Vec2 = Vec(2, Real);
  const plus = fn([Vec2, Vec2], Vec2, (/** @type {any} */ a, /** @type {any} */ b) => vec(2, Real, (/** @type {any} */ k) => add(a[k], b[k])));
  const minus = fn([Vec2, Vec2], Vec2, (/** @type {any} */ a, /** @type {any} */ b) => vec(2, Real, (/** @type {any} */ k) => sub(a[k], b[k])));
  const times = fn([Real, Vec2], Vec2, (/** @type {any} */ c, /** @type {any} */ v) => vec(2, Real, (/** @type {any} */ k) => mul(c, v[k])));
  const dot = fn([Vec2, Vec2], Real, (/** @type {any} */ a, /** @type {any} */ b) => add(mul(a[0], b[0]), mul(a[1], b[1])));
  const norm = fn([Vec2], Real, (/** @type {any} */ v) => sqrt(dot(v, v)));
  const smaller = fn([Real, Real], Real, (/** @type {any} */ a, /** @type {any} */ b) => select(lt(a, b), Real, a, b));

  /** Billiards with the given number of steps, as a function of the cue ball's x and v. @param {string} kind @param {number} scale @param {number} steps */
  const billiards = (kind, scale, steps) => {
    const [radius, dt, layers, goal] = [0.03, 0.003, 4, [0.9, 0.75]];
    const rack = [];
    for (let i = 0; i < layers; i++) {
      for (let j = 0; j <= i; j++) rack.push([0.5 + 2 * radius * i, 0.5 + 2 * radius * j - 0.7 * radius * i]);
    }
    const n = 1 + rack.length;
    const Balls = Vec(n, Vec2);
    const collision = fn([Vec2, Vec2, Vec2, Vec2], struct({ shift: Vec2, impulse: Vec2 }),
      (/** @type {any} */ xi, /** @type {any} */ xj, /** @type {any} */ vi, /** @type {any} */ vj) => {
        const d = minus(plus(xi, times(dt, vi)), plus(xj, times(dt, vj)));
        const distance = norm(d);
        const u = times(div(1, add(distance, 1e-6)), d);
        const approach = dot(u, minus(vi, vj));
        const collide = and(lt(distance, 2 * radius), lt(approach, 0));
        const impulse = select(collide, Vec2, times(mul(-0.9, approach), u), [0, 0]);
        const time = div(sub(distance, 2 * radius), smaller(-1e-3, approach));
        const shift = select(collide, Vec2, times(smaller(sub(time, dt), 0), impulse), [0, 0]);
        return { shift, impulse };
      });
    const step = fn([Balls, Balls], struct({ x: Balls, v: Balls }), (/** @type {any} */ x0, /** @type {any} */ v0) => {
      const [x, v] = [[], []];
      for (let i = 0; i < n; i++) {
        let moved = x0[i];
        let speed = v0[i];
        for (let j = 0; j < n; j++) {
          if (i === j) continue;
          const { shift, impulse } = collision(x0[i], x0[j], v0[i], v0[j]);
          moved = plus(moved, shift);
          speed = plus(speed, impulse);
        }
        v.push(speed);
        x.push(plus(moved, times(dt, speed)));
      }
      return { x, v };
    });
    const Cue = struct({ x: Vec2, v: Vec2 });
    const f = fn([Cue], Real, (/** @type {any} */ cue) => {
      let state = { x: [cue.x, ...rack], v: [cue.v, ...rack.map(() => [0, 0])] };
      for (let t = 0; t < steps; t++) state = step(state.x, state.v);
      const miss = minus(state.x[n - 1], goal);
      return mul(scale, dot(miss, miss));
    });
    return derived(Cue, f, kind);
  };

  // Operations that Rose lacks are opaque functions with our own derivatives.
  const tanh = opaque([Real], Real, Math.tanh);
  tanh.jvp = fn([Dual], Dual, (/** @type {any} */ { re: x, du: dx }) => {
    const y = tanh(x);
    return { re: y, du: mul(dx, sub(1, mul(y, y))) };
  });
  const sin = opaque([Real], Real, Math.sin);
  const cos = opaque([Real], Real, Math.cos);
  sin.jvp = fn([Dual], Dual, (/** @type {any} */ { re: x, du: dx }) => ({ re: sin(x), du: mul(dx, cos(x)) }));
  cos.jvp = fn([Dual], Dual, (/** @type {any} */ { re: x, du: dx }) => ({ re: cos(x), du: mul(dx, neg(sin(x))) }));

  /** The robot with the given number of steps, as a function of the network's weights.
   * @param {string} kind @param {number} scale @param {{objects: number[][], springs: any[]}} spec @param {number} steps */
  const robot = (kind, scale, { objects, springs }, steps) => {
    const [dt, waves, width, goal] = [0.004, 10, 32, [0.9, 0.2]];
    const n = objects.length;
    const inputs = waves + 4 * n + 2;
    const kept = Math.exp(-15 * dt);
    const Masses = Vec(n, Vec2);
    const Hidden = Vec(width, Real);
    const Acts = Vec(springs.length, Real);
    const W1 = Vec(width, Vec(inputs, Real));
    const W2 = Vec(springs.length, Hidden);
    const layer = fn([Real, Masses, Masses, Vec2, W1, Hidden], Hidden,
      (/** @type {any} */ t, /** @type {any} */ x, /** @type {any} */ v, /** @type {any} */ centre, /** @type {any} */ w, /** @type {any} */ b) =>
        vec(width, Real, (/** @type {any} */ k) => {
          let total = b[k];
          for (let j = 0; j < waves; j++) {
            total = add(total, mul(w[k][j], sin(add(mul(10 * dt, t), (2 * Math.PI * j) / waves))));
          }
          for (let j = 0; j < n; j++) {
            const from = minus(x[j], centre);
            [from[0], from[1], v[j][0], v[j][1]].forEach((seen, c) => {
              total = add(total, mul(mul(w[k][waves + 4 * j + c], seen), 0.05));
            });
          }
          total = add(total, mul(w[k][inputs - 2], sub(goal[0], centre[0])));
          return tanh(add(total, mul(w[k][inputs - 1], sub(goal[1], centre[1]))));
        }));
    const actuate = fn([W2, Hidden, Acts], Acts, (/** @type {any} */ w, /** @type {any} */ hidden, /** @type {any} */ b) =>
      springs.map((_, i) => {
        let total = b[i];
        for (let k = 0; k < width; k++) total = add(total, mul(w[i][k], hidden[k]));
        return tanh(total);
      }));
    const pull = fn([Masses, Acts], Masses, (/** @type {any} */ x, /** @type {any} */ acts) => {
      /** @type {any[]} */
      const pulled = objects.map(() => [0, 0]);
      springs.forEach(({ a, b, rest_length: rest, stiffness, actuation }, i) => {
        const d = minus(x[a], x[b]);
        const length = add(norm(d), 1e-4);
        const target = mul(rest, add(1, mul(acts[i], actuation)));
        const impulse = times(div(mul(dt * stiffness, sub(length, target)), length), d);
        pulled[a] = minus(pulled[a], impulse);
        pulled[b] = plus(pulled[b], impulse);
      });
      return pulled;
    });
    const State = struct({ x: Masses, v: Masses });
    const move = fn([Masses, Masses, Masses], State, (/** @type {any} */ x, /** @type {any} */ v, /** @type {any} */ pulled) => {
      const after = { x: /** @type {any[]} */ ([]), v: /** @type {any[]} */ ([]) };
      for (let i = 0; i < n; i++) {
        const speed = plus(plus(times(kept, v[i]), [0, dt * -4.8]), pulled[i]);
        const lands = and(lt(plus(x[i], times(dt, speed))[1], 0.1), lt(speed[1], -1e-4));
        const impact = select(lands, Real, div(neg(sub(x[i][1], 0.1)), speed[1]), 0);
        const rest = select(lands, Vec2, [0, 0], speed);
        after.x.push(plus(plus(x[i], times(impact, speed)), times(sub(dt, impact), rest)));
        after.v.push(rest);
      }
      return after;
    });
    const step = fn([Real, Masses, Masses, W1, Hidden, W2, Acts], State,
      (/** @type {any} */ t, /** @type {any} */ x, /** @type {any} */ v, /** @type {any} */ w1, /** @type {any} */ b1, /** @type {any} */ w2, /** @type {any} */ b2) => {
        let centre = [0, 0];
        for (let j = 0; j < n; j++) centre = plus(centre, x[j]);
        const hidden = layer(t, x, v, times(1 / n, centre), w1, b1);
        return move(x, v, pull(x, actuate(w2, hidden, b2)));
      });
    const Weights = struct({ w1: W1, b1: Hidden, w2: W2, b2: Acts });
    const f = fn([Weights], Real, (/** @type {any} */ { w1, b1, w2, b2 }) => {
      /** @type {any} */
      let state = { x: objects, v: objects.map(() => [0, 0]) };
      for (let t = 0; t < steps; t++) state = step(t, state.x, state.v, w1, b1, w2, b2);
      return mul(scale, neg(state.x[0][0]));
    });
    return derived(Weights, f, kind);
  };

  return { pairs, unrolled, chain, billiards, robot };
}
