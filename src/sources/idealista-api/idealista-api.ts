import { z } from "zod";
import type { Source, SourcePage } from "#core/ports/source.ts";
import type { OfficialQuery } from "#core/search/official-request.ts";
import {
  askWithinBudget,
  readOrHoldBack,
  type SourceDeps,
  type SurroundingsOptions,
  surroundingsOf,
} from "../ask-within-budget.ts";
import type { HttpAnswer } from "../http-exchange.ts";
import { elementsSchema, readElements, readEnvelope, totalSchema } from "../read-page-answer.ts";
import { type AccessTokens, createAccessTokens } from "./access-token.ts";
import { filterCountOf, searchFormOf } from "./search-form.ts";

/** The portal's official search API, version 3.5: OAuth2, one place or circle a question, 50 listings a page. */
interface IdealistaApiOptions extends SurroundingsOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  /** The language of the answers' titles. */
  readonly locale?: "es" | "en" | "ca" | "it" | "pt";
}

const SOURCE = "idealista-api";

const searchAnswer = z.object({
  elementList: elementsSchema,
  total: totalSchema,
  totalAppliedFilters: z.int().nullish(),
});

export function createIdealistaApi(options: IdealistaApiOptions): Source<OfficialQuery> {
  const surroundings = surroundingsOf(options);
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const tokens = createAccessTokens({ ...options, ...surroundings, baseUrl, source: SOURCE });

  return {
    name: SOURCE,
    readPage: async (query, window, signal) => {
      const body = searchFormOf(query, window, options.locale ?? "es").toString();
      const ask = { url: `${baseUrl}/3.5/es/search`, body, tokens, surroundings, signal };
      const answer = await askWithToken(ask);
      return readOrHoldBack(() => readSearchAnswer(answer, query, surroundings.now()), surroundings);
    },
  };
}

interface Ask {
  readonly url: string;
  readonly body: string;
  readonly tokens: AccessTokens;
  readonly surroundings: SourceDeps;
  readonly signal: AbortSignal | undefined;
}

/** A token may be revoked before its time: a refused one is renewed once, and only then is it our key's fault. */
async function askWithToken(ask: Ask): Promise<HttpAnswer> {
  const first = await send(ask);
  if (first.answer.status !== 401) {
    return first.answer;
  }
  ask.tokens.discard(first.token);
  return (await send(ask)).answer;
}

async function send({ url, body, tokens, surroundings, signal }: Ask) {
  let token = "";
  const requestOf = async () => {
    token = await tokens.get();
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    };
    return { url, method: "POST", headers, body } as const;
  };
  const answer = await askWithinBudget(SOURCE, requestOf, surroundings, signal);
  return { answer, token };
}

function readSearchAnswer(answer: HttpAnswer, query: OfficialQuery, now: number): SourcePage {
  const { elementList, total, totalAppliedFilters } = readEnvelope(SOURCE, answer, searchAnswer, now);
  const sent = filterCountOf(query);
  return {
    ...readElements(SOURCE, elementList, query.kind),
    total,
    // Unknown names are ignored in silence by the API; the count of applied filters is the only sign of it.
    hasIgnoredFilters: (totalAppliedFilters ?? sent) !== sent,
  };
}
