"""Ray optics: a thin lens makes an image. Two rays determine the image's position and height."""

from eglantine import diagrams as dg

d = dg.Diagram(420, 220)
focus, place, height = 60, -130, 40
axis = d.line((-205, 0), (205, 0), stroke="#8a8a94", stroke_width=1, name="axis")
d.ellipse(0, 0, 9, 85, name="lens", opacity=0.7)
thing = d.line((place, 0), (place, height), arrow="end", name="object", stroke_width=3, stroke="#b3472f")
image = d.line(arrow="end", name="image", stroke_width=3, stroke="#2f7d4f")
d.ensure(image.y1 == 0, dg.vertical(image))
d.ensure(dg.collinear(thing.end, (0, 0), image.end))
d.ensure(dg.collinear((0, height), (focus, 0), image.end))
for side, name in ((-focus, "focus left"), (focus, "focus right")):
    d.circle(side, 0, 3, name=name, fill="#1b1b1f")
d.line(thing.end, (0, height), stroke="#d99a1c", name="parallel ray in")
d.line((0, height), image.end, stroke="#d99a1c", name="parallel ray out")
d.line(thing.end, image.end, stroke="#d99a1c", name="central ray")
