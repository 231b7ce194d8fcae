import { createContext, useContext, useEffect, useRef } from "react";

/** Takes what the bar at the foot of the form does while questions are open, and null when they close. */
export type SetFootAction = (act: (() => void) | null) => void;

/** Null where no bar can show their button: the questions then have their own. */
export const QuestionsFoot = createContext<SetFootAction | null>(null);

/** Returns whether the bar at the foot shows the button of the questions. */
export function useFootAction(act: () => void): boolean {
  const setAction = useContext(QuestionsFoot);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    setAction?.(() => latest.current());
    return () => setAction?.(null);
  }, [setAction]);
  return setAction !== null;
}
