import { parseArgs } from "node:util";
import {
  DEFAULT_BY_URL_KEY,
  DEFAULT_CREDENTIALS,
  type PortalSimulatorOptions,
  startPortalSimulator,
} from "./start-portal-simulator.ts";

// Runs the simulator alone: prints one JSON line with its address, stops on SIGINT or SIGTERM.
const simulator = await startPortalSimulator(readArguments());
process.stdout.write(`${JSON.stringify({ portal: simulator.url, port: simulator.port })}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void simulator.close().then(() => process.exit(0)));
}

function readArguments(): PortalSimulatorOptions {
  const { values } = parseArgs({
    options: {
      host: { type: "string", default: "127.0.0.1" },
      port: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
      size: { type: "string", default: "30000" },
      "new-per-day": { type: "string", default: "900" },
      key: { type: "string", default: DEFAULT_CREDENTIALS.key },
      secret: { type: "string", default: DEFAULT_CREDENTIALS.secret },
      "by-url-key": { type: "string", default: DEFAULT_BY_URL_KEY },
      "requests-per-second": { type: "string", default: "1" },
      "monthly-requests": { type: "string", default: "none" },
      control: { type: "boolean", default: false },
    },
  });
  return {
    host: values.host,
    port: wholeNumber("port", values.port),
    seed: wholeNumber("seed", values.seed),
    size: wholeNumber("size", values.size),
    newPerDay: wholeNumber("new-per-day", values["new-per-day"]),
    credentials: { key: values.key, secret: values.secret },
    byUrlKey: values["by-url-key"],
    requestsPerSecond: wholeNumber("requests-per-second", values["requests-per-second"]),
    monthlyRequests:
      values["monthly-requests"] === "none"
        ? null
        : wholeNumber("monthly-requests", values["monthly-requests"]),
    control: values.control,
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < 0) {
    throw new Error(`--${name} must be a whole number, not "${text}"`);
  }
  return value;
}
