// Sign-ins with the old password that the server has begun, but not answered, when the account is secured.
import { beforeAll, expect, test } from "vitest";
import { type AccountsServer, startAccountsServer } from "#test/accounts/accounts-server.ts";
import { askServer } from "#test/accounts/ask-server.ts";
import { createTicket, type HeldTicket, withTicket } from "#test/accounts/gated-requests.ts";
import type { Operation } from "#test/accounts/model-state.ts";
import { createWorld, nextId, type World } from "#test/accounts/world.ts";

/** Each lane stops at another write; there are fewer than connections, so that the account can be secured meanwhile. */
const LANES = 5;
const ROUNDS = 4;
/** After the password was read; the sixth write of a sign-in begins the session. */
const FIRST_WRITE = 2;
const OWNER = 0;
const OLD = "the old secret of ana";

let server: AccountsServer;
let people = 0;

beforeAll(async () => {
  server = await startAccountsServer();
  return server.stop;
});

type Wanted<One = Operation> = One extends unknown ? Omit<One, "id"> : never;

async function ask(world: World, wanted: Wanted, { browser = OWNER, ticket = createTicket() } = {}) {
  const operation = { ...wanted, id: nextId(world) } as Operation;
  const seen = await withTicket(ticket, () => askServer(operation, { world, browser }));
  return { id: operation.id, ...seen };
}

async function signUp(): Promise<World> {
  people += 1;
  const world = createWorld(server, people);
  expect((await ask(world, { kind: "sign-up", mailbox: "ana", password: OLD })).isOk).toBe(true);
  return world;
}

const signIn = (world: World, browser: number, ticket: HeldTicket) =>
  ask(world, { kind: "sign-in", mailbox: "ana", password: OLD }, { browser, ticket });

async function mailedLink(world: World): Promise<void> {
  const ticket = createTicket();
  expect((await ask(world, { kind: "request-reset", mailbox: "ana" }, { ticket })).isOk).toBe(true);
  await expect.poll(() => ticket.mails.length).toBe(1);
  world.links.set("mailed", { kind: "reset", token: ticket.mails[0]?.tokenHash ?? "" });
}

const NEW = "the new secret of ana";
type Event = { prepare?: (world: World) => Promise<void>; secure: (world: World) => Promise<boolean> };

const EVENTS: [name: string, event: Event][] = [
  [
    "a change of the password",
    {
      secure: async (world) => {
        const session = world.holders[0]?.session ?? "";
        return (await ask(world, { kind: "change-password", session, password: OLD, next: NEW })).isOk;
      },
    },
  ],
  [
    "a reset by mail",
    {
      prepare: mailedLink,
      secure: async (world) => {
        const { id: session } = await ask(world, { kind: "open-reset", link: "mailed" });
        return (await ask(world, { kind: "change-password", session, password: null, next: NEW })).isOk;
      },
    },
  ],
  [
    "a proof of the address by Google",
    {
      secure: async (world) => {
        const { id: flow } = await ask(world, { kind: "begin-sign-in", provider: "google", browser: OWNER });
        return (await ask(world, { kind: "return", flow, person: "ana", hasBot: false })).isOk;
      },
    },
  ],
];

/** Until the work is done, or waits for what a stopped request has locked. */
async function untilLocked(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const settled = () => {
    isDone = true;
  };
  work.then(settled, settled);
  await expect
    .poll(async () => {
      const locked = await server.database.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return isDone || locked.length > 0;
    })
    .toBe(true);
}

test.each(EVENTS)("TIME-02 %s leaves none of 20 sign-ins in flight", async (_, { prepare, secure }) => {
  const survivors: string[] = [];
  let stopped = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const world = await signUp();
    await prepare?.(world);
    const lanes = Array.from({ length: LANES }, (_, lane) => {
      const ticket = createTicket({ holdAt: FIRST_WRITE + lane });
      const answer = signIn(world, lane + 1, ticket);
      return { ticket, answer, isStopped: Promise.race([ticket.held.then(() => 1), answer.then(() => 0)]) };
    });
    for (const { isStopped } of lanes) stopped += await isStopped;
    const secured = secure(world);
    await untilLocked(secured);
    for (const { ticket } of lanes) ticket.release();
    expect(await secured).toBe(true);
    for (const { answer } of lanes) {
      const { id: session, isOk } = await answer;
      if (isOk && (await ask(world, { kind: "read", session })).isOk) survivors.push(session);
    }
  }
  expect(stopped).toBe(LANES * ROUNDS);
  expect(survivors).toEqual([]);
});
