import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { CONFIG_NAMES, readConfig } from "#server/config.ts";

const FILES = ["Dockerfile", "compose.yaml", "Caddyfile", "nginx.conf", "sereno.service"] as const;

const read = (file: (typeof FILES)[number]) => readFile(`deploy/${file}`, "utf8");
const matchesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, match = ""]) => match);
/** Settings that are not ours: those of Node and of PostgreSQL's image. */
const OTHERS = ["NODE_ENV", "POSTGRES_USER", "POSTGRES_PASSWORD_FILE", "ON_ERROR_STOP"];

test.each(FILES)("every setting in deploy/%s exists", async (file) => {
  const named = matchesIn(await read(file), /\b([A-Z][A-Z_]{3,})(?=[=:])/g).filter(
    (name) => !OTHERS.includes(name),
  );
  const known = CONFIG_NAMES.flatMap((name) => [name, `${name}_FILE`]);
  expect(named.filter((name) => !known.includes(name) && !DIRECTIVES.includes(name))).toEqual([]);
});
/** Uppercase words of a Dockerfile that can be followed by a colon or an equals sign. */
const DIRECTIVES = ["HEALTHCHECK", "EXPOSE"];

test("RUN-08 the proxies use the default port, allow WebSockets and are counted in TRUSTED_PROXIES", async () => {
  const { port } = readConfig({ ROLES: "mail", PORT: "" });
  for (const file of ["Caddyfile", "nginx.conf"] as const) {
    const text = await read(file);
    expect(text).toContain(`127.0.0.1:${port}`);
    expect(text).toContain("TRUSTED_PROXIES=1");
  }
  expect(await read("nginx.conf")).toMatch(
    /proxy_set_header Upgrade \$http_upgrade;\s+proxy_set_header Connection/,
  );
  // Debian's default is 768, and each open page takes two.
  expect(await read("nginx.conf")).toMatch(/worker_connections 8192;/);
  const compose = await read("compose.yaml");
  expect(compose).toContain(`sereno:${port}`);
  expect(compose).toContain('TRUSTED_PROXIES: "1"');
  expect(await read("Dockerfile")).toMatch(new RegExp(`PORT=${port}.*EXPOSE ${port}`, "s"));
});

test("RUN-06 the image is the packed release with production packages and one Node, and runs unprivileged", async () => {
  const image = await read("Dockerfile");
  const { dependencies } = JSON.parse(await readFile("package.json", "utf8"));
  expect(new Set(matchesIn(image, /FROM (\S+)/g))).toEqual(
    new Set([`node:${dependencies.node}-bookworm-slim`]),
  );
  const [building = "", final = ""] = image.split("\nFROM ").slice(-2);
  expect(building).toMatch(/npm pack.*tar --extract.*npm ci --omit=dev --include=optional --ignore-scripts/s);
  // Nothing but the release, whose content scripts/packed-files.test.ts checks.
  expect(matchesIn(final, /^COPY (.+)$/gm)).toEqual(["--from=build /sereno ./"]);
  expect(final).toMatch(/\nUSER node\n.*\nHEALTHCHECK /s);
});

test("what the image and the unit run exists, and the unit runs unprivileged and restarts only where that helps", async () => {
  const [image, unit] = [await read("Dockerfile"), await read("sereno.service")];
  const run = [
    ...matchesIn(image, /^CMD \["node", "(.+)"\]$/gm),
    ...matchesIn(unit, /^ExecStart=\S+ (.+)$/gm),
  ];
  expect(run).toEqual(["scripts/serve.ts", "scripts/serve.ts"]);
  const wanted = [
    "User=sereno",
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "CapabilityBoundingSet=",
    "UMask=0077",
    // Wrong settings, which no restart mends.
    "RestartPreventExitStatus=78",
  ];
  expect(wanted.filter((line) => !unit.split("\n").includes(line))).toEqual([]);
});

test("SERV-01 every supervisor waits longer than a stop may take", async () => {
  const seconds = [
    ...matchesIn(await read("sereno.service"), /TimeoutStopSec=(\d+)/g),
    ...matchesIn(await read("compose.yaml"), /stop_grace_period: (\d+)s/g),
  ].map(Number);
  expect(seconds).toHaveLength(3);
  expect(Math.min(...seconds)).toBeGreaterThan(10);
});
