import type { Presses } from "../conversation/subject.ts";
import { pressQuestion, pressQuestions } from "./answer-questions.ts";

/** They ask for a search. Watching it then needs an account. */
export const QUESTIONS_PRESSES = {
  questions: { run: pressQuestions, isForUnconfirmed: true },
  question: {
    run: (conversation, ctx, { step }) => pressQuestion(conversation, ctx, step),
    isForUnconfirmed: true,
  },
} as const satisfies Presses;
