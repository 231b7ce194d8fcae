import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { decideHeldSetup } from "../lib/backend/held-setup.ts";
import type { HeldSetup } from "../lib/backend/typed-database.ts";
import { useAction } from "../lib/browser/use-action.ts";
import { searchNameOf } from "../lib/i18n/search-name.ts";
import { useTexts, useWords } from "../lib/i18n/use-texts.ts";
import { Panel } from "./panel.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { Button } from "./ui/button.tsx";

const SHOWN_DIGITS = 4;
const BUTTON = "h-auto! min-h-11 w-full py-2 whitespace-normal! sm:w-auto";

/** Asks the person whether the setup made before the email address was verified is theirs. */
export function HeldSetupNotice({ held }: { held: HeldSetup }) {
  const t = useTexts("account");
  return (
    <Panel id="held-setup" title={t("heldSetup.question")} description={t("heldSetup.explanation")}>
      <HeldItems held={held} />
      <Answers />
    </Panel>
  );
}

function HeldItems({ held }: { held: HeldSetup }) {
  const t = useTexts("account");
  const words = useWords("search");
  const kinds = {
    searches: held.searches.map(({ name, filter_url }) => searchNameOf({ name, url: filter_url }, words)),
    chats: held.chats.map(
      ({ title, chat_id }) => title ?? t("heldSetup.unnamedChat", { digits: chat_id.slice(-SHOWN_DIGITS) }),
    ),
    places: held.places,
    mailAddress: held.has_mail_address ? [t("heldSetup.mailAddressIsSet")] : [],
  };
  return (
    <dl className="grid divide-y divide-line rounded-xl border border-line px-4">
      {(["searches", "chats", "places", "mailAddress"] as const)
        .filter((kind) => kinds[kind].length > 0)
        .map((kind) => (
          <div key={kind} className="grid gap-x-4 py-3 sm:grid-cols-[10rem_1fr]">
            <dt className="text-sm text-muted sm:pt-0.5">{t(`heldSetup.${kind}`)}</dt>
            {kinds[kind].map((name, place) => (
              // Two searches of one place have the same name.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is shown once and never sorted
              <dd key={place} className="font-semibold wrap-anywhere sm:col-start-2">
                {name}
              </dd>
            ))}
          </div>
        ))}
    </dl>
  );
}

function Answers() {
  const t = useTexts("account");
  const queries = useQueryClient();
  const [isSure, setSure] = useState(false);
  const { isBusy, pendingInput, run } = useAction({
    run: async (isMine: boolean) => {
      await decideHeldSetup(isMine);
      await queries.invalidateQueries();
    },
    onSuccess: (_, isMine) =>
      t(isMine ? "heldSetup.confirmed" : "heldSetup.removed", { returnObjects: true }),
    failure: t("heldSetup.failure", { returnObjects: true }),
  });
  if (isSure) {
    return (
      <div className="grid gap-3">
        <p>{t("heldSetup.sure")}</p>
        <div className="flex flex-wrap gap-3">
          <SubmitButton
            type="button"
            variant="destructive"
            className={BUTTON}
            isBusy={isBusy}
            busyText={t("heldSetup.busy")}
            onClick={() => run(false)}
          >
            {t("heldSetup.removeNow")}
          </SubmitButton>
          <Button variant="outline" className={BUTTON} onClick={() => setSure(false)}>
            {t("heldSetup.cancel")}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap gap-3">
      <SubmitButton
        type="button"
        className={BUTTON}
        isBusy={pendingInput === true}
        busyText={t("heldSetup.busy")}
        onClick={() => run(true)}
      >
        {t("heldSetup.yes")}
      </SubmitButton>
      <Button variant="outline" className={BUTTON} onClick={() => setSure(true)}>
        {t("heldSetup.remove")}
      </Button>
    </div>
  );
}
