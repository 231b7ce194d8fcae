import { spawn } from "node:child_process";
import { join } from "node:path";

export type ToolResult = { isGood: boolean; output: string };

/** Runs a tool that npm installed and keeps what it says. */
export function runTool(
  name: string,
  args: string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const child = spawn(join("node_modules", ".bin", name), args, {
      env: { ...environment, PATH: `${join(process.cwd(), "node_modules", ".bin")}:${process.env.PATH}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const keep = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => resolve({ isGood: false, output: error.message }));
    child.on("close", (code) => resolve({ isGood: code === 0, output }));
  });
}
