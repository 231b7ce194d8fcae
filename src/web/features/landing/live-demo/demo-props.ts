import { createContext, useContext } from "react";
import type { Language } from "#core/languages.ts";
import type { Namespaces } from "#text/namespaces.ts";

export type DemoTexts = Namespaces["landing"]["demo"] &
  Pick<Namespaces["common"], "ago"> &
  Pick<Namespaces["home"], "types">;

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
