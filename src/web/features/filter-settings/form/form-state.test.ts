import { expect, test } from "vitest";
import { type FormAction, type FormState, isDirty, newStateOf, nextState, stateOf } from "./form-state.ts";

const MADRID = { url: "https://madrid", ids: ["1"] };
const GETAFE = { url: "https://getafe", ids: ["1"] };
/** A stand-in for the normaliser: "#tracking" does not change the search, and "?" is not a search. */
const savedUrlOf = (typed: string) => (typed === "?" ? undefined : typed.replace("#tracking", ""));
const play = (state: FormState, ...actions: FormAction[]) =>
  actions.reduce((current, action) => nextState(current, action, savedUrlOf), state);
const dirty = (state: FormState) => isDirty(state, savedUrlOf);

test("WIZ-06 an edit form is unchanged until the value to save differs", () => {
  const state = stateOf(MADRID);
  expect(state).toMatchObject({ mode: "edit", ids: "1" });
  expect(dirty(state)).toBe(false);
  expect(dirty(play(state, { type: "url-typed", url: "https://madrid#tracking" }))).toBe(false);
  expect(dirty(play(state, { type: "ids-typed", ids: " 1 , " }))).toBe(false);
  expect(dirty(play(state, { type: "url-typed", url: "https://getafe" }))).toBe(true);
  expect(dirty(play(state, { type: "url-typed", url: "?" }))).toBe(true);
  expect(dirty(play(state, { type: "ids-typed", ids: "1, 2" }))).toBe(true);
});

test("a saved URL that the normaliser would write differently today does not count as a change", () => {
  const old = { url: "https://madrid#tracking", ids: ["1"] };
  expect(dirty(stateOf(old))).toBe(false);
});

test("WIZ-05 WIZ-07 saving leads to the edit form, and a later wizard starts at step 1", () => {
  const typed = play(stateOf(null), { type: "url-typed", url: "x" }, { type: "step-taken", step: 3 });
  const saved = play(typed, {
    type: "saved",
    sent: { url: "x", ids: [] },
    saved: MADRID,
  });
  expect(saved).toMatchObject({ mode: "edit", step: 1, url: MADRID.url, ids: "1" });
  expect(play(saved, { type: "row-seen", saved: null })).toMatchObject({ mode: "wizard", step: 1 });
});

test("a connected chat is filled in once, and not again after it was removed", () => {
  const connected = play(stateOf(null), { type: "chats-seen", ids: ["7"] });
  expect(connected.ids).toBe("7");
  expect(dirty(connected)).toBe(false);
  const removed = play(connected, { type: "ids-typed", ids: "" }, { type: "chats-seen", ids: ["7", "8"] });
  expect(removed.ids).toBe("8");
});

