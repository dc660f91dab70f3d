"""A block at rest on a slope. The sum of its weight, the normal force and the friction force is zero."""

from eglantine import diagrams as dg
from eglantine import math as m

d = dg.Diagram(340, 260)
angle = 0.5
slope = d.polygon([(-150, -100), (150, -100), (150, -100 + 300 * m.tan(angle))], name="slope")
along, out = (m.cos(angle), m.sin(angle)), (-m.sin(angle), m.cos(angle))
ball = d.circle(r=20, name="block", fill="#f3c969", layer=1)
d.ensure(dg.touching(ball, slope))
d.encourage(dg.centred((ball.x, 0)), weight=0.1)
weight = d.line(ball, arrow="end", name="weight", stroke="#b3472f", layer=2)
normal = d.line(ball, arrow="end", name="normal force", stroke="#2b5c9e", layer=2)
friction = d.line(ball, arrow="end", name="friction", stroke="#2f7d4f", layer=2)
force = {line: (line.x2 - line.x1, line.y2 - line.y1) for line in (weight, normal, friction)}
d.ensure(force[weight][0] == 0.0 * ball.x, force[weight][1] == 0.0 * ball.x - 80)
d.ensure(force[normal][0] * along[0] + force[normal][1] * along[1] == 0)
d.ensure(force[friction][0] * out[0] + force[friction][1] * out[1] == 0)
for axis in (0, 1):
    d.ensure(sum(force[line][axis] for line in force) == 0)
