import { ArrowLeft, ArrowRight, CircleCheck, RefreshCw } from "lucide-react";
import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { Form } from "#web/components/form/form.tsx";
import { useFaults } from "#web/components/form/use-faults.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { Notice } from "#web/components/ui/notice.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { connectedOf } from "../chats/chat-calls.ts";
import { chatName } from "../chats/chat-name.ts";
import { LeaveGuard } from "../form/leave-guard.tsx";
import { useSearchForm } from "../form/search-form.ts";
import { ServiceFacts } from "../form/service-facts.tsx";
import { StepButtons } from "./step-buttons.tsx";
import { UrlStep } from "./url-step.tsx";
import { type Step, useSteps } from "./use-steps.ts";
import { WizardProgress } from "./wizard-progress.tsx";

// Not needed for the first question: loaded while it is read, together with the edit form.
const loadChats = () => import("../chats/chats-part.tsx");
const ChatsPart = lazyPart(async () => (await loadChats()).ChatsPart);
const IdsField = lazyPart(async () => (await loadChats()).IdsField);
export const loadReview = () => import("./review.tsx");
const Review = lazyPart(async () => (await loadReview()).Review);

interface WizardProps {
  isFirst: boolean;
  isDeleted: boolean;
}

/** The form of a search, one part at a time. */
export function Wizard({ isFirst, isDeleted }: WizardProps) {
  const t = useTexts("filter");
  const form = useSearchForm();
  const { faults } = form;
  // Chats may still be loading.
  const areIdsMissing = faults.ids !== null && form.chats !== undefined;
  const { step, goTo } = useSteps(faults.url !== null ? 1 : areIdsMissing ? 2 : 3);
  const question = useFocusOnStep(step);
  const arrived = useFirstChat(step, () => goTo(3));
  // An additional search starts with chats; they can be changed in the review.
  const hasChatStep = isFirst || faults.ids !== null;
  const checked = useFaults(step === 1 ? { url: faults.url } : { ids: faults.ids }, () => {
    if (step < 3) goTo(step === 1 && !hasChatStep ? 3 : ((step + 1) as Step));
    else form.save();
  });
  return (
    // The form is `display: contents`: a sticky bar inside a box would stay within it.
    <div className="grid gap-6">
      <WizardProgress step={step} />
      {isDeleted && (
        <Notice role="status" icon={RefreshCw}>
          <p>{t("elsewhere.deleted")}</p>
        </Notice>
      )}
      <Question step={step} heading={question} arrived={arrived} />
      <Form form={checked} isContents>
        {step === 1 && <UrlStep fault={checked.faultOf("url")} isNewcomer={isFirst} />}
        <Suspense fallback={null}>
          {step === 2 && <ChatsStep fault={checked.faultOf("ids")} onBack={() => goTo(1)} />}
          {step === 3 && <ReviewStep goTo={goTo} onBack={() => goTo(hasChatStep ? 2 : 1)} />}
        </Suspense>
      </Form>
      <LeaveGuard isOn={form.isDirty} onLeave={form.drop} />
    </div>
  );
}

/** Each step is announced like a new page. */
function useFocusOnStep(step: Step) {
  const question = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    question.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [step]);
  return question;
}

interface QuestionProps {
  step: Step;
  heading: ReturnType<typeof useFocusOnStep>;
  arrived: Arrived | undefined;
}

const QUESTIONS = { 1: "url", 2: "chats", 3: "review" } as const;

function Question({ step, heading, arrived }: QuestionProps) {
  const t = useTexts("filter");
  const name = QUESTIONS[step];
  return (
    <div className="grid gap-2">
      <h2 ref={heading} tabIndex={-1} className="text-question outline-none sm:text-4xl">
        {t(`${name}.question`)}
      </h2>
      {/* On a phone the help says it too, and the field must be in view. */}
      <p className={cn("text-muted", step === 1 && "max-sm:hidden")}>{t(`${name}.lead`)}</p>
      <p
        role="status"
        className={arrived ? "flex items-center gap-2 pt-1 font-semibold text-good" : "sr-only"}
      >
        {arrived && <CircleCheck aria-hidden className="size-5 shrink-0" />}
        {arrived?.text}
      </p>
      {arrived && !arrived.isNamed && <p className="text-md">{t("advice.unconfirmed")}</p>}
    </div>
  );
}

interface Arrived {
  text: string;
  isNamed: boolean;
}

/**
 * Continues when the first chat connects while its question is on screen, once and never after the review, and names it there.
 * Does not interrupt a person who is typing.
 */
function useFirstChat(step: Step, goOn: () => void): Arrived | undefined {
  const t = useTexts("filter");
  const { values, ids, chats } = useSearchForm();
  const [arrivedId, setArrivedId] = useState<string>();
  const isAwaited = useRef(false);
  const isPast = useRef(false);
  const id = connectedOf(chats)?.find((one) => ids.includes(one.id))?.id;
  const continueOnce = useEffectEvent(() => {
    isPast.current = true;
    if (document.activeElement instanceof HTMLInputElement) return;
    setArrivedId(id);
    goOn();
  });
  const isEmpty = values.ids.trim() === "";
  const isLoaded = chats !== undefined;
  useEffect(() => {
    if (step === 3) isPast.current = true;
    if (step !== 2 || isPast.current || !isLoaded) return;
    if (isAwaited.current && id !== undefined) continueOnce();
    isAwaited.current = isEmpty;
  }, [step, isEmpty, isLoaded, id]);
  const chat = step === 3 ? chats?.find((one) => one.id === arrivedId) : undefined;
  return (
    chat && { text: t("chats.arrived", { name: chatName(t, chat.id, chat) }), isNamed: chat.isConfirmed }
  );
}

function ChatsStep({ fault, onBack }: { fault: string | undefined; onBack(): void }) {
  const t = useTexts("filter");
  const hasChat = useSearchForm().values.ids.trim() !== "";
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <ChatsPart field={field} />
      <IdsField inputRef={field} fault={fault} />
      <ServiceFacts />
      <StepButtons>
        <BackButton onBack={onBack} />
        {/* Until there is a chat, connecting one is the next step. */}
        <Button type="submit" size="lg" variant={hasChat ? "solid" : "outline"}>
          {t("steps.toReview")}
          <ArrowRight aria-hidden className="size-5" />
        </Button>
      </StepButtons>
    </>
  );
}

function ReviewStep({ goTo, onBack }: { goTo(step: Step): void; onBack(): void }) {
  const t = useTexts("filter");
  const { failure, isBusy } = useSearchForm();
  return (
    <>
      <Review goTo={goTo} />
      <ServiceFacts />
      {failure !== null && <FailureNotice message={failure} />}
      <StepButtons>
        <BackButton onBack={onBack} />
        <BusyButton type="submit" variant="lantern" size="lg" isBusy={isBusy} busyText={t("steps.saving")}>
          {t("steps.save")}
        </BusyButton>
      </StepButtons>
    </>
  );
}

function BackButton({ onBack }: { onBack(): void }) {
  const t = useTexts("filter");
  return (
    <Button variant="outline" size="lg" onClick={onBack}>
      <ArrowLeft aria-hidden className="size-5" />
      {t("steps.back")}
    </Button>
  );
}
