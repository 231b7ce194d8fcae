import { createContext, useContext } from "react";
import type { Language } from "#core/languages.ts";
import type { Forms } from "#text/labels.ts";
import type landing from "#text/locales/en/landing.json";

export type DemoTexts = (typeof landing)["demo"];

export interface DemoProps {
  texts: DemoTexts;
  language: Language;
  userId: string | undefined;
}

export const DemoContext = createContext<DemoProps | undefined>(undefined);

export function useDemo(): DemoProps {
  const props = useContext(DemoContext);
  if (!props) throw new Error("The demo context is missing");
  return props;
}

/** i18next's plural keys (`bedrooms_few`) as the forms that the labels take. */
export function bedroomForms(texts: DemoTexts): Forms {
  const forms = Object.entries(texts)
    .filter(([key]) => key.startsWith("bedrooms_"))
    .map(([key, text]) => [key.slice("bedrooms_".length), String(text).replace("{{count}}", "#")]);
  return Object.fromEntries(forms);
}
