import { afterAll, beforeAll, expect, test } from "vitest";
import { signedAlert, startTestIntake, type TestIntake } from "#test/alert-mails/test-intake.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };

const MAILS_FOR_A_PERSON = 6;

let intake: TestIntake;

beforeAll(async () => {
  const limits = {
    connectionsOfAnAddress: 1_000,
    forAPerson: { perWindow: 1, windowMs: 3_600_000, burst: MAILS_FOR_A_PERSON },
  };
  intake = await startTestIntake({ door: { host: "127.0.0.1", port: 0, domain: "in.example.com", limits } });
});

afterAll(() => intake.stop());

const kept = async () => Number((await intake.sql`select count(*) from watch.mails`)[0]?.count);

test("MAIL-03 MAIL-04 a mail to a known address is stored, processed and deleted; a repeated mail is recognised", async () => {
  const { userId, address, token } = await intake.person();
  const raw = await signedAlert({ code: "100000011" });
  expect(await intake.send(raw, `${token.toUpperCase()}+madrid@IN.Example.com`)).toMatch(/^250 /);
  await intake.untilOutcomes(userId, "alert");
  const [mail] = await intake.sql`select raw, done_at from watch.mails where user_id = ${userId}`;
  expect(mail).toMatchObject({ raw: null, done_at: expect.any(Date) });
  expect(await intake.sql`select listing_id from public.listings where user_id = ${userId}`).toMatchObject([
    { listing_id: "100000011" },
  ]);

  expect(await intake.send(raw, address)).toMatch(/^250 /);
  await expect
    .poll(() => intake.sql`select from pgboss.job where name = 'read-mail'`, PATIENCE)
    .toHaveLength(0);
  expect(await intake.outcomes(userId)).toEqual(["alert"]);
  expect(intake.log.join()).not.toContain(token);
});

test("MAIL-03 an unknown token, another domain and a suspended user get the same answer; nothing is relayed", async () => {
  const [suspended, alice] = [await intake.person(), await intake.person()];
  await intake.sql`update auth.users set banned_until = now() + interval '1 day' where id = ${suspended.userId}`;
  const before = await kept();
  const client = await intake.converse();
  expect(await client.ask("EHLO sender.example.net")).not.toMatch(/STARTTLS|AUTH|SMTPUTF8/);
  await client.ask("MAIL FROM:<>");
  const strangers = [
    `${"0".repeat(32)}@in.example.com`,
    `${alice.token}@example.com`,
    `${alice.token}@in.example.com.example.com`,
    suspended.address,
    "postmaster@in.example.com",
    "señor@in.example.com",
    `${alice.token}%example.net@in.example.com`,
  ];
  const answers = new Set<string>();
  for (const stranger of strangers) answers.add(await client.ask(`RCPT TO:<${stranger}>`));
  expect([...answers]).toEqual(["550 5.1.1 No such address here\r\n"]);
  expect(await client.ask("DATA")).toMatch(/^503 /);
  expect(await client.ask(`VRFY ${alice.address}`)).toBe(await client.ask("VRFY nobody@example.com"));
  for (let n = 0; n < 4; n++) client.write(`RCPT TO:<nobody${n}@in.example.com>\r\n`);
  await client.receives(/421 4\.7\.0 Too many wrong addresses/);
  await client.untilClosed();
  expect(await kept()).toBe(before);
  expect(intake.log.join()).not.toMatch(/nobody|example\.net|[0-9a-f]{32}/);
});

