import { useLocation } from "react-router";
import { type Language, localizedPath } from "#core/languages.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { store } from "../browser/storage.ts";
import { STORAGE_KEYS } from "../site/constants.ts";

/** Remembers the language and opens the same page in it. */
export function useChooseLanguage(): (language: Language) => void {
  const navigate = useNavigate();
  const { pathname, search, hash, state } = useLocation();
  return (language) => {
    store(STORAGE_KEYS.language, language);
    const target = localizedPath(pathname, language) + search + hash;
    void navigate(target, { state, preventScrollReset: true });
  };
}
