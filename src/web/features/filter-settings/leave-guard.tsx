import { useEffect } from "react";
import { useBlocker } from "react-router";
import { basePathOf } from "#core/languages.ts";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { useTexts } from "../../lib/use-texts.ts";

/** Asks before unsaved changes are left behind; the same page in another language is not left. */
export function LeaveGuard({ isOn, onLeave }: { isOn: boolean; onLeave(): void }) {
  const t = useTexts("filter");
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (basePathOf(currentLocation.pathname) === basePathOf(nextLocation.pathname)) return false;
    if (isSigningOut(nextLocation.state)) onLeave();
    return isOn && !isSigningOut(nextLocation.state);
  });
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isOn]);
  if (blocker.state !== "blocked") return null;
  const stay = () => blocker.reset();
  const leave = () => {
    onLeave();
    blocker.proceed();
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && stay()}>
      <DialogContent closeLabel={t("leave.stay")} role="alertdialog">
        <div className="grid gap-6">
          <div className="grid gap-2 pr-10">
            <DialogTitle className="text-2xl">{t("leave.title")}</DialogTitle>
            <DialogDescription className="text-muted">{t("leave.text")}</DialogDescription>
          </div>
          <div className="grid gap-2 sm:grid-cols-2">
            <Button onClick={stay}>{t("leave.stay")}</Button>
            <Button variant="outline" className="border-tile text-tile" onClick={leave}>
              {t("leave.leave")}
            </Button>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** Signing out is a decision of its own, made with the same tap. */
function isSigningOut(state: unknown): boolean {
  return typeof state === "object" && state !== null && "isSigningOut" in state;
}
