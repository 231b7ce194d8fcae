import { createHash } from "node:crypto";

export type GooglePerson = { sub: string; email: string; name: string; isVerified: boolean };

export function createPeople() {
  const people: GooglePerson[] = [];
  const find = (email: string) => people.find((person) => person.email.toLowerCase() === email.toLowerCase());
  const add = ({
    email,
    name,
    isVerified = true,
  }: {
    email: string;
    name?: string;
    isVerified?: boolean;
  }) => {
    const person = { sub: subOf(email), email, name: name || nameFrom(email), isVerified };
    const known = people.findIndex((other) => other.sub === person.sub);
    people.splice(known < 0 ? people.length : known, known < 0 ? 0 : 1, person);
    return person;
  };
  add({ email: "lucia.ortega@gmail.example", name: "Lucía Ortega" });
  add({ email: "tom.baker@gmail.example", name: "Tom Baker" });
  add({ email: "unverified@company.example", name: "Nadia Petrova", isVerified: false });
  return { all: () => people, find, add };
}

/** Like Google's: 21 digits that say nothing and never change, so a restart makes nobody a stranger. */
function subOf(email: string): string {
  const hash = createHash("sha256").update(email.toLowerCase()).digest();
  return `1${(hash.readBigUInt64BE(0) % 10n ** 20n).toString().padStart(20, "0")}`;
}

function nameFrom(email: string): string {
  const words = (email.split("@")[0] ?? "").split(/[._+-]+/).filter(Boolean);
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(" ") || email;
}
