// Prints results of the fit page's scripts as JSON: pasted tables, quantiles, starts and sums of squares.

const load = (name) => import(new URL(`../../static/js/pages/fit/${name}`, import.meta.url).href);
const [{ readTable }, { studentQuantile }, { starts }, { agreement }, { sumsOver }] = await Promise.all(
  ["pasted.js", "student.js", "starts.js", "fitter.js", "valleys.js"].map(load),
);

const tables = {
  tabs: "time\tvalue\n0,5\t1,25\n1,5\t-2e3\n",
  semicolons: "x;y;s\n1,5;2,5;0,1\n2;3;0,2",
  commas: "x,y\n1.5,2.5\n2,3\n",
  whole: "1,2\n3,4\n",
  listed: "1, 2.5, 0.5\n3, 4, 0.25",
  blanks: "# a comment\n  1.5   2.5\n2 3\n",
  decimal: "1,5 2,5\n2,0 3,0",
  single: "4\n5\n7",
  quoted: "\"1.5\",\"2\"\n\"2.5\",\"x\"",
  minus: "\u22121\t2\n3\t\u22124",
  nothing: "no numbers here\n",
};
const freedoms = [1, 2, 3, 4, 5, 8, 11, 30, 100, 1000];
const points = Array.from({ length: 8 }, (_, k) => [k, k * k, 0, false]);
console.log(JSON.stringify({
  tables: Object.fromEntries(Object.entries(tables).map(([name, text]) => [name, readTable(text)])),
  quantiles: Object.fromEntries([0.05, 0.3173].map((outside) => [outside, freedoms.map((n) => studentQuantile(outside, n))])),
  freedoms,
  starts: starts(points, 3),
  again: starts(points, 3),
  sums: Array.from(sumsOver(([a, b, c]) => [a + 2 * b - c, 3 * b, 1 / (b - 1)], [5, 7, 0.5], [1, 0], [-1, 1, 0, 4], 3)),
  agreement: [agreement(1.5, 1.5), agreement(1.0001, 1), agreement(2, 1), agreement(1e-5, 0)],
}));
