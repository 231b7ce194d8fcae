// The link of a sign-up on a hosted Supabase, whose answer is a session that must not stay.
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Answerer, FAULTS } from "../../testing/answerer.ts";
import { openPage, pass, sessionOf, setUpPages } from "../../testing/open-page.tsx";
import { PERSON } from "../../testing/person.ts";
import { STORED } from "../../testing/stored-rows.ts";
import { press } from "../../testing/typed-form.ts";
import { ConfirmEmail } from "./confirm-email.tsx";

setUpPages();

test.each(FAULTS)(
  "an address counts as confirmed although the session of its link cannot be ended: %s",
  async (fault) => {
    localStorage.clear();
    const answerer = new Answerer({
      ...STORED,
      "rpc describe_address_link": () => ({
        ...{ kind: "signup", email: PERSON.email, opened_at: "2026-11-19T08:00:00Z", browser: null },
        ...{ has_password: true, sign_ins: [], chats: [], searches: 0 },
      }),
      "POST verify": () => sessionOf(PERSON),
      "POST logout": () => null,
    });
    answerer.fail("POST logout", fault);
    await openPage(<ConfirmEmail />, answerer, "/confirm-email#token_hash=abc&type=signup");
    await pass(2_000);
    await press(/^Yes, that's me/);
    await pass(20_000);
    expect(answerer.names()).toContain("POST logout");
    expect(screen.getByRole("status").textContent).toContain(`${PERSON.email} is confirmed`);
  },
);
