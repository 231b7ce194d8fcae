import { lazy, Suspense, useEffect } from "react";
import { useBlocker } from "react-router";
import { basePathOf } from "#core/languages.ts";

const loadDialog = () => import("./leave-dialog.tsx");
const LeaveDialog = lazy(async () => ({ default: (await loadDialog()).LeaveDialog }));

/** Asks before unsaved changes are left behind; the same page in another language is not left. */
export function LeaveGuard({ isOn, onLeave }: { isOn: boolean; onLeave(): void }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (basePathOf(currentLocation.pathname) === basePathOf(nextLocation.pathname)) return false;
    if (isSigningOut(nextLocation.state)) onLeave();
    return isOn && !isSigningOut(nextLocation.state);
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

/** Signing out is a decision of its own, made with the same tap. */
function isSigningOut(state: unknown): boolean {
  return typeof state === "object" && state !== null && "isSigningOut" in state;
}
