import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";

/** What a simulator can store and take up again. */
export interface Keepable {
  state(): unknown;
  takeUp(state: unknown): void;
}

const EVERY_MS = 20_000;

/**
 * Restores the simulators from a folder and stores them there, now and then and at the end, so that a restart of the trial
 * changes nothing for its people. A file that cannot be read, or that an older version wrote, is a new world.
 */
export function keepStates(folder: string, version: string, simulators: Readonly<Record<string, Keepable>>) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (name: string) => join(folder, `${name}.bin`);
  for (const [name, simulator] of Object.entries(simulators)) {
    const kept = read(fileOf(name));
    if (kept?.version === version) simulator.takeUp(kept.state);
  }
  const store = () => {
    for (const [name, simulator] of Object.entries(simulators)) {
      const written = `${fileOf(name)}.new`;
      writeFileSync(written, serialize({ version, state: simulator.state() }), { mode: 0o600 });
      renameSync(written, fileOf(name));
    }
  };
  const timer = setInterval(store, EVERY_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      store();
    },
  };
}

function read(file: string): { version: string; state: unknown } | undefined {
  try {
    return deserialize(readFileSync(file));
  } catch {
    return undefined;
  }
}
