/**
 * A backup is one gzip file of lines: a header, then for each table a line that names it, its rows as PostgreSQL's COPY
 * writes them, and `\.`; last a footer, without which the file is not whole. Rows as text are the same in every version.
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
  /** Mails to people that wait to be sent. */
  mails: z.array(z.record(z.string(), z.unknown())),
  isWhole: z.literal(true),
});

export type BackupHeader = z.infer<typeof headerSchema>;
export type BackupTable = z.infer<typeof tableSchema>;
export type BackupFooter = z.infer<typeof footerSchema>;

const END_OF_TABLE = "\\.";

/** Writes the file whole or not at all, for its owner's eyes alone. */
export async function writeBackup(path: string, parts: AsyncIterable<Buffer | string>): Promise<void> {
  const half = `${path}.part`;
  // Made anew: what somebody left or put there might be readable by others, or lead elsewhere.
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
  /** In the order of the file; the rows of one are read before the next is asked for. */
  tables: AsyncIterable<{ table: BackupTable; rows: AsyncIterable<Buffer> }>;
  /** Known when the tables are read. */
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

/** Reads it to its end, so that a file that is not whole is found out before anything is done with it. */
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

/** Split at line feeds alone: a row may hold whatever else other programs take for the end of a line. */
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
