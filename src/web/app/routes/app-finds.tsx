// The page that an alert's button opens, at one home: what shows a home is among its first scripts.
import "../../features/finds/home/opened-home.tsx";
import { HomePart } from "../../features/finds/list-view.tsx";
import FindsPage, { handle } from "./finds.tsx";

// Ready for the first render, which would suspend otherwise.
void HomePart.preload();

export { handle };

export default function AppFindsPage() {
  return <FindsPage />;
}
