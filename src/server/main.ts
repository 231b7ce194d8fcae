// The product's entry point for `npm start` and the tests.
import { runProgram } from "./run-program.ts";

await runProgram();
