import { isPrerendering } from "../lib/env.ts";
import css from "./app.css?inline";

/** The style sheet inside the page: 8 kB that would otherwise cost the first paint a journey of their own. */
export function Styles() {
  if (import.meta.env.DEV) return <style>{css}</style>;
  return (
    <style
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet
      dangerouslySetInnerHTML={{ __html: isPrerendering ? css : "" }}
    />
  );
}
