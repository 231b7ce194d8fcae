import { expect, test } from "vitest";
import { setUpTestBot } from "#test/test-bot.ts";

const bot = setUpTestBot();

/** Makes Alice's account one without an address, whose private chat is this person's. */
async function ownerNamed(name: string) {
  const ana = bot.person({ firstName: "Ana" });
  await bot.sql`
    update auth.users set email = null, raw_user_meta_data = ${bot.sql.json({ full_name: name })} where id = ${bot.alice}`;
  await bot.sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${bot.alice}, 'custom:telegram', ${String(ana)}, '{}')`;
  await bot.sql`select private.connect_own_chat(${bot.alice}, ${ana}, ${name})`;
  return ana;
}

test("START-04 an own private chat shows the name of an account without an address, as text", async () => {
  const ana = await ownerNamed("Tom <3 & <a href='https://evil.example'>Sereno</a>");
  const said = (await bot.ask(ana, "/status")).join("\n");
  expect(said).toContain("Tom <3 & <a href='https://evil.example'>Sereno</a>");
  expect(said).not.toMatch(/null|undefined/);
  expect((await bot.ask(ana, "/start")).join("\n")).toContain("Tom <3 &");
});

test("START-04 a stranger's chat that the account typed in reads a masked name", async () => {
  await ownerNamed("Sereno Support");
  const stranger = bot.person({ firstName: "Bob" });
  await bot.saveFilter(bot.alice, stranger);
  const said = (await bot.ask(stranger, "/start")).join("\n");
  expect(said).toContain("S*** (Telegram)");
  expect(said).not.toContain("Support");
});
