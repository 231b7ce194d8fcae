import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

/** A page that a simulated service shows to a person. */
export function simulatedPage(service: string, title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${service} (simulated)</title>
        <link rel="icon" href="data:," />
        <style>
          :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
          body { max-width: 26rem; margin: 8vh auto; padding: 0 24px; }
          button, input:not([type="checkbox"]) { font: inherit; width: 100%; min-height: 44px; margin: 4px 0; text-align: left; }
          .choice { display: flex; gap: 8px; align-items: center; min-height: 44px; }
          small { display: block; }
        </style>
      </head>
      <body>
        <main>
          <p><small>Simulated ${service} sign-in: nobody outside this machine is asked.</small></p>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}
