// Before `npm pack`: the lock file as npm-shrinkwrap.json, for whoever installs the tarball. What only development needs is marked
// as such even where a package names it as an optional peer: i18next does so with typescript, which is 24 MB.
import { readFile, writeFile } from "node:fs/promises";

type Locked = { dev?: true; devOptional?: true };
type Lock = { packages: Record<string, Locked> };

const lock = JSON.parse(await readFile("package-lock.json", "utf8")) as Lock;
const { devDependencies } = JSON.parse(await readFile("package.json", "utf8")) as {
  devDependencies: Record<string, string>;
};
for (const name of Object.keys(devDependencies)) {
  const locked = lock.packages[`node_modules/${name}`];
  if (locked?.devOptional !== true) continue;
  delete locked.devOptional;
  locked.dev = true;
}
await writeFile("npm-shrinkwrap.json", `${JSON.stringify(lock, null, 2)}\n`);
