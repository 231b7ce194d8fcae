import { type MouseEvent, useState } from "react";
import type { NavigateOptions } from "react-router";
import { useNavigate } from "../site/use-navigate.ts";
import { afterFrame } from "./next-task.ts";

/**
 * What a press chooses is shown in the next frame, and only then acted on: the router and the list need longer than a frame
 * on a phone. It stays shown until `chosen` follows.
 */
export function usePressedChoice<Choice>(
  chosen: Choice,
): [Choice, (choice: Choice, act: () => void) => void] {
  const [pressed, setPressed] = useState<{ choice: Choice; before: Choice } | null>(null);
  const isFollowed = pressed !== null && pressed.before !== chosen;
  if (isFollowed) setPressed(null);
  const press = (choice: Choice, act: () => void) => {
    setPressed({ choice, before: chosen });
    afterFrame(act);
  };
  return [pressed && !isFollowed ? pressed.choice : chosen, press];
}

/** The same for links. The second value makes a link's `onClick`. */
export function usePressedLink<Choice>(chosen: Choice) {
  const navigate = useNavigate();
  const [shown, press] = usePressedChoice(chosen);
  const follow = (choice: Choice, to: string, options?: NavigateOptions) => (event: MouseEvent) => {
    const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
    // Such a click opens another tab or window.
    if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    press(choice, () => void navigate(to, options));
  };
  return [shown, follow] as const;
}
