// `npm run doctor`: what is wrong with the settings and with everything outside that they lead to; 1 when something is.
import { readSettings } from "#server/config.ts";
import { examine, isWell, tableOf } from "#server/doctor/doctor.ts";
import { missingOperator } from "#server/monitoring/operator-settings.ts";
import { unsafeSettings } from "#server/start/unsafe-settings.ts";

const rows = await examine(
  readSettings({ findMistakes: (values) => [...unsafeSettings(values), ...missingOperator(values)] }),
);
process.stdout.write(`${tableOf(rows)}\n`);
// Whatever a service left open must not keep us.
process.exit(isWell(rows) ? 0 : 1);
