import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

test("SERV-05 an npm that cannot read the lock file is reported in one sentence, and nothing is installed", () => {
  const folder = mkdtempSync(join(tmpdir(), "sereno-launch-"));
  for (const path of ["scripts/launch.mjs", "package-lock.json"]) cpSync(path, join(folder, path));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/launch.mjs", "scripts/serve.ts"], {
    cwd: folder,
    encoding: "utf8",
    env: { npm_config_user_agent: "npm/9.2.0 node/v20.19.2 linux x64 workspaces/false" },
  });
  rmSync(folder, { recursive: true });
  expect([status, stderr]).toEqual([
    1,
    "This is npm 9.2.0, and Sereno needs 10 or later: install a newer Node.\n",
  ]);
});

test("RUN-11 a private CA named in the settings file is known to the command from its start", () => {
  const folder = mkdtempSync(join(tmpdir(), "sereno-launch-"));
  mkdirSync(join(folder, "scripts"));
  cpSync("scripts/launch.mjs", join(folder, "scripts/launch.mjs"));
  cpSync("scripts/strip-types.mjs", join(folder, "scripts/strip-types.mjs"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, ".env"), "NODE_EXTRA_CA_CERTS=/etc/ssl/our-own.pem\n");
  const program = join(folder, "scripts", "doctor.ts");
  writeFileSync(program, "process.stdout.write(process.env.NODE_EXTRA_CA_CERTS ?? 'none');");
  const { stdout } = spawnSync(process.execPath, ["scripts/launch.mjs", "doctor"], {
    cwd: folder,
    encoding: "utf8",
    env: {},
  });
  rmSync(folder, { recursive: true });
  expect(stdout).toBe("/etc/ssl/our-own.pem");
});
