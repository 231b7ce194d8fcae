// Sends generated requests to a running data API, a few at a time, and collects forbidden answers.
import type { TestRestApi } from "../test-rest-api.ts";
import type { GeneratedQuestion } from "./create-questions.ts";
import { CANARY } from "./values.ts";

export type Asked = {
  /** The number of answers by status. */
  answers: Map<number, number>;
  /** Requests answered with a server error, or with a refusal that repeats the input. */
  wrong: string[];
};

const AT_ONCE = 8;
/** Our own SQL functions explain what they refuse. */
const RAISED = /"code":"(?:22023|PT\d{3})"/;

export async function askQuestions(
  { ask }: Pick<TestRestApi, "ask">,
  options: { next: () => GeneratedQuestion; count: number; person: string },
): Promise<Asked> {
  const asked: Asked = { answers: new Map(), wrong: [] };
  let left = options.count;
  const work = async () => {
    for (; left > 0; left -= 1) {
      const question = options.next();
      const { status, text } = await ask(question, left % 3 === 0 ? undefined : options.person);
      asked.answers.set(status, (asked.answers.get(status) ?? 0) + 1);
      if (status >= 500 || (status >= 400 && CANARY.test(text) && !RAISED.test(text)))
        asked.wrong.push(`${JSON.stringify(question)} => ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return asked;
}
