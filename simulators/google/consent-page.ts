import { html } from "hono/html";
import type { AuthorizationRequest } from "./authorization.ts";
import type { GooglePerson } from "./google-client.ts";

type Html = ReturnType<typeof html>;

/** The account chooser: a button for each account, a field for other addresses, and Cancel. */
export function consentPage(request: AuthorizationRequest, people: GooglePerson[], complaint?: string): Html {
  const action = `/o/oauth2/v2/auth?${request.query}`;
  return page(
    "Choose an account",
    html`<p>to continue to <strong>${new URL(request.redirectUri).host}</strong></p>
      <form method="post" action="${action}">
        ${people.map(
          ({ email, name, isVerified }) => html`<button name="email" value="${email}">
            <strong>${name}</strong>
            <small>${email}${isVerified ? "" : " · not verified"}</small>
          </button>`,
        )}
      </form>
      <form method="post" action="${action}">
        <label for="email">Another account</label>
        <input id="email" name="email" type="email" autocomplete="off" placeholder="you@gmail.example" required />
        ${complaint ? html`<p role="alert">${complaint}</p>` : ""}
        <button>Continue</button>
      </form>
      <form method="post" action="${action}">
        <button name="decision" value="cancel">Cancel</button>
      </form>`,
  );
}

export function errorPage({ error, explanation }: { error: string; explanation: string }): Html {
  return page(
    "Access blocked",
    html`<p>${explanation}</p>
      <p><code>Error 400: ${error}</code></p>`,
  );
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Google (simulated)</title>
        <link rel="icon" href="data:," />
        <style>
          :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
          body { max-width: 26rem; margin: 8vh auto; padding: 0 24px; }
          button, input { font: inherit; width: 100%; min-height: 44px; margin: 4px 0; text-align: left; }
          small { display: block; }
        </style>
      </head>
      <body>
        <main>
          <p><small>Simulated Google sign-in: nobody outside this machine is asked.</small></p>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}
