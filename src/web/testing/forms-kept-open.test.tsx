// Another device changes what a form is about while a person types into it: the form stays until the person closes it.
import { act, fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Account } from "../features/account/account.tsx";
import { Answerer, type Answers } from "./answerer.ts";
import { openPage, pass, sessionOf, setUpPages, signInForTest } from "./open-page.tsx";
import { PERSON } from "./person.ts";
import { STORED } from "./stored-rows.ts";
import { press } from "./typed-form.ts";

setUpPages();

const rowOf = (name: string) => STORED[name]?.() as object;
const WITHOUT_ADDRESS = { ...PERSON, email: "" };
const TELEGRAM = [{ provider: "custom:telegram", identity_data: { full_name: "Ana" } }];
/** Asked once for all tests. */
const OFFERED: Answers = { "config.json": () => ({ ...rowOf("config.json"), canLinkTelegram: true }) };
const linked = (identities: object[]): Answers => ({ user: () => ({ ...rowOf("user"), identities }) });

interface Case {
  readonly name: string;
  readonly user?: object;
  readonly before: Answers;
  readonly after: Answers;
  readonly opens: RegExp;
  readonly label: RegExp;
}

test.each<Case>([
  {
    name: "the address, when another device confirms one",
    user: WITHOUT_ADDRESS,
    before: {
      profiles: () => ({ ...rowOf("profiles"), email: null }),
      user: () => ({ ...rowOf("user"), email: "" }),
    },
    after: {
      profiles: () => ({ ...rowOf("profiles"), email: PERSON.email }),
      user: () => rowOf("user"),
      token: () => sessionOf(PERSON),
    },
    opens: /^Add an email/,
    label: /^Email/,
  },
  {
    name: "the end of the sign-in with Telegram, when another device ends it",
    before: linked(TELEGRAM),
    after: linked([]),
    opens: /^Unlink Telegram/,
    label: /^Current password/,
  },
  {
    name: "the sign-in with Telegram, when another device adds it",
    before: linked([]),
    after: linked(TELEGRAM),
    opens: /Telegram/,
    label: /^Current password/,
  },
])("WEB-01 a form that was opened stays open: $name", async ({ user, before, after, opens, label }) => {
  if (user) signInForTest(user);
  const answerer = new Answerer({ ...STORED, ...OFFERED, ...before });
  const { queries } = await openPage(<Account />, answerer, "/profile");
  await pass(4_000);
  await press(opens);
  const [field] = screen.getAllByLabelText<HTMLInputElement>(label);
  field?.focus();
  fireEvent.change(field as HTMLInputElement, { target: { value: "What I typed" } });
  for (const [name, answer] of Object.entries(after)) answerer.answer(name, answer);
  await act(() => queries.invalidateQueries());
  await pass(4_000);
  expect([field?.isConnected, field?.value]).toEqual([true, "What I typed"]);
  expect(document.activeElement).toBe(field);
});
