const SVG = "http://www.w3.org/2000/svg";

/**
 * Stands in for a picture by URL: a street at night, always the same for the same address. The console
 * fetches nothing from outside.
 */
export function drawPicture(seedText: string): SVGSVGElement {
  const random = randomFrom(seedText);
  const picture = shape("svg", {
    viewBox: "0 0 300 200",
    role: "img",
    "aria-label": "Picture of the listing",
  });
  const hue = 215 + Math.round(random() * 25);
  picture.append(
    shape("rect", { width: 300, height: 200, fill: `hsl(${hue} 45% 16%)` }),
    shape("circle", { cx: 40 + random() * 220, cy: 28 + random() * 26, r: 9, fill: "#f6ecd2", opacity: 0.9 }),
  );
  for (let left = -10; left < 300; ) {
    const width = 46 + random() * 46;
    const height = 80 + random() * 78;
    picture.append(...house({ left, width, height, hue, random }));
    left += width + 3;
  }
  picture.append(shape("rect", { y: 188, width: 300, height: 12, fill: `hsl(${hue} 40% 9%)` }));
  return picture;
}

type House = { left: number; width: number; height: number; hue: number; random: () => number };

function house({ left, width, height, hue, random }: House): SVGElement[] {
  const top = 190 - height;
  const fill = `hsl(${random() > 0.6 ? 18 : hue} ${20 + random() * 20}% ${22 + random() * 14}%)`;
  const parts = [shape("rect", { x: left, y: top, width, height, rx: 2, fill })];
  parts.push(shape("rect", { x: left - 2, y: top - 4, width: width + 4, height: 5, fill: "#00000055" }));
  const columns = Math.max(2, Math.floor(width / 18));
  const step = width / columns;
  for (let y = top + 12; y < 172; y += 24) {
    for (let column = 0; column < columns; column += 1) {
      const isLit = random() > 0.62;
      parts.push(
        shape("rect", {
          x: left + column * step + step / 2 - 4.5,
          y,
          width: 9,
          height: 14,
          rx: 1,
          fill: isLit ? "#ffd98a" : "#0b122099",
        }),
      );
    }
  }
  return parts;
}

function shape<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Mulberry32 over a hash of the text. */
function randomFrom(text: string): () => number {
  let state = 0;
  for (const char of text) state = (Math.imul(state, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
