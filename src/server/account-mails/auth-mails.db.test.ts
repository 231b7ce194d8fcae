import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CaughtMail } from "#simulators/mail/mail-simulator.ts";
import { type Person, signUp } from "#test/cast.ts";
import { withoutSignUps } from "#test/sign-in/sign-up-mails.ts";
import { createTelegramAccount, openTelegramSession } from "#test/telegram-account.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let people = 0;

beforeAll(async () => {
  product = await startTestProduct({ TRUSTED_PROXIES: "1" });
});

afterAll(() => product.stop());

beforeEach(async () => {
  people += 1;
  alice = await signUp(product, `alice-${people}`);
});

async function resetMail(email: string, redirectTo?: string): Promise<CaughtMail> {
  const { error } = await product
    .createClient()
    .auth.resetPasswordForEmail(email, redirectTo === undefined ? {} : { redirectTo });
  expect(error).toBeNull();
  const find = () => withoutSignUps(product.mail.mails()).find((mail) => mail.to.includes(email));
  await expect.poll(find).toBeDefined();
  return find() as CaughtMail;
}

const tokenHashIn = (mail: CaughtMail) =>
  /#token_hash=([\da-f]{64})&type=recovery/.exec(mail.text)?.[1] ?? "";

const verify = (tokenHash: string) =>
  product.createClient().auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });

test.each([
  ["http://localhost:3000/reset-password", "Set a new password for Sereno", ""],
  ["http://localhost:3000/es/reset-password", "Elige una contraseña nueva para Sereno", "/es"],
  ["http://localhost:3000/ru/reset-password", "Задайте новый пароль для Sereno", "/ru"],
  ["http://localhost:3000/de/reset-password", "Neues Passwort für Sereno festlegen", "/de"],
  ["http://localhost:3000/fr/reset-password", "Choisissez un nouveau mot de passe pour Sereno", "/fr"],
])(
  "requested from %s, the mail and its link are in that page's language",
  async (redirectTo, subject, prefix) => {
    const mail = await resetMail(alice.email, redirectTo);
    expect(mail.subject).toBe(subject);
    const link = `http://localhost:3000${prefix}/reset-password#token_hash=`;
    expect(mail.text).toContain(link);
    expect(mail.html).toContain(`href="${link}`);
    expect(mail.from).toBe("sereno@example.com");
  },
);

test("requested from no page of ours, the mail is in the language of the sign-up", async () => {
  const email = "ines@example.com";
  const data = { full_name: "Inés", language: "es" };
  await product.createClient().auth.signUp({ email, password: "violet-harbour-27", options: { data } });
  const mail = await resetMail(email);
  expect(mail.subject).toBe("Elige una contraseña nueva para Sereno");
  expect(mail.text).toContain("Hola, Inés:");
  expect(mail.text).toContain("http://localhost:3000/es/reset-password#token_hash=");
});

test.each([
  ["en", "/", "Add this email address to your Sereno account", "/confirm-email"],
  ["es", "/es", "Añade esta dirección a tu cuenta de Sereno", "/es/confirm-email"],
  ["ru", "/ru", "Добавьте этот адрес в аккаунт Sereno", "/ru/confirm-email"],
  ["de", "/de", "Diese E\u2011Mail-Adresse zu deinem Sereno-Konto hinzufügen", "/de/confirm-email"],
  ["fr", "/fr", "Ajoutez cette adresse à votre compte Sereno", "/fr/confirm-email"],
])(
  "START-04 the link for an added address is mailed in the page's language (%s)",
  async (language, page, subject, path) => {
    const { sql } = product.database;
    const email = `added-${language}@example.com`;
    const { userId } = await createTelegramAccount(sql, { name: "Sereno Support: open evil.example" });
    const client = product.createClient();
    await client.auth.refreshSession({ refresh_token: await openTelegramSession(sql, userId) });
    const options = { emailRedirectTo: `http://localhost:3000${page}` };
    expect((await client.auth.updateUser({ email }, options)).error).toBeNull();
    const find = () => withoutSignUps(product.mail.mails()).find((mail) => mail.to.includes(email));
    await expect.poll(find).toBeDefined();
    expect(find()?.subject).toBe(subject);
    expect(find()?.text).toMatch(
      new RegExp(`http://localhost:3000${path}#token_hash=[\\da-f]{64}&type=email_change`),
    );
    expect(find()?.text, "a name that is a sentence is not repeated").not.toContain("evil");
  },
);

