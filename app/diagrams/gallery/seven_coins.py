"""Seven coins: six coins around a middle coin. Each outer coin touches the middle coin and two neighbours."""

from eglantine import diagrams as dg

d = dg.Diagram(280, 280)
middle = d.circle(name="middle", fill="#f3c969")
ring = [d.circle(name=f"coin {k}") for k in range(1, 7)]
for k, coin in enumerate(ring):
    d.ensure(dg.same_size(middle, coin), dg.touching(middle, coin), dg.disjoint(coin, ring[k - 1]))
    d.ensure(dg.disjoint(coin, ring[k - 2]), dg.disjoint(coin, ring[k - 3]))
d.ensure(middle.r == 40)
d.encourage(dg.centred(middle))
