import { act, ask } from "./api.ts";
import { createList, element, form } from "./element.ts";
import { type Faults, faultChoice } from "./fault-choice.ts";

type Person = { sub: string; email: string; name: string; isVerified: boolean };
type Google = Faults & { people: Person[] };

const FAULTS: Record<string, string> = {
  "": "All goes well",
  refused: "Google refuses",
  unverified: "Google has not verified the address",
  "expired-code": "The code has expired",
  "wrong-state": "The state is another one",
  "other-account": "Another Google account has the same address",
  "token-down": "Google's token service is down",
  "bad-signature": "The ID token is signed with a foreign key",
};

/** The Google accounts, and the fault of the next sign-in. Returns a function that cleans up. */
export async function showGoogle(ground: HTMLElement): Promise<() => void> {
  const google = await ask<Google>("google");
  const people = element("ul", {});
  const showPeople = createList<Person>(people, ({ sub }) => sub, personItem);
  showPeople(google.people);
  const label = "E-mail of one more";
  const email = element("input", { type: "email", required: true, ariaLabel: label, placeholder: label });
  const addPerson = form([email, element("button", {}, "Add")], async () => {
    await act("google/people", { email: email.value });
    email.value = "";
    showPeople((await ask<Google>("google")).people);
  });
  ground.append(
    element(
      "div",
      { className: "page" },
      element("h2", {}, "What goes wrong with the next sign-in"),
      faultChoice("google", google, FAULTS),
      element("h2", {}, "People with a Google account"),
      people,
      addPerson,
    ),
  );
  return () => {};
}

function personItem({ name, email, isVerified }: Person): HTMLElement {
  return element("li", {}, `${name}, ${email}${isVerified ? "" : " (not verified)"}`);
}
