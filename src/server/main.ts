// The product's program, as `npm start` and the tests start it.
import { runProgram } from "./run-program.ts";

await runProgram();
