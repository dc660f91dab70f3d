"""A word cloud: all words are as near to the middle as possible, but no two overlap."""

from itertools import combinations

from eglantine import diagrams as dg

d = dg.Diagram(380, 260, seed=4)
words = {
    "gradient": 40,
    "tape": 26,
    "dual": 28,
    "reverse": 30,
    "chain rule": 24,
    "loop": 20,
    "adjoint": 24,
    "Hessian": 26,
    "seed": 18,
    "Jacobian": 22,
    "sweep": 18,
    "scan": 16,
    "forward": 22,
    "trace": 18,
}
shown = [d.text(word, size=size, name=word, fill="#2b5c9e") for word, size in words.items()]
for a, b in combinations(shown, 2):
    d.ensure(dg.disjoint(a, b, 3))
for word in shown:
    d.encourage(dg.centred(word), weight=0.05)
