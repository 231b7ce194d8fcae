// A web page for the developer: shows what the simulators received, and has buttons to make things happen.
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { GOOGLE_FAULTS } from "../google/google-client.ts";
import type { GoogleSimulator } from "../google/google-simulator.ts";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import { forwardingQuestion } from "../mail/forwarding-question.ts";
import type { MailSender } from "../mail/mail-sender.ts";
import type { MailSimulator } from "../mail/mail-simulator.ts";
import { createControl } from "../telegram/control.ts";
import { LOGIN_FAULTS } from "../telegram/oidc/grants.ts";
import type { TelegramLogin } from "../telegram/oidc/telegram-login.ts";
import type { World } from "../telegram/world.ts";
import { startWebview } from "./webview.ts";

export type ConsoleOptions = {
  port: number;
  siteUrl: string;
  mail: MailSimulator;
  /** Sends Gmail's question whether mail may be forwarded. */
  gmail?: MailSender;
  google: GoogleSimulator;
  portalUrl: string;
  telegram: World;
  telegramLogin: TelegramLogin;
  /** Makes what the product has stored a day older. */
  dayLater?: () => Promise<void>;
};

export type Console = { url: string; stop: () => Promise<void> };

export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const webview = await startWebview(options.siteUrl);
  const answer = getRequestListener(consoleApp(options, webview.url).fetch);
  const names = [new URL(options.siteUrl).hostname];
  const { port, stop } = await listenOnLoopback(answer, { port: options.port, names }).catch(
    async (error) => {
      await webview.stop();
      if (error.code !== "EADDRINUSE") throw error;
      const advice = `Port ${options.port} is taken by another program; choose another with CONSOLE_PORT.`;
      throw new Error(advice, { cause: error });
    },
  );
  return {
    url: `http://localhost:${port}`,
    stop: async () => void (await Promise.all([stop(), webview.stop()])),
  };
}

function consoleApp(options: ConsoleOptions, webviewUrl: string): Hono {
  const { siteUrl, mail, gmail, google, portalUrl, telegram } = options;
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
  });
  app.get("/", async (context) => context.html(await pageFile("console.html")));
  app.get("/:style{[a-z-]+\\.css}", async (context) => {
    const style = await pageFile(context.req.param("style"));
    return context.body(style, 200, { "content-type": "text/css; charset=utf-8" });
  });
  app.get("/:script{[a-z-]+\\.js}", async (context) => {
    const source = await pageFile(context.req.param("script").replace(/\.js$/, ".ts"));
    // Serve `.ts` modules as JavaScript; the page's imports end in `.ts`.
    const script = stripTypeScriptTypes(source).replaceAll('.ts";', '.js";');
    return context.body(script, 200, { "content-type": "text/javascript; charset=utf-8" });
  });
  // A link to the bot with https://t.me/ replaced by the console's URL. The tab asks which person opens it.
  app.get("/t.me/:bot", (context) => {
    const link = `https://t.me/${context.req.param("bot")}${new URL(context.req.url).search}`;
    return context.redirect(`/?open=${encodeURIComponent(link)}#telegram`);
  });
  app.get("/api/site", (context) => context.json({ siteUrl, webviewUrl }));
  app.post("/api/day-later", async (context) => {
    if (!options.dayLater) return context.json({ message: "The database here is not the trial's own" }, 409);
    await options.dayLater();
    return context.json({});
  });
  app.get("/api/mail", (context) => context.json(mail.mails()));
  app.post("/api/mail/forwarding-question", async (context) => {
    if (!gmail) return context.json({ message: "Nobody asks here" }, 404);
    const order = questionOrder.safeParse(await context.req.json().catch(() => undefined));
    if (!order.success) return context.json({ message: z.prettifyError(order.error) }, 400);
    const { code, ...question } = await forwardingQuestion(order.data.email);
    void gmail.send(question);
    return context.json({ code }, 202);
  });
  app.get("/api/mail/events", (context) =>
    streamSSE(context, async (stream) => {
      const stopListening = mail.onMail(({ id }) => void stream.writeSSE({ event: "mail", data: id }));
      await new Promise<void>((resolve) => stream.onAbort(resolve));
      stopListening();
    }),
  );
  app.route("/api/telegram", createControl(telegram));
  app.route("/api/telegram-login", loginRoutes(options.telegramLogin));
  app.route("/api/google", googleRoutes(google));
  // The page calls its own origin; the console forwards the requests to the portal's port.
  app.all("/api/portal/*", (context) => {
    const { pathname, search } = new URL(context.req.url);
    const { method, body } = context.req.raw;
    const headers = { "content-type": context.req.header("content-type") ?? "application/json" };
    const address = `${portalUrl}/control/${pathname.slice("/api/portal/".length)}${search}`;
    return proxy(address, { method, headers, body, ...(body ? { duplex: "half" } : {}) });
  });
  return app;
}

function pageFile(name: string): Promise<string> {
  return readFile(new URL(`./page/${name}`, import.meta.url), "utf8");
}

const questionOrder = z.strictObject({ email: z.email().max(254) });
const faultOrder = z.object({ fault: z.enum(GOOGLE_FAULTS).nullable() });
const loginFaultOrder = z.object({ fault: z.enum(LOGIN_FAULTS).nullable() });
const personOrder = z.object({
  email: z.email(),
  name: z.string().optional(),
  isVerified: z.boolean().default(true),
});

/** For the Google tab and browser tests: lists and adds accounts, and sets the next fault. */
export function googleRoutes(google: GoogleSimulator): Hono {
  const app = refusingInvalidOrders();
  app.get("/", (context) =>
    context.json({ people: google.people(), fault: google.fault() ?? null, faults: GOOGLE_FAULTS }),
  );
  app.put("/fault", async (context) => {
    const { fault } = faultOrder.parse(await context.req.json());
    google.setFault(fault ?? undefined);
    return context.json({ fault });
  });
  app.post("/people", async (context) => {
    const { name, ...person } = personOrder.parse(await context.req.json());
    return context.json(google.addPerson({ ...person, ...(name === undefined ? {} : { name }) }), 201);
  });
  return app;
}

/** For the Telegram tab and tests: sets the next fault of a sign-in with Telegram. */
function loginRoutes(login: TelegramLogin): Hono {
  const app = refusingInvalidOrders();
  app.get("/", (context) => context.json({ fault: login.fault() ?? null, faults: LOGIN_FAULTS }));
  app.put("/fault", async (context) => {
    const { fault } = loginFaultOrder.parse(await context.req.json());
    login.setFault(fault ?? undefined);
    return context.json({ fault });
  });
  return app;
}

function refusingInvalidOrders(): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    if (!(error instanceof z.ZodError)) throw error;
    return context.json({ message: z.prettifyError(error) }, 400);
  });
  return app;
}
