import { execFileSync } from "node:child_process";

/** What `npm pack` would put into the tarball, without building the web app again. */
export function packedFiles(): string[] {
  const answer = execFileSync(
    "npm",
    ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=silent"],
    {
      encoding: "utf8",
    },
  );
  const [{ files }] = JSON.parse(answer) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}
