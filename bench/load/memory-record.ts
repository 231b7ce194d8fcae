import { type Memory, memoryOf } from "../harness/machine.ts";
import { quantile } from "../harness/measure.ts";

const SAMPLE_MS = 2_000;
/**
 * A new process fills its caches, and Node delays garbage collection until its heap has settled. Heap snapshots at 40, 110, 180
 * and 250 s of the same load contain the same 87 to 94 MB while the process still grows for two minutes.
 */
const WARM_UP_MS = 120_000;

interface Processes {
  readonly serverPid: number;
  readonly postmasterPid: number;
}

/** Records the memory of server and database. At the end it compares the first and last third of the longest-lived server process. */
export function startMemoryRecord(findProcesses: () => Promise<Processes>) {
  const lives = new Map<number, { at: number; memory: Memory }[]>();
  const sample = async () => {
    // A restarting database has no process.
    const processes = await findProcesses().catch(() => undefined);
    if (!processes) return;
    const memory = await memoryOf(processes.serverPid, processes.postmasterPid);
    if (memory.serverMb === 0 || memory.postgresMb === 0) return;
    const life = lives.get(processes.serverPid) ?? [];
    lives.set(processes.serverPid, life);
    life.push({ at: Date.now(), memory });
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  return {
    end: async () => {
      clearInterval(timer);
      const [longest = []] = [...lives.values()].toSorted((a, b) => b.length - a.length);
      const born = longest[0]?.at ?? 0;
      const warm = longest.filter(({ at }) => at - born > WARM_UP_MS);
      const seen = warm.length >= 3 ? warm : longest;
      const third = Math.floor(seen.length / 3);
      const median = (part: typeof seen, pick: (memory: Memory) => number) =>
        quantile(
          part.map(({ memory }) => pick(memory)),
          0.5,
        );
      const [first, last] = [seen.slice(0, third), seen.slice(-third)];
      return {
        lifeSeconds: ((longest.at(-1)?.at ?? 0) - born) / 1000,
        firstMb: median(first, ({ serverMb }) => serverMb),
        lastMb: median(last, ({ serverMb }) => serverMb),
        firstPostgresMb: median(first, ({ postgresMb }) => postgresMb),
        lastPostgresMb: median(last, ({ postgresMb }) => postgresMb),
      };
    },
  };
}
