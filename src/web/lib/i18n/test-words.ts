/** For tests: the words of any namespace in any language. */
import type { Language } from "#core/languages.ts";
import type { Namespace, Translate, Words } from "#text/namespaces.ts";
import { prerenderI18n } from "./i18n.server.ts";

export function testWords<S extends Namespace>(namespace: S, language: Language): Words<S> {
  const t: unknown = prerenderI18n(language).getFixedT(language, namespace);
  return { language, t: t as Translate<S> };
}
