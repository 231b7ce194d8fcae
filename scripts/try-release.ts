// `node scripts/launch.mjs scripts/try-release.ts [folder]`: the steps of .github/workflows/release.yml that make the files of a
// release, as they are written there, in a clone of the last commit. Steps that need GitHub are named and left out.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

type Step = { name?: string; uses?: string; run?: string };
type Workflow = { jobs: { package: { steps: Step[] } } };

// knip's YAML parser; no other dependency reads YAML.
const parseYaml = createRequire(resolve("node_modules/knip/package.json"))("yaml").parse as (
  text: string,
) => Workflow;

const kept = resolve(process.argv[2] ?? "release");
const clone = mkdtempSync(join(tmpdir(), "sereno-release-"));
try {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  execFileSync("git", ["clone", "--quiet", resolve("."), clone]);
  const { steps } = parseYaml(readFileSync(".github/workflows/release.yml", "utf8")).jobs.package;
  for (const { name, uses, run } of steps) {
    const isForGitHub = run === undefined || /^\s*gh /m.test(run);
    process.stdout.write(`${isForGitHub ? "· needs GitHub" : "· runs"}: ${name ?? uses}\n`);
    if (isForGitHub) continue;
    execFileSync("bash", ["-euo", "pipefail", "-c", run], {
      cwd: clone,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, GITHUB_REF_NAME: `v${version}` },
    });
  }
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: clone, stdio: "inherit" });
  for (const file of globSync("{sereno-*.tgz,sereno-*.cdx.json,SHA256SUMS}", { cwd: clone })) {
    cpSync(join(clone, file), join(kept, basename(file)));
    process.stdout.write(`${join(kept, file)}\n`);
  }
} finally {
  rmSync(clone, { recursive: true, force: true });
}
