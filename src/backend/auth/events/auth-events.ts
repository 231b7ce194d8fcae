import type { Caller } from "../auth-request.ts";

/** A security event of an account, shown to its owner. */
export type AuthEvent = {
  kind: "sign_up" | "sign_in" | "wrong_password" | "password_changed" | "password_reset" | "session_ended";
  userId: string;
  sessionId?: string;
} & Caller;

/** Records in the background, so that it neither delays or fails a request nor reveals anything by its duration. */
export type RecordEvent = (event: AuthEvent) => void;
