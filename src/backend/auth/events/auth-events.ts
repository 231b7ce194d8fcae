import type { Caller } from "../auth-request.ts";

/** What happened to an account, for its owner to see. */
export type AuthEvent = {
  kind: "sign_up" | "sign_in" | "wrong_password" | "password_changed" | "password_reset" | "session_ended";
  userId: string;
  sessionId?: string;
} & Caller;

/** In the background: recording an event neither delays nor fails a request, and its time tells nothing. */
export type RecordEvent = (event: AuthEvent) => void;
