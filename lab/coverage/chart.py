"""Points and lines in a frame, as SVG."""

COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8d6a9f", "#b08900", "#444444")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 60, 20, 40, 50


def _escaped(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def svg(title, x_label, y_label, series, x_range, y_range):
    """`series`: (name, points, is it a line?) each; ranges: (least, most, step)."""
    def at_x(x):
        return LEFT + (x - x_range[0]) / (x_range[1] - x_range[0]) * (WIDTH - LEFT - RIGHT)

    def at_y(y):
        return HEIGHT - BOTTOM - (y - y_range[0]) / (y_range[1] - y_range[0]) * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="15">{_escaped(title)}</text>']
    for low, most, step, is_x in ((*x_range, True), (*y_range, False)):
        value = low
        while value <= most + step / 2:
            if is_x:
                out.append(f'<line x1="{at_x(value):.1f}" x2="{at_x(value):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>'
                           f'<text x="{at_x(value):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{value:g}</text>')
            else:
                out.append(f'<line y1="{at_y(value):.1f}" y2="{at_y(value):.1f}" x1="{LEFT}" x2="{WIDTH - RIGHT}" stroke="#e4e4e4"/>'
                           f'<text x="{LEFT - 6}" y="{at_y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
            value += step
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{_escaped(x_label)}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{_escaped(y_label)}</text>')
    for number, (name, points, is_line) in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        if is_line:
            line = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in points)
            out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        else:
            out.extend(f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="3" fill="{colour}" fill-opacity="0.6"/>' for x, y in points)
        top = TOP + 14 + 18 * number
        out.append(f'<rect x="{LEFT + 12}" y="{top - 6}" width="12" height="4" fill="{colour}"/>'
                   f'<text x="{LEFT + 30}" y="{top}">{_escaped(name)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
