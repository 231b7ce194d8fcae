// Checks whether the response time of a refused sign-in reveals that the account exists. 200 attempts of each kind, alternating.
import { milliseconds, quantile, startBenchServer } from "../bench-server.ts";

const TRIES = 200;
const PEOPLE = 40;

const server = await startBenchServer();
for (let person = 0; person < PEOPLE; person += 1) {
  const email = `known${person}@example.com`;
  await server.auth("signup", `198.51.100.${person}`, { email, password: "bench-password" });
}

const known: number[] = [];
const unknown: number[] = [];
for (let round = 0; round < TRIES; round += 1) {
  known.push(await timeOf(`known${round % PEOPLE}@example.com`, round));
  unknown.push(await timeOf(`unknown${round}@example.com`, round));
}
await server.stop();

const ratio = quantile(known, 0.5) / quantile(unknown, 0.5);
console.table({ "wrong password": rowOf(known), "no such account": rowOf(unknown) });
console.log(`Medians differ by ${(Math.abs(1 - ratio) * 100).toFixed(1)} %. Target: within 10 %.`);

async function timeOf(email: string, round: number): Promise<number> {
  const startedAt = performance.now();
  const body = { email, password: "not-the-password" };
  const answer = await server.auth("token?grant_type=password", `203.0.113.${round}`, body);
  await answer.text();
  if (answer.status !== 400) throw new Error(`a refused sign-in answered ${answer.status}`);
  return performance.now() - startedAt;
}

function rowOf(times: number[]) {
  return {
    p10: milliseconds(quantile(times, 0.1)),
    p50: milliseconds(quantile(times, 0.5)),
    p90: milliseconds(quantile(times, 0.9)),
  };
}
