// One page for the person at this machine: what the simulators received, and buttons to make things happen.
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { stream, streamSSE } from "hono/streaming";
import type { StreamingApi } from "hono/utils/stream";
import { GOOGLE_FAULTS } from "../google/google-client.ts";
import type { GoogleSimulator } from "../google/google-simulator.ts";
import type { MailSimulator } from "../mail/mail-simulator.ts";

export type ConsoleOptions = {
  port: number;
  siteUrl: string;
  mail: MailSimulator;
  google: GoogleSimulator;
  portalUrl: string;
  telegramUrl: string;
};

export type Console = { url: string; stop: () => Promise<void> };

export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const app = new Hono();
  app.use(async (context, next) => {
    // Pages of other sites, open in the same browser, have no business here.
    const origin = context.req.header("origin");
    if (origin && new URL(origin).host !== context.req.header("host")) return context.text("Forbidden", 403);
    await next();
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
    return undefined;
  });
  app.get("/", async (context) => context.html(await pageFile("console.html")));
  app.get("/:style{[a-z-]+\\.css}", async (context) => {
    const style = await pageFile(context.req.param("style"));
    return context.body(style, 200, { "content-type": "text/css; charset=utf-8" });
  });
  // A link to the bot, its https://t.me/ replaced by this console's address: the tab asks who opens it.
  app.get("/t.me/:bot", (context) => {
    const link = `https://t.me/${context.req.param("bot")}${new URL(context.req.url).search}`;
    return context.redirect(`/?open=${encodeURIComponent(link)}#telegram`);
  });
  app.get("/:script{[a-z-]+\\.js}", async (context) => {
    const source = await pageFile(context.req.param("script").replace(/\.js$/, ".ts"));
    // Browsers want JavaScript under JavaScript's name; the imports in the page say `.ts` as everywhere else.
    const script = stripTypeScriptTypes(source).replaceAll('.ts";', '.js";');
    return context.body(script, 200, { "content-type": "text/javascript; charset=utf-8" });
  });
  app.get("/api/site", (context) => context.json({ siteUrl: options.siteUrl }));
  app.get("/api/mail", (context) => context.json(options.mail.mails()));
  app.get("/api/mail/events", (context) =>
    streamSSE(context, async (stream) => {
      await new Promise<void>((resolve) => {
        const stopListening = options.mail.onMail(
          (mail) => void stream.writeSSE({ event: "mail", data: mail.id }),
        );
        stream.onAbort(() => {
          stopListening();
          resolve();
        });
      });
    }),
  );
  // The page asks its own origin; the simulators keep to their own ports.
  app.all("/api/portal/*", (context) =>
    proxy(`${options.portalUrl}/control/${restOf(context.req.url)}`, context.req),
  );
  app.route("/api/google", googleRoutes(options.google));
  app.get("/api/telegram/events", (context) => {
    context.header("content-type", "text/event-stream");
    return stream(context, (out) => passOn(`${options.telegramUrl}/control/events`, out));
  });
  app.all("/api/telegram/*", (context) =>
    proxy(`${options.telegramUrl}/control/${restOf(context.req.url)}`, context.req),
  );
  const server = createAdaptorServer({ fetch: app.fetch, createServer }) as Server;
  await listenOnLoopback(server, options.port);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : options.port;
  return {
    url: `http://localhost:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function restOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname.replace(/^\/api\/[a-z]+\//, "") + search;
}

/** Hands a stream on until one of its two ends is gone. */
async function passOn(url: string, out: StreamingApi): Promise<void> {
  const hangUp = new AbortController();
  out.onAbort(() => hangUp.abort());
  try {
    const { body } = await fetch(url, { signal: hangUp.signal });
    if (body) await out.pipe(body);
  } catch {
    // Either end is gone, which is how every stream of events ends; the page opens another.
  }
}

function pageFile(name: string): Promise<string> {
  return readFile(new URL(`./page/${name}`, import.meta.url), "utf8");
}

function listenOnLoopback(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(
        isTaken
          ? new Error(`Port ${port} is taken by another program; choose another with CONSOLE_PORT.`)
          : error,
      );
    });
    server.listen(port, "127.0.0.1", () => resolve());
  });
}

/** What the Google tab, or a browser test, sees and does: who has an account, and what goes wrong next. */
export function googleRoutes(google: GoogleSimulator): Hono {
  const app = new Hono();
  app.get("/", (context) =>
    context.json({ people: google.people(), fault: google.fault() ?? null, faults: GOOGLE_FAULTS }),
  );
  app.put("/fault", async (context) => {
    const { fault } = (await context.req.json()) as { fault?: unknown };
    const known = GOOGLE_FAULTS.find((name) => name === fault);
    if (fault !== null && !known) return context.json({ error: `There is no fault ${String(fault)}.` }, 400);
    google.setFault(known);
    return context.json({ fault: known ?? null });
  });
  app.post("/people", async (context) => {
    const { email, name, isVerified } = (await context.req.json()) as Record<string, unknown>;
    if (typeof email !== "string" || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
      return context.json({ error: "Enter an e-mail address." }, 400);
    }
    const person = google.addPerson({
      email,
      ...(typeof name === "string" ? { name } : {}),
      isVerified: isVerified !== false,
    });
    return context.json(person, 201);
  });
  return app;
}
