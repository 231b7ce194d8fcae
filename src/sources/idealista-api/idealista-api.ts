import { z } from "zod";
import type { PageWindow, Source, SourcePage } from "#core/ports/source.ts";
import type { OfficialKind, OfficialQuery } from "#core/search/official-request.ts";
import { askWithinBudget, type SourceDeps, type SourceOptions, sourceDepsOf } from "../ask-within-budget.ts";
import type { HttpAnswer } from "../http-exchange.ts";
import { elementsSchema, readElements, readEnvelope, totalSchema } from "../read-page-answer.ts";
import { type AccessTokens, createAccessTokens } from "./access-token.ts";

/** The portal's official search API, version 3.5: OAuth2, one place or circle per query, 50 listings per page. */
interface IdealistaApiOptions extends SourceOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
}

const SOURCE = "idealista-api";

const searchAnswer = z.object({
  elementList: elementsSchema,
  total: totalSchema,
  totalAppliedFilters: z.int().nullish(),
});

export function createIdealistaApi(options: IdealistaApiOptions): Source<OfficialQuery> {
  const deps = sourceDepsOf(options);
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const tokens = createAccessTokens({ ...options, ...deps, baseUrl, source: SOURCE });

  return {
    name: SOURCE,
    readPage: async (query, window, signal) => {
      const body = searchFormOf(query, window).toString();
      const read = (answer: HttpAnswer) => readSearchAnswer(answer, query, deps.now());
      return await askWithToken({ url: `${baseUrl}/3.5/es/search`, body, tokens, deps, signal, read });
    },
  };
}

interface Ask {
  readonly url: string;
  readonly body: string;
  readonly tokens: AccessTokens;
  readonly deps: SourceDeps;
  readonly signal: AbortSignal | undefined;
  readonly read: (answer: HttpAnswer) => SourcePage;
}

const TOKEN_REFUSED = "token-refused";

/** A token may be revoked early: after a 401 it is renewed once. If that is refused too, the key is wrong. */
async function askWithToken(ask: Ask): Promise<SourcePage> {
  const first = await send(ask, (answer) => (answer.status === 401 ? TOKEN_REFUSED : ask.read(answer)));
  if (first.result !== TOKEN_REFUSED) return first.result;
  ask.tokens.discard(first.token);
  return (await send(ask, ask.read)).result;
}

async function send<Result>({ url, body, tokens, deps, signal }: Ask, read: (answer: HttpAnswer) => Result) {
  let token = "";
  const requestOf = async () => {
    token = await tokens.get();
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    };
    return { url, method: "POST", headers, body } as const;
  };
  const isVoid = (result: Result) => result === TOKEN_REFUSED;
  const result = await askWithinBudget(SOURCE, { requestOf, read, isVoid }, deps, signal);
  return { result, token };
}

function readSearchAnswer(answer: HttpAnswer, query: OfficialQuery, now: number): SourcePage {
  const { elementList, total, totalAppliedFilters } = readEnvelope(SOURCE, answer, searchAnswer, now);
  const sent = filterCountOf(query);
  return {
    ...readElements(SOURCE, elementList, query.kind),
    total,
    // The API silently ignores unknown parameters. The count of applied filters is the only hint.
    hasIgnoredFilters: (totalAppliedFilters ?? sent) !== sent,
  };
}

const PROPERTY_TYPES: Readonly<Record<OfficialKind, string>> = {
  homes: "homes",
  rooms: "bedrooms",
  offices: "offices",
  premises: "premises",
  garages: "garages",
};

/** The form for one page, newest first: only that order shows what is new. */
function searchFormOf(query: OfficialQuery, window: PageWindow): URLSearchParams {
  const form = new URLSearchParams({
    country: "es",
    operation: query.operation,
    propertyType: PROPERTY_TYPES[query.kind],
    locale: "es",
    order: "publicationDate",
    sort: "desc",
    maxItems: String(window.size),
    numPage: String(window.number),
  });
  if ("placeId" in query.where) {
    form.set("locationId", query.where.placeId);
  } else {
    form.set("center", `${query.where.latitude},${query.where.longitude}`);
    form.set("distance", String(Math.ceil(query.where.distanceM)));
  }
  for (const { parameter, value } of query.filters) {
    form.set(parameter, value);
  }
  return form;
}

/** As the API counts in totalAppliedFilters: both limits of a price or size range are one filter. */
function filterCountOf(query: OfficialQuery): number {
  return new Set(query.filters.map(({ parameter }) => parameter.replace(/^(min|max)(?=[A-Z])/, ""))).size;
}
