// A mailbox over IMAP (RFC 3501, RFC 2177), with only the commands that a reader needs. Commands that would mark, move or
// delete a mail are refused and recorded.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

interface StoredMail {
  readonly uid: number;
  readonly raw: Buffer;
  readonly date: Date;
}

/** Handles a command. Returns the lines before "OK", "refused", or null if a reader must not use the command. */
type Answer = (rest: string, client: Client) => (string | Buffer)[] | "refused" | null;

interface Client {
  readonly socket: Socket;
  idleTag: string | undefined;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export class ImapServer {
  readonly violations: string[] = [];
  idles = 0;
  isDown = false;
  #uidValidity = 1;
  #mails: StoredMail[] = [];
  readonly #clients = new Set<Client>();
  readonly #server = createServer((socket) => this.#welcome(socket));

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    return `imap://reader:secret@127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds a mail and notifies idle clients. */
  deliver(raw: Buffer | string, date = new Date()): void {
    this.#mails.push({ uid: this.#mails.length + 1, raw: Buffer.from(raw), date });
    for (const { socket, idleTag } of this.#clients)
      if (idleTag !== undefined) socket.write(`* ${this.#mails.length} EXISTS\r\n`);
  }

  /** Closes every connection at once. */
  cut(): void {
    for (const { socket } of this.#clients) socket.destroy();
  }

  /** Renumbers the mails (a new UIDVALIDITY) and deletes the first. */
  renumber(): void {
    this.#uidValidity += 1;
    this.#mails = this.#mails.slice(1).map((mail, place) => ({ ...mail, uid: place + 1 }));
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }

  #welcome(socket: Socket): void {
    if (this.isDown) {
      socket.destroy();
      return;
    }
    const client: Client = { socket, idleTag: undefined };
    let buffered = "";
    this.#clients.add(client);
    socket.on("error", () => {});
    socket.on("close", () => this.#clients.delete(client));
    socket.on("data", (chunk) => {
      const lines = (buffered + chunk.toString("latin1")).split("\r\n");
      buffered = lines.pop() ?? "";
      for (const line of lines) this.#hear(line, client);
    });
    socket.write("* OK ready\r\n");
  }

  #hear(line: string, client: Client): void {
    const { socket, idleTag } = client;
    if (idleTag !== undefined && line.toUpperCase() === "DONE") {
      client.idleTag = undefined;
      socket.write(`${idleTag} OK idled\r\n`);
      return;
    }
    const [, tag = "*", command = "", rest = ""] = /^(\S+) (UID [A-Z]+|[A-Z]+)(?: (.*))?$/i.exec(line) ?? [];
    const lines = this.#answers[command.toUpperCase()]?.(rest, client);
    if (!lines) {
      this.violations.push(line);
      socket.write(`${tag} BAD not for readers\r\n`);
      return;
    }
    if (lines === "refused") {
      socket.write(`${tag} NO [AUTHENTICATIONFAILED] wrong user name or password\r\n`);
      return;
    }
    for (const piece of lines) socket.write(piece);
    if (command.toUpperCase() === "IDLE") client.idleTag = tag;
    else socket.write(`${tag} OK done\r\n`);
  }

  readonly #answers: Readonly<Record<string, Answer>> = {
    CAPABILITY: () => ["* CAPABILITY IMAP4rev1 IDLE\r\n"],
    NOOP: () => [],
    LOGIN: (rest) => (/^"?reader"? "?secret"?$/.test(rest) ? [] : "refused"),
    LOGOUT: () => ["* BYE\r\n"],
    LIST: () => ['* LIST () "/" INBOX\r\n'],
    LSUB: () => ['* LSUB () "/" INBOX\r\n'],
    EXAMINE: () => [
      "* FLAGS (\\Seen)\r\n",
      `* ${this.#mails.length} EXISTS\r\n`,
      `* OK [UIDVALIDITY ${this.#uidValidity}] valid\r\n`,
      `* OK [UIDNEXT ${this.#mails.length + 1}] next\r\n`,
    ],
    IDLE: () => {
      this.idles += 1;
      return ["+ idling\r\n"];
    },
    "UID SEARCH": (rest) => [
      `* SEARCH${this.#find(rest)
        .map((uid) => ` ${uid}`)
        .join("")}\r\n`,
    ],
    "UID FETCH": (rest) => this.#fetch(rest),
  };

  #find(criteria: string): number[] {
    const range = /UID (\d+):\*/i.exec(criteria);
    const [, day, month = "", year] = /SINCE (\d+)-(\w+)-(\d+)/i.exec(criteria) ?? [];
    const since = Date.UTC(Number(year), MONTHS.indexOf(month), Number(day));
    const last = this.#mails.at(-1)?.uid ?? 0;
    // "7:*" means "*:7" if the last mail is below 7.
    const isFound = ({ uid, date }: StoredMail) =>
      range ? uid >= Math.min(Number(range[1]), last) : date.getTime() >= since;
    return this.#mails.filter(isFound).map(({ uid }) => uid);
  }

  #fetch(rest: string): (string | Buffer)[] | null {
    const [, set = "", items = ""] = /^(\S+) (.*)$/.exec(rest) ?? [];
    // This kind of fetch would mark the mail as read.
    if (/BODY\[|RFC822(?!\.SIZE)/i.test(items)) return null;
    const uids = new Set(set.split(",").flatMap(uidsOfRange));
    return this.#mails.flatMap((mail, place) => {
      if (!uids.has(mail.uid)) return [];
      const opening = `* ${place + 1} FETCH (${factsOf(mail)}`;
      if (!/BODY\.PEEK\[\]/i.test(items)) return [`${opening})\r\n`];
      return [`${opening} BODY[] {${mail.raw.length}}\r\n`, mail.raw, ")\r\n"];
    });
  }
}

function factsOf({ uid, raw, date }: StoredMail): string {
  const [, name, host] = /^From:.*?([\w.-]+)@([\w.-]+)/im.exec(raw.toString("latin1")) ?? [];
  const written = date.toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (.*) GMT$/, "$1-$2-$3 $4 +0000");
  return [
    `UID ${uid} RFC822.SIZE ${raw.length} INTERNALDATE "${written}"`,
    `ENVELOPE (NIL NIL ((NIL NIL "${name}" "${host}")) NIL NIL NIL NIL NIL NIL NIL)`,
  ].join(" ");
}

function uidsOfRange(part: string): number[] {
  const [from = 0, to = from] = part.split(":").map(Number);
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}
