import type { Context } from "hono";
import type { Encoding, WebApp, WebFile } from "./web-app.ts";

/** Answers with a page or a file of the web app; a path that leads nowhere gets its 404 page. */
export async function serveWeb(context: Context, web: WebApp): Promise<Response> {
  const { path } = context.req;
  if (path.length > 1 && path.endsWith("/") && web.find(path.slice(0, -1))) {
    const { search } = new URL(context.req.url);
    return context.redirect(`${path.slice(0, -1)}${search}`, 308);
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

function bestEncoding(accepted = ""): Encoding {
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\b)/.test(accepted)) return "br";
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\b)/.test(accepted) ? "gzip" : "identity";
}
