import { expect, test } from "vitest";
import { type FormAction, type FormState, isDirty, nextState, stateOf } from "./form-state.ts";

const MADRID = { url: "https://madrid", ids: ["1"] };
const GETAFE = { url: "https://getafe", ids: ["1"] };
/** Stands for the normaliser: a trailing "#tracking" makes no other search, and "?" makes none. */
const savedUrlOf = (typed: string) => (typed === "?" ? undefined : typed.replace("#tracking", ""));
const play = (state: FormState, ...actions: FormAction[]) =>
  actions.reduce((current, action) => nextState(current, action, savedUrlOf), state);
const dirty = (state: FormState) => isDirty(state, savedUrlOf);

test("WIZ-06 an edit form is unchanged until what would be saved differs", () => {
  const state = stateOf(MADRID);
  expect(state).toMatchObject({ mode: "edit", ids: "1" });
  expect(dirty(state)).toBe(false);
  expect(dirty(play(state, { type: "url-typed", url: "https://madrid#tracking" }))).toBe(false);
  expect(dirty(play(state, { type: "ids-typed", ids: " 1 , " }))).toBe(false);
  expect(dirty(play(state, { type: "url-typed", url: "https://getafe" }))).toBe(true);
  expect(dirty(play(state, { type: "url-typed", url: "?" }))).toBe(true);
  expect(dirty(play(state, { type: "ids-typed", ids: "1, 2" }))).toBe(true);
});

test("a saved URL that the normaliser would write otherwise today is not a change of the person's", () => {
  const old = { url: "https://madrid#tracking", ids: ["1"] };
  expect(dirty(stateOf(old))).toBe(false);
});

test("WIZ-05 WIZ-07 a save leads to the edit form, and a later wizard begins at step 1", () => {
  const typed = play(stateOf(null), { type: "url-typed", url: "x" }, { type: "step-taken", step: 3 });
  const saved = play(typed, { type: "saved", saved: MADRID });
  expect(saved).toMatchObject({ mode: "edit", step: 1, url: MADRID.url, ids: "1" });
  expect(play(saved, { type: "row-seen", saved: null })).toMatchObject({ mode: "wizard", step: 1 });
});

test("a chat that connected itself is filled in once, and not again after it was taken out", () => {
  const connected = play(stateOf(null), { type: "chats-seen", ids: ["7"] });
  expect(connected.ids).toBe("7");
  expect(dirty(connected)).toBe(false);
  const removed = play(connected, { type: "ids-typed", ids: "" }, { type: "chats-seen", ids: ["7", "8"] });
  expect(removed.ids).toBe("8");
});

test("an id the bot added to the saved filter is taken as saved, beside what is being typed", () => {
  const added = { url: MADRID.url, ids: ["1", "2"] };
  const clean = play(stateOf(MADRID), { type: "row-seen", saved: added });
  expect(clean).toMatchObject({ ids: "1, 2", notice: null });
  expect(dirty(clean)).toBe(false);
  const typing = play(
    stateOf(MADRID),
    { type: "url-typed", url: "https://getafe" },
    { type: "ids-typed", ids: "1, 5" },
    { type: "row-seen", saved: added },
  );
  expect(typing).toMatchObject({ url: "https://getafe", ids: "1, 5, 2", notice: null, base: added });
});

test("a filter changed elsewhere is shown where nothing was typed, and told of", () => {
  const state = play(stateOf(MADRID), { type: "row-seen", saved: GETAFE });
  expect(state).toMatchObject({ url: GETAFE.url, notice: "newer" });
  expect(dirty(state)).toBe(false);
  expect(play(state, { type: "ids-typed", ids: "1, 2" }).notice).toBeNull();
});

test("a filter changed elsewhere leaves what was typed, tells of it, and can be shown", () => {
  const state = play(
    stateOf(MADRID),
    { type: "ids-typed", ids: "1, 2" },
    { type: "row-seen", saved: GETAFE },
  );
  expect(state).toMatchObject({ url: MADRID.url, ids: "1, 2", notice: "overtaken", base: GETAFE });
  expect(play(state, { type: "ids-typed", ids: "3" }).notice).toBe("overtaken");
  expect(play(state, { type: "base-shown" })).toMatchObject({ url: GETAFE.url, ids: "1", notice: null });
});

test("the same row seen again changes nothing", () => {
  const state = stateOf(MADRID);
  expect(play(state, { type: "row-seen", saved: { ...MADRID, ids: [...MADRID.ids] } })).toBe(state);
});

test("a filter saved elsewhere takes the place of an untouched wizard, and is told of in a touched one", () => {
  expect(play(stateOf(null), { type: "row-seen", saved: MADRID })).toMatchObject({
    mode: "edit",
    url: MADRID.url,
  });
  const touched = play(
    stateOf(null),
    { type: "url-typed", url: "https://getafe" },
    { type: "row-seen", saved: MADRID },
  );
  expect(touched).toMatchObject({ mode: "wizard", url: "https://getafe", notice: "exists" });
});
