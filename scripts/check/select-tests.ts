// `npm test -- src/telegram START-05`: the tests below a folder or beside a file, and those whose titles name a requirement.
import { glob, readFile } from "node:fs/promises";

const FOLDERS = "{src,simulators,supabase,scripts,test}";
const REQUIREMENT = /^[A-Z]{3,8}-\d{2}$/;

export interface SelectedTests {
  vitest: string[];
  browser: string[];
  /** Matches the titles to run. Undefined for all. */
  title: string | undefined;
}

export async function selectTests(words: readonly string[]): Promise<SelectedTests> {
  const ids = words.filter((word) => REQUIREMENT.test(word));
  const paths = words.filter((word) => !REQUIREMENT.test(word)).map((path) => path.replace(/\/+$/, ""));
  const title = ids.length > 0 ? `\\b(${ids.join("|")})\\b` : undefined;
  const belongs = async (file: string) => {
    if (paths.length > 0 && !paths.some((path) => isBelow(path, file))) return false;
    return title === undefined || new RegExp(title).test(await readFile(file, "utf8"));
  };
  return {
    vitest: await those(glob(`${FOLDERS}/**/*.test.{ts,tsx}`), belongs),
    browser: await those(glob("e2e/**/*.e2e.ts"), belongs),
    title,
  };
}

/** `src/a/b` is a folder, `src/a/b.ts` a file beside its tests. */
function isBelow(path: string, file: string): boolean {
  const stem = path.replace(/(\.db)?(\.test|\.e2e)?\.tsx?$/, "");
  return file === path || file.startsWith(`${stem}/`) || file.startsWith(`${stem}.`);
}

async function those(
  files: AsyncIterable<string>,
  belongs: (file: string) => Promise<boolean>,
): Promise<string[]> {
  const found: string[] = [];
  for await (const file of files) if (await belongs(file)) found.push(file);
  return found.sort();
}
