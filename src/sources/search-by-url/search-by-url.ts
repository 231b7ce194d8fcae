import { z } from "zod";
import type { Source } from "#core/ports/source.ts";
import { normaliseSearch } from "#core/search/normalise-search.ts";
import type { Search } from "#core/search/search.ts";
import { askWithinBudget, type SourceOptions, sourceDepsOf } from "../ask-within-budget.ts";
import type { HttpAnswer } from "../http-exchange.ts";
import { elementsSchema, readElements, readEnvelope, totalSchema } from "../read-page-answer.ts";

/**
 * A data API that takes a search URL of the portal and applies all its filters, for searches that the official API cannot
 * serve. The URL is built from the parsed search; pasted text is never sent.
 */
interface SearchByUrlOptions extends SourceOptions {
  readonly baseUrl: string;
  readonly key: string;
}

const SOURCE = "search-by-url";

const searchAnswer = z.object({
  success: z.literal(true),
  data: z.object({ total: totalSchema, listings: elementsSchema }),
});

export function createSearchByUrl(options: SearchByUrlOptions): Source<Search> {
  const deps = sourceDepsOf(options);
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const headers = { "x-rapidapi-key": options.key, "x-rapidapi-host": new URL(baseUrl).host };

  return {
    name: SOURCE,
    readPage: async (search, window, signal) => {
      const query = new URLSearchParams({
        url: normaliseSearch(search).searchKey,
        country: "es",
        language: "es",
        page: String(window.number),
        result_count: String(window.size),
      });
      const url = `${baseUrl}/property-search-by-url?${query}`;
      const read = (answer: HttpAnswer) => {
        const { data } = readEnvelope(SOURCE, answer, searchAnswer, deps.now());
        return {
          ...readElements(SOURCE, data.listings, search.kind),
          total: data.total,
          hasIgnoredFilters: false,
        };
      };
      const requestOf = () => ({ url, method: "GET", headers }) as const;
      return await askWithinBudget(SOURCE, { requestOf, read }, deps, signal);
    },
  };
}
