/**
 * Answers the requests of a component test in place of `fetch`: supabase-js and everything above it is the real thing. A test
 * gives rows and results, and may let requests fail.
 */
export type Fault = "503" | "500" | "429" | "nothing" | "late";
export const FAULTS: readonly Fault[] = ["503", "500", "429", "nothing", "late"];

/** "searches", "rpc my_finds", "user". A change of rows is named with its method: "PATCH searches". */
type Name = string;
type Answer = (asked: Asked) => unknown;
export type Answers = Readonly<Record<Name, Answer>>;

export interface Asked {
  readonly name: Name;
  readonly url: URL;
  readonly body: unknown;
  /** Whether the server has got it and has answered. */
  isAnswered: boolean;
}

const LATE_MS = 15_000;
const TEXTS = import.meta.glob<unknown>(["/src/text/locales/en/*.json", "/src/text/locales/es/home.json"], {
  eager: true,
  import: "default",
});

export class Answerer {
  readonly asked: Asked[] = [];
  #answers: Map<Name, Answer>;
  #fault: { name: Name; fault: Fault } | undefined;

  constructor(answers: Answers) {
    this.#answers = new Map(Object.entries(answers));
  }

  answer(name: Name, answer: Answer): void {
    this.#answers.set(name, answer);
  }

  /** From now on, until another one is set. */
  fail(name: Name, fault: Fault): void {
    this.#fault = { name, fault };
  }

  recover(): void {
    this.#fault = undefined;
  }

  names(): Name[] {
    return [...new Set(this.asked.map(({ name }) => name))].sort();
  }

  /** The requests that no test has given an answer for. */
  unanswered(): Name[] {
    return this.names().filter((name) => !this.#answers.has(name));
  }

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : String(input), window.location.origin);
    const text = TEXTS[url.pathname];
    if (text !== undefined) return Response.json(text);
    const asked: Asked = {
      ...{ name: nameOf(url, init?.method ?? "GET"), url },
      ...{ body: bodyOf(init?.body), isAnswered: false },
    };
    this.asked.push(asked);
    const fault = this.#fault?.name === asked.name ? this.#fault.fault : undefined;
    if (fault === "nothing") throw new TypeError("Failed to fetch");
    if (fault === "late") await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    else if (fault) return Response.json({ message: "fault" }, { status: Number(fault) });
    const answer = this.#answers.get(asked.name);
    if (!answer) return Response.json({ message: `No answer for ${asked.name}` }, { status: 404 });
    const content = await answer(asked);
    asked.isAnswered = true;
    return content instanceof Response ? content : Response.json(content ?? null);
  };
}

function nameOf({ pathname }: URL, method: string): Name {
  const path = pathname
    .replace(/^\/(rest|auth)\/v1\//, "")
    .replaceAll("/", " ")
    .trim();
  return method === "GET" || path.startsWith("rpc ") || path === "token" ? path : `${method} ${path}`;
}

function bodyOf(body: unknown): unknown {
  return typeof body === "string" && body !== "" ? JSON.parse(body) : undefined;
}
