// Draws the acts of a quarter from a seed. Every kind of act that a review found to lose homes is in each quarter.
import { seeded } from "../seeded.ts";
import type { Act, ChatLoss, Quarter, TimedAct, Wish } from "./acts.ts";
import { drawSuccessions } from "./draw-successions.ts";
import { between, DAY, type Drawing, drawWish, joinsIn, PLACES, pick, type QuarterSize } from "./drawing.ts";

/** January; with the change to summer time and the month's end in the fourth week; with the one to winter time. */
const BEGINNINGS = [Date.UTC(2027, 0, 4, 7), Date.UTC(2027, 2, 8, 7), Date.UTC(2027, 9, 4, 7)];

/** The free key serves three places well at most. */
const placesFor = (requests: number | null) =>
  requests !== null && requests <= 100 ? PLACES.slice(0, 3) : PLACES;

/** Twice the longest interval that the month's requests give that many places, and the day after which a summary is sent. */
function calmMinutesFor(requests: number | null): number {
  if (requests === null) return DAY;
  return requests <= 100 ? 14 * DAY : 4 * DAY;
}

export function drawQuarter(seed: number, size: QuarterSize): Quarter {
  const places = placesFor(size.monthlyRequests);
  const beginsAt = pick(seeded(seed), BEGINNINGS);
  const drawing: Drawing = { random: seeded(seed), size, beginsAt, places, timed: [], homes: 0 };
  for (let person = 0; person < size.people; person++) drawPerson(drawing, person);
  for (let day = 0; day < size.days; day++) drawMarket(drawing, day);
  drawTroubles(drawing);
  drawLateCuts(drawing);
  for (let n = 0; n < size.people / 6; n++) drawSecond(drawing, n);
  drawSuccessions(drawing);
  const sorted = drawing.timed.sort((one, other) => one.minute - other.minute);
  const acts = sorted.map(({ minute, act }, n): TimedAct => {
    return { ...act, after: minute - (sorted[n - 1]?.minute ?? 0) };
  });
  return {
    beginsAt,
    monthlyRequests: size.monthlyRequests,
    mostPages: seed % 3 === 0 ? 2 : null,
    acts,
    calmMinutes: calmMinutesFor(size.monthlyRequests),
  };
}

/** A life of one person: most edit, pause or lose a chat a few times in a quarter. */
function drawPerson(drawing: Drawing, person: number): void {
  const { random, size, timed } = drawing;
  const end = size.days * DAY;
  // A third is there at the start, so that others come to feeds that exist.
  const from = person % 3 === 0 ? between(random, 0, 120) : between(random, 0, end * 0.7);
  const wish = drawWish(drawing);
  const chat = random() < 0.3 ? "supergroup" : "private";
  timed.push({ minute: from, act: { act: "join", person, wish, chat, hasRule: random() < 0.3 } });
  drawLife(drawing, { person, chat, wish, end }, from);
}

/** Another search of somebody, with a life of its own. */
function drawSecond(drawing: Drawing, n: number): void {
  const { random, size, timed } = drawing;
  const end = size.days * DAY;
  const first = pick(random, joinsIn(drawing));
  const from = between(random, first.minute + 30, end - 1);
  const wish = drawWish(drawing, random() < 0.7 ? first.act.wish : undefined);
  const person = size.people + n;
  const { chat, person: secondOf } = first.act;
  const hasRule = random() < 0.3;
  timed.push({ minute: from, act: { act: "join", person, wish, chat, hasRule, secondOf } });
  drawLife(drawing, { person, chat, wish, end }, from);
}

function drawLife(drawing: Drawing, life: Life, from: number): void {
  const { random, end } = { ...drawing, ...life };
  for (let minute = from + between(random, 60, end / 3); minute < end && life.wish; ) {
    minute = drawTurn(drawing, life, minute) + between(random, 300, end / 3);
  }
}

interface Life {
  readonly person: number;
  readonly chat: "private" | "supergroup";
  readonly end: number;
  /** Null after they left. */
  wish: Wish | null;
}

