import { Check, Copy } from "lucide-react";
import { Suspense, useRef } from "react";
import { Link } from "react-router";
import type { FoundHome } from "#core/finds/find.ts";
import { advertiserMessage } from "#text/advertiser-message.ts";
import { Textarea } from "#web/components/form/text-field.tsx";
import { useForm } from "#web/components/form/use-form.ts";
import { Panel } from "#web/components/panel.tsx";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { linkVariants } from "#web/components/ui/text-link.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useCopy } from "#web/lib/browser/use-copy.ts";
import { useTexts, useWords, useWordsIn } from "#web/lib/i18n/use-texts.ts";
import { useProfile } from "../use-own-facts.ts";

export const MESSAGE_TITLE_ID = "home-message";
const NO_PROFILE = { who: null, job: null, movingFrom: null, about: null };

interface MessagePartProps {
  userId: string;
  find: FoundHome;
}

export function MessagePart(props: MessagePartProps) {
  const t = useTexts("finds");
  return (
    <Panel id={MESSAGE_TITLE_ID} title={t("message.title")} description={t("message.text")}>
      <Suspense fallback={<Skeleton className="h-96 rounded-xl" />}>
        <Message {...props} />
      </Suspense>
    </Panel>
  );
}

/** In Spanish, whatever the page's language, so its texts may still have to come. */
const Message = lazyPart(async () => LoadedMessage, { namespaces: ["home"], language: "es" });

function LoadedMessage({ userId, find }: MessagePartProps) {
  const t = useTexts("finds");
  const spanish = useWordsIn("es", "home");
  const words = useWords("home");
  const known = useProfile(userId);
  const profile = known ?? NO_PROFILE;
  const ready = advertiserMessage({ home: find, profile }, spanish);
  const field = useRef<HTMLTextAreaElement>(null);
  // It is copied and saved nowhere.
  const form = useForm({
    saved: { text: ready },
    keepAs: `message ${find.homeId}`,
    run: () => copy(),
    failure: null,
  });
  const { outcome, copy } = useCopy(form.values.text, field);
  const isCopied = outcome === "copied";
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <Textarea
        ref={field}
        isLabelHidden
        label={t("message.label")}
        lang="es"
        rows={9}
        {...form.field("text")}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="solid" onClick={() => void copy()}>
          <Icon aria-hidden className="size-4.5" />
          {t(isCopied ? "message.copied" : "message.copy")}
        </Button>
        {form.isChanged && (
          <Button variant="ghost" onClick={form.discard}>
            {t("message.reset")}
          </Button>
        )}
        <p role="status" className={cn("text-sm text-muted empty:hidden", isCopied && "sr-only")}>
          {isCopied && t("message.copied")}
          {outcome === "refused" && t("home.copyFailed")}
        </p>
      </div>
      {words.language !== "es" && (
        <div className="text-md">
          <h3 className="text-md tracking-normal">{t("message.inYourLanguage")}</h3>
          <p className="mt-1 whitespace-pre-line text-muted">
            {advertiserMessage({ home: find, profile }, words)}
          </p>
        </div>
      )}
      {known === null && (
        <p className="text-md text-muted">
          {t("message.fillIn")}{" "}
          <Link to="?view=settings" className={linkVariants()}>
            {t("message.fillInAction")}
          </Link>
        </p>
      )}
    </>
  );
}
