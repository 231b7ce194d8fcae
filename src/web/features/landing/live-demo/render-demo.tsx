import { StrictMode } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { DemoChat } from "./demo-chat.tsx";
import type { DemoProps } from "./demo-props.ts";

const roots = new WeakMap<Element, Root>();

/** Renders the demo into its element, before the application is there or inside it. */
export function renderDemo(place: Element, props: DemoProps): void {
  const demo = (
    <StrictMode>
      <DemoChat {...props} />
    </StrictMode>
  );
  const root = roots.get(place);
  if (root) root.render(demo);
  else roots.set(place, place.firstChild ? hydrateRoot(place, demo) : rendered(createRoot(place), demo));
}

function rendered(root: Root, demo: React.ReactNode): Root {
  root.render(demo);
  return root;
}

export function removeDemo(place: Element): void {
  roots.get(place)?.unmount();
  roots.delete(place);
}
