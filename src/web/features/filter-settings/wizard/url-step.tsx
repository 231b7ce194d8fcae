import { ArrowRight, ChevronDown, CircleCheck } from "lucide-react";
import { type RefObject, Suspense, useCallback, useEffect, useId, useRef, useState } from "react";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { chatName } from "../chats/chat-name.ts";
import { useSearchForm } from "../form/search-form.ts";
import { QuestionsFoot, type SetFootAction } from "../search/questions-foot.ts";
import { SearchSummary } from "../search/search-summary.tsx";
import { UrlField } from "../search/url-field.tsx";
import { UrlHelp } from "../search/url-help.tsx";
import { SameSearchNotice } from "../searches/same-search-notice.tsx";
import { StepButtons } from "./step-buttons.tsx";

const SearchQuestions = lazyPart(
  async () => (await import("../search/search-questions.tsx")).SearchQuestions,
);

export function UrlStep({ fault, isNewcomer }: { fault: string | undefined; isNewcomer: boolean }) {
  const t = useTexts("filter");
  const { values, set, understanding, faults, failure, isBusy, save } = useSearchForm();
  const connected = useConnectedNames();
  // Nothing is left to ask a person who signed in with Telegram: their chat is connected.
  const canWatch = faults.url === null && faults.ids === null && connected !== undefined;
  const isRead =
    understanding.state === "understood" ||
    (understanding.state === "refused" && understanding.listingId !== undefined);
  const [showSearch, setShowSearch] = useState<{ run(): void } | null>(null);
  const setFootAction = useCallback<SetFootAction>((run) => setShowSearch(run && { run }), []);
  const input = useRef<HTMLInputElement>(null);
  useFocusOfNewcomer(input, isNewcomer);
  const type = (url: string) => set({ url });
  const showExample = (url: string) => {
    type(url);
    input.current?.focus();
  };
  return (
    <QuestionsFoot value={setFootAction}>
      {/* Once a link is read, what it says takes the place of how to find one. */}
      {!isRead && <UrlHelp {...(values.url === "" ? { onExample: showExample } : {})} />}
      <UrlField inputRef={input} value={values.url} fault={fault} onValueChange={type} />
      {understanding.state === "empty" && <NoLink onSearch={showExample} />}
      <SearchSummary understanding={understanding} onUrlChange={showExample} />
      <SameSearchNotice />
      {canWatch && (
        <p className="flex items-center gap-2 font-semibold text-good">
          <CircleCheck aria-hidden className="size-5 shrink-0" />
          {t("chats.arrived", { name: connected })}
        </p>
      )}
      {canWatch && failure !== null && <FailureNotice message={failure} />}
      <StepButtons>
        <span />
        {showSearch && (
          <Button size="lg" onClick={() => showSearch.run()}>
            {t("questions.done")}
            <ArrowRight aria-hidden className="size-5" />
          </Button>
        )}
        {/* The first button of the form is the one that Enter presses. */}
        {!showSearch && (
          <Button type="submit" size="lg" variant={canWatch ? "outline" : "solid"}>
            {t("steps.next")}
            <ArrowRight aria-hidden className="size-5" />
          </Button>
        )}
        {canWatch && (
          <BusyButton variant="lantern" size="lg" isBusy={isBusy} busyText={t("steps.saving")} onClick={save}>
            {t("steps.watch")}
          </BusyButton>
        )}
      </StepButtons>
    </QuestionsFoot>
  );
}

/** The names of the chats in the field; undefined unless the account has proved every one of them. */
function useConnectedNames(): string | undefined {
  const t = useTexts("filter");
  const { ids, chats } = useSearchForm();
  const proven = ids.flatMap((id) => {
    const chat = chats?.find((one) => one.id === id && one.state === "connected" && one.isConfirmed);
    return chat ? [chatName(t, id, chat)] : [];
  });
  return proven.length > 0 && proven.length === ids.length ? proven.join(", ") : undefined;
}

/** Questions for a person without a link. Their answers give the same link as a search on the portal. */
function NoLink({ onSearch }: { onSearch(url: string): void }) {
  const t = useTexts("filter");
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="grid gap-4">
      <Button
        variant="outline"
        className="justify-self-start"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {t("questions.noLink")}
        <ChevronDown aria-hidden className={cn("size-4 transition-transform", isOpen && "rotate-180")} />
      </Button>
      <div id={id} hidden={!isOpen} className="rounded-2xl border border-line bg-surface p-4 sm:p-6">
        {isOpen && (
          <Suspense fallback={null}>
            <SearchQuestions onSearch={onSearch} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

/** The dialog of the sign-up closes after the page has changed, and the heading of the new page takes the focus. */
const FREE_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 50;

/** With a mouse the field is focused for a newcomer; on a touch screen the keyboard would cover the question. */
function useFocusOfNewcomer(input: RefObject<HTMLInputElement | null>, isNewcomer: boolean): void {
  useEffect(() => {
    if (!isNewcomer || window.matchMedia("(pointer: coarse)").matches) return;
    const until = Date.now() + FREE_WITHIN_MS;
    const timer = setInterval(focusIfFree, LOOK_EVERY_MS);
    focusIfFree();
    return () => clearInterval(timer);

    function focusIfFree(): void {
      const isFree = document.activeElement === document.body || document.activeElement?.matches("main, h1");
      if (isFree && input.current?.value === "") input.current.focus({ preventScroll: true });
      if (Date.now() > until) clearInterval(timer);
    }
  }, [input, isNewcomer]);
}
