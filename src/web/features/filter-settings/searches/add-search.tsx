import { Plus } from "lucide-react";
import { LocalLink } from "#web/components/local-link.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { MOST_SEARCHES } from "#web/lib/backend/searches.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { newSearchAddress } from "./search-address.ts";

/** A link to add a search; at the limit of ten it says what to do instead. */
export function AddSearch({ count, isProminent = false }: { count: number; isProminent?: boolean }) {
  const t = useTexts("filter");
  if (count >= MOST_SEARCHES) {
    return <p className="max-w-prose text-md text-muted">{t("searches.full")}</p>;
  }
  return (
    <Button variant={isProminent ? "lantern" : "link"} size={isProminent ? "md" : "line"} asChild>
      <LocalLink to={newSearchAddress()}>
        <Plus aria-hidden className="size-4.5" />
        {t("searches.add")}
      </LocalLink>
    </Button>
  );
}
