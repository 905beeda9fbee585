#!/usr/bin/env python3
"""usage: font.py FONT.ttf >src/record/render_font.c

Writes the outlines of the characters that pictures use as a table in C. The font of the tree is DejaVu Sans of Debian's
fonts-dejavu-core. Reads TrueType outlines by the standard library alone."""
import struct
import sys

CHARACTERS = [*range(32, 127), 0xB0, 0xB2, 0xB3, 0xB5, 0xB7, 0xD7, 0x2212]


def tables(data):
    count = struct.unpack(">H", data[4:6])[0]
    for i in range(count):
        tag, _, offset, length = struct.unpack(">4sLLL", data[12 + 16 * i:28 + 16 * i])
        yield tag.decode(), data[offset:offset + length]


def glyph_index(cmap, code):
    for i in range(struct.unpack(">H", cmap[2:4])[0]):
        offset = struct.unpack(">L", cmap[8 + 8 * i:12 + 8 * i])[0]
        table = cmap[offset:]
        if struct.unpack(">H", table[:2])[0] != 4:
            continue
        segments = struct.unpack(">H", table[6:8])[0] // 2
        def shorts(at, kind):
            return struct.unpack(f">{segments}{kind}", table[at:at + 2 * segments])
        ends, starts = shorts(14, "H"), shorts(16 + 2 * segments, "H")
        deltas, ranges = shorts(16 + 4 * segments, "h"), shorts(16 + 6 * segments, "H")
        for s in range(segments):
            if not starts[s] <= code <= ends[s]:
                continue
            if ranges[s] == 0:
                return (code + deltas[s]) % 65536
            at = 16 + 6 * segments + 2 * s + ranges[s] + 2 * (code - starts[s])
            return struct.unpack(">H", table[at:at + 2])[0]
    raise SystemExit(f"no glyph for U+{code:04X}")


def contours(font, index):
    """Lists of (x, y, on the curve)."""
    loca = font["loca"][4 * index:4 * index + 8]
    start, end = struct.unpack(">LL", loca)
    g = font["glyf"][start:end]
    if not g:
        return []
    count = struct.unpack(">h", g[:2])[0]
    if count < 0:
        return composite(font, g)
    ends = struct.unpack(f">{count}H", g[10:10 + 2 * count])
    at = 10 + 2 * count
    at += 2 + struct.unpack(">H", g[at:at + 2])[0]
    flags = []
    while len(flags) <= ends[-1]:
        flag = g[at]
        at += 1
        repeats = 0
        if flag & 8:
            repeats = g[at]
            at += 1
        flags += [flag] * (repeats + 1)
    axes = []
    for short, same in ((2, 16), (4, 32)):
        value, values = 0, []
        for flag in flags:
            if flag & short:
                value += g[at] if flag & same else -g[at]
                at += 1
            elif not flag & same:
                value += struct.unpack(">h", g[at:at + 2])[0]
                at += 2
            values.append(value)
        axes.append(values)
    points = [(x, y, flag & 1) for x, y, flag in zip(*axes, flags)]
    return [points[a:b + 1] for a, b in zip([0, *[e + 1 for e in ends[:-1]]], ends)]


def composite(font, g):
    at, out, more = 10, [], True
    while more:
        flags, index = struct.unpack(">HH", g[at:at + 4])
        at += 4
        dx, dy = struct.unpack(">hh" if flags & 1 else ">bb", g[at:at + (4 if flags & 1 else 2)])
        at += (4 if flags & 1 else 2) + (2 if flags & 8 else 4 if flags & 64 else 8 if flags & 128 else 0)
        out += [[(x + dx, y + dy, on) for x, y, on in c] for c in contours(font, index)]
        more = flags & 32
    return out


def main():
    font = dict(tables(open(sys.argv[1], "rb").read()))
    em = struct.unpack(">H", font["head"][18:20])[0]
    widths = struct.unpack(">H", font["hhea"][34:36])[0]
    outlines, glyphs = [], []
    for code in CHARACTERS:
        index = glyph_index(font["cmap"], code)
        advance = struct.unpack(">H", font["hmtx"][4 * min(index, widths - 1):][:2])[0]
        glyphs.append((code, advance, len(outlines)))
        for contour in contours(font, index):
            outlines.append(len(contour))
            for x, y, on in contour:
                outlines += [2 * x + on, y]
        outlines.append(0)
    print("/* Outlines of DejaVu Sans, written by tools/font.py. Do not edit.\n *")
    print(" * Fonts are (c) Bitstream (see below). DejaVu changes are in public domain.")
    print(" * Bitstream Vera is a trademark of Bitstream, Inc. Copyright (c) 2003 by Bitstream, Inc. All Rights")
    print(" * Reserved. Licence: https://dejavu-fonts.github.io/License.html */")
    print('#include "record/render_font.h"\n\n/* clang-format off */')
    print(f"const int cord__font_em = {em};\n\nconst font_glyph cord__font_glyphs[] = {{")
    for i in range(0, len(glyphs), 6):
        print("    " + " ".join(f"{{{c}, {w}, {s}}}," for c, w, s in glyphs[i:i + 6]))
    print("    {0, 0, 0},\n};\n\nconst short cord__font_outlines[] = {")
    for i in range(0, len(outlines), 20):
        print("    " + ", ".join(map(str, outlines[i:i + 20])) + ",")
    print("};\n/* clang-format on */")


main()
