// Mistakes that only the text of the settings file shows: the programs that read it take different parts of a line.
import { readFileSync } from "node:fs";

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/;

/** The text of `.env` in the current folder; empty if there is none. */
export function readSettingsFile(): string {
  try {
    return readFileSync(".env", "utf8");
  } catch {
    return "";
  }
}

/** An unquoted `#` begins a comment for Node, but not for systemd. */
export function findFileMistakes(text: string): string[] {
  return text.split("\n").flatMap((line, place) => {
    const [, name, value = ""] = ASSIGNMENT.exec(line) ?? [];
    if (name === undefined || /^["'`]/.test(value) || !value.includes("#")) return [];
    return [
      `${name} in line ${place + 1} of .env contains an unquoted #: what follows it would be lost; put the value in double quotes, or the comment in a line of its own`,
    ];
  });
}

/** Names that are no setting: all of those in the file, and those in the environment that resemble one. */
export function findUnknownSettings(options: {
  file: string;
  environment: NodeJS.ProcessEnv;
  settings: readonly string[];
}): string[] {
  const known = [...options.settings, ...OTHER_NAMES];
  const inFile = options.file.split("\n").flatMap((line) => ASSIGNMENT.exec(line)?.[1] ?? []);
  const inEnvironment = Object.keys(options.environment).filter((name) => /^[A-Z][A-Z\d_]+$/.test(name));
  return [...new Set([...inFile, ...inEnvironment])].flatMap((name) => {
    if (known.includes(name.replace(/_FILE$/, "")) || BELONGS_TO_NODE.test(name)) return [];
    const nearest = nearestOf(known, name.toUpperCase().replace(/_FILE$/, ""));
    if (nearest !== undefined) return [`${name} is not a setting; do you mean ${nearest}?`];
    return inFile.includes(name) ? [`${name} is not a setting; .env.example lists them`] : [];
  });
}

/** Settings of the simulators, and of the programs that run ours. */
const OTHER_NAMES = ["CONSOLE_PORT", "PATH", "TZ", "LANG", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
const BELONGS_TO_NODE = /^(?:NODE_|LC_)/;

function nearestOf(known: readonly string[], name: string): string | undefined {
  const [best] = known
    .map((one) => ({ one, distance: distanceBetween(name, one) }))
    .toSorted((a, b) => a.distance - b.distance);
  const isNear = best !== undefined && best.distance <= Math.max(name.length, best.one.length) / 4;
  return isNear && !OTHER_NAMES.includes(best.one) ? best.one : undefined;
}

/** How many letters have to be changed, added, removed or swapped with their neighbour. */
function distanceBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    const [above = [], twoAbove = []] = [rows[i - 1], rows[i - 2]];
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + change,
        isSwapped ? (twoAbove[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
