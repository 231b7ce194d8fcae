import type { ServerResponse } from "node:http";
import type { Fault, StruckFault } from "./faults.ts";
import { type Answer, refusalAnswer, sendAnswer } from "./http-answer.ts";
import { Refusal, tooManyRequests } from "./refusal.ts";

/** What is answered in place of the answer, as far as anything is. */
export function faultAnswer({ fault, msLeft }: StruckFault): Answer {
  switch (fault.kind) {
    case "storm": {
      const seconds = fault.retryAfter ?? Math.max(1, Math.ceil(msLeft / 1000));
      return refusalAnswer(tooManyRequests(seconds));
    }
    case "error":
      return refusalAnswer(refusalOf(fault));
    case "html": {
      const status = fault.errorCode ?? 502;
      const page = `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>`;
      return { status, body: page, description: "a page of HTML" };
    }
    case "not-ok":
      return { status: 200, body: '{"ok":false}', description: "not ok, without a reason" };
    case "empty":
      return { status: 200, body: "", description: "an empty answer" };
    default:
      return { status: 0, body: "", description: "no answer" };
  }
}

function refusalOf({ errorCode = 500, description, retryAfter, migrateToChatId }: Fault): Refusal {
  if (description === undefined && retryAfter !== undefined) return tooManyRequests(retryAfter);
  const parameters = {
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...(migrateToChatId === undefined ? {} : { migrate_to_chat_id: migrateToChatId }),
  };
  const hasParameters = Object.keys(parameters).length > 0;
  const told = description ?? DESCRIPTIONS[errorCode] ?? "Bad Request";
  return new Refusal(errorCode, told, hasParameters ? parameters : undefined);
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden: bot was blocked by the user",
  404: "Not Found",
  409: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
  429: "Too Many Requests",
  500: "Internal Server Error: restart",
};

/** Answers as the fault wants it; where there is no answer to give, the connection ends or stays silent. */
export function answerWithFault(response: ServerResponse, { kind }: Fault, answer: Answer): void {
  switch (kind) {
    case "reset":
    case "drop":
      response.socket?.resetAndDestroy();
      return;
    case "hang":
      return;
    case "half": {
      const bytes = Buffer.from(answer.body);
      response.writeHead(answer.status, {
        "content-type": "application/json",
        "content-length": bytes.length,
      });
      response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.socket?.destroy());
      return;
    }
    case "html":
      response.writeHead(answer.status, { "content-type": "text/html" });
      response.end(answer.body);
      return;
    default:
      sendAnswer(response, answer);
  }
}
