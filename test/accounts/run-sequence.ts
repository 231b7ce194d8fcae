// Runs one sequence of steps: each request is asked, answered and compared with the model. After each step the sessions whose
// rights have changed ask for rows, and after the last one everything that was granted is tried.
import { setTimeout as sleep } from "node:timers/promises";
import type { AccountsServer } from "./accounts-server.ts";
import { exchange, openReset, perform, type Stage, userIdsIn, type Wanted } from "./act.ts";
import { askServer } from "./ask-server.ts";
import { createTicket, type HeldTicket, withTicket } from "./gated-requests.ts";
import { createLinearizer, Disagreement, type Linearizer } from "./linearize.ts";
import { aliveness, type Operation } from "./model-state.ts";
import type { Step } from "./steps.ts";
import { createStoppedTasks } from "./stopped-tasks.ts";
import { createWorld, nextId, PEOPLE, type World } from "./world.ts";

/** A mail is sent after the answer. */
const MAIL_MS = 40;
const MAIL_KINDS: Partial<Record<Operation["kind"], "reset" | "sign-up">> = {
  "request-reset": "reset",
  "sign-up": "sign-up",
};

type Run = { world: World; linearizer: Linearizer; trace: string[] };

/** Throws a Disagreement, with what was asked and answered so far. */
export async function runSequence(
  server: AccountsServer,
  number: number,
  steps: readonly Step[],
): Promise<void> {
  const run: Run = { world: createWorld(server, number), linearizer: createLinearizer(), trace: [] };
  const tasks = createStoppedTasks(server, run.trace);
  const checks = stageIn(run, ticketAt(run, 0));
  const seen = new Map<string, string>();
  try {
    for (const { holdAt, span, ...act } of steps) {
      run.trace.push(`${act.act}${holdAt === 0 ? "" : `, stopped at write ${holdAt}`}`);
      const ticket = ticketAt(run, holdAt);
      // What goes on after the answer is not stopped.
      const done = perform(act, stageIn(run, ticket)).then(() => {});
      await tasks.reach({ ticket, done: done.finally(ticket.release), left: span });
      await tasks.settle(readChanged(run, checks, seen));
      await tasks.countStep();
    }
    await tasks.continueAll();
    run.trace.push("at the end");
    await tryEverything(run, checks);
  } catch (error) {
    if (error instanceof Disagreement) error.message += `\n\nWhat was asked:\n${run.trace.join("\n")}`;
    throw error;
  } finally {
    await tasks.abandon();
  }
}

const ticketAt = ({ world }: Run, holdAt: number) =>
  createTicket({ holdAt, clockMs: () => world.clock.offsetMs });

function stageIn(run: Run, ticket: HeldTicket): Stage {
  const { world, linearizer, trace } = run;
  return {
    ...{ world, state: linearizer.state },
    perform: async (wanted: Wanted, browser: number): Promise<string | undefined> => {
      const operation = { ...wanted, id: nextId(world) } as Operation;
      linearizer.begin(operation);
      trace.push(`  ${operation.id} asked ${JSON.stringify(wanted)} from browser ${browser}`);
      const seen = await withTicket(ticket, () => askServer(operation, { world, browser }));
      trace.push(`  ${operation.id} ${seen.isOk ? "succeeded" : "was refused"} with ${seen.status}`);
      if (seen.status >= 500) throw new Disagreement(operation, seen, ["an answer without a server error"]);
      // What it mails is written after the answer, and takes effect then.
      if (seen.isOk) await noteMail(run, operation, ticket);
      linearizer.end(operation, seen);
      return seen.isOk ? operation.id : undefined;
    },
  };
}

/** Keeps the link in the mail that the operation causes, if it causes one. */
async function noteMail(
  { world, linearizer }: Run,
  operation: Operation,
  { mails, isStopped }: HeldTicket,
): Promise<void> {
  const kind = MAIL_KINDS[operation.kind];
  const isExpected =
    operation.kind === "request-reset"
      ? Object.values(linearizer.state().accounts).some((one) => one.mailbox === operation.mailbox)
      : world.server.catalogue.routines.has("refuse_address");
  if (kind === undefined || !isExpected) return;
  let until = performance.now() + MAIL_MS;
  while (mails.length === 0 && performance.now() < until) {
    if (isStopped()) until = performance.now() + MAIL_MS;
    await sleep(1);
  }
  const token = mails.at(-1)?.tokenHash;
  if (token !== undefined) world.links.set(operation.id, { kind, token });
}

async function readChanged(
  { world, linearizer }: Run,
  checks: Stage,
  seen: Map<string, string>,
): Promise<void> {
  for (const session of world.tokens.keys()) {
    const now = aliveness(linearizer.state(), session);
    if (seen.get(session) === now) continue;
    seen.set(session, now);
    await checks.perform({ kind: "read", session }, 0);
  }
}

async function tryEverything({ world, linearizer }: Run, checks: Stage): Promise<void> {
  for (const userId of userIdsIn(linearizer.state())) {
    await checks.perform({ kind: "hear", userId }, 0);
  }
  for (const code of world.codes.keys()) await exchange(checks, code);
  // Those that have ended were asked when they did.
  for (const session of world.tokens.keys()) {
    if (aliveness(linearizer.state(), session) !== "dead") await checks.perform({ kind: "read", session }, 0);
  }
  for (const [flow, { link, status, browser }] of Object.entries(linearizer.state().flows)) {
    if (link === null || status !== "live") continue;
    const [person = ""] = PEOPLE;
    await checks.perform({ kind: "return", flow, person, hasBot: true }, browser);
  }
  for (const { session, token, browser } of [...world.holders]) {
    await checks.perform({ kind: "refresh", session, token }, browser);
  }
  for (const [link, { kind }] of world.links) {
    if (kind === "reset") await openReset(checks, link, 0);
    else await checks.perform({ kind: "answer-sign-up-mail", link, isMine: true }, 0);
  }
}
