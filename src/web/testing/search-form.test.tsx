// The form of a search beside another device and a connection that comes and goes.
import { act, fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { FilterSettings } from "../features/filter-settings/filter-settings.tsx";
import { showToastsWith, type Toast } from "../lib/browser/toast.ts";
import { Answerer } from "./answerer.ts";
import { openPage, pass, setUpPages } from "./open-page.tsx";
import { SEARCH_ID, STORED } from "./stored-rows.ts";
import { SearchRows } from "./stored-searches.ts";

const linkUpTo = (price: number) =>
  `https://www.idealista.com/venta-viviendas/madrid-madrid/con-precio-hasta_${price}/?ordenado-por=fecha-publicacion-desc`;
const BEGUN = linkUpTo(100_000);

setUpPages();

function createServer(rows: ConstructorParameters<typeof SearchRows>[0]) {
  const answerer = new Answerer(STORED);
  const server = new SearchRows(rows);
  server.answer(answerer);
  return { answerer, server };
}

const OWN = { id: SEARCH_ID, filter_url: BEGUN, receiver_ids: ["501"] };
const linkField = () => screen.queryByLabelText<HTMLInputElement>("Filter URL");
const chatField = () => screen.queryByLabelText<HTMLInputElement>("Telegram Chat ID");
const button = (name: string | RegExp) =>
  screen.queryAllByRole("button", { name })[0] as HTMLButtonElement | undefined;
const press = (name: string | RegExp) => act(async () => button(name)?.click());
const type = (field: HTMLInputElement | null, value: string) =>
  field && fireEvent.change(field, { target: { value } });
const isSaidTo = (text: string) =>
  screen.queryAllByRole("alert").some(({ textContent }) => textContent?.includes(text));

async function openSettings(answerer: Answerer, address = `/filter-settings?search=${SEARCH_ID}`) {
  const opened = await openPage(<FilterSettings />, answerer, address);
  await pass(4_000);
  return opened;
}

test("WEB-03 DOOR-17 a link that both devices changed is asked about, with both, and mine is saved over theirs with the chats of both", async () => {
  const { answerer, server } = createServer([OWN]);
  const toasts: Toast[] = [];
  const stop = showToastsWith((toast) => toasts.push(toast));
  await openSettings(answerer);
  type(linkField(), linkUpTo(200_000));
  type(chatField(), "501, 66");
  server.rows = server.rows.map((row) => ({
    ...row,
    filter_url: linkUpTo(300_000),
    receiver_ids: ["501", "55"],
  }));
  await press("Save Changes");
  await pass(4_000);
  expect([isSaidTo(linkUpTo(200_000)), isSaidTo(linkUpTo(300_000))]).toEqual([true, true]);
  // The list may be a screen away.
  expect(toasts.map(({ title }) => title)).toEqual(["Another device changed this meanwhile: Madrid"]);
  act(() => toasts[0]?.action?.onAction());
  expect(document.activeElement?.textContent).toContain(linkUpTo(300_000));
  stop();
  expect([linkField()?.value, chatField()?.value]).toEqual([linkUpTo(300_000), "501, 55"]);
  await press("Use my change");
  await pass(4_000);
  expect(server.rows).toMatchObject([{ filter_url: linkUpTo(200_000), receiver_ids: ["501", "55", "66"] }]);
  expect(linkField()?.value).toBe(linkUpTo(200_000));
});

test("WEB-01 WEB-03 a field that was not touched follows another device, chats go together, and typed text stays", async () => {
  const { answerer, server } = createServer([OWN]);
  const { queries } = await openSettings(answerer);
  type(chatField(), "501, 66");
  const field = chatField();
  server.rows = server.rows.map((row) => ({
    ...row,
    filter_url: linkUpTo(300_000),
    receiver_ids: ["501", "55"],
  }));
  void queries.invalidateQueries();
  await pass(4_000);
  expect([linkField()?.value, chatField()?.value]).toEqual([linkUpTo(300_000), "501, 66, 55"]);
  expect(chatField()).toBe(field);
  await press("Save Changes");
  await pass(4_000);
  expect(server.rows).toMatchObject([{ filter_url: linkUpTo(300_000), receiver_ids: ["501", "66", "55"] }]);
  expect(button("Save Changes")?.disabled).toBe(true);
});

test("WEB-01 a search that is deleted elsewhere keeps what was typed, says so, and is saved again as a new one", async () => {
  const { answerer, server } = createServer([OWN]);
  const { queries } = await openSettings(answerer);
  type(chatField(), "501, 66");
  server.rows = [];
  void queries.invalidateQueries();
  await pass(4_000);
  expect(screen.getByText(/^This search was deleted/)).toBeTruthy();
  expect(linkField()?.value).toBe(BEGUN);
  for (const next of ["Next", "Review & Submit", "Save Configuration"]) {
    await press(next);
    await pass(2_000);
  }
  expect(server.rows).toMatchObject([{ filter_url: BEGUN, receiver_ids: ["501", "66"] }]);
});

test("WEB-01 the first search of another device does not close a wizard that was begun, and about another link the person is asked", async () => {
  const { answerer, server } = createServer([]);
  answerer.answer("chats", () => []);
  const { queries } = await openSettings(answerer, "/filter-settings");
  type(linkField(), linkUpTo(200_000));
  await press("Next");
  await pass(2_000);
  type(chatField(), "66");
  server.rows = new SearchRows([OWN]).rows;
  void queries.invalidateQueries();
  await pass(4_000);
  expect(chatField()?.value).toBe("66");
  await press("Review & Submit");
  await pass(2_000);
  await press("Save Configuration");
  await pass(6_000);
  expect([isSaidTo(linkUpTo(200_000)), isSaidTo(BEGUN)]).toEqual([true, true]);
  expect(server.rows).toHaveLength(1);
  await press("Use my change");
  await pass(4_000);
  expect(server.rows).toMatchObject([{ filter_url: linkUpTo(200_000), receiver_ids: ["501", "66"] }]);
});

test("EASY-07 WEB-01 quiet hours that are typed while the switch is being saved stay, and their fault is said", async () => {
  const { answerer, server } = createServer([{ ...OWN, quiet_from: null, quiet_until: null }]);
  await openSettings(answerer, `/filter-settings?search=${SEARCH_ID}#loud`);
  await act(async () => screen.getByRole("switch", { name: "Turn on quiet hours" }).click());
  await pass(30);
  const from = () => screen.getByLabelText<HTMLInputElement>("From");
  const until = () => screen.getByLabelText<HTMLInputElement>("Until");
  type(from(), "22:30");
  await act(async () => fireEvent.blur(from()));
  type(until(), "22:30");
  await act(async () => fireEvent.blur(until()));
  await pass(4_000);
  expect(screen.getByText("Choose two different times.")).toBeTruthy();
  type(until(), "07:15");
  await act(async () => fireEvent.blur(until()));
  await pass(4_000);
  expect(server.rows).toMatchObject([{ quiet_from: "22:30", quiet_until: "07:15" }]);
});

test("EASY-07 WEB-01 quiet hours that are left while the switch is being saved are saved after it", async () => {
  const { answerer, server } = createServer([{ ...OWN, quiet_from: null, quiet_until: null }]);
  await openSettings(answerer, `/filter-settings?search=${SEARCH_ID}#loud`);
  await act(async () => screen.getByRole("switch", { name: "Turn on quiet hours" }).click());
  await pass(30);
  for (const [name, time] of [
    ["From", "22:30"],
    ["Until", "07:15"],
  ] as const) {
    const field = screen.getByLabelText<HTMLInputElement>(name);
    type(field, time);
    await act(async () => fireEvent.blur(field));
  }
  await pass(4_000);
  expect(server.rows).toMatchObject([{ quiet_from: "22:30", quiet_until: "07:15" }]);
});

test("WIZ-08 WEB-03 a rule is removed with those that cannot be read, without a question", async () => {
  const rule = { on: "advertiser", is: "agency", act: "leave-out" };
  const { answerer, server } = createServer([{ ...OWN, rules: [rule, { on: "haunted" }] }]);
  answerer.answer("PATCH searches", ({ url, body }) => {
    expect(url.searchParams.get("rules")).toBe(`eq.${JSON.stringify([rule, { on: "haunted" }])}`);
    server.rows = server.rows.map((row) => ({ ...row, ...(body as object) }));
    return [{ id: SEARCH_ID }];
  });
  await openSettings(answerer, `/filter-settings?search=${SEARCH_ID}#rules`);
  await press("Remove them");
  await pass(4_000);
  expect(server.rows).toMatchObject([{ rules: [rule] }]);
  expect(screen.queryByText(/Another device changed this/)).toBeNull();
});
