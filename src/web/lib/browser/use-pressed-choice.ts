import { type MouseEvent, startTransition, useState } from "react";

/**
 * For links that choose something: the pressed one looks chosen in the next frame, while React renders what it leads to in a
 * transition. The second value goes into the link's `onClick`.
 */
export function usePressedChoice<Choice>(
  chosen: Choice,
): [Choice, (choice: Choice, event: MouseEvent) => void] {
  const [pressed, setPressed] = useState<{ choice: Choice } | null>(null);
  const press = (choice: Choice, { ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => {
    // Such a click opens another tab or window.
    if (ctrlKey || metaKey || shiftKey || altKey) return;
    setPressed({ choice });
    startTransition(() => setPressed(null));
  };
  return [pressed ? pressed.choice : chosen, press];
}
