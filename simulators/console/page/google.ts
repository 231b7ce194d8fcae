import { act, ask } from "./api.ts";
import { createList, element, form } from "./element.ts";

type Person = { sub: string; email: string; name: string; isVerified: boolean };
type Google = { people: Person[]; fault: string | null; faults: string[] };

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
      faultChoice(google),
      element("h2", {}, "People with a Google account"),
      people,
      addPerson,
    ),
  );
  return () => {};
}

function faultChoice({ faults, fault }: Google): HTMLElement {
  const options = ["", ...faults].map((value) => element("option", { value }, FAULTS[value] ?? value));
  const choice = element("select", { ariaLabel: "What goes wrong with the next sign-in" }, ...options);
  choice.value = fault ?? "";
  choice.addEventListener("change", () => {
    void act("google/fault", { fault: choice.value || null }, "PUT");
  });
  return choice;
}

function personItem({ name, email, isVerified }: Person): HTMLElement {
  return element("li", {}, `${name}, ${email}${isVerified ? "" : " (not verified)"}`);
}
