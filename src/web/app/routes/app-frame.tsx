import { Outlet } from "react-router";
import { PageBoundary } from "../../components/crash.tsx";
import { AppFrame } from "../../features/mini-app/app-frame.tsx";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["mini-app"] };

/** Around the pages inside Telegram, in place of header and footer. */
export default function AppFrameOfPages() {
  return (
    <AppFrame>
      <PageBoundary>
        <Outlet />
      </PageBoundary>
    </AppFrame>
  );
}
