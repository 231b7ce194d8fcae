// How long does a bystander wait while twenty people sign in at once? `/livez` is asked every 5 ms meanwhile.
import { milliseconds, quantile, startBenchServer } from "../bench-server.ts";

const AT_ONCE = 20;
const ROUNDS = 5;

const server = await startBenchServer();
await server.auth("signup", "203.0.113.250", { email: "bench@example.com", password: "bench-password" });

const quiet = await askWhile(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
const busy: number[] = [];
const signIns: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  busy.push(
    ...(await askWhile(() =>
      Promise.all(Array.from({ length: AT_ONCE }, () => signIn(`203.0.113.${round}`))),
    )),
  );
}
await server.stop();

console.table({
  "/livez, nobody signs in": rowOf(quiet),
  [`/livez, ${AT_ONCE} sign in at once`]: rowOf(busy),
  "one of the sign-ins": rowOf(signIns),
});
console.log(`Target: /livez under 100 ms at worst. ${Math.max(...busy) < 100 ? "Held." : "NOT held."}`);

async function signIn(address: string): Promise<void> {
  const startedAt = performance.now();
  const body = { email: "bench@example.com", password: "bench-password" };
  const answer = await server.auth("token?grant_type=password", address, body);
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}`);
  signIns.push(performance.now() - startedAt);
}

async function askWhile(act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isDone = false;
  const asking = (async () => {
    while (!isDone) {
      const startedAt = performance.now();
      await (await fetch(`${server.url}/livez`)).text();
      times.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await act();
  isDone = true;
  await asking;
  return times;
}

function rowOf(times: number[]) {
  return {
    asked: times.length,
    p50: milliseconds(quantile(times, 0.5)),
    p95: milliseconds(quantile(times, 0.95)),
    max: milliseconds(Math.max(...times)),
  };
}
