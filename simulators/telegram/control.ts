import { type Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { openApp } from "./mini-app/open-app.ts";
import { allowWriting, sharePrepared } from "./phone/app-acts.ts";
import { createChat, createPerson, PhoneError, requireChatById } from "./phone/create.ts";
import { addBot, changeStanding, openLink, removeBot } from "./phone/membership.ts";
import { pressButton, pressStart, say } from "./phone/speak.ts";
import { listChats, viewChat } from "./phone/view.ts";
import { Refusal } from "./refusal.ts";
import type { World, WorldEvent } from "./world.ts";

const person = z.strictObject({
  firstName: z.string().optional(),
  languageCode: z.string().optional(),
  isStarted: z.boolean().optional(),
});
const chat = z.strictObject({
  kind: z.enum(["group", "supergroup", "channel"]),
  title: z.string().optional(),
  creatorId: z.int(),
  topics: z.array(z.int()).optional(),
});
const link = z.strictObject({ url: z.string(), chatId: z.int().optional() });
const saying = z.strictObject({ text: z.string(), chatId: z.int().optional() });
const pressing = z.strictObject({
  messageId: z.int(),
  chatId: z.int().optional(),
  text: z.string().optional(),
  data: z.string().optional(),
  row: z.int().optional(),
  column: z.int().optional(),
  isForged: z.boolean().optional(),
});
const look = { version: z.string(), platform: z.string(), theme: z.record(z.string(), z.string()) };
const appOpening = z.discriminatedUnion("way", [
  z.strictObject({ way: z.literal("menu"), ...look }),
  z.strictObject({
    way: z.literal("button"),
    chatId: z.int(),
    messageId: z.int(),
    text: z.string(),
    ...look,
  }),
  z.strictObject({
    way: z.literal("link"),
    parameter: z.string(),
    chatType: z.enum(["private", "group", "supergroup"]),
    mainAppUrl: z.string(),
    ...look,
  }),
  z.strictObject({ way: z.enum(["keyboard", "inline"]), url: z.string(), ...look }),
]);
const sharing = z.strictObject({ preparedId: z.string(), chatId: z.int() });
const botSettings = z.strictObject({ hasInlineMode: z.boolean() });
const doer = z.strictObject({ by: z.int() });

/**
 * The control API, with which the console's page and browser tests use the phones of simulated people. README.md lists the
 * routes.
 */
export function createControl(world: World): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    if (error instanceof PhoneError) return context.json({ message: error.message }, 409);
    if (error instanceof z.ZodError) return context.json({ message: z.prettifyError(error) }, 400);
    return context.json({ message: String(error) }, 500);
  });
  app.get("/bot", (context) =>
    context.json({
      username: world.bot.username,
      firstName: world.bot.firstName,
      hasInlineMode: world.hasInlineMode,
    }),
  );
  // What the bot's owner does at @BotFather. The bot reads it when it connects, so its waiting request is broken off.
  app.put("/bot", async (context) => {
    world.hasInlineMode = (await read(context, botSettings)).hasInlineMode;
    world.polling.abort?.(new Refusal(502, "Bad Gateway"));
    return context.json({});
  });
  app.get("/events", (context) => streamEvents(world, context));
  app.get("/presses/:id", (context) =>
    context.json({ answer: world.presses.get(context.req.param("id"))?.answer ?? null }),
  );

  addPeopleRoutes(app, world);
  addChatRoutes(app, world);
  return app;
}

function addPeopleRoutes(app: Hono, world: World): void {
  app.get("/people", (context) => context.json({ people: [...world.people.values()] }));
  app.post("/people", async (context) =>
    context.json({ person: createPerson(world, await read(context, person)) }, 201),
  );
  app.post("/people/:id/start", (context) => context.json({ message: pressStart(world, idOf(context)) }));
  app.post("/people/:id/open", async (context) =>
    context.json({ message: openLink(world, { personId: idOf(context), ...(await read(context, link)) }) }),
  );
  app.post("/people/:id/say", async (context) =>
    context.json({ message: say(world, { personId: idOf(context), ...(await read(context, saying)) }) }),
  );
  app.post("/people/:id/press", async (context) =>
    context.json(pressButton(world, { personId: idOf(context), ...(await read(context, pressing)) })),
  );
  app.post("/people/:id/app", async (context) =>
    context.json({ url: openApp(world, idOf(context), await read(context, appOpening)) }),
  );
  app.post("/people/:id/allow-writing", (context) => {
    allowWriting(world, idOf(context));
    return context.json({});
  });
  app.post("/people/:id/share", async (context) =>
    context.json({
      error: sharePrepared(world, { personId: idOf(context), ...(await read(context, sharing)) }) ?? null,
    }),
  );
  app.post("/people/:id/block", (context) => {
    changeStanding(world, idOf(context), { standing: "blocked" });
    return context.json({});
  });
  app.post("/people/:id/unblock", (context) => {
    changeStanding(world, idOf(context), { standing: "ok" });
    return context.json({});
  });
}

function addChatRoutes(app: Hono, world: World): void {
  app.get("/chats", (context) =>
    context.json({ chats: listChats(world, Number(context.req.query("person"))) }),
  );
  app.post("/chats", async (context) => {
    const { id } = createChat(world, await read(context, chat));
    return context.json({ chat: { id } }, 201);
  });
  app.get("/chats/:id", (context) => {
    const as = Number(context.req.query("as"));
    return context.json(viewChat(world, requireChatById(world, idOf(context)), { as }));
  });
  app.post("/chats/:id/add-bot", async (context) => {
    addBot(world, { chatId: idOf(context), ...(await read(context, doer)) });
    return context.json({});
  });
  app.post("/chats/:id/remove-bot", async (context) => {
    removeBot(world, idOf(context), (await read(context, doer)).by);
    return context.json({});
  });
}

const idOf = (context: Context) => Number(context.req.param("id"));

async function read<Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.output<Schema>> {
  return schema.parse(await context.req.json());
}

/** Server-sent events: a chat changed, a button press was answered, a person was added. */
function streamEvents(world: World, context: Context): Response {
  return streamSSE(context, async (stream) => {
    const listener = (event: WorldEvent) =>
      void stream.writeSSE({ event: event.type, data: JSON.stringify(event) });
    world.listeners.add(listener);
    await new Promise<void>((resolve) => stream.onAbort(resolve));
    world.listeners.delete(listener);
  });
}
