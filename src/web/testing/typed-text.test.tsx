// Every request of each page answers in turn 503, 500, 429, nothing or late, while a person types and saves. The requests are
// those that the page itself makes.
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ACCOUNT_FORMS } from "./account-forms.tsx";
import { Answerer, FAULTS, type Fault } from "./answerer.ts";
import { forgetTyped, holdTime, pass, signInForTest } from "./open-page.tsx";
import { SEARCH_FORMS } from "./search-forms.ts";
import { STORED } from "./stored-rows.ts";
import { press, type TypedField, type TypedForm, type, typedField } from "./typed-form.ts";

const FORMS = [...ACCOUNT_FORMS, ...SEARCH_FORMS];

/** The page asks again every ten seconds after a failure, and a request is repeated once before it counts as one. */
const LONG_MS = 25_000;
const LOADING_MS = 4_000;

beforeEach(holdTime);

afterEach(async () => {
  await endTrial();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function endTrial(): Promise<void> {
  cleanup();
  await forgetTyped();
  localStorage.clear();
  sessionStorage.clear();
}

/** Counts the alerts that are put into the page: a screen reader says each. */
function countAlerts(): { texts: string[]; stop(): void } {
  const texts: string[] = [];
  const observer = new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLElement)) continue;
      // Whatever waits for its texts or its code hides itself alone.
      if (node.matches("[data-suspended]"))
        texts.push("the whole page is hidden", "the whole page is hidden");
      const alerts = node.matches('[role="alert"]') ? [node] : [...node.querySelectorAll('[role="alert"]')];
      texts.push(...alerts.map(({ textContent }) => textContent ?? ""));
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return { texts, stop: () => observer.disconnect() };
}

/** The fault begins before the page is opened, or while the person types. */
type Begin = "before" | "while";

interface Fails {
  readonly name: string;
  readonly fault: Fault;
  readonly begin: Begin;
}

/** The pages ask for it once and keep the answer: each of its faults is tried with freshly loaded modules. */
const OF_ALL_PAGES = "config.json";

class Trial {
  readonly losses: string[] = [];
  readonly answerer: Answerer;
  readonly #form: TypedForm;
  readonly #fails: Fails | undefined;
  #field: TypedField | undefined;

  constructor(form: TypedForm, fails?: Fails) {
    this.#form = form;
    this.#fails = fails;
    this.answerer = new Answerer({ ...STORED, ...form.answers });
  }

  async run(): Promise<string[]> {
    const alerts = countAlerts();
    await this.#open();
    const isReady = await this.#type();
    // After the save the person is elsewhere.
    if (isReady) await this.#save(alerts.stop);
    alerts.stop();
    for (const text of new Set(alerts.texts))
      if (alerts.texts.indexOf(text) !== alerts.texts.lastIndexOf(text)) this.#lost(`said again: ${text}`);
    await endTrial();
    if (this.#isOfAllPages) vi.resetModules();
    return this.losses;
  }

  /** Its modules are its own: they remember the configuration, or wait for an answer that comes late. */
  get #isOfAllPages(): boolean {
    return this.#fails?.name === OF_ALL_PAGES || OF_ALL_PAGES in (this.#form.answers ?? {});
  }

