import { parseArgs } from "node:util";
import {
  DEFAULT_BOT_USERNAME,
  DEFAULT_TOKEN,
  startTelegramSimulator,
  type TelegramSimulatorOptions,
} from "./start-telegram-simulator.ts";

// Runs the simulator alone: prints one JSON line with its address, stops on SIGINT or SIGTERM.
const simulator = await startTelegramSimulator(readArguments());
process.stdout.write(`${JSON.stringify({ telegram: simulator.url, port: simulator.port })}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void simulator.close().then(() => process.exit(0)));
}

function readArguments(): TelegramSimulatorOptions {
  const { values } = parseArgs({
    options: {
      host: { type: "string", default: "127.0.0.1" },
      port: { type: "string", default: "0" },
      token: { type: "string", default: DEFAULT_TOKEN },
      "bot-username": { type: "string", default: DEFAULT_BOT_USERNAME },
      "bot-name": { type: "string", default: "Sereno" },
      "no-flood-control": { type: "boolean", default: false },
      "local-webhooks": { type: "boolean", default: false },
      control: { type: "boolean", default: false },
    },
  });
  if (!/^[1-9]\d*:.+$/.test(values.token)) throw new Error('--token looks like "123456:letters"');
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0) {
    throw new Error(`--port must be a whole number, not "${values.port}"`);
  }
  return {
    host: values.host,
    port,
    token: values.token,
    botUsername: values["bot-username"],
    botName: values["bot-name"],
    floodControl: !values["no-flood-control"],
    localWebhooks: values["local-webhooks"],
    control: values.control,
  };
}
