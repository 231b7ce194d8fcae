import { Readable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import { PassThrough } from "node:stream";
import { I18nextProvider } from "react-i18next";
import { type EntryContext, ServerRouter } from "react-router";
import { languageOfPath } from "#core/languages.ts";
import { prerenderI18n } from "../lib/i18n.server.ts";

/** Renders a page at build time; nothing of this runs when a visitor comes. */
export default function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const i18n = prerenderI18n(languageOfPath(new URL(request.url).pathname));
  headers.set("Content-Type", "text/html");
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <I18nextProvider i18n={i18n}>
        <ServerRouter context={context} url={request.url} />
      </I18nextProvider>,
      {
        onAllReady() {
          const body = new PassThrough();
          pipe(body);
          resolve(new Response(Readable.toWeb(body) as ReadableStream, { status, headers }));
        },
        onError: reject,
        onShellError: reject,
      },
    );
  });
}
