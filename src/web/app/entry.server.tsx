import { renderToReadableStream } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { type EntryContext, ServerRouter } from "react-router";
import { languageOfPath } from "#core/languages.ts";
import { withOwnStart } from "../hydration/start-script.ts";
import { prerenderI18n } from "../lib/i18n/i18n.server.ts";

/** Renders a page at build time; nothing of this runs for a visitor. */
export default async function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const i18n = prerenderI18n(languageOfPath(new URL(request.url).pathname));
  const failures: unknown[] = [];
  const stream = await renderToReadableStream(
    <I18nextProvider i18n={i18n}>
      <ServerRouter context={context} url={request.url} />
    </I18nextProvider>,
    {
      onError: (error) => {
        failures.push(error);
      },
    },
  );
  await stream.allReady;
  if (failures.length > 0) throw failures[0];
  headers.set("Content-Type", "text/html");
  const html = await new Response(stream).text();
  return new Response(import.meta.env.DEV ? html : withOwnStart(html, pageOf(request, context)), {
    status,
    headers,
  });
}

function pageOf({ url }: Request, { manifest }: EntryContext) {
  return { path: new URL(url).pathname, entryFiles: manifest.entry.imports };
}
