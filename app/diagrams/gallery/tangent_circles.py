"""The problem of Apollonius: one circle touches three others from outside."""

from eglantine import diagrams as dg

d = dg.Diagram(300, 300)
given = [d.circle(r=r, name=name) for r, name in ((55, "A"), (40, "B"), (30, "C"))]
for k, one in enumerate(given):
    d.ensure(dg.touching(one, given[k - 1]))
inner = d.circle(name="inner", fill="#f3c969")
outer = d.circle(name="outer", fill="none", stroke="#b3472f", in_canvas=False)
for one in given:
    d.ensure(dg.touching(inner, one), dg.touching(outer, one, inside=True))
d.encourage(dg.centred(outer))
