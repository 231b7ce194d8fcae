// `npm run doctor`: checks the settings and the services they name; exits with 1 if something is wrong.
import { readSettings } from "#server/config.ts";
import { areAllWorking, runDoctor, tableOf } from "#server/doctor/doctor.ts";
import { missingOperator } from "#server/monitoring/operator-settings.ts";
import { readSettingsFile } from "#server/start/settings-file.ts";
import { unsafeSettings } from "#server/start/unsafe-settings.ts";

const rows = await runDoctor(
  readSettings({
    file: readSettingsFile(),
    findMistakes: (values) => [...unsafeSettings(values), ...missingOperator(values)],
  }),
);
process.stdout.write(`${tableOf(rows)}\n`);
// A connection left open by a service must not keep the process alive.
process.exit(areAllWorking(rows) ? 0 : 1);
