"""A Latin square: a grid of square cells, with a number in the middle of each cell."""

from eglantine import diagrams as dg

d = dg.Diagram(260, 260)
board = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
cells = {}
for i, row in enumerate(board):
    for j, digit in enumerate(row):
        fill = "#c9dcf5" if (i // 2 + j // 2) % 2 else "#ffffff"
        cell = cells[i, j] = d.rectangle(name=f"cell {i}{j}", fill=fill)
        d.text(str(digit), x=cell.x, y=cell.y, size=20, layer=1, name=f"digit {i}{j}")
        d.ensure(cell.width == cell.height)
        if j:
            left = cells[i, j - 1]
            d.ensure(dg.same_size(left, cell), dg.equal(cell.x - left.x, cell.width), cell.y == left.y)
        if i:
            d.ensure(dg.same_size(cells[i - 1, j], cell))
            d.ensure(dg.equal(cells[i - 1, j].y - cell.y, cell.height), cell.x == cells[i - 1, j].x)
d.ensure(cells[0, 0].width == 58)
d.encourage(dg.centred(cells[1, 1]))
