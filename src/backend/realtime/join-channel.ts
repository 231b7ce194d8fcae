import { type Identity, identityOf } from "./identity.ts";
import type { JoinRequest } from "./join-request.ts";
import { failureFields } from "./logger.ts";
import type { RealtimeContext } from "./realtime-context.ts";
import { type ResolvedBinding, resolveBindings } from "./resolve-bindings.ts";

export const topicPrefix = "realtime:";

type JoinDecision =
  | { ok: true; identity: Identity; resolved: ResolvedBinding[]; complaint: string | undefined }
  | { ok: false; reason: string };

type Resolution =
  | { ok: true; resolved: ResolvedBinding[] }
  | { ok: false; isUnavailable: boolean; reason: string };

/** Everything about a join that does not touch the socket: who asks, and what their bindings mean. */
export async function decideJoin(
  context: RealtimeContext,
  { request, apiKey }: { request: JoinRequest; apiKey: string },
): Promise<JoinDecision> {
  const checked = await identityOf(request.accessToken, { ...context, apiKey });
  if (!checked.ok) return { ok: false, reason: `InvalidJWTToken: ${checked.reason}` };
  const { identity } = checked;
  const resolution = await resolveRequest(context, request, identity);
  if (resolution.ok) return { ok: true, identity, resolved: resolution.resolved, complaint: undefined };
  const { isUnavailable, reason } = resolution;
  if (isUnavailable || request.waitsForSubscription) return { ok: false, reason };
  // Hosted Realtime lets such a channel join and complains in a system message.
  return { ok: true, identity, resolved: [], complaint: reason };
}

export function topicMistakeOf(topic: string): string | undefined {
  if (!topic.startsWith(topicPrefix)) return "unmatched topic";
  return topic === topicPrefix ? "TopicNameRequired: You must provide a topic name" : undefined;
}

async function resolveRequest(
  { sql, listener, logger }: RealtimeContext,
  { bindings }: JoinRequest,
  identity: Identity,
): Promise<Resolution> {
  if (!bindings.ok) return { ...bindings, isUnavailable: false };
  if (bindings.list.length === 0) return { ok: true, resolved: [] };
  const reason = "Realtime was unable to connect to the project database";
  if (!listener.isListening) return { ok: false, isUnavailable: true, reason };
  try {
    const resolution = await resolveBindings(sql, identity, bindings.list);
    return resolution.ok ? resolution : { ...resolution, isUnavailable: false };
  } catch (error) {
    logger.error(failureFields(error), "realtime could not resolve a subscription");
    return { ok: false, isUnavailable: true, reason };
  }
}
