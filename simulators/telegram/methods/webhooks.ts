import { type Parameters, readBoolean, readInteger, readJson, readString } from "../read-parameters.ts";
import { badRequest, tooManyRequests } from "../refusal.ts";
import { readAllowedUpdates } from "../update-queue.ts";
import type { World } from "../world.ts";
import type { Method } from "./method.ts";

const PORTS = ["", "443", "80", "88", "8443"];

export const setWebhook: Method = ({ world, parameters }) => {
  const url = readString(parameters, "url")?.trim() ?? "";
  if (url === "") return removeWebhook(world, parameters);
  const secret = readString(parameters, "secret_token") ?? "";
  if (secret.length > 256) throw badRequest("secret token is too long");
  if (!/^[A-Za-z0-9_-]*$/.test(secret)) throw badRequest("secret token contains unallowed characters");
  checkUrl(url, world.isWebhookLocal);
  if (!world.webhook.mayChange()) throw tooManyRequests(1);
  const allowed = readJson(parameters, "allowed_updates");
  if (allowed !== undefined) world.updates.allowed = readAllowedUpdates(allowed);
  if (readBoolean(parameters, "drop_pending_updates")) world.updates.clear();
  world.polling.abort?.("Conflict: terminated by setWebhook request");
  const connections = readInteger(parameters, "max_connections") ?? 40;
  const isNew = world.webhook.set({
    url,
    secret,
    maxConnections: Math.min(Math.max(connections, 1), 100),
  });
  return { result: true, description: isNew ? "Webhook was set" : "Webhook is already set" };
};

export const deleteWebhook: Method = ({ world, parameters }) => removeWebhook(world, parameters);

export const getWebhookInfo: Method = ({ world }) => {
  const { url, maxConnections, lastError } = world.webhook;
  return {
    result: {
      url: url ?? "",
      has_custom_certificate: false,
      pending_update_count: world.updates.size,
      ...(url === undefined ? {} : { max_connections: maxConnections, ip_address: "127.0.0.1" }),
      ...(url === undefined || lastError === undefined
        ? {}
        : { last_error_date: Math.floor(lastError.at / 1000), last_error_message: lastError.message }),
      ...(world.updates.allowed.length === 0 ? {} : { allowed_updates: world.updates.allowed }),
    },
  };
};

function removeWebhook(world: World, parameters: Parameters) {
  if (readBoolean(parameters, "drop_pending_updates")) world.updates.clear();
  const wasSet = world.webhook.remove();
  return { result: true, description: wasSet ? "Webhook was deleted" : "Webhook is already deleted" };
}

function checkUrl(text: string, isLocal: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw badRequest("bad webhook: Wrong URL");
  if (isLocal) return;
  if (url.protocol !== "https:") {
    throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  }
  if (!PORTS.includes(url.port)) {
    throw badRequest("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443");
  }
  if (/^(localhost|127\.|10\.|192\.168\.|\[)/.test(url.hostname)) {
    throw badRequest(`bad webhook: IP address ${url.hostname} is reserved`);
  }
}