test("MAIL-03 what is sent to the postmaster is handed on, with a limit, and to people too if it is also for them", async () => {
  const letters: string[] = [];
  const toPostmaster = async (raw: Buffer) => void letters.push(raw.toString("latin1"));
  const limits = { forAPerson: { perWindow: 1, windowMs: 3_600_000, burst: 3 } };
  const door = { host: "127.0.0.1", port: 0, domain: "in.example.com", limits };
  const open = await startTestIntake({ door, toPostmaster });
  const { userId, address } = await open.person();
  const raw = "Subject: your server\r\n\r\nis kind\r\n";
  expect(await open.send(raw, "Postmaster@In.Example.com")).toMatch(/^250 /);
  expect(await open.send(raw, "postmaster@in.example.com", address)).toMatch(/^250 /);
  await open.untilOutcomes(userId, "not-an-alert");
  expect(letters.map((letter) => letter.includes("is kind"))).toEqual([true, true]);
  expect(await open.send(raw, "postmaster@in.example.com")).toMatch(/^250 /);
  await expect(open.send(raw, "postmaster@in.example.com")).rejects.toMatchObject({ responseCode: 451 });
  await expect(open.send(raw, "postmaster@example.com")).rejects.toMatchObject({ responseCode: 550 });
  await open.stop();
});

test("MAIL-03 a mail to two users is stored for each, and one connection can send several mails, also pipelined", async () => {
  const [alice, bob] = [await intake.person(), await intake.person()];
  const raw = (await signedAlert({ code: "100000012" })).toString("latin1");
  const client = await intake.converse();
  const to = [alice.address, bob.address, `${bob.token}+again@in.example.com`];
  const rcpt = to.map((address) => `RCPT TO:<${address}>\r\n`).join("");
  client.write(`EHLO a\r\nMAIL FROM:<>\r\n${rcpt}DATA\r\n`);
  await client.receives(/354 /);
  client.write(`${raw}.\r\nMAIL FROM:<x@example.net>\r\nRCPT TO:<${bob.address}>\r\nDATA\r\n`);
  await client.receives(/250 OK: message queued[\s\S]*354 /);
  client.write("Subject: hello\r\n\r\nnothing\r\n.\r\nQUIT\r\n");
  await client.receives(/354 [\s\S]*354 [\s\S]*250 OK: message queued\r\n221 /);
  await intake.untilOutcomes(alice.userId, "alert");
  await expect
    .poll(async () => (await intake.outcomes(bob.userId)).toSorted(), PATIENCE)
    .toEqual(["alert", "not-an-alert"]);
});

test("MAIL-04 incomplete and oversized mails are not stored, and text after a non-standard end of mail is not executed", async () => {
  const { userId, address } = await intake.person();
  const before = await kept();
  const begin = async () => {
    const client = await intake.converse();
    client.write(`EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\n`);
    await client.receives(/354 /);
    return client;
  };
  const leaver = await begin();
  leaver.write("From: idealista <noresponder@idealista.com>\r\n\r\nhalf");
  leaver.socket.destroy();

  const announcer = await intake.converse();
  await announcer.ask("EHLO a");
  expect(await announcer.ask("MAIL FROM:<> SIZE=2097153")).toMatch(/^552 /);
  const giant = await begin();
  giant.write(Buffer.alloc(2_097_153, "a\r\n"));
  giant.write("\r\n.\r\n");
  await giant.receives(/552 /);
  expect(await kept()).toBe(before);

  // Only CRLF.CRLF ends a mail. What follows any other dot is text, not commands.
  const smuggler = await begin();
  smuggler.write(
    `Subject: a\r\n\r\nb\n.\nMAIL FROM:<evil@example.net>\n.\r\nRCPT TO:<${address}>\r\0\n.\r\n`,
  );
  smuggler.write("\r\n.\r\n");
  await smuggler.receives(/250 OK: message queued/);
  await intake.untilOutcomes(userId, "not-an-alert");
  expect(smuggler.heard().match(/^250 /gm)).toHaveLength(4);
  expect(await kept()).toBe(before + 1);
});

