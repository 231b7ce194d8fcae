import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "hono";
import { StartError } from "#backend/postgres/start-error.ts";
import { basePathOf, languageOfPath, localizedPath } from "#core/languages.ts";
import { sitePath } from "#core/site-path.ts";
import type { Operator } from "../monitoring/operator-settings.ts";
import { fillPlaceholders } from "./fill-placeholders.ts";
import { contentSecurityPolicy, WORKER_POLICY } from "./security-headers.ts";

export type Encoding = "br" | "gzip" | "identity";

export type WebFile = {
  headers: Record<string, string>;
  etag: string;
  body: (encoding: Encoding) => Promise<Uint8Array<ArrayBuffer>>;
  isCompressible: boolean;
};

export type WebApp = {
  /** A page by its path without a trailing slash, or a file by its name. */
  find: (path: string) => WebFile | undefined;
  notFound: (path: string) => WebFile | undefined;
  all: () => Iterable<[path: string, file: WebFile]>;
};

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".xml": "application/xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

const BINARY = new Set([".png", ".ico", ".webp", ".woff2"]);

const WORKER = "/worker.js";
/** Browsers that have a service worker look for a newer one whenever a page is opened. This one ends it. */
const NO_WORKER = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  await self.registration.unregister();
})()));
`;

/** Loads the built web app into memory: it has a few megabytes, and no request can name a path on the disk. */
export async function loadWebApp(options: {
  folder: string;
  siteUrl: string;
  supabaseUrl: string | undefined;
  mapTilesUrl?: string | undefined;
  operator: Operator;
  /** The site that may frame the pages of the Mini App; undefined if it is not offered. */
  appFramedBy?: string | undefined;
  /** False replaces the service worker by one that removes itself. */
  offlinePages?: boolean;
  /** Packs scripts as small as possible after their first answer, which does not wait for that: 7 % less on the wire. */
  packsSmaller?: boolean;
  /** Folders with the assets of earlier builds, the newest first. */
  olderAssets?: readonly string[];
}): Promise<WebApp> {
  const files = await readFiles(options.folder, options).catch((cause) => {
    throw new StartError("The web app is not built; `npm run serve` builds it before it starts.", { cause });
  });
  for (const folder of options.olderAssets ?? []) {
    for (const [path, file] of await readFiles(folder, options)) if (!files.has(path)) files.set(path, file);
  }
  if (options.offlinePages === false) files.set(WORKER, makeFile(WORKER, Buffer.from(NO_WORKER), options));
  const missing = (path: string) => files.get(localizedPath("/404", languageOfPath(path)));
  return {
    find: (path) => files.get(path),
    notFound: (path) => missing(path) ?? files.get("/404"),
    all: () => files,
  };
}

async function readFiles(folder: string, options: FileOptions): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, WebFile>();
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && TYPES[extname(entry.name)])
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const name = `/${relative(folder, path).split(sep).join("/")}`;
        files.set(addressOf(name), makeFile(name, await readFile(path), options));
      }),
  );
  return files;
}

const isOfMiniApp = (path: string) => /^\/app(?:\/|$)/.test(basePathOf(path));

function addressOf(name: string): string {
  if (name === "/index.html") return "/";
  return name.endsWith("/index.html") ? name.slice(0, -"/index.html".length) : name;
}

type FileOptions = {
  siteUrl: string;
  supabaseUrl: string | undefined;
  mapTilesUrl?: string | undefined;
  operator: Operator;
  appFramedBy?: string | undefined;
  packsSmaller?: boolean;
};

function makeFile(name: string, raw: Buffer, options: FileOptions): WebFile {
  const extension = extname(name);
  const isCompressible = !BINARY.has(extension);
  const filled = isCompressible
    ? fillPlaceholders(raw.toString("utf8"), { ...options, extension })
    : undefined;
  const bytes = filled ? Buffer.from(filled.text) : raw;
  const isForever = name.startsWith("/assets/") && !filled?.namesOperator;
  const headers: Record<string, string> = {
    "content-type": TYPES[extension] ?? "application/octet-stream",
    "cache-control": isForever ? "public, max-age=31536000, immutable" : "no-cache",
    ...(isCompressible ? { vary: "accept-encoding" } : {}),
  };
  if (filled && extension === ".html") {
    const framedBy = isOfMiniApp(addressOf(name)) ? options.appFramedBy : undefined;
    headers["content-security-policy"] = contentSecurityPolicy({ html: filled.text, framedBy, ...options });
  }
  if (name === WORKER) headers["content-security-policy"] = WORKER_POLICY;
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return {
    headers,
    etag,
    isCompressible,
    body: compressOnce(Uint8Array.from(bytes), isForever && options.packsSmaller),
  };
}

function compressOnce(bytes: Uint8Array<ArrayBuffer>, packsSmaller = false): WebFile["body"] {
  const made = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>([["identity", Promise.resolve(bytes)]]);
  return (encoding) => {
    const known = made.get(encoding);
    if (known !== undefined) return known;
    const body = compress(bytes, encoding, QUICK);
    made.set(encoding, body);
    if (packsSmaller && encoding === "br") packSmaller(bytes, (small) => made.set("br", small));
    return body;
  };
}

const QUICK = 9;
let packing: Promise<unknown> = Promise.resolve();

/** One file at a time: it takes five times as long, and requests need the processor too. */
function packSmaller(bytes: Uint8Array, done: (small: Promise<Uint8Array<ArrayBuffer>>) => void): void {
  packing = packing
    .then(async () => {
      done(Promise.resolve(await compress(bytes, "br", constants.BROTLI_MAX_QUALITY)));
    })
    // The file stays as it was first packed, and the next one is packed.
    .catch(() => {});
}

async function compress(
  bytes: Uint8Array,
  encoding: Encoding,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const packed =
    encoding === "br"
      ? await promisify(brotliCompress)(bytes, { params })
      : await promisify(gzip)(bytes, { level: 9 });
  return Uint8Array.from(packed);
}

/** Serves a page or file of the web app, or its 404 page. */
export async function serveWeb(context: Context, web: WebApp): Promise<Response> {
  const { path } = context.req;
  if (path.length > 1 && path.endsWith("/") && web.find(path.slice(0, -1))) {
    const { search } = new URL(context.req.url);
    return context.redirect(sitePath(`${path.slice(0, -1)}${search}`), 308);
  }
  const file = path === "/404" || path.endsWith("/404") ? undefined : web.find(path);
  if (file) return answerWith(context, file, 200);
  return serveNotFound(context, web, path);
}

export async function serveNotFound(context: Context, web: WebApp, path: string): Promise<Response> {
  const page = web.notFound(path);
  return page ? answerWith(context, page, 404) : context.text("Not found", 404);
}

async function answerWith(context: Context, file: WebFile, status: 200 | 404): Promise<Response> {
  const headers = { ...file.headers, etag: file.etag };
  if (status === 200 && context.req.header("if-none-match")?.includes(file.etag)) {
    return new Response(null, { status: 304, headers });
  }
  const encoding = file.isCompressible ? bestEncoding(context.req.header("accept-encoding")) : "identity";
  const body = await file.body(encoding);
  return new Response(body, {
    status,
    headers: {
      ...headers,
      "content-length": String(body.length),
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
    },
  });
}

function bestEncoding(accepted: string | undefined): Encoding {
  if (accepts(accepted, "br")) return "br";
  return accepts(accepted, "gzip") ? "gzip" : "identity";
}

/** Whether an Accept-Encoding header accepts the encoding. */
export function accepts(accepted: string | undefined, encoding: Exclude<Encoding, "identity">): boolean {
  return new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?(?![.\\d]))`, "i").test(accepted ?? "");
}
