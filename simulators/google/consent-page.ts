import { html } from "hono/html";
import { type Html, simulatedPage } from "../simulated-page.ts";
import type { AuthorizationRequest } from "./authorization.ts";
import type { GooglePerson } from "./google-client.ts";

/** The account chooser: a button for each account, a field for other addresses, and Cancel. */
export function consentPage(request: AuthorizationRequest, people: GooglePerson[], complaint?: string): Html {
  const action = `/o/oauth2/v2/auth?${request.query}`;
  return simulatedPage(
    "Google",
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
  return simulatedPage(
    "Google",
    "Access blocked",
    html`<p>${explanation}</p>
      <p><code>Error 400: ${error}</code></p>`,
  );
}
