// A person leaves a form without saving, by a link, the browser's Back, another language, a reload or a session that ended, and
// comes back to it in this tab.
import { cleanup } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ACCOUNT_FORMS } from "./account-forms.tsx";
import { Answerer } from "./answerer.ts";
import { pass, setUpPages, signInForTest } from "./open-page.tsx";
import { PERSON } from "./person.ts";
import { SEARCH_FORMS } from "./search-forms.ts";
import { STORED } from "./stored-rows.ts";
import { press, type TypedForm, type, typedField } from "./typed-form.ts";

setUpPages();

const KEPT = [...ACCOUNT_FORMS, ...SEARCH_FORMS].filter(({ isForgotten }) => isForgotten === undefined);

async function openForm({ user = PERSON, load, open, address, answers = {} }: TypedForm) {
  signInForTest(user as object);
  // Loaded again after a reload.
  const { openPage } = await import("./open-page.tsx");
  const Page = await load();
  await openPage(<Page />, new Answerer({ ...STORED, ...answers }), address);
  await pass(4_000);
  await open?.();
  await pass(1_000);
}

async function typeInto({ label, text = ["", "What I typed"] }: TypedForm): Promise<string> {
  expect(typedField(label)).toBeDefined();
  type(label, text[1]);
  await pass(500);
  return text[1];
}

const valueIn = ({ label }: TypedForm) => typedField(label)?.value;

test.each(KEPT)("WEB-01 what was typed is there when the person comes back: $name", async (form) => {
  await openForm(form);
  const typed = await typeInto(form);
  cleanup();
  await openForm(form);
  expect(valueIn(form)).toBe(typed);
});

// Rules and points of the map are not stored: leaving a page with typed rules asks first.
const STORABLE = KEPT.filter(({ name }) => name !== "the rules of a search");

test.each(STORABLE)("WEB-01 the same after a reload: $name", async (form) => {
  await openForm(form);
  const typed = await typeInto(form);
  cleanup();
  vi.resetModules();
  await openForm(form);
  expect(valueIn(form)).toBe(typed);
});

const CANCELLED = KEPT.filter(({ name }) => /name|note on|new place|address/.test(name));

test.each(CANCELLED)("WEB-01 what was cancelled is forgotten: $name", async (form) => {
  await openForm(form);
  const before = valueIn(form);
  await typeInto(form);
  await press(/^Cancel/);
  await pass(500);
  await form.open?.();
  await pass(1_000);
  expect(valueIn(form)).toBe(before);
});

const NAME = KEPT.find(({ name }) => name === "the name in the profile") as TypedForm;

test("WEB-01 what was typed is forgotten with a save, and stays with a failed one", async () => {
  await openForm({ ...NAME, answers: {} });
  await typeInto(NAME);
  await press(/^Save name/);
  await pass(4_000);
  cleanup();
  await openForm(NAME);
  expect(valueIn(NAME)).toBe("What I typed");
  await press(/^Save name/);
  await pass(4_000);
  cleanup();
  await openForm(NAME);
  expect(valueIn(NAME)).toBe("Ana");
});