  #lost(what: string): void {
    const { name, fault, begin } = this.#fails ?? { name: "no fault", fault: "", begin: "" };
    this.losses.push(`${name} ${fault} ${begin}: ${what}`);
  }

  /** Whether the request with the fault is among those since `first`. */
  #hasFailed(first: number): boolean {
    return this.answerer.asked.slice(first).some(({ name }) => name === this.#fails?.name);
  }

  #failFrom(begin: Begin): void {
    if (this.#fails?.begin === begin) this.answerer.fail(this.#fails.name, this.#fails.fault);
  }

  async #open(): Promise<void> {
    const { user, load, open, address, others = [] } = this.#form;
    if (this.#isOfAllPages) vi.resetModules();
    if (user !== "guest") signInForTest(user);
    this.#failFrom("before");
    const { openPage } = await import("./open-page.tsx");
    const Page = await load();
    const { queries } = await openPage(<Page />, this.answerer, address);
    await pass(LOADING_MS);
    await open?.();
    await pass(LOADING_MS);
    this.askAgain = () => void queries.invalidateQueries();
    for (const [label, text] of others) type(label, text);
  }

  askAgain = () => {};

  /** Returns false if the page needs the answer for the form itself. */
  async #type(): Promise<boolean> {
    const { label, text = ["What I", "What I typed"] } = this.#form;
    const find = () => typedField(label);
    const field = find();
    if (!field) {
      if (this.#fails?.begin !== "before" || !this.#hasFailed(0)) this.#lost("no field");
      return false;
    }
    this.#field = field;
    field.focus();
    fireEvent.change(field, { target: { value: text[0] } });
    this.#failFrom("while");
    this.askAgain();
    await pass(LONG_MS);
    const later = find();
    fireEvent.change(field, { target: { value: text[1] } });
    await pass(LOADING_MS);
    if (later !== field || find() !== field) this.#lost("another field");
    if (document.activeElement !== field) this.#lost("the focus is gone");
    this.#expectTyped();
    return true;
  }

  #expectTyped(): void {
    const { text = ["", "What I typed"], others = [] } = this.#form;
    if (this.#field?.value !== text[1]) this.#lost(`the field has "${this.#field?.value}"`);
    for (const [label, typed] of others) {
      const value = typedField(label)?.value;
      if (value !== typed) this.#lost(`${label} has "${value}"`);
    }
  }

  get #isSaved(): boolean {
    const { text = ["", "What I typed"] } = this.#form;
    const typed = text[1].split(", ").at(-1) ?? "";
    return this.answerer.asked.some(
      ({ isAnswered, body }) => isAnswered && (JSON.stringify(body) ?? "").includes(typed),
    );
  }

  /** A save that fails is said and keeps what was typed; one press saves it when the server answers again. */
  async #save(onRecovered: () => void): Promise<void> {
    const { save } = this.#form;
    if (!save) return;
    const before = this.answerer.asked.length;
    await this.#press(save);
    if (this.#hasFailed(before) && !this.#isSaved && this.#field?.isConnected) {
      this.#expectTyped();
      const isSaid = screen.queryAllByRole("alert").length > 0;
      if (!isSaid && this.#fails?.fault !== "late") this.#lost("the failure is not said");
    }
    this.answerer.recover();
    await pass(LONG_MS);
    onRecovered();
    if (this.#isSaved) return;
    await this.#press(save);
    await pass(LONG_MS);
    if (!this.#isSaved) this.#lost("it cannot be saved");
  }

  async #press(names: readonly RegExp[]): Promise<void> {
    for (const name of names) {
      await press(name);
      await pass(LOADING_MS);
    }
  }
}

/** Without a fault. Returns the requests that the page makes. */
async function requestsOf(form: TypedForm): Promise<string[]> {
  const trial = new Trial(form);
  expect(await trial.run()).toEqual([]);
  const names = trial.answerer.names();
  expect(trial.answerer.unanswered()).toEqual([]);
  return [...new Set([OF_ALL_PAGES, ...names])];
}

const lossesOf = (form: TypedForm, fails: Fails) => new Trial(form, fails).run();

/** The forms of a page share its requests: each tries a part of them, and all those that only it makes. */
function isTried(form: TypedForm, name: string, index: number): boolean {
  const ofPage = FORMS.filter(({ load }) => load === form.load);
  const place = ofPage.indexOf(form);
  return name in (form.answers ?? {}) || index % Math.min(ofPage.length, 8) === place % 8;
}

test.each(FORMS)("WEB-01 WEB-02 nothing typed is lost, and a failure is said once: $name", async (form) => {
  const losses: string[] = [];
  for (const [index, name] of (await requestsOf(form)).entries()) {
    if (!isTried(form, name, index)) continue;
    const fault = FAULTS[index % FAULTS.length] ?? "503";
    losses.push(...(await lossesOf(form, { name, fault, begin: "before" })));
  }
  expect(losses).toEqual([]);
});

test.each(FORMS)(
  "WEB-01 WEB-02 the same for every fault of every request: $name",
  { tags: "long" },
  async (form) => {
    const losses: string[] = [];
    for (const name of await requestsOf(form))
      for (const [index, fault] of FAULTS.entries()) {
        const begin = index % 2 === 0 || name === OF_ALL_PAGES ? "before" : "while";
        losses.push(...(await lossesOf(form, { name, fault, begin })));
      }
    expect(losses).toEqual([]);
  },
);

test("WEB-01 every file with a field to type into has its row above, and each of its forms", () => {
  const files = import.meta.glob<string>("../features/**/*.tsx", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const missing = Object.entries(files).flatMap(([path, code]) => {
    const name = path.replace("../features/", "");
    const hasField = /<(TextField|Textarea|PasswordField|input|textarea)\b|contentEditable/.test(code);
    const forms = code.match(/<Form\b/g)?.length ?? 0;
    const rows = FORMS.filter(({ file }) => file === name).length;
    return hasField && rows < Math.max(forms, 1) ? [name] : [];
  });
  expect(missing).toEqual([]);
  expect(FORMS.filter(({ file }) => !(`../features/${file}` in files))).toEqual([]);
});
