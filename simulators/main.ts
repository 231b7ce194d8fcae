// The simulators' program: starts one for each thing outside that is not configured, and the console over them.
// Tells whoever started it which settings lead to them.
import { startConsole } from "./console/console.ts";
import { startGoogleSimulator } from "./google/google-simulator.ts";
import { startMailSimulator } from "./mail/mail-simulator.ts";

const settings = process.env;
const siteUrl = settings.SITE_URL || `http://localhost:${settings.PORT || 3000}`;

try {
  const [mail, google] = await Promise.all([
    startMailSimulator(),
    startGoogleSimulator({ redirectUris: [`${siteUrl}/auth/v1/callback`] }),
  ]);
  const console = await startConsole({ port: Number(settings.CONSOLE_PORT || 3001), siteUrl, mail, google });
  const environment = {
    ...(settings.SMTP_URL ? {} : { SMTP_URL: mail.smtpUrl, MAIL_FROM: "Sereno <sereno@example.com>" }),
    ...(settings.GOOGLE_CLIENT_ID
      ? {}
      : {
          GOOGLE_CLIENT_ID: google.clientId,
          GOOGLE_CLIENT_SECRET: google.clientSecret,
          GOOGLE_URL: google.url,
        }),
  };
  process.send?.({ ready: { environment, consoleUrl: console.url } });

  const stop = async () => {
    await Promise.all([console.stop(), mail.stop(), google.stop()]);
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("disconnect", stop);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
