"""A flow chart: steps from top to bottom, a branch, and arrows from the border of one step to the next."""

from eglantine import diagrams as dg

d = dg.Diagram(320, 340)
steps = {"start": 0, "guess x": 1, "f(x) small?": 2, "x − f / f′": 3, "print x": 3}
boxes = {}
for name in steps:
    label = d.text(name, size=14, name=f"label {name}", layer=1)
    boxes[name] = d.rectangle(label.x, label.y, label.width + 20, 30, name=name)
start, guess, test, step, show = boxes.values()
for upper, lower in ((start, guess), (guess, test), (test, step), (test, show)):
    d.ensure(dg.above(upper, lower, 40))
    d.line(
        (upper.x, upper.y - 15), (lower.x, lower.y + 15), arrow="end", name=f"{upper.name} to {lower.name}"
    )
    d.encourage(dg.near(upper, lower))
d.ensure(start.x == guess.x, guess.x == test.x, step.y == show.y, dg.left_of(step, show, 40))
d.ensure(dg.equal(test.x - step.x, show.x - test.x))
d.encourage(dg.centred((test.x, (start.y + step.y) / 2)))
