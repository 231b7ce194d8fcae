// What follows one another faster than the checks, or happens in the middle of troubles.
import type { Act, Wish } from "./acts.ts";
import { between, DAY, type Drawing, drawWish, joinsIn, pick } from "./drawing.ts";

/** Where it happens: a person, and the moment from which each act is so many minutes away. */
interface Scene {
  readonly drawing: Drawing;
  readonly person: number;
  readonly wish: Wish;
  add(minutes: number, act: Act): void;
  /** A home that costs this share of what the wish allows. Returns its number. */
  publish(minutes: number, wish: Wish, share: number): number;
}

const SUCCESSIONS: readonly ((scene: Scene) => void)[] = [
  editTwice,
  editWhilePaused,
  loseChatWhilePaused,
  moveDuringOutage,
  cutAfterEdit,
  readvertise,
  floodDuringOutage,
];

export function drawSuccessions(drawing: Drawing): void {
  const { random, size } = drawing;
  const joins = joinsIn(drawing);
  const end = size.days * DAY;
  for (let turn = 0; turn < Math.max(1, Math.round(size.days / 15)); turn++) {
    for (const draw of SUCCESSIONS) {
      const { minute, act } = pick(random, joins);
      const from = between(random, Math.min(minute + 60, end - DAY), end - DAY);
      draw(sceneAt(drawing, act, from));
    }
  }
  spendMonths(drawing);
}

function sceneAt(drawing: Drawing, { person, wish }: Pick<Scene, "person" | "wish">, from: number): Scene {
  const { timed } = drawing;
  const add = (minutes: number, act: Act) => void timed.push({ minute: from + minutes, act });
  const publish: Scene["publish"] = (minutes, { place, operation, maxPriceEur }, share) => {
    const home = drawing.homes++;
    const pricesEur = [Math.round(maxPriceEur * share)];
    add(minutes, { act: "publish", homes: [home], place, operation, pricesEur });
    return home;
  };
  return { drawing, person, wish, add, publish };
}

/** Within minutes, and sometimes back to what it was. */
function editTwice({ drawing, person, wish, add, publish }: Scene): void {
  const { random } = drawing;
  const [one, other] = [drawWish(drawing, wish), random() < 0.5 ? wish : drawWish(drawing)];
  for (const [minutes, wanted] of [one, other].entries()) {
    publish(minutes * 5, wanted, 0.7);
    add(minutes * 5 + 1, { act: "edit", person, wish: wanted });
    publish(minutes * 5 + 2, wanted, 0.95);
  }
}

function editWhilePaused({ drawing, person, wish, add, publish }: Scene): void {
  const { random } = drawing;
  const wanted = drawWish(drawing, wish);
  publish(0, wish, 0.7);
  add(1, { act: "pause", person });
  publish(2, wanted, 0.9);
  add(4, { act: "edit", person, wish: wanted });
  publish(6, wanted, 0.7);
  add(pick(random, [8, 300, 2 * DAY]), { act: "resume", person });
}

function loseChatWhilePaused({ drawing, person, wish, add, publish }: Scene): void {
  const { random } = drawing;
  const how = joinsIn(drawing).find(({ act }) => act.person === person)?.act.chat === "private";
  const [resume, regain] = [between(random, 20, 900), between(random, 20, 900)];
  publish(0, wish, 0.8);
  add(1, { act: "pause", person });
  add(15, { act: "lose-chat", person, how: how ? "blocked" : "muted" });
  publish(18, wish, 0.6);
  add(resume, { act: "resume", person });
  add(regain, { act: "regain-chat", person });
}

/** The edit moves the search to another feed while the source does not answer. */
function moveDuringOutage({ drawing, person, wish, add, publish }: Scene): void {
  const { random, places } = drawing;
  const wanted = drawWish({ ...drawing, places: places.filter(({ place }) => place !== wish.place) });
  publish(0, wish, 0.7);
  add(1, { act: pick(random, ["break", "refuse"] as const), minutes: between(random, 30, 400) });
  publish(5, wanted, 0.8);
  add(20, { act: "edit", person, wish: wanted });
  publish(25, wanted, 0.5);
}

function cutAfterEdit({ drawing, person, wish, add, publish }: Scene): void {
  const wanted = drawWish(drawing, wish);
  const home = publish(0, wanted, 1.1);
  const later = between(drawing.random, 5, DAY);
  add(later, { act: "edit", person, wish: wanted });
  add(later + 3, { act: "reprice", home, percent: -20 });
}

function readvertise({ drawing, wish, add, publish }: Scene): void {
  const home = publish(0, wish, 0.9);
  const later = between(drawing.random, 30, 5 * DAY);
  add(later, { act: "readvertise", home, as: drawing.homes++ });
}

/** More homes than a check with few pages reads. Nobody can pay for the others. */
function floodDuringOutage({ drawing, wish, add, publish }: Scene): void {
  const { random } = drawing;
  publish(0, wish, 0.7);
  add(1, { act: pick(random, ["break", "stop-us"] as const), minutes: between(random, 30, 600) });
  publish(2, wish, 0.9);
  const homes = Array.from({ length: between(random, 40, 160) }, () => drawing.homes++);
  const pricesEur = homes.map(() => wish.maxPriceEur * 10);
  add(5, { act: "publish", homes, place: wish.place, operation: wish.operation, pricesEur });
  publish(8, wish, 0.8);
}

/** At the end of some months, up to three days before the next one. */
function spendMonths({ random, size, beginsAt, timed }: Drawing): void {
  const begins = new Date(beginsAt);
  for (let month = 1; ; month++) {
    const next = Date.UTC(begins.getUTCFullYear(), begins.getUTCMonth() + month, 1);
    const minute = (next - beginsAt) / 60_000 - between(random, 60, 3 * DAY);
    if (minute >= size.days * DAY) return;
    if (random() < 0.5) timed.push({ minute, act: { act: "spend" } });
  }
}
