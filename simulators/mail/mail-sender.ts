// Sends mail as large senders do: signed, over SMTP, from a queue. Temporary refusals are retried with growing delays,
// permanent ones are given up.
import { setTimeout as wait } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { DkimKey } from "./dkim-key.ts";

export type OutgoingMail = { from: string; to: string; raw: Buffer };
export type Delivery = { state: "accepted" } | { state: "given-up"; why: string };

export type MailSender = {
  /** The key's DNS record. */
  record: DkimKey["record"];
  /** Settles when the mail is accepted or given up. */
  send: (mail: OutgoingMail) => Promise<Delivery>;
  /** Drops queued mails. */
  stop: () => void;
};

export type MailSenderOptions = {
  key: DkimKey;
  /** The mail server of an address, as an MX record would say. */
  serverOf: (email: string) => { host: string; port: number };
  pausesMs?: readonly number[];
  /** Headers that the signatures do not cover, separated by colons. */
  unsignedHeaders?: string;
};

/** Google's signatures. */
export const GOOGLE_UNSIGNED_HEADERS = "content-type";

/** Real senders start with minutes and retry for days. */
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 15_000, 60_000, ...Array<number>(60).fill(300_000)];
const TIMEOUT_MS = 30_000;
const MAX_WAITING = 2_000;

export function createMailSender({
  key,
  serverOf,
  pausesMs = PAUSES_MS,
  unsignedHeaders = "",
}: MailSenderOptions): MailSender {
  const stopping = new AbortController();
  const { domain: domainName, selector: keySelector, privateKey } = key;
  const dkim = { domainName, keySelector, privateKey, skipFields: unsignedHeaders };
  let waiting = 0;

  async function tryOnce({ from, to, raw }: OutgoingMail): Promise<Delivery | undefined> {
    const timeouts = {
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    };
    // Mail servers commonly accept invalid certificates of each other.
    const transport = createTransport({
      ...serverOf(to),
      ...timeouts,
      dkim,
      tls: { rejectUnauthorized: false },
    });
    try {
      await transport.sendMail({ envelope: { from, to }, raw });
      return { state: "accepted" };
    } catch (error) {
      const { responseCode = 0, response = "" } = error as { responseCode?: number; response?: string };
      return responseCode >= 500 ? { state: "given-up", why: response } : undefined;
    } finally {
      transport.close();
    }
  }

  async function deliver(mail: OutgoingMail): Promise<Delivery> {
    for (const pauseMs of [0, ...pausesMs]) {
      if (pauseMs > 0)
        await wait(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return { state: "given-up", why: "stopped" };
      const delivery = await tryOnce(mail);
      if (delivery) return delivery;
    }
    return { state: "given-up", why: "not taken for too long" };
  }

  return {
    record: key.record,
    send: async (mail) => {
      if (waiting >= MAX_WAITING) return { state: "given-up", why: "too many mails wait" };
      waiting += 1;
      return deliver(mail).finally(() => {
        waiting -= 1;
      });
    },
    stop: () => stopping.abort(),
  };
}
