/** The forms of the searches and of the finds. */
import { screen } from "@testing-library/react";
import type { Answers } from "./answerer.ts";
import { pass } from "./open-page.tsx";
import { PERSON } from "./person.ts";
import { LISTING_ID, SEARCH_ID, STORED } from "./stored-rows.ts";
import { press, type TypedForm, type } from "./typed-form.ts";

const settings = async () => (await import("../features/filter-settings/filter-settings.tsx")).FilterSettings;
const finds = async () => (await import("../features/finds/finds.tsx")).Finds;
const LINK = [
  "https://www.idealista.com/",
  "https://www.idealista.com/venta-viviendas/madrid-madrid/con-precio-hasta_200000/?ordenado-por=fecha-publicacion-desc",
] as const;
const SEARCH_PAGE = `/filter-settings?search=${SEARCH_ID}`;
const CHANGED = () => [{ id: SEARCH_ID, user_id: PERSON.id }];
const WIZARD_SAVE = [/^Next/, /^Review & Submit/, /^Save Configuration/];
const NEWCOMER: Answers = {
  searches: () => [],
  chats: () => [],
  "rpc save_first": () => ({ id: SEARCH_ID }),
};
const SEARCH = { load: settings, address: SEARCH_PAGE, answers: { "PATCH searches": CHANGED } };

export const SEARCH_FORMS: readonly TypedForm[] = [
  {
    name: "the link of a first search",
    file: "filter-settings/search/url-field.tsx",
    load: settings,
    address: "/filter-settings",
    answers: { ...NEWCOMER, chats: STORED.chats as () => unknown },
    label: /^Filter URL/,
    text: LINK,
    save: WIZARD_SAVE,
  },
  {
    name: "the chats of a first search",
    file: "filter-settings/chats/chats-part.tsx",
    load: settings,
    address: "/filter-settings",
    answers: NEWCOMER,
    open: async () => {
      type(/^Filter URL/, LINK[1]);
      await pass(500);
      await press(/^Next/);
    },
    label: /^Telegram Chat ID/,
    text: ["5", "501, 66"],
    save: WIZARD_SAVE,
  },
  {
    name: "the questions of a person without a link",
    file: "filter-settings/search/search-questions.tsx",
    load: settings,
    address: "/filter-settings",
    answers: NEWCOMER,
    open: () => press(/^I don't have a link/),
    label: /^Where\?/,
    text: ["Mad", "Madrid"],
  },
  {
    ...SEARCH,
    name: "the link of a search",
    file: "filter-settings/search/url-field.tsx",
    label: /^Filter URL/,
    text: LINK,
    save: [/^Save Changes/],
  },
  {
    ...SEARCH,
    name: "the chats of a search",
    file: "filter-settings/chats/chats-part.tsx",
    label: /^Telegram Chat ID/,
    text: ["700000001, 5", "700000001, 501"],
    save: [/^Save Changes/],
  },
  {
    ...SEARCH,
    name: "the quiet hours of a search",
    isForgotten: "saved when its field is left",
    file: "filter-settings/watch/quiet-hours-form.tsx",
    address: `${SEARCH_PAGE}#loud`,
    label: /^From/,
    text: ["21:00", "21:30"],
  },
  {
    ...SEARCH,
    name: "the rules of a search",
    file: "filter-settings/rules/rule-row.tsx",
    address: `${SEARCH_PAGE}#rules`,
    open: async () => {
      await press(/^Add a rule/);
      await press(/^Contains one of these words/);
    },
    label: /words/i,
  },
  {
    ...SEARCH,
    name: "the name of a search",
    file: "filter-settings/searches/rename-form.tsx",
    open: async () => {
      // It stays open when the form was cancelled.
      if (!screen.queryByRole("button", { name: /^Rename/ })) await press(/^More/);
      await pass(100);
      await press(/^Rename/);
    },
    label: /name/i,
    save: [/^Save name/],
  },
  {
    name: "the message to advertisers",
    file: "finds/settings/message-panel.tsx",
    load: finds,
    address: "/finds?view=settings",
    answers: { "PATCH find_settings": CHANGED },
    label: /^Who/,
    save: [/^Save message/],
  },
  {
    name: "a new place",
    file: "finds/settings/place-form.tsx",
    load: finds,
    address: "/finds?view=settings",
    open: () => press(/^Add a place/),
    label: /^Name/,
  },
  {
    name: "the prices of the list",
    isForgotten: "a question that the address answers",
    file: "finds/list/filters/filters.tsx",
    load: finds,
    address: "/finds",
    label: /^Price from/,
    text: ["1", "1000"],
  },
  {
    name: "a note on a card",
    file: "finds/list/card/card-note.tsx",
    load: finds,
    address: "/finds",
    open: () => press(/^Note/),
    label: /note/i,
  },
  {
    name: "a note in an opened home",
    file: "finds/list/card/card-note.tsx",
    load: finds,
    address: `/finds?home=${LISTING_ID}`,
    open: () => press(/note/i),
    label: /note/i,
  },
  {
    name: "the message about an opened home",
    file: "finds/home/message-part.tsx",
    load: finds,
    address: `/finds?home=${LISTING_ID}`,
    label: /^Message in Spanish/,
  },
];
