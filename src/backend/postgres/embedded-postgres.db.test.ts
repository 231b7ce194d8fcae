import { mkdtemp, rm } from "node:fs/promises";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { listenOnLoopback } from "#simulators/listen-on-loopback.ts";
import { makePrivateFolder } from "../secrets.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";

test("if another program takes the chosen port first, PostgreSQL starts on another one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sereno-port-"));
  await makePrivateFolder(folder);
  const other = await listenOnLoopback((_, response) => response.end());
  const taken = { address: "127.0.0.1", family: "IPv4", port: other.port };
  const chosen = vi.spyOn(Server.prototype, "address").mockReturnValueOnce(taken);
  const server = await startEmbeddedPostgres({ folder: join(folder, "database"), password: "a password" });
  expect(chosen).toHaveBeenCalledTimes(2);
  expect(new URL(server.url).port).not.toBe(String(other.port));
  await Promise.all([server.stop(), other.stop()]);
  await rm(folder, { recursive: true, force: true });
});
