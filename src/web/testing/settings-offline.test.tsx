// Settings are not queued: without a connection they keep what was typed and say so, and one press saves them later.
import { act, fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Account } from "../features/account/account.tsx";
import { Finds } from "../features/finds/finds.tsx";
import { Answerer } from "./answerer.ts";
import { openPage, pass, setUpPages } from "./open-page.tsx";
import { STORED } from "./stored-rows.ts";

const UNSAVED = "No connection: not saved yet.";

setUpPages();

const press = (name: string | RegExp) => act(() => screen.getByRole("button", { name }).click());
const saidTimes = (text: string) =>
  screen.queryAllByRole("alert").filter((one) => one.textContent?.includes(text)).length;

/** The server has the row as it was saved elsewhere; a change that names other values finds no row. */
function isMeant(url: URL, column: string, saved: string): boolean {
  const condition = url.searchParams.get(column);
  return condition === null || condition === `eq.${saved}`;
}

test("CALM-04 WEB-03 the message keeps what was typed offline, says that it is not saved, and is saved by one press", async () => {
  const answerer = new Answerer(STORED);
  const saved: unknown[] = [];
  answerer.answer("PATCH find_settings", ({ body, url }) => {
    expect(isMeant(url, "who", "Two people")).toBe(true);
    saved.push(body);
    return [{ user_id: "x" }];
  });
  await openPage(<Finds />, answerer, "/finds?view=settings");
  await pass(3_000);
  const field = screen.getByLabelText<HTMLTextAreaElement>(/^Who/);
  fireEvent.change(field, { target: { value: "A couple" } });
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  answerer.fail("PATCH find_settings", "nothing");
  press("Save message");
  await pass(3_000);
  expect(saidTimes(UNSAVED)).toBe(1);
  expect([field.value, field.isConnected]).toEqual(["A couple", true]);
  isOnline.mockReturnValue(true);
  answerer.recover();
  await pass(60_000);
  expect(saved).toEqual([]);
  press("Save message");
  await pass(3_000);
  expect(saved).toEqual([{ who: "A couple" }]);
  expect(saidTimes(UNSAVED)).toBe(0);
});

test("WEB-03 a name that was changed elsewhere is asked about, with mine and theirs, and mine is saved over theirs", async () => {
  const answerer = new Answerer(STORED);
  const saved: unknown[] = [];
  answerer.answer("PUT user", ({ body }) => {
    saved.push(body);
    return STORED.user?.();
  });
  await openPage(<Account />, answerer, "/profile");
  await pass(3_000);
  press("Change name");
  await pass(500);
  fireEvent.change(screen.getByDisplayValue("Ana"), { target: { value: "Mine" } });
  answerer.answer("profiles", () => ({ ...(STORED.profiles?.() as object), full_name: "Theirs" }));
  press("Save name");
  await pass(3_000);
  const question = screen.getByRole("alert");
  expect(question.textContent).toContain("Yours: Mine");
  expect(question.textContent).toContain("On the other device: Theirs");
  expect(saved).toEqual([]);
  press("Use my change");
  await pass(3_000);
  expect(saved).toMatchObject([{ data: { full_name: "Mine" } }]);
  expect(screen.queryByRole("alert")).toBeNull();
});
