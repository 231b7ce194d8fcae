// What a step does: the operations that it consists of, one after another.
import { aliveness, type Operation, type State } from "./model-state.ts";
import { type Act, ANYBODY, type PasswordChoice } from "./steps.ts";
import { type Holder, nextId, PEOPLE, type World } from "./world.ts";

type WithoutId<One> = One extends unknown ? Omit<One, "id"> : never;
export type Wanted = WithoutId<Operation>;

export type Stage = {
  world: World;
  state: () => State;
  /** Performs an operation in a browser; resolves to its id if the server agreed. */
  perform: (wanted: Wanted, browser: number) => Promise<string | undefined>;
};

type Acting = { [Name in Act["act"]]: (act: Extract<Act, { act: Name }>, stage: Stage) => Promise<unknown> };

export function perform(act: Act, stage: Stage): Promise<unknown> {
  const acting = ACTING[act.act] as (act: Act, stage: Stage) => Promise<unknown>;
  return acting(act, stage);
}

const at = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];
const MOST_WAITED_MS = 8 * 60_000;
/** Provider sign-ins last five minutes. */
const FLOW_MS = 4 * 60_000;

/** One whose session is alive, but for the index `ANYBODY`. */
async function asHolder(stage: Stage, index: number, run: (holder: Holder) => Promise<unknown>) {
  const { holders } = stage.world;
  const state = stage.state();
  const alive = holders.filter(({ session }) => aliveness(state, session) !== "dead");
  const holder = index < ANYBODY ? at(alive, index) : at(holders, index);
  if (holder) await run(holder);
}

function choose(stage: Stage, { session }: Holder, choice: PasswordChoice): string | null {
  if (choice === "none") return null;
  const state = stage.state();
  const right = state.accounts[state.sessions[session]?.account ?? ""]?.password;
  return choice === "right" ? (right ?? null) : "another-long-secret";
}

function newPassword({ world }: Stage, mailbox: string | null | undefined): string {
  const known = world.passwords.get(mailbox ?? "") ?? [];
  const password = `${known.length} secrets of ${mailbox}`;
  world.passwords.set(mailbox ?? "", [...known, password]);
  return password;
}

const mailboxOf = (stage: Stage, { session }: Holder) => {
  const state = stage.state();
  return state.accounts[state.sessions[session]?.account ?? ""]?.mailbox;
};

async function changePassword(stage: Stage, holder: Holder, password: string | null) {
  const next = newPassword(stage, mailboxOf(stage, holder));
  await stage.perform({ kind: "change-password", session: holder.session, password, next }, holder.browser);
}

const isFresh = ({ world }: Stage, atMs: number | undefined) =>
  atMs !== undefined && world.clock.offsetMs - atMs < FLOW_MS;

async function finish(
  stage: Stage,
  flow: string | undefined,
  { person, browser, hasBot }: { person: string; browser: number; hasBot: boolean },
) {
  if (flow === undefined || !isFresh(stage, stage.world.flows.get(flow)?.atMs)) return undefined;
  return stage.perform({ kind: "return", flow, person, hasBot }, browser);
}

export async function exchange(stage: Stage, code: string | undefined): Promise<void> {
  const known = stage.world.codes.get(code ?? "");
  if (code === undefined || !known || !isFresh(stage, known.atMs)) return;
  await stage.perform({ kind: "exchange", code }, known.browser);
}

type ProviderSignIn = { provider: "google" | "telegram"; person: string; browser: number; hasBot: boolean };

async function signInWith(
  stage: Stage,
  { provider, browser, ...person }: ProviderSignIn,
  isExchanged: boolean,
) {
  const flow = await stage.perform({ kind: "begin-sign-in", provider, browser }, browser);
  const code = await finish(stage, flow, { ...person, browser });
  if (isExchanged) await exchange(stage, code);
}

export async function openReset(stage: Stage, link: string, browser: number): Promise<Holder | undefined> {
  const session = await stage.perform({ kind: "open-reset", link }, browser);
  return stage.world.holders.find((holder) => holder.session === session);
}

function linkAt({ world }: Stage, kind: "reset" | "sign-up", index: number): string | undefined {
  const links = [...world.links].filter(([, link]) => link.kind === kind);
  return at(links, index)?.[0];
}

const personAt = (index: number) => PEOPLE[index] ?? "ana";

