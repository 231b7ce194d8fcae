import { z } from "zod";
import { telegramOf } from "../telegram-settings.ts";
import { type Check, notSet, ok, wrong } from "./finding.ts";

const WAIT_MS = 8_000;
const buttonAnswer = z.object({ result: z.object({ web_app: z.object({ url: z.string() }).optional() }) });
const meAnswer = z.object({ result: z.object({ has_main_web_app: z.boolean().optional() }) });

/** Whether Telegram opens our pages, and whether it alone may show them in a frame. */
export const checkMiniApp: Check = async (settings) => {
  const { SITE_URL: siteUrl, TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot } = settings;
  if (siteUrl === undefined || token === undefined || apiRoot === undefined)
    return notSet("no SITE_URL or no bot");
  const app = telegramOf(
    { TELEGRAM_LINK_URL: "", TELEGRAM_WEB_URL: DEFAULT_WEB_URL, ...settings, TELEGRAM_API_ROOT: apiRoot },
    siteUrl,
  );
  if (app.miniApp === undefined) return notSet("off: MINI_APP, or SITE_URL is not https, or hosted Supabase");
  const bot = `${apiRoot}/bot${token}`;
  const [button, me, page] = await Promise.all([
    ask(`${bot}/getChatMenuButton`, buttonAnswer),
    ask(`${bot}/getMe`, meAnswer),
    fetch(`${siteUrl}/app/finds`, { signal: AbortSignal.timeout(WAIT_MS) }),
  ]);
  // A proxy may add a policy of its own, and browsers obey each.
  const policies = (page.headers.get("content-security-policy") ?? "").matchAll(/frame-ancestors ([^;,]+)/g);
  const framers = new Set([...policies].map(([, site]) => site?.trim()));
  if (framers.size !== 1 || !framers.has(app.miniApp.framedBy) || page.headers.has("x-frame-options")) {
    return wrong(
      `${siteUrl}/app/finds may not be shown by ${app.miniApp.framedBy}: let the proxy leave Content-Security-Policy and X-Frame-Options as they are`,
    );
  }
  if (!button.result.web_app?.url.startsWith(`${siteUrl}/app/`)) {
    return wrong("the bot's menu button does not open it: it is set when the bot starts with this SITE_URL");
  }
  const links =
    me.result.has_main_web_app === true
      ? ""
      : "; groups get no link to it (enable the main Mini App at @BotFather, Bot Settings, Configure Mini App)";
  return ok(`the bot's menu button opens ${siteUrl}/app/finds${links}`);
};

const DEFAULT_WEB_URL = "https://web.telegram.org";

async function ask<Answer>(url: string, schema: z.ZodType<Answer>): Promise<Answer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) });
  return schema.parse(await answer.json());
}
