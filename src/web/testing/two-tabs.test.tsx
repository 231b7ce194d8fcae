// Two tabs of one browser at the form of a search, beside another device, deployments and a connection that comes and goes, in
// generated orders.
import { onlineManager } from "@tanstack/react-query";
import { act, cleanup, fireEvent, type RenderResult, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SEQUENCE_SEED, seeded, sequenceRuns } from "#test/seeded.ts";
import { Answerer } from "./answerer.ts";
import { holdTime, pass, signInForTest } from "./open-page.tsx";
import { SEARCH_ID, STORED } from "./stored-rows.ts";
import { SearchRows } from "./stored-searches.ts";

/** IndexedDB, and the session storage of the tab that is opened next. */
const shared = vi.hoisted(() => ({ disk: new Map<string, unknown>(), session: new Map<string, string>() }));
const loads = vi.hoisted((): Promise<unknown>[] => []);

vi.mock("idb-keyval", () => ({
  createStore: () => undefined,
  get: async (key: string) => structuredClone(shared.disk.get(key)),
  set: async (key: string, value: unknown) => void shared.disk.set(key, structuredClone(value)),
  del: async (key: string) => void shared.disk.delete(key),
  keys: async () => [...shared.disk.keys()],
  entries: async () => [...shared.disk].map(([key, value]) => [key, structuredClone(value)]),
  clear: async () => shared.disk.clear(),
}));
vi.mock("../lib/browser/storage.ts", async (original) => ({
  ...(await original<object>()),
  createTabStorage: () => {
    const { session } = shared;
    return {
      getItem: (key: string) => session.get(key) ?? null,
      setItem: (key: string, value: string) => void session.set(key, value),
      removeItem: (key: string) => void session.delete(key),
    };
  },
}));
// The parts of a tab are loaded with it: later they would be loaded into the tab that was opened last.
vi.mock("../components/parts/lazy-part.tsx", async (original) => {
  const { lazyPart } = await original<typeof import("../components/parts/lazy-part.tsx")>();
  return {
    lazyPart: ((load, options) => {
      const loading = load();
      loads.push(loading);
      return lazyPart(() => loading, options);
    }) as typeof lazyPart,
  };
});

const linkUpTo = (price: number) =>
  `https://www.idealista.com/venta-viviendas/madrid-madrid/con-precio-hasta_${price}/?ordenado-por=fecha-publicacion-desc`;