const ACTING: Acting = {
  "sign-up": ({ browser, mailbox }, stage) => {
    const name = personAt(mailbox);
    const password = newPassword(stage, name);
    return stage.perform({ kind: "sign-up", mailbox: name, password }, browser);
  },
  "sign-in": async ({ browser, mailbox, isOld }, stage) => {
    const name = personAt(mailbox);
    const own = Object.values(stage.state().accounts).find((one) => one.mailbox === name)?.password;
    const old = stage.world.passwords.get(name)?.[0];
    const password = (isOld ? old : own) ?? "another-long-secret";
    await stage.perform({ kind: "sign-in", mailbox: name, password }, browser);
  },
  refresh: ({ holder: index, isLost }, stage) =>
    asHolder(stage, index, async (holder) => {
      const { session, token, browser } = holder;
      const isDone = await stage.perform({ kind: "refresh", session, token }, browser);
      if (isDone !== undefined && !isLost) holder.token = Math.max(holder.token, token + 1);
    }),
  steal: ({ holder: index, browser }, stage) =>
    asHolder(stage, index, async (holder) => void stage.world.holders.push({ ...holder, browser })),
  "save-place": ({ holder: index }, stage) =>
    asHolder(stage, index, async ({ session, browser }) => {
      const state = stage.state();
      const places = state.accounts[state.sessions[session]?.account ?? ""]?.places ?? [];
      const name = `place ${nextId(stage.world)}`;
      if (places.length < 3) await stage.perform({ kind: "save-place", session, name }, browser);
    }),
  "sign-out": ({ holder: index, scope }, stage) =>
    asHolder(stage, index, ({ session, browser }) =>
      stage.perform({ kind: "sign-out", session, scope }, browser),
    ),
  "change-password": ({ holder: index, password }, stage) =>
    asHolder(stage, index, (holder) => changePassword(stage, holder, choose(stage, holder, password))),
  "request-reset": async ({ mailbox }, { world, perform }) => {
    const name = personAt(mailbox);
    // One mail a minute to one address.
    if (world.resets.has(name)) wait(world);
    world.resets.add(name);
    await perform({ kind: "request-reset", mailbox: name }, 0);
  },
  "open-reset": async ({ link: index, browser, setsPassword }, stage) => {
    const link = linkAt(stage, "reset", index);
    const holder = link === undefined ? undefined : await openReset(stage, link, browser);
    if (holder && setsPassword) await changePassword(stage, holder, null);
  },
  "sign-up-mail": async ({ link: index, isMine }, stage) => {
    const link = linkAt(stage, "sign-up", index);
    if (link !== undefined) await stage.perform({ kind: "answer-sign-up-mail", link, isMine }, 0);
  },
  google: ({ mailbox, browser, isExchanged }, stage) => {
    const person = personAt(mailbox);
    return signInWith(stage, { provider: "google", person, browser, hasBot: false }, isExchanged);
  },
  telegram: ({ person, browser, isExchanged, hasBot }, stage) =>
    signInWith(stage, { provider: "telegram", person: personAt(person), browser, hasBot }, isExchanged),
  // A launch that is known already, or a new one, if possible of somebody with an account.
  launch: ({ person, browser, repeats, isEarlier }, { world, state, perform }) => {
    const known = repeats === 0 ? undefined : at([...world.launches], repeats);
    const owners = Object.values(state().accounts).flatMap(({ telegram }) => telegram ?? []);
    const data = known?.[1] ?? { person: at(owners, person) ?? personAt(person), isEarlier };
    const wanted = { person: data.person, isEarlier: data.isEarlier, repeats: known?.[0] ?? null };
    return perform({ kind: "launch", ...wanted }, browser);
  },
  "allow-link": ({ holder: index, password }, stage) =>
    asHolder(stage, index, (holder) => beginLink(stage, holder, choose(stage, holder, password))),
  link: ({ holder: index, person, password, hasBot }, stage) =>
    asHolder(stage, index, async (holder) => {
      const flow = await beginLink(
        stage,
        holder,
        password === "none" ? undefined : choose(stage, holder, password),
      );
      await finish(stage, flow, { person: personAt(person), browser: holder.browser, hasBot });
    }),
  unlink: ({ holder: index, password, keepsChat }, stage) =>
    asHolder(stage, index, async (holder) => {
      const { session, browser } = holder;
      const given = choose(stage, holder, password);
      await stage.perform({ kind: "unlink", session, password: given, keepsChat }, browser);
    }),
  delete: ({ holder: index, password }, stage) =>
    asHolder(stage, index, async (holder) => {
      const { session, browser } = holder;
      await stage.perform({ kind: "delete", session, password: choose(stage, holder, password) }, browser);
    }),
  suspend: ({ account }, stage) => operate("suspend", account, stage),
  lift: ({ account }, stage) => operate("lift", account, stage),
  wait: async (_, { world }) => wait(world),
};

function wait({ clock }: World): void {
  if (clock.offsetMs < MOST_WAITED_MS) clock.offsetMs += 65_000;
}

/** Without a password the flow gets no permission. */
async function beginLink(stage: Stage, { session, browser }: Holder, password: string | null | undefined) {
  const flow = await stage.perform({ kind: "begin-link", session, browser }, browser);
  if (flow !== undefined && password !== undefined) {
    await stage.perform({ kind: "allow-link", session, flow, password }, browser);
  }
  return flow;
}

/** Of the accounts that an answer has named. */
export const userIdsIn = ({ accounts }: State): string[] =>
  Object.values(accounts).flatMap(({ userId }) => userId ?? []);

async function operate(kind: "suspend" | "lift", index: number, { state, perform }: Stage) {
  const userId = at(userIdsIn(state()), index);
  if (userId !== undefined) await perform({ kind, userId }, 0);
}