test("MAIL-04 during a database outage the answer is 4xx, and the mail is accepted afterwards", async () => {
  const { userId, address } = await intake.person();
  const raw = await signedAlert({ code: "100000013" });
  const client = await intake.converse();
  client.write(`EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\n`);
  await client.receives(/354 /);
  await intake.database.shut();
  client.write(`${raw.toString("latin1")}.\r\n`);
  await client.receives(/451 4\.3\.0/);
  await expect(intake.send(raw, address)).rejects.toMatchObject({ responseCode: 451 });
  await intake.database.reopen();
  await expect.poll(() => intake.send(raw, address).catch(String), PATIENCE).toMatch(/^250 /);
  await intake.untilOutcomes(userId, "alert");
});

test.each([
  ["renewed", "update public.mail_addresses set token = md5(token) where user_id = $1"],
  ["removed", "delete from public.mail_addresses where user_id = $1"],
  [
    "that of a suspended person",
    "update auth.users set banned_until = now() + interval '1 day' where id = $1",
  ],
])("TIME-01 MAIL-03 a mail whose address is %s while it arrives is not stored", async (_, change) => {
  const { userId, address } = await intake.person();
  const client = await intake.converse();
  client.write(`EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\nSubject: late\r\n\r\n`);
  await client.receives(/354 /);
  await intake.sql.unsafe(change, [userId]);
  client.write("text\r\n.\r\n");
  await client.receives(/354 [\s\S]*451 4\.3\.0 /);
  expect(await intake.sql`select from watch.mails where user_id = ${userId}`).toHaveLength(0);
});

test("MAIL-03 a client over a limit gets a temporary failure, and others are served meanwhile", async () => {
  const [flooded, other] = [await intake.person(), await intake.person()];
  const bored = await intake.converse();
  bored.write("EHLO a\r\n");
  bored.write("NOOP\r\n".repeat(10_000));
  await bored.untilClosed();
  expect(bored.heard().match(/^250 /gm)?.length).toBeLessThanOrEqual(1_000);

  const crowd = await intake.converse();
  crowd.write(`EHLO a\r\nMAIL FROM:<>\r\n`);
  for (let n = 0; n < 30; n++) crowd.write(`RCPT TO:<${flooded.token}+${n}@in.example.com>\r\n`);
  await crowd.receives(/452 Error: too many recipients/);

  const connections = await Promise.all(Array.from({ length: 260 }, () => intake.converse()));
  expect(connections.filter((client) => client.heard().startsWith("421 ")).length).toBeGreaterThanOrEqual(58);
  for (const { socket } of connections) socket.destroy();

  await intake.sql`
    insert into watch.mails (user_id, raw, received_at, digest, next_try_at)
    select ${flooded.userId}, 'x', now(), sha256(n::text::bytea), now() + interval '1 day' from generate_series(1, 500) as n`;
  await expect(intake.send("Subject: one more\r\n\r\n", flooded.address)).rejects.toMatchObject({
    responseCode: 452,
  });
  await expect
    .poll(
      async () => intake.send(await signedAlert({ code: "100000014" }), other.address).catch(String),
      PATIENCE,
    )
    .toMatch(/^250 /);
  await intake.untilOutcomes(other.userId, "alert");
});

test("MAIL-03 a client that sends byte by byte is disconnected, and the mails to one address are rate-limited", async () => {
  const door = { host: "127.0.0.1", port: 0, domain: "in.example.com", limits: { mailMs: 300 } };
  const strict = await startTestIntake({ door });
  const slow = await strict.converse();
  slow.write(`EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<${(await strict.person()).address}>\r\nDATA\r\n`);
  await slow.receives(/354 /);
  const trickle = setInterval(() => slow.write("a"), 20);
  await slow.receives(/421 4\.7\.0 Too slow/);
  clearInterval(trickle);
  expect(await strict.sql`select from watch.mails`).toHaveLength(0);
  await strict.stop();

  const { address } = await intake.person();
  const send = (n: number) => intake.send(`Subject: ${n}\r\n\r\n`, address);
  for (let n = 0; n < MAILS_FOR_A_PERSON; n++) expect(await send(n)).toMatch(/^250 /);
  await expect(send(-1)).rejects.toMatchObject({ responseCode: 451 });
});
