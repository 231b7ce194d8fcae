// The steps of a sequence, as plain data that fast-check generates and shrinks. Numbers choose among what exists when the
// step runs, so a step means something whichever steps were removed before it.
import fc from "fast-check";

export type PasswordChoice = "right" | "none" | "wrong";

export type Act =
  | { act: "sign-up"; browser: number; mailbox: number }
  | { act: "sign-in"; browser: number; mailbox: number; isOld: boolean }
  | { act: "refresh"; holder: number; isLost: boolean }
  | { act: "steal"; holder: number; browser: number }
  | { act: "save-place"; holder: number }
  | { act: "sign-out"; holder: number; scope: "local" | "others" | "global" }
  | { act: "change-password"; holder: number; password: PasswordChoice }
  | { act: "request-reset"; mailbox: number }
  | { act: "open-reset"; link: number; browser: number; setsPassword: boolean }
  | { act: "sign-up-mail"; link: number; isMine: boolean }
  | { act: "google"; mailbox: number; browser: number; isExchanged: boolean }
  | { act: "telegram"; person: number; browser: number; isExchanged: boolean; hasBot: boolean }
  | { act: "launch"; person: number; browser: number; repeats: number; isEarlier: boolean }
  | { act: "allow-link"; holder: number; password: PasswordChoice }
  | { act: "link"; holder: number; person: number; password: PasswordChoice; hasBot: boolean }
  | { act: "unlink"; holder: number; password: PasswordChoice; keepsChat: boolean }
  | { act: "delete"; holder: number; password: PasswordChoice }
  | { act: "suspend"; account: number }
  | { act: "lift"; account: number }
  | { act: "wait" };

/** With `holdAt`, the request stops at that write and goes on after `span` further steps. */
export type Step = Act & { holdAt: number; span: number };

const few = fc.nat(3);
/** From this index on a holder may be one whose session has ended. */
export const ANYBODY = 6;
const pick = fc.nat(ANYBODY + 1);
const browser = fc.nat(3);
/** The first mailbox and Telegram user twice as often: people meet there. */
const person = fc.constantFrom(0, 0, 1);
const password = fc.constantFrom<PasswordChoice>("right", "right", "none", "wrong");
const usually = fc.constantFrom(true, true, true, false);
const rarely = fc.constantFrom(false, false, false, true);
const scope = fc.constantFrom<"local" | "others" | "global">("local", "others", "global");

const act = <Name extends Act["act"]>(name: Name, fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ act: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Act>;

const signUp = act("sign-up", { browser, mailbox: person });
const google = act("google", { mailbox: person, browser, isExchanged: usually });
const telegram = act("telegram", { person, browser, isExchanged: fc.boolean(), hasBot: usually });

const ACTS: fc.WeightedArbitrary<Act>[] = [
  { weight: 3, arbitrary: signUp },
  { weight: 5, arbitrary: act("sign-in", { browser, mailbox: person, isOld: rarely }) },
  { weight: 3, arbitrary: act("refresh", { holder: pick, isLost: rarely }) },
  { weight: 3, arbitrary: act("steal", { holder: pick, browser }) },
  { weight: 2, arbitrary: act("save-place", { holder: pick }) },
  { weight: 3, arbitrary: act("sign-out", { holder: pick, scope }) },
  { weight: 5, arbitrary: act("change-password", { holder: pick, password }) },
  { weight: 3, arbitrary: act("request-reset", { mailbox: person }) },
  { weight: 4, arbitrary: act("open-reset", { link: few, browser, setsPassword: usually }) },
  { weight: 2, arbitrary: act("sign-up-mail", { link: few, isMine: usually }) },
  { weight: 5, arbitrary: google },
  { weight: 5, arbitrary: telegram },
  { weight: 5, arbitrary: act("launch", { person, browser, repeats: few, isEarlier: fc.boolean() }) },
  { weight: 2, arbitrary: act("allow-link", { holder: pick, password }) },
  { weight: 6, arbitrary: act("link", { holder: pick, person, password, hasBot: usually }) },
  { weight: 5, arbitrary: act("unlink", { holder: pick, password, keepsChat: rarely }) },
  { weight: 3, arbitrary: act("delete", { holder: pick, password }) },
  { weight: 1, arbitrary: act("suspend", { account: few }) },
  { weight: 1, arbitrary: act("lift", { account: few }) },
  { weight: 1, arbitrary: act("wait", {}) },
];

const holding = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }) },
  // Steps of several requests have more writes.
  { weight: 1, arbitrary: fc.integer({ min: 9, max: 24 }) },
);

const stepOf = (...acts: fc.WeightedArbitrary<Act>[]): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.oneof(...acts), holding, fc.integer({ min: 1, max: 2 }))
    .map(([made, holdAt, span]) => ({ ...made, holdAt, span: holdAt === 0 ? 0 : span }));

/** Somebody enters first: nothing else can be done before. */
const first = stepOf(
  { weight: 4, arbitrary: signUp },
  { weight: 1, arbitrary: google },
  { weight: 2, arbitrary: telegram },
);

export const sequences: fc.Arbitrary<Step[]> = fc
  .tuple(first, fc.array(stepOf(...ACTS), { maxLength: 10, size: "max" }))
  .map(([one, others]) => [one, ...others]);

export const describe = (steps: readonly Step[]): string =>
  steps
    .map(({ act: name, holdAt, span, ...fields }, index) => {
      const held = holdAt === 0 ? "" : ` [stopped at write ${holdAt} for ${span} steps]`;
      return `${index + 1}. ${name} ${JSON.stringify(fields)}${held}`;
    })
    .join("\n");
