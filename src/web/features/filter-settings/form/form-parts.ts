import type { Dispatch } from "react";
import type { Chat } from "../chats/chat-calls.ts";
import type { Understanding } from "../search/understand-url.ts";
import type { FormAction, FormState } from "./form-state.ts";
import type { Save } from "./use-save.ts";

/** What the wizard and the edit form are both made of. */
export interface FormParts {
  userId: string;
  state: FormState;
  dispatch: Dispatch<FormAction>;
  isDirty: boolean;
  save: Save;
  understanding: Understanding;
  /** Undefined until they are loaded. */
  chats: readonly Chat[] | undefined;
  /** Empty until the site's settings are there. */
  botUsername: string;
}