/** Returns when it is over. */
function drawTurn(drawing: Drawing, life: Life, minute: number): number {
  const { random, timed } = drawing;
  const { person, wish, end } = life;
  if (!wish) return end;
  const length = random() < 0.6 ? between(random, 5, 600) : between(random, DAY, Math.min(5 * DAY, end / 4));
  const until = Math.min(minute + length, end - 1);
  const what = random();
  if (what < 0.4) {
    const isRespelled = random() < 0.2;
    const near = random() < 0.7 ? wish : undefined;
    life.wish = isRespelled ? { ...wish, isEnglish: !wish.isEnglish } : drawWish(drawing, near);
    timed.push({ minute, act: { act: "edit", person, wish: life.wish } });
    return minute;
  }
  if (what < 0.7) {
    timed.push({ minute, act: { act: "pause", person } }, { minute: until, act: { act: "resume", person } });
    return until;
  }
  if (what < 0.95) {
    const losses: readonly ChatLoss[] = life.chat === "private" ? ["blocked"] : ["muted", "muted", "kicked"];
    const lost: Act = { act: "lose-chat", person, how: pick(random, losses) };
    timed.push({ minute, act: lost }, { minute: until, act: { act: "regain-chat", person } });
    return until;
  }
  timed.push({ minute, act: { act: "leave", person } });
  life.wish = null;
  return minute;
}

function drawMarket(drawing: Drawing, day: number): void {
  const { random, places, timed } = drawing;
  const at = () => day * DAY + between(random, 0, DAY - 1);
  for (const { place, operation, priceEur } of places) {
    const bursts = between(random, 0, 3);
    for (let n = 0; n < bursts; n++) {
      const homes = Array.from({ length: between(random, 1, 4) }, () => drawing.homes++);
      const pricesEur = homes.map(() => Math.round(priceEur * (0.5 + random())));
      const minute = at();
      timed.push({ minute, act: { act: "publish", homes, place, operation, pricesEur } });
      drawLater(drawing, homes, minute);
    }
    if (random() < 0.03)
      timed.push({ minute: at(), act: { act: "renew", place, operation, count: between(random, 5, 80) } });
    if (random() < 0.1) timed.push({ minute: at(), act: { act: "swap", place, operation } });
  }
}

/** What happens to the homes of one burst. */
function drawLater({ random, size, timed }: Drawing, homes: readonly number[], from: number): void {
  const end = size.days * DAY;
  const later = () => between(random, from + 30, Math.max(from + 31, end - 1));
  const add = (minute: number, act: Act) => {
    if (minute < end) timed.push({ minute, act });
  };
  for (const home of homes) {
    if (random() < 0.25) add(later(), { act: "reprice", home, percent: pick(random, [-20, -10, -5, 5, 10]) });
    if (random() < 0.3) {
      const goneAt = later();
      add(goneAt, { act: "withdraw", home });
      if (random() < 0.5) add(goneAt + between(random, 60, 14 * DAY), { act: "restore", home });
    }
    if (random() < 0.1)
      add(from + between(random, 1, 2 * DAY), {
        act: "mail",
        person: between(random, 0, size.people - 1),
        home,
      });
  }
}

/** 429 for minutes and hours, outages of the source, and downtimes of ours of minutes to three days. */
function drawTroubles({ random, size, timed }: Drawing): void {
  const end = size.days * DAY;
  const lengths = [10, 45, 180, 600] as const;
  const times = Math.max(1, Math.round(size.days / 15));
  for (let n = 0; n < times; n++) {
    timed.push(
      { minute: between(random, 0, end), act: { act: "refuse", minutes: pick(random, lengths) } },
      { minute: between(random, 0, end), act: { act: "break", minutes: pick(random, lengths) } },
      {
        minute: between(random, 0, end),
        act: { act: "stop-us", minutes: pick(random, [15, 120, Math.min(3 * DAY, end / 5)]) },
      },
    );
  }
}

/** Cuts of homes found a hundred days ago, for a quarter that is long enough. */
function drawLateCuts({ random, size, homes, timed }: Drawing): void {
  if (size.days < 90) return;
  for (let home = 0; home < Math.min(homes, 60); home++) {
    if (random() < 0.5)
      timed.push({ minute: 104 * DAY + between(random, 0, 600), act: { act: "reprice", home, percent: -8 } });
  }
}
