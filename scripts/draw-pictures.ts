// Draws the icons and the Open Graph picture from public/icon.svg and the page's drawings. Run `npm run pictures` after
// changing one of them.
import { readFile, writeFile } from "node:fs/promises";
import { type Browser, chromium } from "@playwright/test";
import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createServer } from "vite";
import { findBrowser, NO_BROWSER } from "./find-browser.ts";

const NIGHT = "#0b1220";

const icon = await readFile("public/icon.svg", "utf8");
const executablePath = findBrowser();
if (!executablePath) throw new Error(NO_BROWSER);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
await drawIcon("icon-192.png", 192);
await drawIcon("icon-512.png", 512);
await drawIcon("apple-touch-icon.png", 180, { background: NIGHT });
await drawIcon("icon-maskable-512.png", 512, { background: NIGHT, marginPercent: 10 });
await writeFile("public/favicon.ico", icoOf(await drawIcon(undefined, 32), 32));
await drawOpenGraphPicture(browser);
await browser.close();

interface IconStyle {
  background?: string;
  marginPercent?: number;
}

async function drawIcon(name: string | undefined, sizePx: number, style: IconStyle = {}): Promise<Buffer> {
  const { background = "transparent", marginPercent = 0 } = style;
  const page = await browser.newPage({ viewport: { width: sizePx, height: sizePx } });
  await page.setContent(
    `<style>body{margin:0;background:${background};padding:${marginPercent}%;box-sizing:border-box}svg{display:block;width:100%}</style>${icon}`,
  );
  const png = await page.screenshot({ omitBackground: true, ...(name ? { path: `public/${name}` } : {}) });
  await page.close();
  return png;
}

async function drawOpenGraphPicture(on: Browser): Promise<void> {
  const vite = await createServer({ configFile: false, appType: "custom", server: { middlewareMode: true } });
  const { Roofline } = await vite.ssrLoadModule("/src/web/components/roofline.tsx");
  const { Lantern } = await vite.ssrLoadModule("/src/web/components/lantern.tsx");
  await vite.close();
  const font = await readFile(
    "node_modules/@fontsource-variable/onest/files/onest-latin-wght-normal.woff2",
    "base64",
  );
  const page = await on.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(`<style>
    @font-face{font-family:Onest;font-weight:100 900;src:url(data:font/woff2;base64,${font})}
    body{margin:0;height:630px;overflow:hidden;position:relative;color:#eaeff9;font:700 132px/1 Onest;letter-spacing:-.03em;
      background:linear-gradient(180deg,${NIGHT} 0%,#101b33 55%,#1d2b4b 100%)}
    svg[viewBox="0 0 1440 260"]{position:absolute;inset:auto 0 0;width:100%;height:290px}
    .lantern{position:absolute;left:150px;top:120px}
    .lantern>div{height:240px;position:relative}
    .lantern>div>div:first-child{position:absolute;left:50%;top:50%;width:900px;height:900px;transform:translate(-50%,-50%);
      background:radial-gradient(closest-side,rgb(245 165 36/.36),rgb(245 165 36/.12) 38%,transparent 72%)}
    .lantern>div>div:nth-child(2){position:absolute;left:50%;bottom:100%;width:3px;height:200px;background:#3a486b}
    .lantern svg{height:240px;position:relative}
    .name{position:absolute;left:380px;top:196px}
  </style>
  ${markupOf(Roofline)}<div class="lantern">${markupOf(Lantern)}</div><div class="name">Sereno</div>`);
  await page.evaluate("document.fonts.ready");
  await page.screenshot({ path: "public/open-graph.png" });
}

function markupOf(component: FunctionComponent): string {
  return renderToStaticMarkup(createElement(component));
}

/** An .ico file is a small header followed by a PNG. */
function icoOf(png: Buffer, sizePx: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(sizePx, 6);
  head.writeUInt8(sizePx, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
