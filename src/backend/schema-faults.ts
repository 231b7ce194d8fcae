import type { Sql } from "postgres";
import { readMigrations } from "./migrate.ts";
import { currentVersion } from "./renamed-migrations.ts";
import { findEditedParts } from "./schema-parts.ts";

const FIRST_VERSION = "0001";

/** Sereno 0.1 and earlier began with another migration; that data is not migrated. */
export const isOfVersionZero = (versions: readonly string[]) =>
  versions.length > 0 && !versions.map(currentVersion).includes(FIRST_VERSION);

/** Why our migrations cannot run on this database, one sentence per fault. An empty database is fine. */
export async function findSchemaFaults(sql: Sql, migrationsFolder: string): Promise<string[]> {
  const ours = new Map((await readMigrations(migrationsFolder)).map((one) => [one.version, one]));
  const applied = await readHistory(sql);
  if (isOfVersionZero(applied.map(({ version }) => version))) {
    return [
      "The database was created by Sereno 0.1 or earlier, whose data cannot be migrated. It was left untouched: use another database or DATA_DIR.",
    ];
  }
  const unknown = applied.filter(({ version }) => !ours.has(version)).map(nameOf);
  // The Supabase CLI stores statements without their terminators, so only our own records can be compared with the
  // file.
  const edited = applied.filter(({ version, statements }) => {
    const text = ours.get(version)?.text;
    const [only = "", ...more] = statements ?? [];
    return text !== undefined && only !== "" && more.length === 0 && bareOf(only) !== bareOf(text);
  });
  return [
    ...(unknown.length > 0
      ? [`The database was migrated by a newer Sereno (${unknown.join(", ")}): start that one.`]
      : []),
    ...(edited.length > 0
      ? [
          `The database was made with other migrations than this version has (${edited.map(nameOf).join(", ")}). It was left untouched. To carry the data over, run \`npm run ops -- backup <file>\` with this version and these settings, then \`npm run ops -- restore <file>\` with another, empty DATABASE_URL or DATA_DIR.`,
        ]
      : []),
    ...editedParts(applied.length > 0 ? await findEditedParts(sql) : []),
  ];
}

const bareOf = (sql: string) => sql.trim().replace(/;$/, "");

const SHOWN = 3;

function editedParts(parts: string[]): string[] {
  if (parts.length === 0) return [];
  const more = parts.length > SHOWN ? ` and ${parts.length - SHOWN} more` : "";
  return [
    `The database was changed by hand (${parts.slice(0, SHOWN).join(", ")}${more}): undo it, or restore a backup.`,
  ];
}

type Applied = { version: string; name: string | null; statements: string[] | null };

const nameOf = ({ version, name }: Applied) => (name ? `${version}_${name}` : version);

async function readHistory(sql: Sql): Promise<Applied[]> {
  const [there] = await sql`select to_regclass('supabase_migrations.schema_migrations') as found`;
  if (there?.found === null) return [];
  const applied = await sql<Applied[]>`
    select version, name, to_json(statements) as statements
    from supabase_migrations.schema_migrations order by version`;
  return applied.map((one) => ({ ...one, version: currentVersion(one.version) }));
}
