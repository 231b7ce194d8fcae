import { spawn } from "node:child_process";
import { requirePostgresBinaries } from "./binaries.ts";
import { findPostmaster } from "./postmaster.ts";
import { chooseRunAs } from "./run-as.ts";
import { StartError } from "./start-error.ts";

/**
 * Sets the owner's password of an embedded cluster without knowing the old one. PostgreSQL's single-user mode asks for none:
 * access to the cluster's files is enough.
 */
export async function resetPassword(folder: string, password: string): Promise<void> {
  const running = await findPostmaster(folder);
  if (running) throw new StartError(`PostgreSQL ${running.pid} runs on ${folder}: stop it first.`);
  const binaries = await requirePostgresBinaries();
  const runAs = await chooseRunAs(folder, [folder, binaries.postgres]);
  const { program, args, as } = runAs.command(binaries.postgres, [
    "--single",
    "-D",
    folder,
    "-j",
    "postgres",
  ]);
  const child = spawn(program, args, { ...as, env: { LC_ALL: "C", PATH: "/usr/bin:/bin" } });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  // The password consists of letters, digits, `-` and `_`. With -j a statement ends with an empty line.
  child.stdin.end(`alter role postgres password '${password}';\n\n`);
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  // A failing statement is only logged. The log must not be quoted, because it repeats the statement.
  if (code !== 0 || /\b(?:ERROR|FATAL|PANIC):/.test(log)) {
    throw new StartError(`PostgreSQL could not open ${folder} to set a new password; nothing was changed.`);
  }
}
