import { randomBytes, randomInt } from "node:crypto";
import MimeNode from "nodemailer/lib/mime-node/index.js";
import type { OutgoingMail } from "./mail-sender.ts";

/** Gmail's mail to an address that a user wants to forward to, with the confirmation code and link. */
export async function forwardingQuestion(to: string): Promise<OutgoingMail & { code: string }> {
  const from = "forwarding-noreply@google.com";
  const user = "newcomer@gmail.com";
  const code = String(randomInt(100_000_000, 1_000_000_000));
  const link = (kind: string) =>
    `https://mail-settings.google.com/mail/${kind}-%5BANGjdJ${randomBytes(24).toString("base64url")}%5D-${randomBytes(12).toString("base64url")}`;
  const raw = await new MimeNode("text/plain; charset=UTF-8", { textEncoding: "Q" })
    .setHeader({
      from: `Gmail Team <${from}>`,
      to,
      subject: `(#${code}) Gmail Forwarding Confirmation - Receive Mail from ${user}`,
    })
    .setContent(
      [
        `${user} has requested to automatically forward mail to your email`,
        `address ${to}.`,
        `Confirmation code: ${code}`,
        "",
        `To allow ${user} to automatically forward mail to your address,`,
        "please click the link below to confirm the request:",
        "",
        link("vf"),
        "",
        "If you accidentally clicked the link, but you do not want to allow",
        "messages to be forwarded, click this link to cancel this verification:",
        link("uf"),
        "",
      ].join("\r\n"),
    )
    .build();
  return { from, to, raw, code };
}
