/** What was typed; it outlives a change of form and a failure. */
export interface Draft {
  fullName: string;
  email: string;
  password: string;
}

export interface DraftFormProps {
  draft: Draft;
  onDraftChange(change: Partial<Draft>): void;
}

export const EMPTY_DRAFT: Draft = { fullName: "", email: "", password: "" };
