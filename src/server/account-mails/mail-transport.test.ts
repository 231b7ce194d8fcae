import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { startMailSimulator } from "#simulators/mail/mail-simulator.ts";
import { createMailTransport } from "./mail-transport.ts";

test("RUN-07 a mail server that does not greet is given up after our own timeout", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const transport = createMailTransport(`smtp://user:a%2Fb@127.0.0.1:${port}?requireTLS=true`, {
    timeoutMs: 100,
  });
  await expect(transport.verify()).rejects.toMatchObject({ code: "ETIMEDOUT" });
  silent.close();
});

test("mails cannot read files of the machine", async () => {
  const mail = await startMailSimulator();
  const transport = createMailTransport(mail.smtpUrl, { timeoutMs: 5_000 });
  const sending = transport.sendMail({
    ...{ from: "a@example.com", to: "b@example.com", subject: "x" },
    text: { path: "package.json" },
  });
  await expect(sending).rejects.toThrow(/File access rejected/);
  await mail.stop();
});
