import { html } from "hono/html";
import { type Html, simulatedPage } from "../../simulated-page.ts";
import type { Person } from "../model.ts";
import { type AuthorizationRequest, BOT_ACCESS } from "./authorization.ts";

interface Consent {
  readonly request: AuthorizationRequest;
  readonly botName: string;
  readonly people: readonly Person[];
}

/** One button for each person, whether the bot may write to them, and Cancel. */
export function consentPage({ request, botName, people }: Consent): Html {
  const action = `/auth?${request.query}`;
  return simulatedPage(
    "Telegram",
    `Log in to ${botName}`,
    html`<p>and return to <strong>${new URL(request.redirectUri).host}</strong></p>
      <form method="post" action="${action}">
        ${
          request.scopes.includes(BOT_ACCESS)
            ? html`<label class="choice">
                <input type="checkbox" name="bot_access" value="yes" checked />
                Allow ${botName} to send me messages
              </label>`
            : ""
        }
        ${people.map(
          (person) => html`<button name="person" value="${person.id}">
            <strong>${nameOf(person)}</strong>
            <small>${person.id}</small>
          </button>`,
        )}
      </form>
      <form method="post" action="${action}">
        <button name="decision" value="cancel">Cancel</button>
      </form>`,
  );
}

export function errorPage({ error, explanation }: { error: string; explanation: string }): Html {
  return simulatedPage("Telegram", "Log in failed", html`<p>${explanation}</p><p><code>${error}</code></p>`);
}

export function nameOf({ firstName, lastName }: Person): string {
  return [firstName, lastName].filter(Boolean).join(" ");
}
