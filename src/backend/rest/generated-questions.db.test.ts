import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MigratedPostgres, startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { askQuestions } from "#test/rest-questions/ask-questions.ts";
import { createQuestions } from "#test/rest-questions/create-questions.ts";
import { ROWS_OF_THINGS, THINGS } from "#test/rest-questions/rest-things.ts";
import { createStatementLog, STATEMENTS_LOGGED } from "#test/rest-questions/statement-log.ts";
import { SEQUENCE_SEED, seeded, sequenceRuns } from "#test/seeded.ts";
import { startTestRestApi, type TestRestApi } from "#test/test-rest-api.ts";

const QUESTIONS = sequenceRuns(2_000);
const PERSON = "00000000-0000-4000-8000-000000000001";

const log = createStatementLog();
let cluster: MigratedPostgres;
let owner: Sql;
let rest: TestRestApi;

beforeAll(async () => {
  const settings = { fsync: "off", synchronous_commit: "off", ...STATEMENTS_LOGGED };
  cluster = await startMigratedPostgres(settings, log.onLog);
  const url = await cluster.create();
  owner = postgres(url, { max: 1, onnotice: () => {} });
  await owner.unsafe(
    `${THINGS} ${ROWS_OF_THINGS} insert into auth.users (id, email) values ('${PERSON}', 'a@b.es');`,
  );
  rest = await startTestRestApi(url, owner);
});

afterAll(async () => {
  await Promise.all([rest.stop(), owner.end()]);
  await cluster.stop();
});

test(`READ-01 READ-02 of ${QUESTIONS} generated requests over HTTP none appears in a statement that PostgreSQL logs, and none causes a server error (seed ${SEQUENCE_SEED})`, async () => {
  const server = createServer(getRequestListener((request) => rest.api(request, "192.0.2.1")));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const ask: TestRestApi["ask"] = async ({ path, ...question }, person) => {
    const headers = { ...rest.headersOf(person), ...question.headers };
    const answer = await fetch(`http://127.0.0.1:${port}/rest/v1/${path}`, { ...question, headers });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const next = createQuestions(rest.catalogue, seeded(SEQUENCE_SEED));
  const { answers, wrong } = await askQuestions({ ask }, { next, count: QUESTIONS, person: PERSON });
  server.close();
  server.closeAllConnections();
  expect(wrong).toEqual([]);
  expect(answers.get(200)).toBeGreaterThan(QUESTIONS / 20);
  expect(log.count).toBeGreaterThan(QUESTIONS / 4);
  expect(log.withCanary).toEqual([]);
});