beforeEach(() => {
  holdTime();
  let last: Promise<unknown> = Promise.resolve();
  const request = (_: string, run: () => Promise<unknown>) => {
    last = last.catch(() => undefined).then(run);
    return last;
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
});

afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
  localStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

class Tab {
  readonly session = new Map<string, string>();
  /** What is in its field and not saved. */
  typed: string | undefined;
  #view:
    | (RenderResult & { router: { state: { location: { pathname: string; search: string } } } })
    | undefined;
  askAgain = () => {};

  /** Opens it, or reloads it: another version of the page has no code and no data of the former one but what is stored. */
  async open(answerer: Answerer): Promise<void> {
    const { pathname, search } = this.#view?.router.state.location ?? {};
    this.#view?.unmount();
    vi.resetModules();
    shared.session = this.session;
    const [{ openPage: openIn }, { FilterSettings }, { useOfflineStore }] = await Promise.all([
      import("./open-page.tsx"),
      import("../features/filter-settings/filter-settings.tsx"),
      import("../app/offline/use-offline-store.ts"),
    ]);
    await Promise.all(loads.splice(0));
    function Page() {
      useOfflineStore();
      return <FilterSettings />;
    }
    const address = pathname === undefined ? `/filter-settings?search=${SEARCH_ID}` : `${pathname}${search}`;
    const opened = await openIn(<Page />, answerer, address);
    this.#view = opened;
    this.askAgain = () => void opened.queries.invalidateQueries();
    await pass(4_000);
  }

  close(): void {
    this.#view?.unmount();
    this.#view = undefined;
  }

  get #screen() {
    return within(this.#view?.container ?? document.createElement("div"));
  }

  get link(): HTMLInputElement | null {
    return this.#screen.queryByLabelText<HTMLInputElement>("Filter URL");
  }

  type(link: string): void {
    this.typed = link;
    if (this.link) fireEvent.change(this.link, { target: { value: link } });
  }

  button(name: string): HTMLButtonElement | undefined {
    return this.#screen.queryAllByRole("button", { name })[0] as HTMLButtonElement | undefined;
  }

  async press(name: string): Promise<void> {
    await act(async () => this.button(name)?.click());
    await pass(3_000);
  }

  isSaid(text: string): boolean {
    return this.#screen.queryAllByRole("alert").some(({ textContent }) => textContent?.includes(text));
  }
}

/** A person with two tabs, and everything that may happen beside them. */
class Story {
  readonly losses: string[] = [];
  readonly #answerer = new Answerer(STORED);
  readonly #server = new SearchRows([
    { id: SEARCH_ID, filter_url: linkUpTo(100_000), receiver_ids: ["501"] },
  ]);
  readonly #random: () => number;
  readonly #isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  readonly tabs = [new Tab(), new Tab()];
  /** Taken from its field, in this order; later ones replace what is asked about earlier ones. */
  readonly #pressed: string[] = [];
  /** The person has chosen the other one. */
  readonly #given = new Set<string>();
  #count = 0;

  constructor(random: () => number) {
    this.#random = random;
    this.#server.answer(this.#answerer);
  }

  readonly acts = {
    type: (tab: Tab) => tab.type(this.#nextLink()),
    save: async (tab: Tab) => {
      const link = tab.typed;
      if (link === undefined || tab.button("Save Changes")?.disabled !== false) return;
      await tab.press("Save Changes");
      // Otherwise the save failed, and the link is still in its field.
      if (!tab.isSaid(link) && !this.#server.written.includes(link)) return;
      this.#pressed.push(link);
      tab.typed = undefined;
    },
    // It cannot come without a connection.
    reload: async (tab: Tab) => {
      if (onlineManager.isOnline()) await tab.open(this.#answerer);
    },
    otherLink: () => this.#elsewhere({ filter_url: this.#nextLink() }),
    otherChats: () => this.#elsewhere({ receiver_ids: ["501", String(600 + this.#count++)] }),
    cut: () => {
      this.#setOnline(false);
      this.#answerer.fail(this.#random() < 0.5 ? "searches" : "PATCH searches", "nothing");
    },
    mend: () => {
      this.#setOnline(true);
      this.#answerer.recover();
    },
    fault: () => this.#answerer.fail("PATCH searches", this.#random() < 0.5 ? "503" : "500"),
    ask: async (tab: Tab) => {
      tab.askAgain();
      await pass(3_000);
    },
    mine: (tab: Tab) => tab.press("Use my change"),
    theirs: async (tab: Tab) => {
      const asked = this.#pressed.filter((link) => tab.isSaid(`Yours: `) && tab.isSaid(link));
      await tab.press("Keep the other version");
      for (const link of asked) if (!tab.isSaid(link)) this.#given.add(link);
    },
  };

  #setOnline(isOnline: boolean): void {
    this.#isOnline.mockReturnValue(isOnline);
    onlineManager.setOnline(isOnline);
  }

  #nextLink(): string {
    this.#count += 1;
    return linkUpTo(200_000 + this.#count * 1_000);
  }

  #elsewhere(change: object): void {
    this.#server.rows = this.#server.rows.map((row) => ({ ...row, ...change }));
  }

  /** The typed text is in its field whatever has happened. */
  look(after: string): void {
    for (const [index, { typed, link }] of this.tabs.entries())
      if (typed !== undefined && link?.value !== typed)
        this.losses.push(`after "${after}" the field of tab ${index} has ${link?.value} instead of ${typed}`);
  }

  /** Each link that was taken from its field is at the server, once, or the person is asked about it, in both tabs. */
  end(): void {
    for (const [index, link] of this.#pressed.entries()) {
      const times = this.#server.written.filter((one) => one === link).length;
      if (times > 1) this.losses.push(`${link} was written ${times} times`);
      const isTold = this.tabs.every((tab) => tab.isSaid(link));
      const isReplaced = index < this.#pressed.length - 1;
      if (times === 0 && !isTold && !isReplaced && !this.#given.has(link))
        this.losses.push(`${link} was dropped`);
    }
  }
}

async function play(seed: number): Promise<string[]> {
  signInForTest();
  const random = seeded(seed);
  const story = new Story(random);
  const names = Object.keys(story.acts) as (keyof Story["acts"])[];
  const [first, second] = story.tabs as [Tab, Tab];
  const run = async (name: keyof Story["acts"], tab: Tab) => {
    await story.acts[name](tab);
    story.look(`${name} in tab ${story.tabs.indexOf(tab)}`);
  };
  for (const tab of story.tabs) await run("reload", tab);
  for (let step = 0; step < 24; step++)
    await run(names[Math.floor(random() * names.length)] ?? "ask", random() < 0.5 ? first : second);
  await run("mend", first);
  for (const name of ["ask", "save", "ask"] as const) for (const tab of story.tabs) await run(name, tab);
  story.end();
  for (const tab of story.tabs) tab.close();
  shared.disk.clear();
  return story.losses.map((loss) => `seed ${seed}: ${loss}`);
}

const RUNS = sequenceRuns(2);

test(`WEB-01 WEB-03 no link of two tabs is dropped without a word, and none is written twice (seed ${SEQUENCE_SEED})`, async () => {
  const losses: string[] = [];
  for (let run = 0; run < RUNS; run++) losses.push(...(await play(SEQUENCE_SEED * 1_000 + run)));
  expect(losses).toEqual([]);
});
