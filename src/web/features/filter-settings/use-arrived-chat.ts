import { useEffect, useRef, useState } from "react";
import { type Chat, connectedOf } from "./chat-calls.ts";

/** The chat that connected itself last while the page was open. */
export function useArrivedChat(chats: readonly Chat[] | undefined): Chat | undefined {
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  const [arrived, setArrived] = useState<Chat>();
  useEffect(() => {
    const connected = connectedOf(chats);
    if (!connected) return;
    const before = known.current;
    const fresh = before && connected.find(({ id }) => !before.has(id));
    known.current = new Set(connected.map(({ id }) => id));
    if (fresh) setArrived(fresh);
  }, [chats]);
  return arrived;
}
