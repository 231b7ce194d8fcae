import { useId, useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { OutsideLink } from "#web/components/ui/text-link.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

const ADDRESS =
  "rounded-xl border border-line bg-background px-3.5 py-2.5 text-left font-mono text-fine leading-relaxed text-muted";

/** Opens the search on the portal, and shows its link when asked: it is long and says little. */
export function RawLink({ url }: { url: string }) {
  const t = useTexts("filter");
  const [isShown, setShown] = useState(false);
  const address = useId();
  return (
    <div className="grid gap-1">
      <div className="-my-2 flex flex-wrap gap-x-6">
        <OpenOnPortal url={url} />
        <Button
          variant="link"
          size="line"
          aria-expanded={isShown}
          aria-controls={address}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? t("link.hide") : t("link.show")}
        </Button>
      </div>
      <p id={address} hidden={!isShown} translate="no" className={`${ADDRESS} mt-2 break-all`}>
        {url}
      </p>
    </div>
  );
}

/** The link on one line, and whole when it is pressed. */
export function LineOfLink({ url }: { url: string }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <button
      type="button"
      translate="no"
      aria-expanded={isWhole}
      onClick={() => setWhole(!isWhole)}
      className={`${ADDRESS} min-h-11 w-full min-w-0 cursor-pointer ${isWhole ? "break-all" : "truncate"}`}
    >
      {url}
    </button>
  );
}

export function OpenOnPortal({ url }: { url: string }) {
  const t = useTexts("filter");
  return (
    <OutsideLink size="line" href={url} className="text-md">
      {t("understood.open")}
    </OutsideLink>
  );
}
