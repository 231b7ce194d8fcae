import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { withoutSignUps } from "#test/sign-in/sign-up-mails.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

const TOKEN = "a-token-for-metrics-0123456789";
const patience = { timeout: 60_000, interval: 50 };
let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct({ METRICS_TOKEN: TOKEN, TRUSTED_PROXIES: "1" });
});
afterAll(() => product.stop());

const metrics = async () =>
  (await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
const jobs = () => product.database.sql<{ data: { to: string } }[]>`
  select data from pgboss.job where name = 'send-mail'`;
/** The mail of the sign-up is out of the way. */
const signUpMailed = async (email: string) => {
  await expect.poll(() => product.mail.mails().some(({ to }) => to.includes(email)), patience).toBe(true);
  await expect.poll(jobs, patience).toEqual([]);
};
const askForReset = (email: string) => product.createClient().auth.resetPasswordForEmail(email);

test("SERV-07 while the mail server is down mails wait and are counted, and are sent when it is back", async () => {
  const { sql } = product.database;
  const alice = await signUp(product, "alice");
  await signUpMailed(alice.email);
  product.mail.setDown(true);
  await askForReset(alice.email);
  await expect
    .poll(metrics, patience)
    .toMatch(/outgoing_mails_total\{kind="recovery",result="failed"\} [1-9]/);
  await expect.poll(metrics, patience).toContain('incidents{kind="mail"} 1');
  expect(await metrics()).toContain("outgoing_mails_waiting 1");
  product.mail.setDown(false);
  const arrived = async () => {
    await sql`update pgboss.job set start_after = now() where state = 'retry'`;
    return withoutSignUps(product.mail.mails()).filter(({ to }) => to.includes(alice.email)).length;
  };
  await expect.poll(arrived, patience).toBe(1);
  await expect.poll(metrics, patience).toContain('outgoing_mails_total{kind="recovery",result="sent"} 1');
  await expect.poll(metrics, patience).toContain('incidents{kind="mail"} 0');
  await expect.poll(jobs, patience).toEqual([]);
});

test("SERV-07 mails with an expired link or to an unknown address are dropped, counted and logged", async () => {
  const { sql } = product.database;
  const [late, gone] = [await signUp(product, "late"), await signUp(product, "gone")];
  await signUpMailed(late.email);
  await signUpMailed(gone.email);
  product.mail.setDown(true);
  await askForReset(late.email);
  await expect.poll(async () => (await jobs()).length, patience).toBe(1);
  // As if an hour had passed.
  const age = () => sql`
    update pgboss.job set start_after = now(), data = data || '{"expiresAt": 1}'
    where name = 'send-mail' and state = 'retry'`;
  await expect.poll(async () => (await age()).count, patience).toBe(1);
  await expect.poll(jobs, patience).toEqual([]);
  product.mail.setDown(false);
  product.mail.refuse(gone.email);
  await askForReset(gone.email);
  await expect.poll(metrics, patience).toContain('outgoing_mails_total{kind="recovery",result="refused"} 1');
  expect(await metrics()).toContain('outgoing_mails_total{kind="recovery",result="expired"} 1');
  await expect.poll(jobs, patience).toEqual([]);
  expect(withoutSignUps(product.mail.mails()).some(({ to }) => to.includes(late.email))).toBe(false);
  expect(product.log()).toContain("mail given up: the mail server took too long");
  expect(product.log()).toContain("mail given up: the address takes no mail");
  expect(product.log()).not.toMatch(/token_hash=[\da-f]|@example\.com/);
});

test("TIME-06 an address that cannot be mailed is given up, and raises no alarm about emails", async () => {
  const { sql } = product.database;
  const eve = await signUp(product, "eve");
  await signUpMailed(eve.email);
  // As an older version stored it: the mail library refuses it before it connects.
  await sql`update auth.users set email = 'eve@<example.com>' where id = ${eve.id}`;
  await sql`insert into private.account_mails (kind, user_id) values ('telegram-linked', ${eve.id})`;
  await expect
    .poll(metrics, patience)
    .toContain('outgoing_mails_total{kind="telegram-linked",result="refused"} 1');
  await expect.poll(jobs, patience).toEqual([]);
  expect(await metrics()).toContain('incidents{kind="mail"} 0');
});

test("SERV-08 a wrong password is counted as a refused sign-in", async () => {
  const { email } = await signUp(product, "bob");
  await product.createClient().auth.signInWithPassword({ email, password: "a guess at it" });
  expect(await metrics()).toContain('sign_ins_refused_total{reason="wrong"} 1');
});
