import { Suspense, useEffect } from "react";
import { useBlocker } from "react-router";
import { basePathOf } from "#core/languages.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";

const loadDialog = () => import("./leave-dialog.tsx");
const LeaveDialog = lazyPart(async () => (await loadDialog()).LeaveDialog, {
  isFloating: true,
  onDismiss: ({ onStay }) => onStay(),
});

interface LeaveGuardProps {
  isOn: boolean;
  onLeave(): void;
}

/** Asks before unsaved changes are lost. The same search in another language does not lose them. */
export function LeaveGuard({ isOn, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (shownAt(currentLocation) === shownAt(nextLocation)) return false;
    const isSigningOut = hasMark(nextLocation.state, "isSigningOut");
    return isOn && !isSigningOut && !hasMark(nextLocation.state, "isSaved");
  });
  useEffect(() => {
    if (!isOn) return;
    loadDialog().catch(() => undefined);
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isOn]);
  if (blocker.state !== "blocked") return null;
  const leave = () => {
    onLeave();
    blocker.proceed();
  };
  return (
    <Suspense>
      <LeaveDialog onStay={() => blocker.reset()} onLeave={leave} />
    </Suspense>
  );
}

function shownAt({ pathname, search }: { pathname: string; search: string }): string {
  return `${basePathOf(pathname)} ${new URLSearchParams(search).get("search") ?? ""}`;
}

/** Signing out is a decision of its own, and what was saved leads on by itself. */
function hasMark(state: unknown, mark: "isSigningOut" | "isSaved"): boolean {
  return typeof state === "object" && state !== null && mark in state;
}
