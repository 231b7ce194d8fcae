import { ask } from "./api.ts";
import { button, createList, element, form } from "./element.ts";

type SavedSearch = { id: string; url: string; email: string; accepted: number; refusal: string | null };
type Act = (path: string, body?: object, method?: string) => Promise<void>;

const EXAMPLE = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500/";

/** The searches that the portal sends alert mails for: adds and stops them, and shows whether mails were accepted. */
export function createSavedSearches(act: Act): { element: HTMLElement; refresh: () => Promise<void> } {
  const list = element("div", {});
  const show = createList<SavedSearch>(
    list,
    ({ id }) => id,
    (search) => rowOf(search, act),
  );
  const url = element("input", { type: "url", value: EXAMPLE, required: true, ariaLabel: "Search to save" });
  const email = element("input", {
    type: "email",
    placeholder: "E-mail",
    required: true,
    ariaLabel: "E-mail for its alerts",
  });
  const save = () => act("saved-searches", { url: url.value, email: email.value });
  const hint =
    "What fits it is mailed to the address at once, as the portal does. Sereno's filter page has an address of your own.";
  return {
    element: element(
      "section",
      {},
      element("h2", {}, "Save a search at the portal"),
      element("p", { className: "muted" }, hint),
      form([url, email, element("button", {}, "Save search")], save),
      list,
    ),
    refresh: async () => {
      const { savedSearches } = await ask<{ savedSearches: SavedSearch[] }>("portal/saved-searches");
      show(savedSearches);
    },
  };
}

function rowOf({ id, url, email, accepted, refusal }: SavedSearch, act: Act): HTMLElement {
  const state = refusal === null ? `${accepted} mails taken` : `not taken: ${refusal}`;
  return element(
    "div",
    { className: "row" },
    element("small", {}, `${email} · ${url} · ${state}`),
    button("Stop", () => act(`saved-searches/${id}`, {}, "DELETE")),
  );
}
