import { randomBytes, randomUUID } from "node:crypto";
import type { MailSender } from "../../mail/mail-sender.ts";
import { fitsSearch, readSearchUrl } from "../by-url/read-search-url.ts";
import type { Advert } from "../market/advert.ts";
import type { Clock } from "../market/clock.ts";
import type { Market, MarketEvent } from "../market/market.ts";
import { placesAround } from "../market/places.ts";
import { type AlertEvent, alertMail } from "./alert-mail.ts";

type UrlSearch = Extract<ReturnType<typeof readSearchUrl>, { isRead: true }>["search"];

export interface SavedSearch {
  readonly id: string;
  readonly url: string;
  readonly email: string;
  readonly accepted: number;
  /** The mail server's answer when it refused a mail. */
  readonly refusal: string | null;
}

interface Saved {
  shown: SavedSearch;
  readonly search: UrlSearch;
  readonly recipientId: string;
}

type SaveOutcome =
  | { readonly isSaved: true; readonly saved: SavedSearch }
  | { readonly isSaved: false; readonly reason: string };

const LOOK_EVERY_MS = 500;
const MAX_SAVED = 200;

/** The searches saved at the portal. Each new advert and each price drop is mailed at once. */
export class SavedSearches {
  readonly #saved = new Map<string, Saved>();
  readonly #market: Market;
  readonly #clock: Clock;
  readonly #sender: MailSender;
  /** The number of journal entries already processed. */
  #read = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(market: Market, clock: Clock, sender: MailSender) {
    this.#market = market;
    this.#clock = clock;
    this.#sender = sender;
  }

  get list(): SavedSearch[] {
    return [...this.#saved.values()].map(({ shown }) => shown);
  }

  save(url: string, email: string): SaveOutcome {
    const reading = readSearchUrl(url);
    if (!reading.isRead) return { isSaved: false, reason: reading.reason };
    if (this.#saved.size >= MAX_SAVED) return { isSaved: false, reason: "too-many" };
    // Adverts published before are not new.
    this.look();
    const shown = { id: randomUUID(), url, email, accepted: 0, refusal: null };
    const recipientId = randomBytes(32).toString("base64");
    this.#saved.set(shown.id, { shown, search: reading.search, recipientId });
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    return { isSaved: true, saved: shown };
  }

  remove(id: string): boolean {
    return this.#saved.delete(id);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#sender.stop();
  }

  /** Sends mails for what happened on the market since the last call. */
  look(): void {
    this.#market.advanceTo(this.#clock.now());
    const events = this.#market.journal.slice(this.#read);
    this.#read = this.#market.journal.length;
    if (this.#saved.size === 0) return;
    for (const event of events) {
      const advert = this.#market.find(event.code);
      const type = advert && alertTypeOf(event, advert);
      if (advert && type) this.#tell(type, { ...advert });
    }
  }

  #tell(event: AlertEvent, advert: Advert): void {
    for (const saved of this.#saved.values()) {
      if (asksFor(saved.search, advert, this.#market.now)) void this.#send(saved, event, advert);
    }
  }

  async #send(saved: Saved, event: AlertEvent, advert: Advert): Promise<void> {
    const { shown, recipientId } = saved;
    const sentAt = new Date(this.#clock.now());
    const mail = await alertMail({
      event,
      advert,
      searchUrl: shown.url,
      to: shown.email,
      recipientId,
      sentAt,
    });
    const delivery = await this.#sender.send(mail);
    const { accepted } = saved.shown;
    saved.shown =
      delivery.state === "accepted"
        ? { ...saved.shown, accepted: accepted + 1, refusal: null }
        : { ...saved.shown, refusal: delivery.why };
  }
}

function alertTypeOf({ type }: MarketEvent, { formerPriceEur }: Advert): AlertEvent | undefined {
  if (type === "published" || type === "readvertised" || type === "restored") return "newAd";
  return type === "price-changed" && formerPriceEur !== null ? "priceDrop" : undefined;
}

function asksFor(search: UrlSearch, advert: Advert, now: number): boolean {
  return (
    search.operation === advert.operation &&
    search.propertyType === advert.propertyType &&
    placesAround(advert.spot.id).includes(search.placeId) &&
    fitsSearch(search, advert, now)
  );
}
