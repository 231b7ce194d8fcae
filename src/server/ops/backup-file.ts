/**
 * A backup is one gzip file of lines: a header; for each table a line with its name, its rows in PostgreSQL's COPY
 * format and `\.`; and a footer, without which the file is incomplete. Rows in text format are portable between
 * versions.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { StartError } from "#backend/postgres/start-error.ts";

const headerSchema = z.object({
  sereno: z.literal("backup"),
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.string()),
});
const tableSchema = z.object({ table: z.string(), columns: z.array(z.string()) });
const footerSchema = z.object({
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  mails: z.array(z.record(z.string(), z.unknown())),
  isWhole: z.literal(true),
});

export type BackupHeader = z.infer<typeof headerSchema>;
export type BackupTable = z.infer<typeof tableSchema>;
export type BackupFooter = z.infer<typeof footerSchema>;

const END_OF_TABLE = "\\.";

/** Writes the file atomically, readable by its owner only. */
export async function writeBackup(path: string, parts: AsyncIterable<Buffer | string>): Promise<void> {
  const half = `${path}.part`;
  // Always a new file: an existing one might be readable by others or be a link.
  await rm(half, { force: true });
  try {
    await pipeline(parts, createGzip({ level: 6 }), createWriteStream(half, { mode: 0o600, flags: "wx" }));
    const file = await open(half);
    await file.sync().finally(() => file.close());
    await rename(half, path);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}

export const headerLine = (header: BackupHeader) => `${JSON.stringify(header)}\n`;
export const tableLine = (table: BackupTable) => `${JSON.stringify(table)}\n`;
export const tableEnd = `${END_OF_TABLE}\n`;
export const footerLine = (footer: BackupFooter) => `${JSON.stringify(footer)}\n`;

export type BackupReader = {
  header: BackupHeader;
  /** In file order; the rows of one table must be read before the next is requested. */
  tables: AsyncIterable<{ table: BackupTable; rows: AsyncIterable<Buffer> }>;
  /** Available once the tables have been read. */
  footer: () => BackupFooter;
  close: () => void;
};

export async function readBackup(path: string): Promise<BackupReader> {
  const notOurs = (cause: unknown) =>
    new StartError(`${path} is not a complete backup of Sereno; nothing was changed.`, { cause });
  const file = createReadStream(path);
  const unpacked = file.pipe(createGunzip());
  file.on("error", (error) => unpacked.destroy(error));
  const lines = linesOf(unpacked)[Symbol.asyncIterator]();
  const next = async (): Promise<Buffer> => {
    const { value, done } = await lines.next().catch((error: unknown) => {
      throw notOurs(error);
    });
    if (done) throw notOurs(undefined);
    return value;
  };
  const parse = <T>(schema: z.ZodType<T>, line: Buffer): T => {
    try {
      return schema.parse(JSON.parse(String(line)));
    } catch (error) {
      throw notOurs(error);
    }
  };
  let footer: BackupFooter | undefined;
  async function* rows(): AsyncGenerator<Buffer> {
    for (let line = await next(); String(line) !== END_OF_TABLE; line = await next()) {
      yield Buffer.concat([line, NEW_LINE]);
    }
  }
  async function* tables() {
    for (;;) {
      const line = await next();
      const table = tableSchema.safeParse(jsonOf(line)).data;
      if (!table) {
        footer = parse(footerSchema, line);
        return;
      }
      yield { table, rows: rows() };
    }
  }
  return {
    header: parse(headerSchema, await next()),
    tables: tables(),
    footer: () => {
      if (!footer) throw notOurs(undefined);
      return footer;
    },
    close: () => {
      file.destroy();
      unpacked.destroy();
    },
  };
}

/** Reads the whole file, so that an incomplete one is detected before anything is done with it. */
export async function requireWhole(path: string): Promise<void> {
  const backup = await readBackup(path);
  try {
    for await (const { rows } of backup.tables) for await (const _ of rows);
    backup.footer();
  } finally {
    backup.close();
  }
}

const NEW_LINE = Buffer.from("\n");

function jsonOf(line: Buffer): unknown {
  try {
    return JSON.parse(String(line));
  } catch {
    return undefined;
  }
}

/** Splits at line feeds only: a row may contain other line separators. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]);
      rest = [];
      from = end + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}
