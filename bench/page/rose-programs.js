// The benches' programs, written for npm `rose` with its documented interface.

/** @param {any} rose the package's exports */
export function rosePrograms(rose) {
  const { Dual, Real, Vec, add, compile, div, fn, mul, neg, opaque, sqrt, struct, sub, sum, vjp } = rose;

  // Operations that Rose lacks are opaque functions with our own derivatives, as in the package's README.
  const unary = (/** @type {any} */ host, /** @type {any} */ derivative) => {
    const f = opaque([Real], Real, host);
    f.jvp = fn([Dual], Dual, (/** @type {any} */ { re: x, du: dx }) => {
      const y = f(x);
      return { re: y, du: mul(dx, derivative(x, y)) };
    });
    return f;
  };
  const log = unary(Math.log, (/** @type {any} */ x) => div(1, x));
  const exp = unary(Math.exp, (/** @type {any} */ _, /** @type {any} */ y) => y);
  // Sine and cosine need each other's derivative, to any order.
  const sin = opaque([Real], Real, Math.sin);
  const cos = opaque([Real], Real, Math.cos);
  sin.jvp = fn([Dual], Dual, (/** @type {any} */ { re: x, du: dx }) => ({ re: sin(x), du: mul(dx, cos(x)) }));
  cos.jvp = fn([Dual], Dual, (/** @type {any} */ { re: x, du: dx }) => ({ re: cos(x), du: mul(dx, neg(sin(x))) }));
  const pow = opaque([Real, Real], Real, Math.pow);
  pow.jvp = fn([Dual, Dual], Dual, (/** @type {any} */ { re: x, du: dx }, /** @type {any} */ { re: y, du: dy }) => {
    const z = pow(x, y);
    return { re: z, du: mul(add(mul(dx, div(y, x)), mul(dy, log(x))), z) };
  });
  const square = (/** @type {any} */ x) => mul(x, x);

  /** The formulas of bench/specs.py. @type {Record<string, (x: any, y: any, K: number) => any>} */
  const formulas = {
    power: (x, y, K) => add(pow(x, y), K),
    short: (x, y, K) => add(mul(sin(x), square(y)), div(x, add(K, y))),
    medium: (x, y, K) => {
      const bell = exp(div(neg(add(square(x), square(y))), K));
      return add(mul(bell, cos(mul(mul(3, x), y))), mul(log(add(1, square(x))), sqrt(add(square(y), 1))));
    },
    long: (x, y, K) => {
      const terms = [
        sub(mul(square(x), x), mul(mul(3, x), square(y))),
        mul(sin(add(mul(2, x), y)), exp(div(neg(square(x)), 4))),
        div(log(add(add(1, square(x)), square(y))), add(2, cos(mul(x, y)))),
        mul(mul(sqrt(add(1, square(sub(x, y)))), sin(x)), cos(y)),
        neg(mul(K, exp(div(neg(add(square(sub(x, 1)), square(add(y, 1)))), 2)))),
        mul(pow(x, y), log(add(x, 2))),
      ];
      return terms.reduce((a, b) => add(a, b));
    },
  };

  const Vec2 = Vec(2, Real);
  const Jet = struct({ f: Real, g: Vec2, h: Vec(2, Vec2) });

  /** One Rose function for value, gradient and Hessian. (Three functions, as in Rose's README, take longer to compile.) */
  const jet = (/** @type {string} */ key, /** @type {number} */ K) => {
    const f = fn([Vec2], Real, (/** @type {any} */ [x, y]) => formulas[key](x, y, K));
    const g = fn([Vec2], Vec2, (/** @type {any} */ v) => vjp(f)(v).grad(1));
    return fn([Vec2], Jet, (/** @type {any} */ v) => {
      const { ret, grad } = vjp(g)(v);
      return { f: f(v), g: ret, h: [grad([1, 0]), grad([0, 1])] };
    });
  };

  /** @type {Record<string, (a: any, b: any) => any>} the kinds of bench/specs.py */
  const operations = {
    mean: (a, b) => mul(add(a, b), 0.5),
    difference: (a, b) => mul(sub(a, b), 0.5),
    product: (a, b) => mul(a, b),
    root: (a, b) => mul(sqrt(add(add(mul(a, a), mul(b, b)), 0.5)), 0.5),
    ratio: (a, b) => div(a, add(mul(b, b), 1)),
  };

  /** Value and gradient of a straight-line program. */
  const straightLine = (/** @type {[string, number, number][]} */ instructions, /** @type {number} */ inputs, /** @type {number} */ scale) => {
    const Inputs = Vec(inputs, Real);
    const f = fn([Inputs], Real, (/** @type {any} */ v) => {
      const values = Array.from({ length: inputs }, (_, k) => mul(v[k], scale));
      for (const [kind, a, b] of instructions) values.push(operations[kind](values[a], values[b]));
      return values.slice(-inputs).reduce((a, b) => add(a, b));
    });
    return fn([Inputs], struct({ value: Real, gradient: Inputs }), (/** @type {any} */ v) => {
      const { ret, grad } = vjp(f)(v);
      return { value: ret, gradient: grad(1) };
    });
  };

  /** The gradient of a linear regression's mean squared error with respect to weights and offset. */
  const regression = (/** @type {number} */ n, /** @type {number} */ m, scale = 1) => {
    const Weights = Vec(m, Real);
    const X = Vec(n, Weights);
    const Y = Vec(n, Real);
    const loss = fn([struct({ x: X, y: Y, w: Weights, b: Real })], Real, (/** @type {any} */ { x, y, w, b }) => {
      const total = sum(n, (/** @type {any} */ i) => {
        const row = x[i];
        return square(sub(add(sum(m, (/** @type {any} */ j) => mul(row[j], w[j])), b), y[i]));
      });
      return div(mul(scale, total), n);
    });
    const Gradient = struct({ w: Weights, b: Real });
    return fn([X, Y, Weights, Real], Gradient, (/** @type {any} */ x, /** @type {any} */ y, /** @type {any} */ w, /** @type {any} */ b) => {
      const ct = vjp(loss)({ x, y, w, b }).grad(1);
      return { w: ct.w, b: ct.b };
    });
  };

  return { compile, jet, straightLine, regression };
}
