import { setChildren } from "./element.ts";

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

/** The Google tab: who can sign in with Google, and what goes wrong with the next sign-in. Returns how to leave it. */
export async function showGoogle(main: HTMLElement): Promise<() => void> {
  const frame = document.createElement("section");
  frame.style.cssText = "padding:24px;max-width:640px;display:grid;gap:24px";
  main.append(frame);
  const google = (await (await fetch("/api/google")).json()) as Google;
  const people = document.createElement("ul");
  const showPeople = (all: Person[]) => setChildren(people, all.map(personItem));
  const refresh = async () => showPeople(((await (await fetch("/api/google")).json()) as Google).people);
  showPeople(google.people);
  frame.append(faultForm(google), peoplePart(people), personForm(refresh));
  return () => {};
}

function faultForm(google: Google): HTMLElement {
  const select = document.createElement("select");
  select.id = "fault";
  select.style.cssText = FIELD;
  for (const fault of ["", ...google.faults]) {
    const option = new Option(FAULTS[fault] ?? fault, fault);
    option.selected = fault === (google.fault ?? "");
    select.append(option);
  }
  select.addEventListener("change", () => {
    void send("PUT", "/api/google/fault", { fault: select.value || null });
  });
  return labelled("What goes wrong with the next sign-in", select);
}

function personItem(person: Person): HTMLElement {
  const item = document.createElement("li");
  item.textContent = `${person.name}, ${person.email}${person.isVerified ? "" : " (not verified)"}`;
  return item;
}

function peoplePart(list: HTMLElement): HTMLElement {
  const heading = document.createElement("h2");
  heading.textContent = "People with a Google account";
  const part = document.createElement("div");
  part.append(heading, list);
  return part;
}

function personForm(refresh: () => Promise<void>): HTMLElement {
  const form = document.createElement("form");
  const email = document.createElement("input");
  email.id = "new-email";
  email.type = "email";
  email.required = true;
  email.style.cssText = FIELD;
  const button = document.createElement("button");
  button.textContent = "Add";
  form.append(labelled("E-mail of one more", email), button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const isAdded = await send("POST", "/api/google/people", { email: email.value });
    if (isAdded) email.value = "";
    await refresh();
  });
  return form;
}

const FIELD = "font:inherit;min-height:40px;width:100%;padding:0 12px;display:block";

function labelled(text: string, field: HTMLElement): HTMLElement {
  const label = document.createElement("label");
  label.htmlFor = field.id;
  label.textContent = text;
  const part = document.createElement("div");
  part.append(label, field);
  return part;
}

async function send(method: string, path: string, body: object): Promise<boolean> {
  const headers = { "content-type": "application/json" };
  return (await fetch(path, { method, headers, body: JSON.stringify(body) })).ok;
}
