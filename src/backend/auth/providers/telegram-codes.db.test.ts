// Codes and addresses that an attacker swaps, at the strict issuer.
import { beforeAll, expect, test } from "vitest";
import type { TelegramLogin } from "#simulators/telegram/oidc/telegram-login.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import {
  openTelegramBrowser,
  startTelegramProduct,
  type TelegramBrowser,
} from "#test/sign-in/telegram-browser.ts";
import type { TestProduct } from "#test/test-product.ts";

let login: TelegramLogin;
let product: TestProduct;
let person: string;

beforeAll(async () => {
  const started = await startTelegramProduct();
  ({ login, product } = started);
  person = String(createPerson(started.telegram, { firstName: "Ana" }).id);
  return started.stop;
});

const FAILED = { error: "server_error", error_code: "unexpected_failure" };
const BAD_STATE = { error: "invalid_request", error_code: "bad_oauth_state" };

/** Consents, and returns the callback without opening it. */
async function consent(browser: TelegramBrowser): Promise<URL> {
  const begun = await browser.begin();
  return new URL(await browser.choose(begun.headers.get("location") ?? "", { person }));
}

test("START-08 a callback works once", async () => {
  const browser = openTelegramBrowser(product);
  const first = await browser.signIn({ person });
  expect(first.said.access_token).toBeDefined();
  expect((await browser.land(first.callback)).said).toMatchObject(BAD_STATE);
});

test("START-08 a callback is refused the second time even with its cookie", async () => {
  const begun = await openTelegramBrowser(product).begin();
  const [cookie = ""] = begun.headers.getSetCookie();
  const asked = begun.headers.get("location") ?? "";
  const callback = await openTelegramBrowser(product).choose(asked, { person });
  const open = async () => {
    const answer = await fetch(callback.replace("http://localhost:3000", product.url), {
      redirect: "manual",
      headers: { cookie: cookie.split(";")[0] ?? "" },
    });
    return new URLSearchParams(new URL(answer.headers.get("location") ?? "").hash.slice(1));
  };
  expect((await open()).get("access_token")).not.toBeNull();
  expect((await open()).get("error_code")).toBe(BAD_STATE.error_code);
});

test("START-08 a used code is refused with a fresh state", async () => {
  const browser = openTelegramBrowser(product);
  const { callback } = await browser.signIn({ person });
  const fresh = await consent(browser);
  fresh.searchParams.set("code", new URL(callback).searchParams.get("code") ?? "");
  expect((await browser.land(fresh.href)).said).toMatchObject(FAILED);
});

test("START-08 an attacker's unused code is refused in the victim's flow, because the verifier is another one", async () => {
  const [attacker, victim] = [openTelegramBrowser(product), openTelegramBrowser(product)];
  const stolen = (await consent(attacker)).searchParams.get("code") ?? "";
  const own = await consent(victim);
  own.searchParams.set("code", stolen);
  expect((await victim.land(own.href)).said).toMatchObject(FAILED);
});

test("START-08 an answer that names another issuer is refused", async () => {
  const browser = openTelegramBrowser(product);
  const callback = await consent(browser);
  callback.searchParams.set("iss", "https://evil.example");
  expect((await browser.land(callback.href)).said).toMatchObject(FAILED);
});

test.each([
  ["a slash more", (uri: string) => `${uri}/`],
  ["another site", () => "https://evil.example/auth/v1/callback"],
  ["a query", (uri: string) => `${uri}?next=evil`],
  ["another spelling", (uri: string) => uri.replace("localhost", "LOCALHOST")],
])("START-08 a redirect address with %s gets no code", async (_, change) => {
  const begun = await openTelegramBrowser(product).begin();
  const asked = new URL(begun.headers.get("location") ?? "");
  expect(asked.origin).toBe(login.url);
  asked.searchParams.set("redirect_uri", change(asked.searchParams.get("redirect_uri") ?? ""));
  const answer = await fetch(asked, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ person }),
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
});
