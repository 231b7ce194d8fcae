import { accessSync, chmodSync, constants, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { StartError } from "./start-error.ts";

/** How to start a program so that it does not run as root: PostgreSQL refuses to. */
export type RunAs = {
  /** The owner of its files; undefined if that is the current user. */
  account: Account | undefined;
  command: (program: string, args: string[]) => { program: string; args: string[]; as?: Account };
};

type Account = { uid: number; gid: number };

/** Under root: the owner of the data folder, otherwise `postgres` or `nobody`, who must reach `paths`. */
export async function chooseRunAs(dataFolder: string, paths: string[]): Promise<RunAs> {
  if (process.getuid?.() !== 0)
    return { account: undefined, command: (program, args) => ({ program, args }) };
  const account = (await ownerOf(dataFolder)) ?? (await unprivilegedAccount());
  const isClosed = (folder: string) => !isOpenTo(folder, account);
  // The folder is ours: if nothing else gives PostgreSQL access, it may pass through but not list it.
  const ours = dirname(resolve(dataFolder));
  if (!isExecutable(SETPRIV) && isClosed(ours)) chmodSync(ours, 0o711);
  const closed = paths.flatMap(ancestorsOf).find(isClosed);
  if (closed === undefined) return { account, command: (program, args) => ({ program, args, as: account }) };
  if (!isExecutable(SETPRIV)) {
    throw new StartError(
      `PostgreSQL does not run as root, and the account it would run as cannot enter ${closed}; set DATA_DIR to a folder that everyone can enter, or start as another user.`,
    );
  }
  return {
    account,
    command: (program, args) => ({ program: SETPRIV, args: [...keepReach(account), program, ...args] }),
  };
}

const SETPRIV = "/usr/bin/setpriv";

/** Switches accounts but keeps the right to traverse root's closed folders (a clone in /root). */
function keepReach({ uid, gid }: Account): string[] {
  const capability = "+dac_override";
  // access(2) checks with the real account's rights and without capabilities, unless this bit is set.
  return [
    "--securebits=+no_setuid_fixup",
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    `--inh-caps=${capability}`,
    `--ambient-caps=${capability}`,
  ];
}

async function ownerOf(folder: string) {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined;
}

async function unprivilegedAccount() {
  const rows = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const row = rows.find(([name]) => name === "postgres") ?? rows.find(([name]) => name === "nobody");
  if (!row)
    throw new StartError(
      "PostgreSQL does not run as root, and there is no `postgres` or `nobody` account. Start Sereno as another user, or set DATABASE_URL.",
    );
  return { uid: Number(row[2]), gid: Number(row[3]) };
}

function ancestorsOf(path: string): string[] {
  const parent = dirname(resolve(path));
  return parent === path ? [] : [parent, ...ancestorsOf(parent)];
}

function isOpenTo(folder: string, { uid, gid }: Account): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return true;
  if (stats.uid === uid) return (stats.mode & 0o100) !== 0;
  if (stats.gid === gid) return (stats.mode & 0o010) !== 0;
  return (stats.mode & 0o001) !== 0;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
