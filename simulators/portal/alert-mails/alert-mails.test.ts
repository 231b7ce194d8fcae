import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test, vi } from "vitest";
import { readAlertMail } from "#alert-mails/read/read-alert-mail.ts";
import { verifySignature } from "#alert-mails/verify/verify-signature.ts";
import { createDkimKey } from "../../mail/dkim-key.ts";
import { forwardingQuestion } from "../../mail/forwarding-question.ts";
import { createMailSender, GOOGLE_UNSIGNED_HEADERS } from "../../mail/mail-sender.ts";
import { type PortalSimulator, startPortalSimulator } from "../start-portal-simulator.ts";

const URL_OF_SEARCH = "https://www.idealista.com/venta-viviendas/madrid/chamberi/con-precio-hasta_900000/";
const PAUSES_MS = [5, 10, 20];
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Accepts mail after the given refusals. */
async function startDoor(refusals: number[] = []) {
  const mails: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: async (stream, _session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const refusal = refusals.shift();
      if (refusal !== undefined) return done(Object.assign(new Error("no"), { responseCode: refusal }));
      mails.push(Buffer.concat(chunks));
      return done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { mails, serverOf: () => ({ host: "127.0.0.1", port }) };
}

async function startPortal(serverOf: () => { host: string; port: number }) {
  const sender = createMailSender({ key: createDkimKey("idealista.com"), serverOf, pausesMs: PAUSES_MS });
  const portal = await startPortalSimulator({ size: 50, newPerDay: 0.001, mailSender: sender });
  closing.push(() => portal.close());
  return { portal, record: sender.record };
}

const control = async (portal: PortalSimulator, path: string, body?: object, method = "POST") => {
  const response = await fetch(`${portal.url}/control/${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as { savedSearch?: { id: string }; listings?: { code: string }[] };
  return { status: response.status, body: answer };
};

test("MAIL-01 MAIL-02 a matching listing and its price drop are mailed at once, with valid signatures", async () => {
  const door = await startDoor();
  const { portal, record } = await startPortal(door.serverOf);
  const saved = await control(portal, "saved-searches", {
    url: URL_OF_SEARCH,
    email: "ana@mail.sereno.localhost",
  });
  expect(saved.status).toBe(201);
  const published = await control(portal, "listings", { url: URL_OF_SEARCH, fields: { priceEur: 800_000 } });
  const code = published.body.listings?.[0]?.code;
  // Matches another search only.
  await control(portal, "listings", { url: URL_OF_SEARCH.replace("venta", "alquiler") });
  await control(portal, `listings/${code}/price`, { priceEur: 760_000 });
  await vi.waitFor(() => expect(door.mails).toHaveLength(2), 60_000);
  const readings = await Promise.all(door.mails.map((raw) => readAlertMail(raw)));
  const events = readings.map(({ reading }) => reading.type === "alert" && reading.events[0]);
  expect(events.toSorted((a, b) => (b ? b.priceEur : 0) - (a ? a.priceEur : 0))).toMatchObject([
    { event: "new", code, priceEur: 800_000, operation: "sale", searchUrl: URL_OF_SEARCH },
    { event: "cheaper", code, priceEur: 760_000, formerPriceEur: 800_000, searchUrl: URL_OF_SEARCH },
  ]);
  const resolveText = async (name: string) => (name === record.name ? [[record.text]] : []);
  for (const raw of door.mails) {
    expect(await verifySignature(raw, "idealista.com", { resolveText, now: new Date() })).toMatchObject({
      type: "signed",
    });
  }
});

test("a stopped search gets no mail, and an invalid search is not saved", async () => {
  const door = await startDoor();
  const { portal } = await startPortal(door.serverOf);
  const email = "ana@mail.sereno.localhost";
  const { body } = await control(portal, "saved-searches", { url: URL_OF_SEARCH, email });
  expect((await control(portal, "saved-searches", { url: "https://example.com/", email })).status).toBe(422);
  expect((await control(portal, "saved-searches", { url: URL_OF_SEARCH, email: "nobody" })).status).toBe(400);
  await control(portal, `saved-searches/${body.savedSearch?.id}`, undefined, "DELETE");
  await control(portal, "listings", { url: URL_OF_SEARCH });
  await control(portal, "saved-searches", { url: URL_OF_SEARCH, email: "eva@mail.sereno.localhost" });
  await control(portal, "listings", { url: URL_OF_SEARCH });
  await vi.waitFor(() => expect(door.mails).toHaveLength(1), 60_000);
  expect(door.mails[0]?.toString()).toContain("To: eva@mail.sereno.localhost");
});

test("after a temporary refusal the identical mail is sent again; after a permanent one it is given up", async () => {
  const door = await startDoor([451, 421, 550]);
  const key = createDkimKey("google.com");
  const gmail = createMailSender({
    key,
    serverOf: door.serverOf,
    pausesMs: PAUSES_MS,
    unsignedHeaders: GOOGLE_UNSIGNED_HEADERS,
  });
  closing.push(() => gmail.stop());
  const { code, ...question } = await forwardingQuestion("ana@mail.sereno.localhost");
  expect(await gmail.send(question)).toMatchObject({
    state: "given-up",
    why: expect.stringContaining("550"),
  });
  expect(await gmail.send(question)).toEqual({ state: "accepted" });
  expect(await gmail.send(question)).toEqual({ state: "accepted" });
  expect(door.mails[1]).toEqual(door.mails[0]);
  const raw = door.mails[0] ?? Buffer.alloc(0);
  expect((await readAlertMail(raw)).reading).toMatchObject({ type: "forwarding-question", code });
  const resolveText = async () => [[key.record.text]];
  expect(await verifySignature(raw, "google.com", { resolveText, now: new Date() })).toMatchObject({
    type: "signed",
  });
});
