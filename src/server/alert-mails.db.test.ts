import { createConnection } from "node:net";
import { createTransport } from "nodemailer";
import tlsOptions from "smtp-server/lib/tls-options.js";
import { beforeAll, expect, test } from "vitest";
import { alertMail, makeDkimKey, signMail } from "#test/alert-mails/signed-mail.ts";
import { createMailPerson } from "#test/alert-mails/test-intake.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };
const TOKEN = "a-monitor-that-may-look";
const key = makeDkimKey();

let product: TestProduct;

beforeAll(async () => {
  // The library's test certificate.
  const { cert = "", key: certificateKey = "" } = tlsOptions() as { cert?: string; key?: string };
  product = await startTestProduct({
    ROLES: "mail",
    MAIL_IN_PORT: "0",
    MAIL_IN_DOMAIN: "in.example.com",
    MAIL_IN_TLS_CERT: cert,
    MAIL_IN_TLS_KEY: certificateKey,
    DKIM_RECORDS: JSON.stringify({ [key.record.name]: key.record.text }),
    METRICS_TOKEN: TOKEN,
  });
});

test("MAIL-03 MAIL-04 a process with the mail role receives mails over TLS, reports metrics, and can stop in the middle of a mail", async () => {
  const { address, userId, token } = await createMailPerson(product.database.sql);
  const transport = createTransport({
    host: "127.0.0.1",
    port: product.mailPort,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  });
  for (const raw of [
    alertMail({ code: "400000001", priceEur: 901 }),
    alertMail({ code: "400000002", priceEur: 902 }),
  ]) {
    await transport.sendMail({ envelope: { from: "", to: [address] }, raw: await signMail(raw, key) });
  }
  await transport.sendMail({ envelope: { from: "", to: [address] }, raw: "Subject: hello\r\n\r\n" });
  transport.close();
  const metrics = async () => {
    const answer = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    return answer.text();
  };
  await expect.poll(metrics, PATIENCE).toMatch(/mails\{outcome="alert"\} 2\n/);
  await expect.poll(metrics, PATIENCE).toMatch(/mails\{outcome="not-an-alert"\} 1\n/);
  expect(await metrics()).toMatch(/^sereno_mails_waiting 0$/m);
  expect(await metrics()).toMatch(/^sereno_mails_oldest_waiting_seconds 0$/m);

  const socket = createConnection({ host: "127.0.0.1", port: product.mailPort });
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  await expect.poll(() => heard, PATIENCE).toMatch(/^220 /);
  socket.write(`EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\n`);
  await expect.poll(() => heard, PATIENCE).toMatch(/354 /);
  socket.write("Subject: half");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const sql = product.database.sql;
  const before = await sql`select from watch.mails where user_id = ${userId}`;
  expect(before).toHaveLength(3);
  const log = product.log;
  await product.stop();
  await closed;
  expect(heard).toMatch(/421 /);
  expect(log()).not.toContain(token);
  expect(log()).not.toContain("a shutdown step failed or timed out");
});
