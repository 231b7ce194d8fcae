import type { PreHydration } from "./pre-hydration.ts";

interface EarlyClickOptions {
  arrivalKey: string;
  /** Uses session storage, unless it is blocked. */
  inTab(use: (tab: Storage) => void): void;
  /** Does what needs no application. Returns true if there is nothing else to do. */
  onPress(pressed: HTMLElement): boolean;
}

/**
 * Holds the last click on a button or link of ours until hydration, which replays it. A link is followed at once if the
 * application cannot be loaded, or if it is clicked a second time; the page it opens then focuses its heading. The
 * source of this function runs in the head of every page, so it must not refer to anything outside itself.
 */
export function holdEarlyClicks(page: PreHydration, { arrivalKey, inTab, onPress }: EarlyClickOptions): void {
  const { origin, pathname, hash } = window.location;
  /** Opens another page of ours in this tab. A link to a place on the page never waits. */
  const isOurPage = (link: HTMLAnchorElement, click: MouseEvent) => {
    const isPlain = !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey;
    const isPlace = link.pathname === pathname && link.hash !== "";
    return isPlain && link.origin === origin && !isPlace && !link.target;
  };
  const wait = (click: PreHydration["click"]) => {
    if (page.click) delete page.click.element.dataset.waiting;
    page.click = click;
    if (click) click.element.dataset.waiting = "true";
  };
  const onClick = (click: MouseEvent) => {
    const pressed = click.target instanceof Element && click.target.closest<HTMLElement>("button, a[href]");
    if (!pressed || onPress(pressed)) return;
    const isLink = pressed instanceof HTMLAnchorElement;
    if (isLink && !isOurPage(pressed, click)) return;
    const isPressedAgain = page.click?.element === pressed;
    wait(undefined);
    if (page.state === "hydrated") return;
    // During hydration React would drop the click, or handle it twice.
    click.stopImmediatePropagation();
    if (isLink && (isPressedAgain || page.state === "static")) {
      inTab((tab) => tab.setItem(arrivalKey, pressed.pathname));
      return;
    }
    click.preventDefault();
    wait({ element: pressed, detail: click.detail });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const menu = event.target instanceof Element && event.target.closest<HTMLElement>("[aria-haspopup]");
    if (page.state === "hydrated" || event.key !== "ArrowDown" || !menu) return;
    event.preventDefault();
    menu.click();
  };
  document.addEventListener("click", onClick, true);
  document.addEventListener("keydown", onKeyDown, true);

  let arrival: string | null = null;
  inTab((tab) => {
    arrival = tab.getItem(arrivalKey);
    tab.removeItem(arrivalKey);
  });
  document.addEventListener("DOMContentLoaded", () => {
    if (arrival !== pathname || hash !== "" || document.activeElement !== document.body) return;
    const heading = document.querySelector<HTMLElement>("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  });
}
