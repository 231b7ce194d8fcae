import { fileURLToPath } from "node:url";
import { renderAsync } from "@resvg/resvg-js";

/** Onest, as on the pages. A machine without fonts draws the same letters. */
const FONT_FILE = fileURLToPath(new URL("./font/onest-semibold.ttf", import.meta.url));

/** Renders an SVG as PNG, on another thread. */
export async function rasterize(svg: string): Promise<Uint8Array> {
  const picture = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [FONT_FILE], defaultFontFamily: "Onest" },
  });
  return picture.asPng();
}
