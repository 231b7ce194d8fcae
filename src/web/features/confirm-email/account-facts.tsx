import { browserWords } from "#text/browser-words.ts";
import { Fact, FactList } from "#web/components/ui/facts.tsx";
import { PROVIDERS } from "#web/lib/auth/providers.ts";
import type { AddressLink } from "#web/lib/backend/typed-database.ts";
import { momentHere } from "#web/lib/i18n/moment-here.ts";
import { useLanguage, useTexts, useWords } from "#web/lib/i18n/use-texts.ts";

/** What the account is: enough to recognise one's own, and to see that it is somebody else's. */
export function AccountFacts({ link }: { link: AddressLink }) {
  const t = useTexts("auth");
  const { t: account } = useWords("account");
  const language = useLanguage();
  const time = momentHere(new Date(link.opened_at), language, { dateStyle: "long", timeStyle: "short" });
  const signIns = link.sign_ins.map(({ provider, name }) => {
    const shown = Object.values(PROVIDERS).find(({ id }) => id === provider)?.name ?? provider;
    return name === null ? shown : t("confirmEmail.facts.named", { provider: shown, name });
  });
  return (
    <FactList look="lines">
      <Fact name={t("confirmEmail.facts.opened")}>
        {link.browser
          ? t("confirmEmail.facts.openedIn", { time, device: browserWords(link.browser, account) })
          : time}
      </Fact>
      <FactOfMany
        name={t("confirmEmail.facts.signIns")}
        values={[...(link.has_password ? [t("confirmEmail.facts.password")] : []), ...signIns]}
      />
      <FactOfMany
        name={t("confirmEmail.facts.chats")}
        values={link.chats.map(({ name, digits }) => name ?? t("confirmEmail.facts.chat", { digits }))}
      />
      <Fact name={t("confirmEmail.facts.searches")}>{link.searches}</Fact>
    </FactList>
  );
}

function FactOfMany({ name, values }: { name: string; values: readonly string[] }) {
  const t = useTexts("auth");
  if (values.length === 0) return <Fact name={name}>{t("confirmEmail.facts.none")}</Fact>;
  return (
    <Fact name={name}>
      {values.map((value, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two chats may have one name, and the list never changes
        <span key={place} className="block">
          {value}
        </span>
      ))}
    </Fact>
  );
}
