// The forms of the list of finds.
import { act, fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Finds } from "../features/finds/finds.tsx";
import { Answerer } from "./answerer.ts";
import { openPage, pass, setUpPages } from "./open-page.tsx";
import { STORED } from "./stored-rows.ts";
import { press } from "./typed-form.ts";

setUpPages();

test("WEB-03 a note that was written elsewhere meanwhile is asked about, and mine is saved over theirs", async () => {
  const answerer = new Answerer(STORED);
  const page = STORED["rpc my_finds"]?.() as { finds: object[] };
  let saved: string | null = "the first note";
  const finds = () => page.finds.map((find) => ({ ...find, note: saved }));
  answerer.answer("rpc my_finds", () => ({ ...page, finds: finds() }));
  answerer.answer("rpc my_find", () => ({ ...(STORED["rpc my_find"]?.() as object), note: saved }));
  answerer.answer("rpc note_find", ({ body }) => {
    const { note = null, replaces } = body as { note?: string; replaces?: { note: string | null } };
    if (replaces && replaces.note !== saved)
      return Response.json({ code: "PT409", message: "", details: "changed-elsewhere" }, { status: 409 });
    saved = note;
    return null;
  });
  const { queries } = await openPage(<Finds />, answerer, "/finds");
  await pass(4_000);
  await press(/^Note/);
  const field = screen.getByLabelText<HTMLTextAreaElement>(/note/i);
  expect(field.value).toBe("the first note");
  fireEvent.change(field, { target: { value: "mine" } });
  saved = "theirs";
  void queries.invalidateQueries();
  await pass(4_000);
  expect([field.value, field.isConnected]).toEqual(["mine", true]);
  await press(/^Save note/);
  await pass(4_000);
  expect(saved).toBe("theirs");
  const [question] = screen.getAllByRole("alert");
  expect(question?.textContent).toContain("mine");
  expect(question?.textContent).toContain("theirs");
  await press(/^Use my change/);
  await pass(4_000);
  expect(saved).toBe("mine");
});

test("WEB-01 prices that are typed stay beside another filter, and keep the focus when they are applied", async () => {
  const answerer = new Answerer(STORED);
  const { router } = await openPage(<Finds />, answerer, "/finds");
  await pass(4_000);
  const field = screen.getByLabelText<HTMLInputElement>(/^Price from/);
  field.focus();
  fireEvent.change(field, { target: { value: "1.000 €" } });
  await act(async () => router.navigate("/finds?max=500000"));
  await pass(4_000);
  expect(screen.getByLabelText<HTMLInputElement>(/^Price to/).value).toBe("500000");
  expect([field.value, field.isConnected]).toEqual(["1000", true]);
  await act(async () => fireEvent.submit(field));
  await pass(4_000);
  expect(router.state.location.search).toBe("?max=500000&min=1000");
  expect([field.value, document.activeElement === field]).toEqual(["1000", true]);
  expect(answerer.asked.at(-1)?.body).toMatchObject({ filter: { minPriceEur: 1000, maxPriceEur: 500_000 } });
});

test.each([["on", 1] as const, ["off", 0] as const])(
  "FIND-01 with the shortcuts %s, the key ? opens their help %i times",
  async (stored, count) => {
    localStorage.setItem("findKeys", stored);
    await openPage(<Finds />, new Answerer(STORED), "/finds");
    await pass(4_000);
    await act(async () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" })));
    await pass(2_000);
    expect(screen.queryAllByRole("dialog", { name: /shortcuts/i }).length).toBe(count);
  },
);