test.each([
  "https://evil.example/es/reset-password",
  "//evil.example/es",
  "http://localhost:3000@evil.example/es/reset-password",
  "http://127.0.0.1:3000/es/reset-password",
  "http://localhost:3000/es/reset-password?next=//evil.example",
  "javascript:alert(1)",
])("A24 with redirect_to %s the mail links to our own page", async (redirectTo) => {
  const mail = await resetMail(alice.email, redirectTo);
  const links = mail.html.match(/https?:\/\/[^\s"<]+/g) ?? [];
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(link).toMatch(/^http:\/\/localhost:3000\/reset-password#token_hash=/);
  expect(mail.text).not.toContain("evil");
});

test("RESET-09 A15 the link opens the account once, and the new password works at once", async () => {
  const tokenHash = tokenHashIn(await resetMail(alice.email));
  const browser = product.createClient();
  const { data, error } = await browser.auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
  expect(error).toBeNull();
  expect(data.user?.id).toBe(alice.id);
  expect((await browser.auth.updateUser({ password: "brand-new" })).error).toBeNull();
  expect((await verify(tokenHash)).error?.code).toBe("otp_expired");
  expect((await alice.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  const fresh = product.createClient();
  expect(
    (await fresh.auth.signInWithPassword({ email: alice.email, password: "brand-new" })).error,
  ).toBeNull();
});

test("A15 the link opens the account only once, also for concurrent requests", async () => {
  const tokenHash = tokenHashIn(await resetMail(alice.email));
  const answers = await Promise.all(Array.from({ length: 5 }, () => verify(tokenHash)));
  expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
});

test("A15 a link older than an hour, of a deleted account or with a changed letter is refused", async () => {
  const { sql } = product.database;
  const tokenHash = tokenHashIn(await resetMail(alice.email));
  const changed = `${tokenHash.slice(0, -1)}${tokenHash.endsWith("0") ? "1" : "0"}`;
  expect((await verify(changed)).error?.code).toBe("otp_expired");
  await sql`update private.mailed_links set expires_at = now() where user_id = ${alice.id}`;
  expect((await verify(tokenHash)).error?.code).toBe("otp_expired");
  await sql`update private.mailed_links set expires_at = now() + interval '1 hour' where user_id = ${alice.id}`;
  await alice.client.rpc("delete_my_account", { current_password: `alice-${people}-password` });
  expect((await verify(tokenHash)).error?.code).toBe("otp_expired");
});

test("A16 Alice's link, opened where Bob is signed in, opens Alice's account and leaves Bob's alone", async () => {
  const bob = await signUp(product, `bob-${people}`);
  const tokenHash = tokenHashIn(await resetMail(alice.email));
  const { data } = await bob.client.auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
  expect(data.user?.id).toBe(alice.id);
  await bob.client.auth.updateUser({ password: "alices-new-one" });
  const signIn = (email: string, password: string) =>
    product.createClient().auth.signInWithPassword({ email, password });
  expect((await signIn(bob.email, `bob-${people}-password`)).error).toBeNull();
  expect((await signIn(alice.email, "alices-new-one")).error).toBeNull();
});

test("A17 a mail scanner that opens every link by GET or HEAD does not use it up", async () => {
  const mail = await resetMail(alice.email);
  const tokenHash = tokenHashIn(mail);
  const links = mail.html.match(/http:\/\/localhost:3000[^\s"<]*/g) ?? [];
  expect(links).toHaveLength(3);
  const guesses = [`/auth/v1/verify?token=${tokenHash}&type=recovery`];
  for (const address of [...links.map((link) => link.replace("http://localhost:3000", "")), ...guesses]) {
    for (const method of ["GET", "HEAD"]) {
      const headers = { apikey: product.publishableKey };
      await fetch(`${product.url}${address}`, { method, headers, redirect: "manual" });
    }
  }
  expect((await verify(tokenHash)).error).toBeNull();
});

test("a mail that cannot be sent is logged and sent later, the person gets the same answer, and nothing is kept", async () => {
  const { sql } = product.database;
  product.mail.setDown(true);
  const { error } = await product.createClient().auth.resetPasswordForEmail(alice.email);
  expect(error).toBeNull();
  await expect.poll(() => product.log()).toContain("a job failed and is tried again");
  product.mail.setDown(false);
  const find = async () => {
    await sql`update pgboss.job set start_after = now() where state = 'retry'`;
    return withoutSignUps(product.mail.mails()).find((mail) => mail.to.includes(alice.email));
  };
  await expect.poll(find).toBeDefined();
  const left = () => sql`select data from pgboss.job where name = 'send-mail'`;
  await expect.poll(async () => (await left()).length).toBe(0);
});

test("the log of these tests contains no link, token, name or address", () => {
  const log = product.log();
  expect(withoutSignUps(product.mail.mails()).length).toBeGreaterThan(10);
  const hashes = withoutSignUps(product.mail.mails())
    .map(tokenHashIn)
    .filter((hash) => hash !== "");
  expect(hashes.length).toBeGreaterThan(10);
  for (const hash of hashes) expect(log).not.toContain(hash);
  expect(log).not.toMatch(/token_hash=[\da-f]|@example\.com|Inés/);
});