test("an id that the bot added counts as saved, next to unsaved input", () => {
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

test("a filter changed elsewhere is shown with a notice if nothing was typed", () => {
  const state = play(stateOf(MADRID), { type: "row-seen", saved: GETAFE });
  expect(state).toMatchObject({ url: GETAFE.url, notice: "newer" });
  expect(dirty(state)).toBe(false);
  expect(play(state, { type: "ids-typed", ids: "1, 2" }).notice).toBeNull();
});

test("DOOR-17 changes of one side are kept with a notice, and the own changes can be discarded", () => {
  const state = play(
    stateOf(MADRID),
    { type: "ids-typed", ids: "1, 2" },
    { type: "row-seen", saved: GETAFE },
  );
  expect(state).toMatchObject({ url: GETAFE.url, ids: "1, 2", notice: "merged", base: GETAFE });
  expect(dirty(state)).toBe(true);
  expect(play(state, { type: "ids-typed", ids: "3" }).notice).toBeNull();
  expect(play(state, { type: "base-shown" })).toMatchObject({ url: GETAFE.url, ids: "1", notice: null });
});

test("DOOR-17 chats are merged one by one", () => {
  const base = { url: MADRID.url, ids: ["1", "2", "3"] };
  const state = play(
    stateOf(base),
    { type: "ids-typed", ids: "2, 3, 5" },
    { type: "row-seen", saved: { url: MADRID.url, ids: ["1", "3", "7"] } },
  );
  expect(state).toMatchObject({ ids: "3, 5, 7", notice: "merged" });
});

const BILBAO = { url: "https://bilbao", ids: ["1", "9"] };

test("DOOR-17 two different searches raise a question: typing leaves it open, each answer closes it, and the chats of both stay", () => {
  const asked = play(
    stateOf(MADRID),
    { type: "url-typed", url: GETAFE.url },
    { type: "ids-typed", ids: "1, 2" },
    { type: "row-seen", saved: BILBAO },
  );
  expect(asked).toMatchObject({ url: GETAFE.url, ids: "1, 2, 9", notice: "overtaken", base: BILBAO });
  expect(play(asked, { type: "ids-typed", ids: "3" }).notice).toBe("overtaken");
  expect(play(asked, { type: "row-seen", saved: { ...BILBAO, ids: ["1"] } })).toMatchObject({
    notice: "overtaken",
    ids: "1, 2",
  });
  expect(play(asked, { type: "mine-kept" })).toMatchObject({ url: GETAFE.url, base: BILBAO, notice: null });
  const taken = play(asked, { type: "other-taken" });
  expect(taken).toMatchObject({ url: BILBAO.url, ids: "1, 2, 9", notice: null });
  expect(dirty(taken)).toBe(true);
  expect(play(asked, { type: "row-seen", saved: { ...GETAFE } })).toMatchObject({ notice: "merged" });
});

test("DOOR-17 the same search on both devices raises no question", () => {
  const state = play(
    stateOf(MADRID),
    { type: "url-typed", url: `${GETAFE.url}#tracking` },
    { type: "row-seen", saved: GETAFE },
  );
  expect(state.notice).toBe("merged");
  expect(dirty(state)).toBe(false);
});

test("DOOR-17 input typed during a save is kept", () => {
  const sent = { url: GETAFE.url, ids: ["1"] };
  const typing = play(
    stateOf(MADRID),
    { type: "url-typed", url: GETAFE.url },
    { type: "ids-typed", ids: "1, 4" },
  );
  const saved = play(typing, { type: "saved", sent, saved: { ...sent, ids: ["1", "7"] } });
  expect(saved).toMatchObject({ url: GETAFE.url, ids: "1, 4, 7", base: { ids: ["1", "7"] } });
  expect(dirty(saved)).toBe(true);
  const quiet = play(stateOf(MADRID), {
    type: "saved",
    sent: MADRID,
    saved: { url: GETAFE.url, ids: ["1"] },
  });
  expect(quiet).toMatchObject({ url: GETAFE.url, notice: "merged" });
});

test("DOOR-17 a filter deleted elsewhere keeps the input in the wizard, with a notice", () => {
  const state = play(stateOf(MADRID), { type: "ids-typed", ids: "5" }, { type: "row-seen", saved: null });
  expect(state).toMatchObject({ mode: "wizard", base: null, url: MADRID.url, ids: "5", notice: "deleted" });
});

test("seeing the same row again changes nothing", () => {
  const state = stateOf(MADRID);
  expect(play(state, { type: "row-seen", saved: { ...MADRID, ids: [...MADRID.ids] } })).toBe(state);
});

test("a filter saved elsewhere replaces an untouched wizard, and shows a notice in a touched one", () => {
  expect(play(stateOf(null), { type: "row-seen", saved: MADRID })).toMatchObject({
    mode: "edit",
    url: MADRID.url,
  });
  const touched = play(
    stateOf(null),
    { type: "url-typed", url: "https://getafe" },
    { type: "row-seen", saved: MADRID },
  );
  expect(touched).toMatchObject({ mode: "wizard", url: "https://getafe", ids: "1", notice: "exists" });
  const removed = play(
    stateOf(null),
    { type: "chats-seen", ids: ["7"] },
    { type: "ids-typed", ids: "5" },
    { type: "url-typed", url: "https://getafe" },
    { type: "row-seen", saved: { ...MADRID, ids: ["7", "8"] } },
  );
  expect(removed).toMatchObject({ ids: "5, 8", notice: "exists" });
  const onlyChats = play(stateOf(null), { type: "ids-typed", ids: "5" }, { type: "row-seen", saved: MADRID });
  expect(onlyChats).toMatchObject({ mode: "edit", url: MADRID.url, ids: "5, 1", notice: "merged" });
});

test("MANY-01 an additional search starts with the given chats; another chat is added only if it connects later", () => {
  const state = newStateOf("", ["1"]);
  expect(dirty(state)).toBe(false);
  const known = play(state, { type: "chats-seen", ids: ["1", "2"] });
  expect(known.ids).toBe("1");
  expect(play(known, { type: "chats-seen", ids: ["1", "2", "3"] }).ids).toBe("1, 3");
  expect(dirty(newStateOf("https://getafe", ["1"]))).toBe(true);
});

test("TRUE-03 the first chat that connects during its question continues the wizard, once, and never after the review", () => {
  const asked = play(stateOf(null), { type: "step-taken", step: 2 });
  const came: FormAction = { type: "chats-seen", ids: ["7"] };
  expect(play(asked, came)).toMatchObject({ ids: "7", firstChat: "arrived" });
  expect(play(asked, came, { type: "step-taken", step: 3 }).firstChat).toBe("past");
  // A person who was typing when the chat arrived stays on the step.
  expect(play(asked, came, { type: "step-taken", step: 2 })).toMatchObject({ step: 2, firstChat: "past" });
  const returned = play(asked, { type: "step-taken", step: 3 }, { type: "step-taken", step: 2 });
  expect(play(returned, came)).toMatchObject({ ids: "7", firstChat: "past" });
  for (const before of [
    stateOf(null),
    play(asked, { type: "ids-typed", ids: "5" }),
    play(stateOf(MADRID), { type: "step-taken", step: 2 }),
  ]) {
    expect(play(before, came).firstChat).toBeUndefined();
  }
});
