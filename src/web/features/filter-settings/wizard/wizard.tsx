import { ArrowLeft, ArrowRight, CircleCheck } from "lucide-react";
import { Suspense, useEffect, useEffectEvent, useRef } from "react";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { useFaults } from "#web/components/form/use-faults.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { parseChatIds } from "../chats/chat-ids.ts";
import { chatName } from "../chats/chat-name.ts";
import { ElsewhereNotice } from "../edit/elsewhere-notice.tsx";
import type { FormParts } from "../form/form-parts.ts";
import { saveTyped, useFieldFaults } from "../form/form-parts.ts";
import type { Step } from "../form/form-state.ts";
import { ServiceFacts } from "../form/service-facts.tsx";
import { StepButtons } from "./step-buttons.tsx";
import { UrlStep } from "./url-step.tsx";
import { WizardProgress } from "./wizard-progress.tsx";

// Not needed for the first question: loaded while it is read, together with the edit form.
const loadChats = () => import("../chats/chats-part.tsx");
const ChatsPart = lazyPart(async () => (await loadChats()).ChatsPart);
const IdsField = lazyPart(async () => (await loadChats()).IdsField);

export const loadReview = () => import("./review.tsx");
const Review = lazyPart(async () => (await loadReview()).Review);

interface WizardProps extends FormParts {
  goTo(step: Step): void;
}

export function Wizard({ goTo, ...parts }: WizardProps) {
  const t = useTexts("filter");
  const { state, dispatch } = parts;
  const question = useRef<HTMLHeadingElement>(null);
  const shownStep = useRef(state.step);
  useEffect(() => {
    if (shownStep.current === state.step) return;
    shownStep.current = state.step;
    question.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [state.step]);
  const arrived = useFirstChat(parts, () => goTo(3));
  // An additional search starts with chats; they can be changed in the review.
  const hasChats = useFieldFaults(parts).ids === null;
  const isAddition = parts.others.length > 0 && parts.search === null && hasChats;
  const questions = {
    1: { question: t("url.question"), lead: t("url.lead") },
    2: { question: t("chats.question"), lead: t("chats.lead") },
    3: { question: t("review.question"), lead: t("review.lead") },
  };
  return (
    // The forms of the steps are `display: contents`: a sticky bar inside a box would stay within it.
    <div className="grid gap-6">
      <WizardProgress step={state.step} />
      <ElsewhereNotice
        {...parts}
        onKeep={() => {
          dispatch({ type: "mine-kept" });
          question.current?.focus({ preventScroll: true });
        }}
        onTake={() => dispatch({ type: "other-taken" })}
      />
      <div className="grid gap-2">
        <h2 ref={question} tabIndex={-1} className="text-question outline-none sm:text-4xl">
          {questions[state.step].question}
        </h2>
        {/* On a phone the help says it too, and the field must be in view. */}
        <p className={cn("text-muted", state.step === 1 && "max-sm:hidden")}>{questions[state.step].lead}</p>
        <p
          role="status"
          className={arrived ? "flex items-center gap-2 pt-1 font-semibold text-good" : "sr-only"}
        >
          {arrived && <CircleCheck aria-hidden className="size-5 shrink-0" />}
          {arrived?.text}
        </p>
        {arrived && !arrived.isNamed && <p className="text-md">{t("advice.unconfirmed")}</p>}
      </div>
      {state.step === 1 && <UrlStep {...parts} onNext={() => goTo(isAddition ? 3 : 2)} />}
      <Suspense fallback={null}>
        {state.step === 2 && <ChatsStep {...parts} onBack={() => goTo(1)} onNext={() => goTo(3)} />}
        {state.step === 3 && <ReviewStep {...parts} goTo={goTo} onBack={() => goTo(isAddition ? 1 : 2)} />}
      </Suspense>
    </div>
  );
}

interface Arrived {
  text: string;
  isNamed: boolean;
}

/** Continues when the first chat connects, and names it in the review. Does not interrupt a person who is typing. */
function useFirstChat({ state, dispatch, chats }: FormParts, goOn: () => void): Arrived | undefined {
  const t = useTexts("filter");
  const arrivedId = useRef<string>(undefined);
  const { step, firstChat } = state;
  const take = useEffectEvent(() => {
    const focused = document.activeElement;
    if (focused instanceof HTMLInputElement) {
      dispatch({ type: "step-taken", step });
      return;
    }
    arrivedId.current = parseChatIds(state.ids).ids[0];
    goOn();
  });
  useEffect(() => {
    if (step === 2 && firstChat === "arrived") take();
  }, [step, firstChat]);
  const chat = step === 3 ? chats?.find(({ id }) => id === arrivedId.current) : undefined;
  return (
    chat && {
      text: t("chats.arrived", { name: chatName(t, chat.id, chat) }),
      isNamed: chat.isConfirmed,
    }
  );
}

function ChatsStep({ onBack, onNext, ...parts }: FormParts & { onBack(): void; onNext(): void }) {
  const t = useTexts("filter");
  const { ids } = useFieldFaults(parts);
  const { faultOf, onSubmit } = useFaults({ ids }, onNext);
  const field = useRef<HTMLInputElement>(null);
  return (
    <form noValidate onSubmit={onSubmit} className="contents">
      <ChatsPart {...parts} field={field} />
      <IdsField state={parts.state} dispatch={parts.dispatch} inputRef={field} fault={faultOf("ids")} />
      <ServiceFacts />
      <StepButtons>
        <BackButton onBack={onBack} />
        <Button type="submit" size="lg">
          {t("steps.toReview")}
          <ArrowRight aria-hidden className="size-5" />
        </Button>
      </StepButtons>
    </form>
  );
}

function ReviewStep({ goTo, onBack, ...parts }: FormParts & { goTo(step: Step): void; onBack(): void }) {
  const t = useTexts("filter");
  const { save } = parts;
  const faults = useFieldFaults(parts);
  const submit = () => {
    if (faults.url !== null) goTo(1);
    else if (faults.ids !== null) goTo(2);
    else saveTyped(parts);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="contents"
    >
      <Review {...parts} goTo={goTo} />
      <ServiceFacts />
      {save.failure !== null && <FailureNotice message={save.failure} />}
      <StepButtons>
        <BackButton onBack={onBack} />
        <BusyButton
          type="submit"
          variant="lantern"
          size="lg"
          isBusy={save.isBusy}
          busyText={t("steps.saving")}
        >
          {t("steps.save")}
        </BusyButton>
      </StepButtons>
    </form>
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
